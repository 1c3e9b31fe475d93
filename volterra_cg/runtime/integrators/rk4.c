/* Kutta's classical method of order 4 with steps of one size, the largest that divides the time between results and is
 * not above max_step; dense output by Hermite's cubic, of order 3, for the derivative at the end, which the next step needs.
 * In lanes, steps end where results are asked for.
 */
#include "many_lanes.h"
#include "stepper.h"

#include <string.h>

enum { TERMS = 3 }; /* ynew, f, fnew */

enum { STAGES = 5 }; /* in lanes the last is taken at the result */

static const double C[STAGES] = {0.0, 0.5, 0.5, 1.0, 1.0};

static const double A[STAGES][STAGES - 1] = {
    {0.0}, {0.5}, {0.0, 0.5}, {0.0, 0.0, 1.0}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}};

static const int FIRST[STAGES] = {0, 0, 1, 2, 0};

/* The work space: the derivatives at the stages, f first and fnew last. */
static size_t doubles(const vcg_stepper *at)
{
    return STAGES * (size_t)at->width;
}

static void arrange(vcg_stepper *at)
{
    at->f = at->work;
    at->fnew = at->f + (STAGES - 1) * at->width;
}

static int step(vcg_stepper *at)
{
    const double h = vcg_propose_fixed(&at->step, at->target, at->settings->max_step);
    for (int stage = 1; stage < STAGES; ++stage) {
        const int first = FIRST[stage];
        double weights[STAGES];
        for (int j = 0; j < stage; ++j) {
            weights[j] = h * A[stage][j];
        }
        vcg_combine(at->width, stage - first, weights + first, at->y, at->f + first * at->width, at->ynew);
        if (stage < STAGES - 1) {
            const int status = vcg_evaluate(at, at->step.t + C[stage] * h, at->ynew, at->f + stage * at->width);
            if (status != VCG_DONE) {
                return status;
            }
        }
    }
    at->fnew_known = 0;
    return vcg_judge_fixed(&at->step, VCG_DONE, vcg_is_finite(at->n, at->ynew));
}

static int prepare(vcg_stepper *at)
{
    double *end = at->y + at->width, *first = end + at->width, *last = first + at->width;
    const int status = at->fnew_known ? VCG_DONE : vcg_evaluate(at, at->step.tnew, at->ynew, at->fnew);
    if (status != VCG_DONE) {
        return status;
    }
    at->fnew_known = 1;
    memcpy(end, at->ynew, (size_t)at->n * sizeof(double));
    memcpy(first, at->f, (size_t)at->n * sizeof(double));
    memcpy(last, at->fnew, (size_t)at->n * sizeof(double));
    return VCG_DONE;
}

static void interpolate(int width, const double *block, double h, double s, double *result)
{
    const double *end = block + width, *first = end + width, *last = first + width;
    for (int i = 0; i < width; ++i) {
        const double difference = end[i] - block[i];
        const double bend = (1.0 - 2.0 * s) * difference + h * ((s - 1.0) * first[i] + s * last[i]);
        result[i] = (1.0 - s) * block[i] + s * end[i] + s * (s - 1.0) * bend;
    }
}

const vcg_integrator vcg_rk4 = {.terms = TERMS,
                                .doubles = doubles,
                                .arrange = arrange,
                                .step = step,
                                .prepare = prepare,
                                .interpolate = interpolate};

/* --- lanes --------------------------------------------------------------------------------------------------------- */

const vcg_many_integrator vcg_many_rk4 = {
    .stages = STAGES, .all = STAGES, .columns = STAGES - 1, .a = A[0], .c = C, .first = FIRST};
