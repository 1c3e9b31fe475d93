/* Gauss's method of order 16, adaptive. Its stages are evaluated side by side in the lanes of the model's vector form and
 * found by fixed-point iteration from the polynomial of the step before.
 *
 * The derivative over a step is a sum of Legendre's polynomials up to degree 7. The interpolant has two more, from the
 * derivative at the ends. What the coefficient of degree 10 would be follows from how fast they decay; times the integral of
 * that polynomial it is the estimated error of the interpolant within the step, which is held to the tolerance. The end of
 * the step is more accurate, and sweeps leave less for that reason. Steps also stay so short that a sweep reduces errors to
 * about a seventh, where the work for a unit of time is small.
 */
#include "gauss.h"
#include "many_lanes.h"

static const double SAFETY = 0.65, SHRINK = 0.2, GROW = 2.0, ORDER = 11.0;
static const vcg_gauss_patience PATIENCE = {.rest = 0.001, .slow = 0.5, .sweeps = 16};
static const double INTEGRAL = 0.02; /* the size of the integral of Legendre's polynomials of degrees 8 to 10 over the step */
static const double FASTEST = 0.1;  /* decay of the terms that is counted on */
static const double AIM = 0.15;     /* the contraction of a sweep */
static const double HELD = 4.0;     /* how much longer accuracy would let a step be that only convergence keeps short */
enum { FEW = 3 };                  /* sweeps, from which no contraction can be told: a rate reaches its coordinate in the next */

static int begin(vcg_stepper *at)
{
    at->step.size = at->settings->first_step;
    return at->step.size > 0.0 ? VCG_DONE : vcg_hairer_first_step(at, ORDER);
}

/* The error of the interpolant beside the tolerance, from the sums of squares of the terms. */
static double error_of(const double *sums)
{
    double size[GAUSS_STAGES];
    for (int degree = 4; degree < GAUSS_STAGES; ++degree) {
        size[degree] = sqrt(sums[vcg_gauss_lane(degree)]);
    }
    const double high = size[6] + size[7], decay = vcg_larger(FASTEST, vcg_smaller(sqrt(high / (size[4] + size[5])), 0.9));
    const double last = vcg_larger(size[7], decay * size[6]);
    return high == 0.0 ? 0.0 : INTEGRAL * decay * decay * decay / (1.0 - decay) * last;
}

/* By what a trial whose sweeps have not converged is too long; NaN if it met what is not finite. */
static double shrink(const vcg_gauss_work *own, int failed)
{
    return failed ? 0.5 : vcg_smaller(vcg_larger(AIM / own->kept->rate, SHRINK), 0.5);
}

/* A trial whose sweeps have converged and whose error is one of the tolerance at most is accepted. */
static int judge(vcg_stepper *at, const vcg_gauss_work *own, int failed, int converged, double error)
{
    vcg_step *step = &at->step;
    if (!converged) {
        own->kept->held |= !failed;
        return vcg_reject(step, shrink(own, failed), failed, own->kept->rate);
    }
    const double resolves = SAFETY * pow(error, -1.0 / ORDER);
    const double contracts = own->kept->sweeps > FEW ? AIM / own->kept->rate : INFINITY;
    const double change = vcg_smaller(resolves, contracts);
    if (error <= 1.0 && vcg_is_finite(at->n, at->ynew)) {
        own->kept->held = resolves > HELD && (own->kept->held || contracts < 1.0);
        vcg_note_held(at->statistics, own->kept->held);
        return vcg_accept(step, step->rejected ? step->size * vcg_smaller(change, 1.0) : vcg_next_size(step, change, GROW));
    }
    return vcg_reject(step, vcg_larger(resolves, SHRINK), failed, error);
}

/* Try a step: its stages, its end, and whether divisors vanish. */
static int try_step(vcg_stepper *at, const vcg_gauss_work *own, double h, int *converged, double *error)
{
    double sums[GAUSS_STAGES];
    int status = vcg_gauss_converge(at, own, h, &PATIENCE, converged);
    if (status != VCG_DONE || !*converged) {
        return status;
    }
    vcg_gauss_finish(at, own, sums);
    *error = error_of(sums);
    if (*error <= 1.0) {
        status = vcg_gauss_regular(at, own);
        if (status == VCG_DONE && at->settings->kinks) {
            double missed = NAN;
            status = vcg_gauss_ends(at, own, h, &missed);
            *error = vcg_larger(*error, INTEGRAL * missed);
        }
        *converged = status == VCG_DONE;
    }
    return status;
}

static int step(vcg_stepper *at)
{
    const vcg_gauss_work own = vcg_gauss_space(at);
    double h;
    int status;
    do {
        double error = NAN;
        int converged = 0;
        h = vcg_propose(&at->step, at->largest);
        status = try_step(at, &own, h, &converged, &error);
        if (vcg_failed(status)) {
            return status;
        }
        status = judge(at, &own, status, converged, error);
        at->statistics->rejections += status == VCG_TRY_AGAIN;
    } while (status == VCG_TRY_AGAIN);
    if (status == VCG_DONE) {
        vcg_gauss_keep(at, &own, h);
    }
    return status;
}

const vcg_integrator vcg_gauss = {.terms = GAUSS_TERMS,
                                  .by_state = 1,
                                  .without_f = 1,
                                  .doubles = vcg_gauss_doubles,
                                  .arrange = vcg_gauss_arrange,
                                  .renew = vcg_gauss_renew,
                                  .begin = begin,
                                  .step = step,
                                  .prepare = vcg_gauss_prepare,
                                  .interpolate = vcg_gauss_interpolate};

const vcg_many_integrator vcg_many_gauss = {.single = &vcg_gauss};
