/* Kutta's classical method of order 4 with steps of one size, the largest that divides the time between results and is
 * not above max_step.
 */
#include "integrator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const vcg_bound *bound;
    vcg_statistics *statistics;
    int n;
    double *y, *middle, *k, *sum;
} work;

/* Add a stage with its weight and move to where the next one is taken. */
static void collect(const work *at, double weight, double h)
{
    for (int i = 0; i < at->n; ++i) {
        at->sum[i] += weight * at->k[i];
        at->middle[i] = at->y[i] + h * at->k[i];
    }
}

static int step(const work *at, double t, double h)
{
    static const double weights[4] = {1.0, 2.0, 2.0, 1.0}, places[4] = {0.0, 0.5, 0.5, 1.0};
    memset(at->sum, 0, (size_t)at->n * sizeof(double));
    memcpy(at->middle, at->y, (size_t)at->n * sizeof(double));
    for (int stage = 0; stage < 4; ++stage) {
        const int status = vcg_evaluate(at->bound, t + places[stage] * h, at->middle, at->k, at->statistics);
        if (status != VCG_DONE) {
            return status;
        }
        collect(at, weights[stage], stage < 3 ? places[stage + 1] * h : 0.0);
    }
    for (int i = 0; i < at->n; ++i) {
        at->y[i] += h / 6.0 * at->sum[i];
    }
    return vcg_is_finite(at->n, at->y) ? VCG_DONE : VCG_NOT_FINITE;
}

int vcg_rk4(const vcg_bound *bound, const vcg_settings *settings, int count, const double *times, double *results,
            vcg_statistics *statistics)
{
    const int n = bound->model->states;
    double *memory = malloc((size_t)4 * (size_t)(n + 1) * sizeof(double));
    if (memory == NULL) {
        return VCG_NO_MEMORY;
    }
    const work at = {bound, statistics, n, memory, memory + n, memory + 2 * n, memory + 3 * n};
    int status = VCG_DONE;
    memcpy(at.y, results, (size_t)n * sizeof(double));
    for (int next = 1; next < count && status == VCG_DONE; ++next) {
        const double span = times[next] - times[next - 1];
        const double ratio = settings->max_step > 0.0 ? span / settings->max_step : 1.0;
        const long parts = ratio > 1.0 ? (long)ceil(ratio * (1.0 - 1e-12)) : 1;
        const double h = span / (double)parts;
        for (long part = 0; part < parts && status == VCG_DONE; ++part) {
            status = step(&at, times[next - 1] + (double)part * h, h);
            if (status == VCG_DONE) {
                ++statistics->steps;
                statistics->t = part + 1 == parts ? times[next] : times[next - 1] + (double)(part + 1) * h;
            }
        }
        if (status == VCG_DONE) {
            memcpy(results + (long)next * n, at.y, (size_t)n * sizeof(double));
            statistics->reached = next + 1;
        }
    }
    free(memory);
    return status;
}
