/* Dormand and Prince's pair of orders 5 and 4 (J. Comput. Appl. Math. 6, 1980) with its interpolant of order 4: the
 * table that ode45 and dopri5 share. The terms of the interpolant are the derivatives themselves.
 */
#ifndef VCG_DORMAND_PRINCE_H
#define VCG_DORMAND_PRINCE_H

#include "stepper.h"

enum { DP_STAGES = 7 };

/* Order 5 less order 4. */
extern const double vcg_dp_error[DP_STAGES];

void vcg_dp_arrange(vcg_stepper *at);

/* Take the stages after the first; on return ynew is the result of order 5 and fnew its derivative. */
int vcg_dp_stages(vcg_stepper *at, double h);

int vcg_dp_prepare(vcg_stepper *at);

void vcg_dp_interpolate(int width, const double *block, double h, double s, double *result);

#endif
