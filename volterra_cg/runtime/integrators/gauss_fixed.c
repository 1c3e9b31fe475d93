/* Gauss's method of order 16 with steps of one size, the largest that divides the time between results and is not above
 * max_step. Sweeps go on until rounding is all that is left of their changes, so that steps are symmetric in time and keep
 * quadratic invariants but for rounding.
 */
#include "gauss.h"
#include "many_lanes.h"

static const vcg_gauss_patience PATIENCE = {.rest = 0.0, .slow = 0.5, .sweeps = 50};

/* Why sweeps do not converge: VCG_SINGULAR where a divisor would vanish within three steps if it went on as in the last. */
static int why(vcg_stepper *at)
{
    for (int i = 0; i < at->bound->model->divisors; ++i) {
        const vcg_divisor *divisor = at->divisors + i;
        if (fabs(divisor->begin) < 3.0 * fabs(divisor->begin - divisor->before)) {
            at->where = at->bound->model->divisor_checks[i];
            return VCG_SINGULAR;
        }
    }
    return VCG_NOT_CONVERGED;
}

static int step(vcg_stepper *at)
{
    const vcg_gauss_work own = vcg_gauss_space(at);
    const double h = vcg_propose_fixed(&at->step, at->target, at->settings->max_step);
    double sums[GAUSS_STAGES];
    int converged = 0, status = vcg_gauss_converge(at, &own, h, &PATIENCE, &converged);
    if (status != VCG_DONE) {
        return status;
    }
    vcg_gauss_finish(at, &own, sums);
    status = vcg_judge_fixed(&at->step, VCG_DONE, vcg_is_finite(at->n, at->ynew));
    if (status == VCG_DONE && !converged) {
        return why(at);
    }
    vcg_gauss_keep(at, &own, h);
    at->fnew_known = 0;
    return status;
}

const vcg_integrator vcg_gauss_fixed = {.terms = GAUSS_STAGES,
                                        .without_f = 1,
                                        .doubles = vcg_gauss_doubles,
                                        .arrange = vcg_gauss_arrange,
                                        .renew = vcg_gauss_renew,
                                        .step = step,
                                        .prepare = vcg_gauss_prepare,
                                        .interpolate = vcg_gauss_interpolate};

const vcg_many_integrator vcg_many_gauss_fixed = {.single = &vcg_gauss_fixed};
