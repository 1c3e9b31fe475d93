#include "stepper.h"

#include <float.h>

static double sample(const vcg_samples *of, double t)
{
    if (!(t > of->times[0])) {
        return of->values[0];
    }
    if (t >= of->times[of->count - 1]) {
        return of->values[of->count - 1];
    }
    int low = 0, high = of->count - 1;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (of->times[middle] <= t) {
            low = middle;
        } else {
            high = middle;
        }
    }
    const double slope = (of->values[high] - of->values[low]) / (of->times[high] - of->times[low]);
    return of->values[low] + slope * (t - of->times[low]);
}

double vcg_next_corner(const vcg_samples *of, double t)
{
    int low = -1, high = of->count; /* times[low] <= t < times[high] */
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        *(of->times[middle] <= t ? &low : &high) = middle;
    }
    return high < of->count ? of->times[high] : INFINITY;
}

int vcg_signals_at(vcg_bound *bound, double t, const double *z)
{
    for (int i = 0; i < bound->sampled; ++i) {
        bound->signals[bound->samples[i].signal] = sample(bound->samples + i, t);
    }
    if (bound->ask != NULL && bound->ask(bound->context, t, z, bound->signals) != 0) {
        return VCG_SIGNAL_ERROR;
    }
    return VCG_DONE;
}

int vcg_evaluate(vcg_stepper *at, double t, const double *z, double *dz)
{
    vcg_bound *bound = at->bound;
    if ((bound->sampled > 0 || bound->ask != NULL) && vcg_signals_at(bound, t, z) != VCG_DONE) {
        return VCG_SIGNAL_ERROR;
    }
    int where = -1;
    const int status = bound->model->rhs(t, z, dz, bound->w, bound->g, bound->signals, bound->scratch, &where);
    ++at->statistics->calls;
    if (status == 0) {
        return VCG_DONE;
    }
    at->where = where;
    return status > 0 ? VCG_SINGULAR : VCG_FATAL;
}

int vcg_know_f(vcg_stepper *at)
{
    const int status = at->f_known ? VCG_DONE : vcg_evaluate(at, at->t, at->y, at->f);
    at->f_known = status == VCG_DONE;
    return status;
}

double vcg_fixed_step(vcg_stepper *at)
{
    if (at->part == at->parts) {
        const double span = at->target - at->t;
        const double ratio = at->settings->max_step > 0.0 ? span / at->settings->max_step : 1.0;
        at->origin = at->t;
        at->part = 0;
        at->parts = ratio > 1.0 ? (long)ceil(vcg_smaller(ratio, 1e18) * (1.0 - 1e-12)) : 1;
        at->size = span / (double)at->parts;
    }
    ++at->part;
    at->tnew = at->part == at->parts ? at->target : at->origin + (double)at->part * at->size;
    return at->size;
}

static double norm(const vcg_stepper *at, const double *values, const double *less)
{
    double sum = 0.0;
    for (int i = 0; i < at->n; ++i) {
        const double scale = at->settings->atol[i] + at->settings->rtol * fabs(at->y[i]);
        const double ratio = (values[i] - (less != NULL ? less[i] : 0.0)) / scale;
        sum += ratio * ratio;
    }
    return sqrt(sum / at->n);
}

int vcg_hairer_first_step(vcg_stepper *at, double order, double *step)
{
    const double longest = vcg_smaller(at->largest, at->stop - at->t);
    const double state = norm(at, at->y, NULL), rate = norm(at, at->f, NULL);
    const double trial = vcg_smaller(state < 1e-5 || rate < 1e-5 ? 1e-6 : 0.01 * state / rate, longest);
    for (int i = 0; i < at->n; ++i) {
        at->ynew[i] = at->y[i] + trial * at->f[i];
    }
    const int status = vcg_evaluate(at, at->t + trial, at->ynew, at->fnew);
    if (status != VCG_DONE) {
        *step = trial;
        return vcg_failed(status) ? status : VCG_DONE;
    }
    const double steepest = vcg_larger(rate, norm(at, at->fnew, at->f) / trial);
    const double bound = steepest <= 1e-15 ? vcg_larger(1e-6, 1e-3 * trial) : pow(0.01 / steepest, 1.0 / order);
    *step = vcg_smaller(vcg_smaller(100.0 * trial, bound), longest);
    if (!(*step > 0.0)) {
        *step = trial; /* the trial step met what is not finite: begin small */
    }
    return VCG_DONE;
}

double vcg_spacing(double t)
{
    const double size = fabs(t);
    return nextafter(size, DBL_MAX) - size;
}

typedef double four __attribute__((vector_size(32), aligned(8), may_alias)); /* doubles side by side */

#define AT(values) (*(const four *)(values))

VCG_WIDE
void vcg_combine(int width, int count, const double *w, const double *base, const double *k, double *result)
{
    const size_t n = (size_t)width;
    for (size_t i = 0; i < n; i += 4) {
        four sum = AT(base + i);
        const double *row = k + i;
        int j = 0;
        for (; j + 4 <= count; j += 4, row += 4 * n) {
            sum += (w[j] * AT(row) + w[j + 1] * AT(row + n)) +
                   (w[j + 2] * AT(row + 2 * n) + w[j + 3] * AT(row + 3 * n));
        }
        if (count - j == 3) {
            sum += w[j] * AT(row) + w[j + 1] * AT(row + n) + w[j + 2] * AT(row + 2 * n);
        } else if (count - j == 2) {
            sum += w[j] * AT(row) + w[j + 1] * AT(row + n);
        } else if (count - j == 1) {
            sum += w[j] * AT(row);
        }
        *(four *)(result + i) = sum;
    }
}
