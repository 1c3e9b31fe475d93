/* Dormand and Prince's method of order 8 as DOP853 of Hairer, Norsett and Wanner: the error from embedded results of
 * orders 5 and 3 in the root-mean-square norm, dense output of order 7 for three more evaluations a step, made only where
 * a result is asked for inside the step.
 */
#include "dop853_table.h"
#include "integrator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SAFETY = 0.9, SHRINK = 0.2, GROW = 10.0;

typedef struct {
    const vcg_bound *bound;
    const vcg_settings *settings;
    vcg_statistics *statistics;
    int n;
    double *y, *ynew, *inner; /* the state at t, at the end of the step, and at a stage */
    double *k;                /* ALL_STAGES derivatives, one row each */
    double *f;                /* TERMS terms of the interpolant */
} work;

/* y + h * (row of A) * k */
static void combine(const work *at, int row, double h, double *result)
{
    double weights[ALL_STAGES];
    for (int j = 0; j < row; ++j) {
        weights[j] = h * A[row][j];
    }
    vcg_combine(at->n, row, weights, at->y, at->k, result);
}

static int stages(const work *at, int first, int last, double t, double h)
{
    for (int stage = first; stage < last; ++stage) {
        double *place = stage == STAGES ? at->ynew : at->inner;
        combine(at, stage, h, place);
        const int status = vcg_evaluate(at->bound, t + C[stage] * h, place, at->k + stage * at->n, at->statistics);
        if (status != VCG_DONE) {
            return status;
        }
    }
    return VCG_DONE;
}

static double scale_of(const work *at, int i)
{
    return at->settings->atol + at->settings->rtol * fmax(fabs(at->y[i]), fabs(at->ynew[i]));
}

static double error_of(const work *at, double h)
{
    const int n = at->n;
    double five = 0.0, three = 0.0;
    for (int i = 0; i < n; ++i) {
        double e5 = 0.0, e3 = 0.0;
        for (int j = 0; j <= STAGES; ++j) {
            e5 += E5[j] * at->k[j * n + i];
            e3 += E3[j] * at->k[j * n + i];
        }
        const double scale = scale_of(at, i);
        five += (e5 / scale) * (e5 / scale);
        three += (e3 / scale) * (e3 / scale);
    }
    return five == 0.0 && three == 0.0 ? 0.0 : h * five / sqrt((five + 0.01 * three) * n);
}

/* Hairer's choice of a first step, from the state, its derivative and the change of that over a small step. */
static int first_step(const work *at, double t, double longest, double *step)
{
    const int n = at->n;
    double state = 0.0, rate = 0.0, change = 0.0;
    memcpy(at->ynew, at->y, (size_t)n * sizeof(double));
    for (int i = 0; i < n; ++i) {
        const double scale = scale_of(at, i);
        state += (at->y[i] / scale) * (at->y[i] / scale) / n;
        rate += (at->k[i] / scale) * (at->k[i] / scale) / n;
    }
    state = sqrt(state);
    rate = sqrt(rate);
    const double trial = fmin(state < 1e-5 || rate < 1e-5 ? 1e-6 : 0.01 * state / rate, longest);
    for (int i = 0; i < n; ++i) {
        at->inner[i] = at->y[i] + trial * at->k[i];
    }
    const int status = vcg_evaluate(at->bound, t + trial, at->inner, at->k + n, at->statistics);
    if (status != VCG_DONE) {
        *step = trial;
        return status == VCG_FATAL ? status : VCG_DONE;
    }
    for (int i = 0; i < n; ++i) {
        const double difference = (at->k[n + i] - at->k[i]) / scale_of(at, i);
        change += difference * difference / n;
    }
    const double steepest = fmax(rate, sqrt(change) / trial);
    const double bound = steepest <= 1e-15 ? fmax(1e-6, 1e-3 * trial) : pow(0.01 / steepest, 1.0 / 8);
    *step = fmin(fmin(100.0 * trial, bound), longest);
    return VCG_DONE;
}

static int prepare_interpolant(const work *at, double t, double h)
{
    const int n = at->n, status = stages(at, STAGES + 1, ALL_STAGES, t, h);
    if (status != VCG_DONE) {
        return status;
    }
    for (int i = 0; i < n; ++i) {
        const double difference = at->ynew[i] - at->y[i];
        at->f[i] = difference;
        at->f[n + i] = h * at->k[i] - difference;
        at->f[2 * n + i] = 2.0 * difference - h * (at->k[STAGES * n + i] + at->k[i]);
        for (int term = 3; term < TERMS; ++term) {
            double sum = 0.0;
            for (int j = 0; j < ALL_STAGES; ++j) {
                sum += D[term - 3][j] * at->k[j * n + i];
            }
            at->f[term * n + i] = h * sum;
        }
    }
    return VCG_DONE;
}

static void interpolate(const work *at, double s, double *result)
{
    const int n = at->n;
    for (int i = 0; i < n; ++i) {
        double sum = 0.0;
        for (int term = TERMS - 1; term >= 0; --term) {
            sum = (sum + at->f[term * n + i]) * (term % 2 == 0 ? s : 1.0 - s);
        }
        result[i] = at->y[i] + sum;
    }
}

/* Go from t to the end of one accepted step; on return `h` is its size and `growth` what the next may grow by. */
static int accepted(const work *at, double t, double end, double *h, double *growth)
{
    const double least = 10.0 * vcg_spacing(t);
    int clean = 1;
    for (;;) {
        const int status = stages(at, 1, STAGES + 1, t, *h);
        if (status == VCG_FATAL) {
            return status;
        }
        const double error = status == VCG_DONE ? error_of(at, *h) : INFINITY;
        if (error < 1.0) {
            *growth = fmin(GROW, error > 0.0 ? SAFETY * pow(error, -1.0 / 8) : GROW);
            *growth = clean ? *growth : fmin(1.0, *growth);
            return vcg_is_finite(at->n, at->ynew) ? VCG_DONE : VCG_NOT_FINITE;
        }
        if (isnan(error)) {
            return VCG_NOT_FINITE;
        }
        if (*h <= least) {
            return status == VCG_DONE ? VCG_TOO_SMALL : status;
        }
        ++at->statistics->failures;
        clean = 0;
        *h = fmin(fmax(least, *h * fmax(SHRINK, SAFETY * pow(error, -1.0 / 8))), end - t);
    }
}

/* Fill the rows whose times lie in the step. */
static int results_of(const work *at, int *next, int count, const double *times, double t, double tnew, double *results)
{
    const int n = at->n;
    int ready = 0;
    for (; *next < count && times[*next] <= tnew; ++*next) {
        double *row = results + (long)*next * n;
        if (times[*next] == tnew) {
            memcpy(row, at->ynew, (size_t)n * sizeof(double));
        } else {
            const int status = ready ? VCG_DONE : prepare_interpolant(at, t, tnew - t);
            if (status != VCG_DONE) {
                return status;
            }
            ready = 1;
            interpolate(at, (times[*next] - t) / (tnew - t), row);
        }
        at->statistics->reached = *next + 1;
    }
    return VCG_DONE;
}

static int advance(const work *at, int count, const double *times, double *results)
{
    const int n = at->n;
    const double end = times[count - 1];
    const double largest = at->settings->max_step > 0.0 ? at->settings->max_step : end - times[0];
    double t = times[0], size = 0.0, growth = 1.0;
    int next = 1, status = first_step(at, t, fmin(largest, end - t), &size);
    while (next < count && status == VCG_DONE) {
        double h = fmin(fmin(size, largest), end - t);
        status = accepted(at, t, end, &h, &growth);
        if (status != VCG_DONE) {
            break;
        }
        const double tnew = h == end - t ? end : t + h;
        ++at->statistics->steps;
        status = results_of(at, &next, count, times, t, tnew, results);
        memcpy(at->y, at->ynew, (size_t)n * sizeof(double));
        memcpy(at->k, at->k + STAGES * n, (size_t)n * sizeof(double)); /* the derivative at the result */
        at->statistics->t = t = tnew;
        size = h * growth;
    }
    return status;
}

int vcg_dop853(const vcg_bound *bound, const vcg_settings *settings, int count, const double *times, double *results,
               vcg_statistics *statistics)
{
    const int n = bound->model->states;
    double *memory = malloc((size_t)(ALL_STAGES + TERMS + 3) * (size_t)(n + 1) * sizeof(double));
    if (memory == NULL) {
        return VCG_NO_MEMORY;
    }
    const work at = {bound,          settings,       statistics,         n, memory, memory + n,
                     memory + 2 * n, memory + 3 * n, memory + (3 + ALL_STAGES) * n};
    memcpy(at.y, results, (size_t)n * sizeof(double));
    int status = vcg_evaluate(bound, times[0], at.y, at.k, statistics);
    if (status == VCG_DONE) {
        status = vcg_is_finite(n, at.k) && vcg_is_finite(n, at.y) ? advance(&at, count, times, results)
                                                                  : VCG_NOT_FINITE;
    }
    free(memory);
    return status;
}
