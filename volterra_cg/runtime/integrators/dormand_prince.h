/* Dormand and Prince's pair of orders 5 and 4 (J. Comput. Appl. Math. 6, 1980) with its interpolant of order 4: the
 * table that ode45 and dopri5 share. The terms of the interpolant are the derivatives themselves.
 */
#ifndef VCG_DORMAND_PRINCE_H
#define VCG_DORMAND_PRINCE_H

#include "stepper.h"

enum { DP_TERMS = 7 };

void vcg_dp_arrange(vcg_stepper *at);

/* Take the stages after the first; on return ynew is the result of order 5 and fnew its derivative. */
int vcg_dp_stages(vcg_stepper *at, double h);

/* What the result of order 5 is off that of order 4 by, over h. */
void vcg_dp_error(const vcg_stepper *at, const double *zero, double *error);

int vcg_dp_prepare(vcg_stepper *at);

void vcg_dp_interpolate(int width, const double *block, double h, double s, double *result);

#endif
