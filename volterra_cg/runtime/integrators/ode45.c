/* Dormand and Prince's pair of orders 5 and 4 (J. Comput. Appl. Math. 6, 1980) with the controls that MATLAB documents
 * for its ode45: the first step from the size of the derivative, the error relative to the larger of the two states in
 * the maximum norm, local extrapolation, the quartic interpolant between steps.
 */
#include "integrator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

typedef struct {
    const vcg_bound *bound;
    const vcg_settings *settings;
    vcg_statistics *statistics;
    int n;
    double threshold;
    double *y;    /* the state at t */
    double *ynew; /* and at the end of the step */
    double *k;    /* STAGES derivatives, one row each */
    double *error, *zero;
} work;

/* Take the stages after the first; on return ynew is the result of order 5 and the last row of k its derivative. */
static int stages(work *at, double t, double h)
{
    const int n = at->n;
    for (int stage = 1; stage < STAGES; ++stage) {
        double weights[STAGES];
        for (int j = 0; j < stage; ++j) {
            weights[j] = h * A[stage][j];
        }
        vcg_combine(n, stage, weights, at->y, at->k, at->ynew);
        const int status = vcg_evaluate(at->bound, t + C[stage] * h, at->ynew, at->k + stage * n, at->statistics);
        if (status != VCG_DONE) {
            return status;
        }
    }
    return VCG_DONE;
}

/* The relative error of a step in the maximum norm; NaN if anything is. */
static double error_of(const work *at, double h)
{
    const int n = at->n;
    double largest = 0.0;
    vcg_combine(n, STAGES, E, at->zero, at->k, at->error);
    for (int i = 0; i < n; ++i) {
        const double scale = fmax(fmax(fabs(at->y[i]), fabs(at->ynew[i])), at->threshold);
        const double error = fabs(at->error[i] / scale);
        if (!(error <= largest)) {
            largest = error;
        }
    }
    return h * largest;
}

static void interpolate(const work *at, double s, double h, double *result)
{
    double weights[STAGES];
    for (int j = 0; j < STAGES; ++j) {
        weights[j] = h * s * (B[j][0] + s * (B[j][1] + s * (B[j][2] + s * B[j][3])));
    }
    vcg_combine(at->n, STAGES, weights, at->y, at->k, result);
}

/* The first step: as far as results are apart, unless the derivative asks for less. */
static double first_step(const work *at, const double *times, double max_step)
{
    double rate = 0.0;
    for (int i = 0; i < at->n; ++i) {
        rate = fmax(rate, fabs(at->k[i]) / fmax(fabs(at->y[i]), at->threshold));
    }
    rate /= 0.8 * pow(at->settings->rtol, 0.2);
    const double h = fmin(max_step, times[1] - times[0]);
    return fmax(h * rate > 1.0 ? 1.0 / rate : h, 16.0 * vcg_spacing(times[0]));
}

/* Go from t to the end of one accepted step; `size` is tried first and then made smaller. */
static int accepted(work *at, double t, double end, double least, double *size, int *last, double *error, int *clean)
{
    double h = *size;
    *clean = 1;
    for (;;) {
        const int status = stages(at, t, h);
        if (status == VCG_FATAL) {
            return status;
        }
        *error = status == VCG_DONE ? error_of(at, *size) : INFINITY;
        if (status == VCG_DONE && !(*error > at->settings->rtol)) {
            return isfinite(*error) && vcg_is_finite(at->n, at->ynew) ? VCG_DONE : VCG_NOT_FINITE;
        }
        if (*size <= least) {
            return status == VCG_DONE ? VCG_TOO_SMALL : status;
        }
        const double factor = *clean ? fmax(0.1, 0.8 * pow(at->settings->rtol / *error, 0.2)) : 0.5;
        ++at->statistics->failures;
        *clean = 0;
        *size = fmax(least, *size * factor);
        *last = 0;
        h = fmin(*size, end - t);
    }
}

static int advance(work *at, int count, const double *times, double *results)
{
    const int n = at->n;
    const double end = times[count - 1], span = end - times[0];
    const double largest = at->settings->max_step > 0.0 ? fmin(at->settings->max_step, span) : 0.1 * span;
    double t = times[0], size = first_step(at, times, largest);
    int next = 1;
    while (next < count) {
        const double least = 16.0 * vcg_spacing(t);
        int last = 0, clean = 1;
        double error = 0.0;
        size = fmin(largest, fmax(least, size));
        if (1.1 * size >= end - t) {
            size = end - t;
            last = 1;
        }
        const int status = accepted(at, t, end, least, &size, &last, &error, &clean);
        if (status != VCG_DONE) {
            return status;
        }
        const double tnew = last ? end : t + size, h = tnew - t;
        ++at->statistics->steps;
        for (; next < count && times[next] <= tnew; ++next) {
            double *row = results + (long)next * n;
            if (times[next] == tnew) {
                memcpy(row, at->ynew, (size_t)n * sizeof(double));
            } else {
                interpolate(at, (times[next] - t) / h, h, row);
            }
            at->statistics->reached = next + 1;
        }
        if (clean) {
            size /= fmax(0.2, 1.25 * pow(error / at->settings->rtol, 0.2));
        }
        memcpy(at->y, at->ynew, (size_t)n * sizeof(double));
        memcpy(at->k, at->k + (STAGES - 1) * n, (size_t)n * sizeof(double)); /* the first stage is the last one's */
        at->statistics->t = t = tnew;
    }
    return VCG_DONE;
}

int vcg_ode45(const vcg_bound *bound, const vcg_settings *settings, int count, const double *times, double *results,
              vcg_statistics *statistics)
{
    const int n = bound->model->states;
    double *memory = calloc((size_t)(STAGES + 4) * (size_t)(n + 1), sizeof(double));
    if (memory == NULL) {
        return VCG_NO_MEMORY;
    }
    work at = {bound,  settings,   statistics,     n,
               settings->atol / settings->rtol,
               memory, memory + n, memory + 4 * n, memory + 2 * n,
               memory + 3 * n};
    memcpy(at.y, results, (size_t)n * sizeof(double));
    int status = vcg_evaluate(bound, times[0], at.y, at.k, statistics);
    if (status == VCG_DONE) {
        status = vcg_is_finite(n, at.k) && vcg_is_finite(n, at.y) ? advance(&at, count, times, results)
                                                                  : VCG_NOT_FINITE;
    }
    free(memory);
    return status;
}
