/* Kutta's classical method of order 4 in lanes with steps of one size, which end where results are asked for. */
#include "many_lanes.h"

enum { STAGES = 5 }; /* the last at the result */

static const double C[STAGES] = {0.0, 0.5, 0.5, 1.0, 1.0};

static const double A[STAGES][STAGES - 1] = {
    {0.0}, {0.5}, {0.0, 0.5}, {0.0, 0.0, 1.0}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}};

const vcg_many_integrator vcg_many_rk4 = {.stages = STAGES,
                                      .all = STAGES,
                                      .columns = STAGES - 1,
                                      .fraction = 1.0,
                                      .a = A[0],
                                      .c = C,
                                      .propose = vcg_many_propose_fixed,
                                      .judge = vcg_many_judge_fixed};
