#include "integrator.h"

#include <float.h>
#include <math.h>

int vcg_evaluate(const vcg_bound *bound, double t, const double *z, double *dz, vcg_statistics *statistics)
{
    int where = -1;
    const int status =
        bound->model->rhs(t, z, dz, bound->w, bound->g, bound->signals, bound->scratch, &where);
    ++statistics->calls;
    if (status == 0) {
        return VCG_DONE;
    }
    statistics->where = where;
    return status > 0 ? VCG_SINGULAR : VCG_FATAL;
}

void vcg_combine(int n, int count, const double *weights, const double *restrict y, const double *restrict k,
                 double *restrict result)
{
    for (int i = 0; i < n; ++i) {
        result[i] = weights[0] * k[i];
    }
    for (int j = 1; j < count; ++j) {
        const double weight = weights[j], *restrict row = k + (long)j * n;
        if (weight != 0.0) {
            for (int i = 0; i < n; ++i) {
                result[i] += weight * row[i];
            }
        }
    }
    for (int i = 0; i < n; ++i) {
        result[i] += y[i];
    }
}

int vcg_is_finite(int n, const double *values)
{
    for (int i = 0; i < n; ++i) {
        if (!isfinite(values[i])) {
            return 0;
        }
    }
    return 1;
}

double vcg_spacing(double t)
{
    const double size = fabs(t);
    return nextafter(size, DBL_MAX) - size;
}

int vcg_repeat(const vcg_bound *bound, int count, const double *times, const double *states, double *dz, long loops)
{
    const vcg_model *model = bound->model;
    int status = 0, where = -1, row = 0;
    for (long i = 0; i < loops; ++i) {
        status = model->rhs(times[row], states + (long)row * model->states, dz, bound->w, bound->g, bound->signals,
                            bound->scratch, &where);
        row = row + 1 < count ? row + 1 : 0;
    }
    return status;
}
