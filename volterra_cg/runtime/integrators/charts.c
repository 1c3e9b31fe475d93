/* Charts: the same motion in other quasi-velocities. Where those of the model are close to singular, a run steps in another
 * chart, a model of its own with the same sizes; rows, events and dense output are in the quasi-velocities of the model.
 */
#include "lu.h"
#include "run.h"

#include <string.h>

static const double BETTER = 2.5; /* the volume of a chart beside that of the present one for which it is taken */
static const double VANISHED = 1e-13; /* the part of the longest row that a row has of rounding alone; handle.pyx has it too */

int vcg_told(vcg_loop *run, double t, const double *z, double *result)
{
    if (run->bound->chart > 0) {
        return vcg_in_first(run->bound, t, z, result);
    }
    memcpy(result, z, (size_t)run->at.n * sizeof(double));
    return VCG_DONE;
}

static double squared(int count, const double *row)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i) {
        sum += row[i] * row[i];
    }
    return sum;
}

/* The volume that the rows of a chart span at a state, each taken with length 1; 0 where it is not known, or where all of a
 * row but rounding vanishes. */
static double volume(const vcg_loop *run, int chart)
{
    const vcg_bound *bound = run->bound;
    const vcg_model *model = bound->sets[chart].model;
    const int m = model->coordinates;
    double *rows = run->frame, product = 1.0, longest = 0.0;
    int where = -1;
    if (model->frame(run->at.step.t, run->at.y, rows, bound->sets[chart].w, bound->g, bound->signals, bound->scratch,
                     &where) != 0) {
        return 0.0;
    }
    for (int i = 0; i < model->framed; ++i) {
        longest = vcg_larger(longest, squared(m, rows + i * m));
    }
    for (int i = 0; i < model->framed; ++i) {
        double *row = rows + i * m;
        const double before = squared(m, row);
        for (int k = 0; k < i; ++k) { /* the rows before it are of length 1 and perpendicular already */
            double share = 0.0;
            for (int j = 0; j < m; ++j) {
                share += row[j] * rows[k * m + j];
            }
            for (int j = 0; j < m; ++j) {
                row[j] -= share * rows[k * m + j];
            }
        }
        const double after = squared(m, row);
        if (!(before > VANISHED * VANISHED * longest && after > 0.0 && isfinite(after))) {
            return 0.0;
        }
        for (int j = 0; j < m; ++j) {
            row[j] /= sqrt(after);
        }
        product *= sqrt(after / before);
    }
    return product;
}

/* The chart of largest volume among those that are not in `tried`, a set of bits; -1 if all are. */
static int best(const vcg_loop *run, unsigned tried, double *largest)
{
    int found = -1;
    *largest = 0.0;
    for (int k = 0; k <= run->bound->charts; ++k) {
        const double size = tried >> k & 1U ? 0.0 : volume(run, k);
        if (size > *largest) {
            found = k;
            *largest = size;
        }
    }
    return found;
}

static void take(vcg_loop *run, int chart, const double *z)
{
    vcg_bound *bound = run->bound;
    bound->chart = chart;
    bound->model = bound->sets[chart].model;
    bound->w = bound->sets[chart].w;
    memcpy(run->at.y, z, (size_t)run->at.n * sizeof(double));
    run->at.f_known = 0;
}

/* Go on in another chart with given rates, or those of the state; stays in the present one where the other cannot go on. */
static int change(vcg_loop *run, int chart, const double *rates)
{
    vcg_stepper *at = &run->at;
    vcg_bound *bound = run->bound;
    const vcg_model *model = bound->sets[chart].model;
    const int n = at->n, kept = model->coordinates + model->speeds, before = bound->chart;
    double *momenta = bound->converted + n, *z = run->point;
    int where = -1, status = rates == NULL ? vcg_know_f(at) : VCG_DONE;
    if (status == VCG_DONE && model->start(at->step.t, at->y, rates == NULL ? at->f : rates, bound->sets[chart].w, z, momenta,
                                           &where) != 0) {
        status = VCG_SINGULAR;
    }
    if (status != VCG_DONE) {
        return status;
    }
    memcpy(z + kept, at->y + kept, (size_t)(n - kept) * sizeof(double));
    memcpy(run->before, at->y, (size_t)n * sizeof(double));
    take(run, chart, z);
    const int check = at->where;
    status = vcg_know_f(at);
    if (status != VCG_DONE || !vcg_is_finite(n, at->f)) {
        take(run, before, run->before);
        at->where = check;
        return status == VCG_DONE ? VCG_NOT_FINITE : status;
    }
    ++run->results->statistics.charts;
    vcg_meet_divisors(at);
    return VCG_DONE;
}

/* Let the integrator forget what it kept of the steps before; the size of the next one is as it was. */
static int renew(vcg_loop *run, double size)
{
    vcg_stepper *at = &run->at;
    if (run->integrator->renew != NULL) {
        run->integrator->renew(at);
        at->step.part = at->step.parts = 0;
    }
    const int status = run->integrator->begin != NULL ? run->integrator->begin(at) : VCG_DONE;
    at->step.size = size > 0.0 ? size : at->step.size;
    return status;
}

void vcg_settle(vcg_loop *run)
{
    double largest = 0.0;
    if (run->bound->charts == 0) {
        return;
    }
    const double *rates = run->settings->start_rates;
    const double own = volume(run, 0);
    const int chart = best(run, 1U, &largest);
    if (chart > 0 && largest > BETTER * own) {
        (void)change(run, chart, rates);
        run->at.f_known = 0;
        run->results->statistics.charts = 0;
    }
}

int vcg_pick(vcg_loop *run)
{
    const vcg_bound *bound = run->bound;
    double largest = 0.0;
    if (bound->charts == 0) {
        return VCG_DONE;
    }
    const double own = volume(run, bound->chart);
    const int chart = best(run, 1U << bound->chart, &largest);
    if (chart < 0 || !(largest > BETTER * own)) {
        return VCG_DONE;
    }
    const int status = change(run, chart, NULL);
    return vcg_failed(status) ? status : status == VCG_DONE ? renew(run, run->at.step.size) : VCG_DONE;
}

int vcg_escape(vcg_loop *run, int status)
{
    vcg_stepper *at = &run->at;
    double largest = 0.0;
    if (run->bound->charts == 0 || (status != VCG_SINGULAR && status != VCG_TOO_SMALL && status != VCG_NOT_CONVERGED)) {
        return status;
    }
    run->tried = (run->stuck < at->step.t ? 0U : run->tried) | 1U << run->bound->chart;
    run->stuck = at->step.t;
    for (int chart; (chart = best(run, run->tried, &largest)) >= 0;) {
        run->tried |= 1U << chart;
        if (change(run, chart, NULL) == VCG_DONE) {
            at->step.rejected = 0;
            at->step.part = at->step.parts = 0;
            return renew(run, 0.0);
        }
    }
    return status;
}

int vcg_refresh(vcg_bound *bound)
{
    int where = -1, status = 0;
    for (int k = 0; k <= bound->charts && bound->charts > 0; ++k) {
        status = status == 0 && k != bound->chart ? bound->sets[k].model->prepare(bound->p, bound->sets[k].w, &where) : status;
    }
    return status;
}

/* Where a term of a state stands in [y, terms] of an interpolant. */
static int place(const vcg_integrator *integrator, int width, int term, int state)
{
    return term > 0 && integrator->by_state ? width + state * integrator->terms + term - 1 : term * width + state;
}

/* Weights of the terms of an interpolant at a place. */
static void weights_at(const vcg_loop *run, double h, double s, double *weights)
{
    enum { WIDTH = 4 };
    const int rows = 1 + run->integrator->terms;
    double result[WIDTH], *block = run->fit + rows * (rows + 3);
    for (int term = 0; term < rows; ++term) {
        memset(block, 0, (size_t)(rows * WIDTH) * sizeof(double));
        block[place(run->integrator, WIDTH, term, 0)] = 1.0;
        run->integrator->interpolate(WIDTH, block, h, s, result);
        weights[term] = result[0];
    }
}

int vcg_first_terms(vcg_loop *run, double *block)
{
    const vcg_stepper *at = &run->at;
    const vcg_model *model = run->bound->model;
    const int width = at->width, rows = 1 + run->integrator->terms, m = model->coordinates;
    const double pi = 3.14159265358979324, h = at->step.tnew - at->step.t;
    double *basis = run->fit, *values = basis + rows * rows, *terms = values + rows, *work = run->solved;
    double *states = work + rows * (rows + 1);
    memcpy(block, at->y, (size_t)(rows * width) * sizeof(double));
    if (!(h > 0.0)) {
        return vcg_told(run, at->step.t, at->y, block);
    }
    for (int i = 0; i < rows; ++i) {
        const double s = 0.5 - 0.5 * cos(pi * i / (rows - 1));
        weights_at(run, h, s, basis + i * rows);
        vcg_inside(run, s, run->point);
        const int status = vcg_told(run, at->step.t + s * h, run->point, states + i * width);
        if (status != VCG_DONE) {
            return status;
        }
    }
    for (int j = m; j < m + model->speeds; ++j) {
        for (int i = 0; i < rows; ++i) {
            values[i] = states[i * width + j];
        }
        vcg_least_norm(rows, rows, rows, basis, values, terms, work, (int *)(states + rows * width));
        for (int i = 0; i < rows; ++i) {
            block[place(run->integrator, width, i, j)] = terms[i];
        }
    }
    return VCG_DONE;
}
