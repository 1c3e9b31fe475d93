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

/* result = base + up to four weighted rows: few passes over short vectors, and sums that stay in registers. */
static void add_rows(int n, int count, const double *w, const double *base, const double *k, double *result)
{
    const double *k1 = k + n, *k2 = k1 + n, *k3 = k2 + n;
    switch (count) {
    case 1:
        for (int i = 0; i < n; ++i) {
            result[i] = base[i] + w[0] * k[i];
        }
        break;
    case 2:
        for (int i = 0; i < n; ++i) {
            result[i] = base[i] + (w[0] * k[i] + w[1] * k1[i]);
        }
        break;
    case 3:
        for (int i = 0; i < n; ++i) {
            result[i] = base[i] + (w[0] * k[i] + w[1] * k1[i] + w[2] * k2[i]);
        }
        break;
    default:
        for (int i = 0; i < n; ++i) {
            result[i] = base[i] + ((w[0] * k[i] + w[1] * k1[i]) + (w[2] * k2[i] + w[3] * k3[i]));
        }
    }
}

void vcg_combine(int n, int count, const double *weights, const double *y, const double *k, double *result)
{
    for (int first = 0; first < count; first += 4) {
        add_rows(n, count - first, weights + first, first ? result : y, k + (long)first * n, result);
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
