/* Dormand and Prince's method of order 5 with steps of one size, the largest that divides the time between results and
 * is not above max_step; dense output of order 4. In lanes, steps end where results are asked for.
 */
#include "dormand_prince.h"

static int step(vcg_stepper *at)
{
    const int status = dp_stages(at, vcg_propose_fixed(&at->step, at->target, at->settings->max_step));
    return vcg_judge_fixed(&at->step, status, vcg_is_finite(at->n, at->ynew));
}

const vcg_integrator vcg_dopri5 = {.terms = STAGES,
                                   .arrange = dp_arrange,
                                   .step = step,
                                   .prepare = dp_prepare,
                                   .interpolate = dp_interpolate};

const vcg_many_integrator vcg_many_dopri5 = {.stages = STAGES, .all = STAGES, .columns = STAGES - 1, .a = A[0], .c = C};
