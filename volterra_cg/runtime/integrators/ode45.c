/* Dormand and Prince's pair of orders 5 and 4 with the controls that MATLAB documents for its ode45: the first step from
 * the size of the derivative, the error relative to the larger of the two states in the maximum norm, local
 * extrapolation, the quartic interpolant between steps.
 */
#include "dormand_prince.h"

/* The work space: an error, zeros, and the sizes below which a state counts as zero. */
static size_t doubles(int width)
{
    return 3 * (size_t)width;
}

/* The relative error of a step in the maximum norm; NaN if anything is. */
static double error_of(const vcg_stepper *at, double h)
{
    double *error = at->work;
    const double *zero = at->work + at->width, *threshold = zero + at->width;
    double largest = 0.0;
    vcg_dp_error(at, zero, error);
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

/* The first step: as far as results are apart, unless the derivative asks for less. */
static int begin(vcg_stepper *at)
{
    double *threshold = at->work + 2 * at->width, rate = 0.0;
    for (int i = 0; i < at->n; ++i) {
        threshold[i] = at->settings->atol[i] / at->settings->rtol;
        rate = vcg_larger(fabs(at->f[i]) / vcg_larger(fabs(at->y[i]), threshold[i]), rate);
    }
    rate /= 0.8 * pow(at->settings->rtol, 0.2);
    const double h = vcg_smaller(at->largest, at->spacing);
    at->size = vcg_larger(h * rate > 1.0 ? 1.0 / rate : h, 16.0 * vcg_spacing(at->t));
    if (at->settings->first_step > 0.0) {
        at->size = at->settings->first_step;
    }
    return VCG_DONE;
}

/* Try at->size and then smaller ones until a step is good enough; `clean` says whether the first was. */
static int accepted(vcg_stepper *at, double least, int *last, double *error, int *clean)
{
    const double rtol = at->settings->rtol;
    double h = at->size;
    for (;;) {
        const int status = vcg_dp_stages(at, h);
        if (vcg_failed(status)) {
            return status;
        }
        *error = status == VCG_DONE ? error_of(at, at->size) : INFINITY;
        if (*error <= rtol && vcg_is_finite(at->n, at->ynew)) {
            return VCG_DONE;
        }
        if (at->size <= least) {
            return status != VCG_DONE ? status : isfinite(*error) ? VCG_TOO_SMALL : VCG_NOT_FINITE;
        }
        const double factor = *clean ? vcg_larger(0.8 * pow(rtol / *error, 0.2), 0.1) : 0.5;
        ++at->statistics->rejections;
        *clean = 0;
        *last = 0;
        at->size = vcg_larger(least, at->size * factor);
        h = vcg_smaller(at->size, at->stop - at->t);
    }
}

static int step(vcg_stepper *at)
{
    const double least = 16.0 * vcg_spacing(at->t), left = at->stop - at->t;
    int last = 0, clean = 1;
    double error = 0.0;
    const double wanted = vcg_smaller(at->largest, vcg_larger(least, at->size));
    at->size = wanted;
    if (1.1 * at->size >= left) {
        at->size = left;
        last = 1;
    }
    const int status = accepted(at, least, &last, &error, &clean);
    at->tnew = last ? at->stop : at->t + at->size;
    if (clean && status == VCG_DONE) {
        const double shrink = 1.25 * pow(error / at->settings->rtol, 0.2);
        at->size = shrink > 0.2 ? at->size / shrink : vcg_larger(at->size / 0.2, wanted);
    }
    return status;
}

const vcg_integrator vcg_ode45 = {.adaptive = 1,
                                  .fraction = 0.1, /* as in MATLAB */
                              .terms = DP_TERMS,
                              .doubles = doubles,
                              .arrange = vcg_dp_arrange,
                              .begin = begin,
                              .step = step,
                              .prepare = vcg_dp_prepare,
                              .interpolate = vcg_dp_interpolate};
