/* Dormand and Prince's method of order 8 as DOP853 of Hairer, Norsett and Wanner: the error from embedded results of
 * orders 5 and 3 in the root-mean-square norm, dense output of order 7 for three more evaluations a step, made only where
 * something is asked for inside the step.
 */
#include "dop853_table.h"
#include "many_lanes.h"
#include "stepper.h"

enum { OTHERS = 5 }; /* errors and the interpolant weigh the first derivative and those from this one on */

static const double ORDER = 8.0, SAFETY = 0.9, SHRINK = 0.2, GROW = 10.0;
static const double STABLE = 6.1; /* where its region of stability ends on the negative real axis */

/* A trial whose error is one of the tolerance at most is accepted; the next step follows the eighth root of the error. */
static int judge(vcg_step *step, int failed, double error, int finite)
{
    const double change = SAFETY / sqrt(sqrt(sqrt(error)));
    if (error < 1.0 && finite) {
        return vcg_accept(step, step->rejected ? step->size * vcg_smaller(change, 1.0) : vcg_next_size(step, change, GROW));
    }
    return vcg_reject(step, vcg_larger(change, SHRINK), failed, error);
}

/* The error of a step of size h, from the squares of the errors of orders 5 and 3. */
static double norm_of(double five, double three, double h, int n)
{
    return five == 0.0 && three == 0.0 ? 0.0 : h * five / sqrt((five + 0.01 * three) * n);
}

/* --- a single trajectory ------------------------------------------------------------------------------------------- */

/* The work space: the derivatives, the state at a stage, three sums, and zeros. */
static size_t doubles(const vcg_stepper *at)
{
    return (ALL_STAGES + 5) * (size_t)at->width;
}

static void arrange(vcg_stepper *at)
{
    at->f = at->work;
    at->fnew = at->f + STAGES * at->width;
}

/* result = y + h * (a row of A) * k, without the columns that are zero */
static void combine(const vcg_stepper *at, int row, double h, double *result)
{
    const int first = FIRST[row];
    const double *from = at->y;
    double weights[ALL_STAGES], *base = at->work + (ALL_STAGES + 1) * at->width;
    for (int j = 0; j < row; ++j) {
        weights[j] = h * A[row][j];
    }
    if (first > 0) {
        vcg_combine(at->width, 1, weights, from, at->f, base);
        from = base;
    }
    vcg_combine(at->width, row - first, weights + first, from, at->f + first * at->width, result);
}

static int stages(vcg_stepper *at, int first, int last, double h)
{
    double *inner = at->work + ALL_STAGES * at->width;
    for (int stage = first; stage < last; ++stage) {
        double *place = stage == STAGES ? at->ynew : inner;
        combine(at, stage, h, place);
        const double t = stage == STAGES ? at->step.tnew : at->step.t + C[stage] * h;
        const int status = vcg_evaluate(at, t, place, at->f + stage * at->width);
        if (status != VCG_DONE) {
            return status;
        }
    }
    return VCG_DONE;
}

/* The error of a step beside the tolerance. */
static double error_of(const vcg_stepper *at, double h)
{
    const int width = at->width;
    double *e5 = at->work + (ALL_STAGES + 1) * width, *e3 = e5 + width, *first = e3 + width;
    const double *zero = first + width, *k = at->f + OTHERS * width;
    double five = 0.0, three = 0.0;
    vcg_combine(width, 1, E5, zero, at->f, first);
    vcg_combine(width, STAGES - OTHERS, E5 + OTHERS, first, k, e5);
    vcg_combine(width, 1, E3, zero, at->f, first);
    vcg_combine(width, STAGES - OTHERS, E3 + OTHERS, first, k, e3);
    for (int i = 0; i < at->n; ++i) {
        const double size = vcg_larger(fabs(at->ynew[i]), fabs(at->y[i]));
        const double scale = 1.0 / (at->settings->atol[i] + at->settings->rtol * size);
        five += (e5[i] * scale) * (e5[i] * scale);
        three += (e3[i] * scale) * (e3[i] * scale);
    }
    return norm_of(five, three, h, at->n);
}

static int begin(vcg_stepper *at)
{
    at->step.size = at->settings->first_step;
    return at->step.size > 0.0 ? VCG_DONE : vcg_hairer_first_step(at, ORDER);
}

/* Whether stability keeps a step short: h times how much the derivative differs between the last stage and the end, both of
 * which are at the end of the step, beside how much they differ themselves. */
static int held(const vcg_stepper *at, double h)
{
    const double *k = at->f + (STAGES - 1) * at->width, *z = at->work + ALL_STAGES * at->width;
    double change = 0.0, apart = 0.0;
    for (int i = 0; i < at->n; ++i) {
        change += (at->fnew[i] - k[i]) * (at->fnew[i] - k[i]);
        apart += (at->ynew[i] - z[i]) * (at->ynew[i] - z[i]);
    }
    return h * h * change > STABLE * STABLE * apart;
}

static int step(vcg_stepper *at)
{
    double h;
    int status;
    do {
        h = vcg_propose(&at->step, at->largest);
        status = stages(at, 1, STAGES + 1, h);
        if (vcg_failed(status)) {
            return status;
        }
        const double error = status == VCG_DONE ? error_of(at, h) : INFINITY;
        status = judge(&at->step, status, error, vcg_is_finite(at->n, at->ynew));
        at->statistics->rejections += status == VCG_TRY_AGAIN;
    } while (status == VCG_TRY_AGAIN);
    at->fnew_known = 1;
    vcg_note_held(at->statistics, status == VCG_DONE && held(at, h));
    return status;
}

static int prepare(vcg_stepper *at)
{
    const int width = at->width;
    const double h = at->step.tnew - at->step.t;
    const int status = stages(at, STAGES + 1, ALL_STAGES, h);
    if (status != VCG_DONE) {
        return status;
    }
    double *terms = at->y + width, *base = at->work + (ALL_STAGES + 1) * width;
    const double *zero = at->work + (ALL_STAGES + 4) * width;
    for (int i = 0; i < width; ++i) {
        const double difference = at->ynew[i] - at->y[i];
        terms[i] = difference;
        terms[width + i] = h * at->f[i] - difference;
        terms[2 * width + i] = 2.0 * difference - h * (at->fnew[i] + at->f[i]);
    }
    for (int term = 3; term < TERMS; ++term) {
        double weights[ALL_STAGES];
        for (int j = 0; j < ALL_STAGES; ++j) {
            weights[j] = h * D[term - 3][j];
        }
        vcg_combine(width, 1, weights, zero, at->f, base);
        vcg_combine(width, ALL_STAGES - OTHERS, weights + OTHERS, base, at->f + OTHERS * width, terms + term * width);
    }
    return VCG_DONE;
}

VCG_WIDE
static void interpolate(int width, const double *restrict block, double h, double s, double *restrict result)
{
    const double *f = block + width, r = 1.0 - s;
    const int w = width;
    (void)h;
    for (int i = 0; i < w; ++i) {
        const double high = ((f[6 * w + i] * s + f[5 * w + i]) * r + f[4 * w + i]) * s;
        result[i] = block[i] + ((((high + f[3 * w + i]) * r + f[2 * w + i]) * s + f[w + i]) * r + f[i]) * s;
    }
}

const vcg_integrator vcg_dop853 = {.terms = TERMS,
                                   .doubles = doubles,
                                   .arrange = arrange,
                                   .begin = begin,
                                   .step = step,
                                   .prepare = prepare,
                                   .interpolate = interpolate};

/* --- lanes --------------------------------------------------------------------------------------------------------- */

static void lane_begin(vcg_ensemble *at, int k, int tried)
{
    vcg_many_first_step(at, k, tried, ORDER);
}

static void measure(const vcg_ensemble *at)
{
    at->kernels->square_errors(at);
}

static int lane_judge(vcg_ensemble *at, int k)
{
    vcg_lane *lane = at->lane + k;
    const double five = at->sums[k], three = at->sums[L + k];
    const double error = lane->failed ? INFINITY : norm_of(five, three, lane->step.size, at->n);
    return judge(&lane->step, lane->failed, error, at->sums[2 * L + k] == 0.0);
}

const vcg_many_integrator vcg_many_dop853 = {.stages = STAGES + 1,
                                             .all = ALL_STAGES,
                                             .columns = ALL_STAGES - 1,
                                             .a = A[0],
                                             .c = C,
                                             .first = FIRST,
                                             .errors = {E5, E3},
                                             .dense = D[0],
                                             .others = OTHERS,
                                             .tries = 1,
                                             .begin = lane_begin,
                                             .propose = vcg_many_propose,
                                             .measure = measure,
                                             .judge = lane_judge,
                                             .interpolate = interpolate};
