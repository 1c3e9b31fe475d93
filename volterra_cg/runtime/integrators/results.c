/* Rows of states and outputs, and interpolants that are kept. */
#include "run.h"

#include <stdlib.h>
#include <string.h>

int vcg_outputs(vcg_loop *run, double t, const double *z, double *y)
{
    vcg_bound *bound = run->bound;
    int where = -1;
    if (vcg_signals_at(bound, t, z) != VCG_DONE) {
        return VCG_SIGNAL_ERROR;
    }
    const int status = bound->model->output(t, z, y, bound->w, bound->g, bound->signals, bound->scratch, &where);
    if (status != 0) {
        run->at.where = where;
        return status > 0 ? VCG_SINGULAR : VCG_FATAL;
    }
    return VCG_DONE;
}

void vcg_inside(vcg_loop *run, double s, double *z)
{
    const vcg_stepper *at = &run->at;
    if (s < 1.0) {
        run->integrator->interpolate(at->width, at->y, at->step.tnew - at->step.t, s, z);
    } else {
        memcpy(z, at->ynew, (size_t)at->n * sizeof(double));
    }
}

int vcg_put(vcg_loop *run, double t, const double *z)
{
    vcg_results *results = run->results;
    const vcg_model *model = run->bound->model;
    if (!vcg_is_finite(model->states, z)) {
        return VCG_NOT_FINITE;
    }
    if (results->outputs != NULL) {
        double *y = results->outputs + (long)run->next * model->outputs;
        const int status = vcg_outputs(run, t, z, y);
        if (status != VCG_DONE) {
            return status;
        }
        for (int i = 0; i < model->outputs && !vcg_is_finite(model->outputs, y); ++i) {
            if (!isfinite(y[i])) {
                results->output = i;
                return VCG_NOT_FINITE;
            }
        }
    }
    const int status = vcg_told(run, t, z, results->rows + (long)run->next * model->states);
    if (status == VCG_DONE) {
        results->reached = ++run->next;
    }
    return status;
}

int vcg_put_before(vcg_loop *run, double until)
{
    const vcg_stepper *at = &run->at;
    const vcg_results *results = run->results;
    int status = VCG_DONE;
    double moved = 0.0;
    while (status == VCG_DONE && run->next < results->count && results->times[run->next] < until) {
        const double t = results->times[run->next];
        vcg_inside(run, (t - at->step.t) / (at->step.tnew - at->step.t), run->point);
        if (run->settings->project) {
            status = vcg_project(run, t, run->point, &moved);
        }
        status = status == VCG_DONE ? vcg_put(run, t, run->point) : status;
    }
    return status;
}

int vcg_put_here(vcg_loop *run)
{
    const vcg_results *results = run->results;
    const int asked = run->next < results->count && results->times[run->next] == run->at.step.t;
    return asked ? vcg_put(run, run->at.step.t, run->at.y) : VCG_DONE;
}

int vcg_keep(vcg_loop *run, double until)
{
    vcg_dense *dense = &run->results->dense;
    const vcg_stepper *at = &run->at;
    const int rows = 1 + run->integrator->terms;
    dense->size = 3 + rows * at->width;
    if (dense->count == dense->room) {
        const long room = 2 * dense->room + 64;
        double *data = realloc(dense->data, (size_t)room * (size_t)dense->size * sizeof(double));
        if (data == NULL) {
            return VCG_NO_MEMORY;
        }
        dense->data = data;
        dense->room = room;
    }
    double *next = dense->data + dense->count * dense->size;
    next[0] = at->step.t;
    next[1] = at->step.tnew - at->step.t;
    next[2] = until;
    if (run->bound->chart > 0) {
        const int status = vcg_first_terms(run, next + 3);
        dense->count += status == VCG_DONE;
        return status;
    }
    memcpy(next + 3, at->y, (size_t)(rows * at->width) * sizeof(double));
    ++dense->count;
    return VCG_DONE;
}

int vcg_dense_at(const vcg_integrator *integrator, const vcg_dense *dense, int n, double t, double *z)
{
    const int width = (n + 3) / 4 * 4;
    if (dense->count == 0 || !(t >= dense->data[0] && t <= dense->data[(dense->count - 1) * dense->size + 2])) {
        return 1;
    }
    long low = 0, high = dense->count;
    while (high - low > 1) {
        const long middle = low + (high - low) / 2;
        if (dense->data[middle * dense->size] <= t) {
            low = middle;
        } else {
            high = middle;
        }
    }
    const double *piece = dense->data + low * dense->size;
    integrator->interpolate(width, piece + 3, piece[1], piece[1] > 0.0 ? (t - piece[0]) / piece[1] : 0.0, z);
    return 0;
}
