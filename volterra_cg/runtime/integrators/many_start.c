#include "many.h"

#include <math.h>
#include <stdlib.h>

/* Room for one trajectory. */
typedef struct {
    double *q, *qd, *w, *y, *scratch;
} room;

static double larger(double size, int count, const double *values)
{
    for (int i = 0; i < count; ++i) {
        size = fmax(size, fabs(values[i]));
    }
    return size;
}

static int refuse(const vcg_many_start_task *task, long row, int status, int where, double residual)
{
    task->status[row] = status;
    task->where[row] = where;
    task->residual[row] = residual;
    return status;
}

/* Whether a start is on the constraints: the states keep no more of the rates than the constraints allow. */
static int check(const vcg_many_start_task *task, long row, const room *at)
{
    const int m = task->model->coordinates;
    const double *q = task->q + row * m, *qd = task->qd + row * m;
    const double most = task->tolerance * larger(larger(1.0, m, q), m, qd);
    for (int set = 0, number = 0; set < 2; ++set) {
        for (int i = 0; i < task->sizes[set]; ++i, ++number) {
            const double residual = at->y[task->residuals[set] + i];
            if (!(fabs(residual) <= most)) {
                return refuse(task, row, isnan(residual) ? VCG_NOT_FINITE : VCG_INCONSISTENT, m + number, residual);
            }
        }
    }
    for (int i = 0; i < m; ++i) {
        const double gap = at->y[task->rates + i] - qd[i];
        if (!(fabs(gap) <= most)) {
            return refuse(task, row, isnan(gap) ? VCG_NOT_FINITE : VCG_INCONSISTENT, i, gap);
        }
    }
    return VCG_DONE;
}

static int start(const vcg_many_start_task *task, long row, const room *at)
{
    const vcg_model *model = task->model;
    const int m = model->coordinates;
    const double *p = task->parameters + row * model->parameters, *signals = task->signals + row * model->signals;
    double *q = task->q + row * m, *qd = task->qd + row * m, *z = task->results + row * task->stride;
    double *g = task->momenta + row * model->momenta;
    int where = -1;
    const int prepared = model->prepare(p, at->w, &where);
    if (prepared || model->initial(p, at->q, at->qd, &where)) {
        return refuse(task, row, prepared ? vcg_model_status(prepared) : VCG_SINGULAR, where, NAN);
    }
    for (int i = 0; i < m; ++i) {
        q[i] = task->given_q[i] ? q[i] : at->q[i];
        qd[i] = task->given_qd[i] ? qd[i] : at->qd[i];
    }
    if (model->start(task->t, q, qd, at->w, z, g, &where) ||
        model->output(task->t, z, at->y, at->w, g, signals, at->scratch, &where)) {
        return refuse(task, row, VCG_SINGULAR, where, NAN);
    }
    return check(task, row, at);
}

int vcg_many_start(const vcg_many_start_task *task, long first, long last)
{
    const vcg_model *model = task->model;
    const size_t m = (size_t)model->coordinates, prepared = (size_t)model->prepared, outputs = (size_t)model->outputs;
    double *memory = malloc((2 * m + prepared + outputs + (size_t)model->scratch + 1) * sizeof(double));
    if (memory == NULL) {
        return VCG_NO_MEMORY;
    }
    const room at = {.q = memory,
                     .qd = memory + m,
                     .w = memory + 2 * m,
                     .y = memory + 2 * m + prepared,
                     .scratch = memory + 2 * m + prepared + outputs};
    for (long row = first; row < last; ++row) {
        if (task->status[row] == VCG_DONE) {
            start(task, row, &at);
        }
    }
    free(memory);
    return VCG_DONE;
}
