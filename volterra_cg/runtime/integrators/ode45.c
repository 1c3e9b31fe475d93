/* Dormand and Prince's pair of orders 5 and 4 with the controls that MATLAB documents for its ode45: the first step from
 * the size of the derivative, the error relative to the larger of the two states in the maximum norm, local
 * extrapolation, the quartic interpolant between steps.
 */
#include "dormand_prince.h"

static const double FRACTION = 0.1; /* of the span that a step may take, as in MATLAB */

/* --- step control -------------------------------------------------------------------------------------------------- */

static double least_at(double t)
{
    return 16.0 * vcg_spacing(t);
}

/* The first step: h, as far as results are apart, unless the derivative asks for less. */
static double first_size(int n, int stride, const double *y, const double *f, double rtol, const double *atol, double h, double t)
{
    double rate = 0.0;
    for (int i = 0; i < n; ++i) {
        rate = vcg_larger(fabs(f[i * stride]) / vcg_larger(fabs(y[i * stride]), atol[i] / rtol), rate);
    }
    rate /= 0.8 * pow(rtol, 0.2);
    return vcg_larger(h * rate > 1.0 ? 1.0 / rate : h, least_at(t));
}

static double propose(vcg_step *step, double largest)
{
    const double left = step->stop - step->t;
    if (!step->rejected) {
        step->least = least_at(step->t);
        step->wanted = vcg_smaller(largest, vcg_larger(step->least, step->size));
        step->last = 1.1 * step->wanted >= left;
        step->size = step->last ? left : step->wanted;
    }
    step->tnew = step->last ? step->stop : step->t + step->size;
    return vcg_smaller(step->size, left);
}

/* The next step follows the fifth root of the error; after a rejection it is no longer, and a second one halves it. */
static int judge(vcg_step *step, double rtol, int failed, double error, int finite)
{
    if (error <= rtol && finite) {
        const double shrink = step->rejected ? 1.0 : 1.25 * pow(error / rtol, 0.2);
        return vcg_accept(step, shrink > 0.2 ? step->size / shrink : vcg_larger(step->size / 0.2, step->wanted));
    }
    const double factor = step->rejected ? 0.5 : vcg_larger(0.8 * pow(rtol / error, 0.2), 0.1);
    return vcg_reject(step, factor, failed, error);
}

/* --- a single trajectory ------------------------------------------------------------------------------------------- */

/* The work space: an error, zeros, and the sizes below which a state counts as zero. */
static size_t doubles(const vcg_stepper *at)
{
    return 3 * (size_t)at->width;
}

/* The relative error of a step in the maximum norm; NaN if anything is. */
static double error_of(const vcg_stepper *at, double h)
{
    double *error = at->work;
    const double *zero = at->work + at->width, *threshold = zero + at->width;
    double largest = 0.0;
    vcg_combine(at->width, STAGES, E, zero, at->f, error); /* between the orders, over h */
    for (int i = 0; i < at->n; ++i) {
        error[i] = fabs(error[i] / vcg_larger(vcg_larger(fabs(at->ynew[i]), fabs(at->y[i])), threshold[i]));
    }
    for (int i = 0; i < at->n; ++i) {
        if (!(error[i] <= largest)) {
            largest = error[i];
        }
    }
    return h * largest;
}

static int begin(vcg_stepper *at)
{
    const vcg_settings *settings = at->settings;
    const double h = settings->by_rows ? vcg_smaller(at->largest, at->spacing) : at->largest;
    double *threshold = at->work + 2 * at->width;
    for (int i = 0; i < at->n; ++i) {
        threshold[i] = settings->atol[i] / settings->rtol;
    }
    at->step.size = settings->first_step;
    if (!(at->step.size > 0.0)) {
        at->step.size = first_size(at->n, 1, at->y, at->f, settings->rtol, settings->atol, h, at->step.t);
    }
    return VCG_DONE;
}

static int step(vcg_stepper *at)
{
    int status;
    do {
        status = dp_stages(at, propose(&at->step, at->largest));
        if (vcg_failed(status)) {
            return status;
        }
        const double error = status == VCG_DONE ? error_of(at, at->step.size) : INFINITY;
        status = judge(&at->step, at->settings->rtol, status, error, vcg_is_finite(at->n, at->ynew));
        at->statistics->rejections += status == VCG_TRY_AGAIN;
    } while (status == VCG_TRY_AGAIN);
    return status;
}

const vcg_integrator vcg_ode45 = {.fraction = FRACTION,
                                  .terms = STAGES,
                                  .doubles = doubles,
                                  .arrange = dp_arrange,
                                  .begin = begin,
                                  .step = step,
                                  .prepare = dp_prepare,
                                  .interpolate = dp_interpolate};

/* --- lanes --------------------------------------------------------------------------------------------------------- */

static void lane_begin(vcg_ensemble *at, int k, int tried)
{
    const vcg_many_settings *settings = &at->task->settings;
    const double h = vcg_smaller(at->largest, at->task->times[1] - at->task->times[0]);
    vcg_step *step = &at->lane[k].step;
    (void)tried;
    step->size = first_size(at->n, L, at->y + k, at->k + k, settings->rtol, settings->atol, h, step->t);
}

static double lane_propose(vcg_ensemble *at, int k)
{
    return propose(&at->lane[k].step, at->largest);
}

static void measure(const vcg_ensemble *at)
{
    at->kernels->largest_error(at);
}

static int lane_judge(vcg_ensemble *at, int k)
{
    vcg_lane *lane = at->lane + k;
    const double error = lane->failed ? INFINITY : lane->step.size * at->sums[k];
    return judge(&lane->step, at->task->settings.rtol, lane->failed, error, at->sums[2 * L + k] == 0.0);
}

const vcg_many_integrator vcg_many_ode45 = {.fraction = FRACTION,
                                            .stages = STAGES,
                                            .all = STAGES,
                                            .columns = STAGES - 1,
                                            .a = A[0],
                                            .c = C,
                                            .errors = {E},
                                            .begin = lane_begin,
                                            .propose = lane_propose,
                                            .measure = measure,
                                            .judge = lane_judge,
                                            .interpolate = dp_interpolate};
