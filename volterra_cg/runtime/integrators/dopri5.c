/* Dormand and Prince's method of order 5 with steps of one size, the largest that divides the time between results and
 * is not above max_step; dense output of order 4.
 */
#include "dormand_prince.h"

static size_t doubles(int width)
{
    (void)width;
    return 0;
}

static int begin(vcg_stepper *at)
{
    (void)at;
    return VCG_DONE;
}

static int step(vcg_stepper *at)
{
    return vcg_dp_stages(at, vcg_fixed_step(at));
}

const vcg_integrator vcg_dopri5 = {.adaptive = 0,
                               .terms = DP_TERMS,
                               .doubles = doubles,
                               .arrange = vcg_dp_arrange,
                               .begin = begin,
                               .step = step,
                               .prepare = vcg_dp_prepare,
                               .interpolate = vcg_dp_interpolate};
