/* Dormand and Prince's pair of orders 5 and 4 (J. Comput. Appl. Math. 6, 1980) with its interpolant of order 4: what ode45
 * and dopri5 share. The terms of the interpolant are the derivatives themselves.
 */
#ifndef VCG_DORMAND_PRINCE_H
#define VCG_DORMAND_PRINCE_H

#include "many_lanes.h"
#include "stepper.h"

enum { STAGES = 7 };

static const double C[STAGES] = {0.0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1.0, 1.0};

static const double A[STAGES][STAGES - 1] = {
    {0.0},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}, /* the result of order 5 */
};

/* Order 5 less order 4. */
static const double E[STAGES] = {
    71.0 / 57600, 0.0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

/* Weights of s, s^2, s^3, s^4 in the interpolant at t + s h. */
static const double B[STAGES][4] = {
    {1.0, -183.0 / 64, 37.0 / 12, -145.0 / 128},
    {0.0, 0.0, 0.0, 0.0},
    {0.0, 1500.0 / 371, -1000.0 / 159, 1000.0 / 371},
    {0.0, -125.0 / 32, 125.0 / 12, -375.0 / 64},
    {0.0, 9477.0 / 3392, -729.0 / 106, 25515.0 / 6784},
    {0.0, -11.0 / 7, 11.0 / 3, -55.0 / 28},
    {0.0, 3.0 / 2, -4.0, 5.0 / 2},
};

static inline void dp_arrange(vcg_stepper *at)
{
    at->f = at->y + at->width;
    at->fnew = at->f + (STAGES - 1) * at->width;
}

/* Take the stages after the first; on return ynew is the result of order 5 and fnew its derivative. */
static inline int dp_stages(vcg_stepper *at, double h)
{
    const int width = at->width;
    for (int stage = 1; stage < STAGES; ++stage) {
        double weights[STAGES];
        for (int j = 0; j < stage; ++j) {
            weights[j] = h * A[stage][j];
        }
        vcg_combine(width, stage, weights, at->y, at->f, at->ynew);
        const double t = stage == STAGES - 1 ? at->step.tnew : at->step.t + C[stage] * h;
        const int status = vcg_evaluate(at, t, at->ynew, at->f + stage * width);
        if (status != VCG_DONE) {
            return status;
        }
    }
    at->fnew_known = 1;
    return VCG_DONE;
}

static inline int dp_prepare(vcg_stepper *at)
{
    (void)at; /* the derivatives stand where the terms are looked for */
    return VCG_DONE;
}

static inline void dp_interpolate(int width, const double *block, double h, double s, double *result)
{
    double weights[STAGES];
    for (int j = 0; j < STAGES; ++j) {
        weights[j] = h * s * (B[j][0] + s * (B[j][1] + s * (B[j][2] + s * B[j][3])));
    }
    vcg_combine(width, STAGES, weights, block, block + width, result);
}

#endif
