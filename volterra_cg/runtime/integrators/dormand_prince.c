#include "dormand_prince.h"

#include "ode45_table.h"

void vcg_dp_arrange(vcg_stepper *at)
{
    at->f = at->y + at->width;
    at->fnew = at->f + (STAGES - 1) * at->width;
}

int vcg_dp_stages(vcg_stepper *at, double h)
{
    const int width = at->width;
    for (int stage = 1; stage < STAGES; ++stage) {
        double weights[STAGES];
        for (int j = 0; j < stage; ++j) {
            weights[j] = h * A[stage][j];
        }
        vcg_combine(width, stage, weights, at->y, at->f, at->ynew);
        const int status = vcg_evaluate(at, at->t + C[stage] * h, at->ynew, at->f + stage * width);
        if (status != VCG_DONE) {
            return status;
        }
    }
    at->fnew_known = 1;
    return VCG_DONE;
}

void vcg_dp_error(const vcg_stepper *at, const double *zero, double *error)
{
    vcg_combine(at->width, STAGES, E, zero, at->f, error);
}

int vcg_dp_prepare(vcg_stepper *at)
{
    (void)at; /* the derivatives stand where the terms are looked for */
    return VCG_DONE;
}

void vcg_dp_interpolate(int width, const double *block, double h, double s, double *result)
{
    double weights[STAGES];
    for (int j = 0; j < STAGES; ++j) {
        weights[j] = h * s * (B[j][0] + s * (B[j][1] + s * (B[j][2] + s * B[j][3])));
    }
    vcg_combine(width, STAGES, weights, block, block + width, result);
}
