/* Gauss's method of order 16 with steps of one size, the largest that divides the time between results and is not above
 * max_step. Sweeps go on until rounding is all that is left of their changes, so that steps are symmetric in time and keep
 * quadratic invariants but for rounding. Near a singular configuration, a step that is too long is made in halves, and these
 * again.
 */
#include "gauss.h"
#include "many_lanes.h"

static const vcg_gauss_patience PATIENCE = {.rest = 0.0, .slow = 0.5, .sweeps = 50};
static const double NEAR = 0.3; /* the part of the largest size of a divisor below which a configuration is near a singular one */

enum { HALVINGS = 24 };

/* The size of the next step, or of the next part of one. */
static double propose(vcg_stepper *at, vcg_gauss_memory *kept)
{
    if (kept->halvings == 0) {
        kept->whole = vcg_propose_fixed(&at->step, at->target, at->settings->max_step);
        kept->from = at->step.t;
        kept->to = at->step.tnew;
        kept->part = 0;
    }
    const double parts = ldexp(1.0, kept->halvings), done = (double)(kept->part + 1) / parts;
    at->step.tnew = done < 1.0 ? kept->from + done * kept->whole : kept->to;
    return kept->whole / parts;
}

/* A part is made: the next one is as long, or twice and more where that has not been tried. */
static void go_on(vcg_gauss_memory *kept)
{
    for (++kept->part; kept->halvings > 0 && kept->part % 2 == 0; --kept->halvings) {
        kept->part /= 2;
    }
}

static int try_step(vcg_stepper *at, const vcg_gauss_work *own, double h)
{
    double sums[GAUSS_STAGES];
    int converged = 0, status = vcg_gauss_converge(at, own, h, &PATIENCE, &converged);
    if (status != VCG_DONE) {
        return status;
    }
    vcg_gauss_finish(at, own, sums);
    status = vcg_judge_fixed(&at->step, VCG_DONE, vcg_is_finite(at->n, at->ynew));
    return status != VCG_DONE ? status : converged ? vcg_gauss_regular(at, own) : VCG_NOT_CONVERGED;
}

/* Whether a divisor is small, where the step begins or at one of the stages that were tried. */
static int near(const vcg_stepper *at, const vcg_gauss_work *own)
{
    for (int i = 0; i < at->bound->model->divisors * GAUSS_STAGES; ++i) {
        const vcg_divisor *divisor = at->divisors + i / GAUSS_STAGES;
        if (vcg_smaller(fabs(own->scratch[i]), fabs(divisor->begin)) < NEAR * divisor->largest) {
            return 1;
        }
    }
    return 0;
}

/* Whether a step that has failed may be made in halves. */
static int halve(const vcg_stepper *at, const vcg_gauss_work *own, int status)
{
    vcg_gauss_memory *kept = own->kept;
    if ((status != VCG_SINGULAR && status != VCG_NOT_CONVERGED) || kept->halvings == HALVINGS || !near(at, own)) {
        return 0;
    }
    ++kept->halvings;
    kept->part *= 2;
    return 1;
}

static int step(vcg_stepper *at)
{
    const vcg_gauss_work own = vcg_gauss_space(at);
    double h = propose(at, own.kept);
    int status;
    while ((status = try_step(at, &own, h)) != VCG_DONE && halve(at, &own, status)) {
        ++at->statistics->rejections;
        h = propose(at, own.kept);
    }
    if (status == VCG_DONE) {
        vcg_gauss_keep(at, &own, h);
        go_on(own.kept);
    }
    return status;
}

const vcg_integrator vcg_gauss_fixed = {.terms = GAUSS_TERMS,
                                        .by_state = 1,
                                        .without_f = 1,
                                        .doubles = vcg_gauss_doubles,
                                        .arrange = vcg_gauss_arrange,
                                        .renew = vcg_gauss_renew,
                                        .step = step,
                                        .prepare = vcg_gauss_prepare,
                                        .interpolate = vcg_gauss_interpolate};

const vcg_many_integrator vcg_many_gauss_fixed = {.single = &vcg_gauss_fixed};
