/* The Radau IIA method of order 5 after RADAU5 of Hairer and Wanner (Solving Ordinary Differential Equations II, IV.8):
 * Newton's iteration with a Jacobian that is kept as long as it serves, split into a real and a complex system of the
 * size of the state; Gustafsson's predictive steps; dense output of order 3 by the collocation polynomial.
 */
#include "lu.h"
#include "radau.h"

#include <string.h>

static const double SHRINK = 0.2, GROW = 10.0, KEEP = 1.2;

static const double E[RADAU_STAGES] = {(-13.0 - 7.0 * S6) / 3, (-13.0 + 7.0 * S6) / 3, -1.0 / 3};

/* Powers s, s^2, s^3 of the collocation polynomial from the stages. */
static const double P[RADAU_STAGES][RADAU_STAGES] = {
    {13.0 / 3 + 7.0 * S6 / 3, -23.0 / 3 - 22.0 * S6 / 3, 10.0 / 3 + 5.0 * S6},
    {13.0 / 3 - 7.0 * S6 / 3, -23.0 / 3 + 22.0 * S6 / 3, 10.0 / 3 - 5.0 * S6},
    {1.0 / 3, -8.0 / 3, 10.0 / 3}};

static size_t doubles(const vcg_stepper *at)
{
    const size_t n = (size_t)at->width;
    return sizeof(vcg_radau_memory) / sizeof(double) + 1 + (4 * RADAU_STAGES + 2 + 5) * n + 4 * n * n + 2 * n;
}

static void arrange(vcg_stepper *at)
{
    at->f = at->work;
    at->fnew = at->f + at->width;
}

static int begin(vcg_stepper *at)
{
    const vcg_radau_work own = vcg_radau_space(at);
    memset(own.kept, 0, sizeof(vcg_radau_memory));
    at->step.size = at->settings->first_step;
    const int status = at->step.size > 0.0 ? VCG_DONE : vcg_hairer_first_step(at, 4.0);
    return status == VCG_DONE ? vcg_radau_jacobian(at, &own) : status;
}

/* error = (REAL/h - J)^-1 (f + Z E / h), beside the tolerances */
static double error_of(const vcg_stepper *at, const vcg_radau_work *own, const double *f, double h)
{
    const int w = at->width;
    double sum = 0.0;
    for (int i = 0; i < at->n; ++i) {
        own->error[i] = f[i] + (E[0] * own->z[i] + E[1] * own->z[w + i] + E[2] * own->z[2 * w + i]) / h;
    }
    vcg_lu_solve(at->n, own->real, own->pivots, own->error);
    for (int i = 0; i < at->n; ++i) {
        const double size = vcg_larger(fabs(at->y[i]), fabs(at->ynew[i]));
        const double ratio = own->error[i] / (at->settings->atol[i] + at->settings->rtol * size);
        sum += ratio * ratio;
    }
    return sqrt(sum / at->n);
}

/* Gustafsson's factor: the error's fourth root, and less if the last step's error foretells it. */
static double factor_of(const vcg_radau_memory *kept, double h, double error)
{
    double trend = 1.0;
    if (kept->size_before > 0.0 && error > 0.0) {
        trend = h / kept->size_before * sqrt(sqrt(kept->error_before / error));
    }
    return vcg_smaller(trend, 1.0) / sqrt(sqrt(error));
}

/* The error of converged stages; after a rejection a large one is looked at twice, as stiff components exaggerate it. */
static int judge(vcg_stepper *at, const vcg_radau_work *own, double h, int rejected, double *error)
{
    for (int i = 0; i < at->n; ++i) {
        at->ynew[i] = at->y[i] + own->z[(RADAU_STAGES - 1) * at->width + i];
    }
    *error = error_of(at, own, at->f, h);
    if (!(rejected && *error > 1.0)) {
        return VCG_DONE;
    }
    for (int i = 0; i < at->n; ++i) {
        own->point[i] = at->y[i] + own->error[i];
    }
    const int status = vcg_evaluate(at, at->step.t, own->point, at->fnew);
    if (status == VCG_DONE) {
        *error = error_of(at, own, at->fnew, h);
    }
    return vcg_failed(status) ? status : VCG_DONE;
}

/* Keep what the next step needs: the polynomial, the trend of the error, and factors as long as they serve. */
static int accept(vcg_stepper *at, const vcg_radau_work *own, double factor, double error)
{
    vcg_radau_memory *kept = own->kept;
    const int w = at->width, renew = kept->iterations > 2 && kept->rate > 1e-3;
    const double h = at->step.size;
    double *q = at->y + w;
    for (int k = 0; k < RADAU_STAGES; ++k) {
        for (int i = 0; i < at->n; ++i) {
            q[k * w + i] =
                own->z[i] * P[0][k] + own->z[w + i] * P[1][k] + own->z[2 * w + i] * P[2][k];
        }
    }
    vcg_accept(&at->step, !renew && factor < KEEP && factor >= 1.0 / KEEP ? h : vcg_next_size(&at->step, factor, GROW));
    kept->fresh = 0;
    kept->size_before = h;
    kept->error_before = vcg_larger(error, 1e-2);
    kept->factored = renew ? 0.0 : kept->factored;
    const int status = vcg_evaluate(at, at->step.tnew, at->ynew, at->fnew);
    at->fnew_known = status == VCG_DONE;
    return vcg_failed(status) ? status : VCG_DONE;
}

static int step(vcg_stepper *at)
{
    const vcg_radau_work own = vcg_radau_space(at);
    vcg_step *step = &at->step;
    int status = own.kept->factored == 0.0 && !own.kept->fresh ? vcg_radau_jacobian(at, &own) : VCG_DONE;
    if (status != VCG_DONE) {
        return status;
    }
    do {
        const double h = vcg_propose(step, at->largest);
        int converged = 0;
        double error = NAN, factor = 0.5;
        status = vcg_radau_converge(at, &own, h, &converged);
        if (converged) {
            const double safety = 0.9 * (2.0 * RADAU_ITERATIONS + 1.0) / (2.0 * RADAU_ITERATIONS + own.kept->iterations);
            status = judge(at, &own, h, step->rejected, &error);
            factor = safety * factor_of(own.kept, h, error);
            if (status == VCG_DONE && error <= 1.0 && vcg_is_finite(at->n, at->ynew)) {
                return accept(at, &own, step->rejected ? vcg_smaller(factor, 1.0) : factor, error);
            }
        }
        if (status == VCG_DONE) {
            status = vcg_reject(step, vcg_larger(factor, SHRINK), own.kept->status, 0.0);
        }
        at->statistics->rejections += status == VCG_TRY_AGAIN;
    } while (status == VCG_TRY_AGAIN);
    return status;
}

static int prepare(vcg_stepper *at)
{
    (void)at; /* the polynomial was needed for the next guess already */
    return VCG_DONE;
}

static void interpolate(int width, const double *block, double h, double s, double *result)
{
    const double *q = block + width;
    (void)h;
    for (int i = 0; i < width; ++i) {
        result[i] = block[i] + s * (q[i] + s * (q[width + i] + s * q[2 * width + i]));
    }
}

const vcg_integrator vcg_radau = {.terms = RADAU_STAGES,
                              .doubles = doubles,
                              .arrange = arrange,
                              .begin = begin,
                              .step = step,
                              .prepare = prepare,
                              .interpolate = interpolate};
