/* Trajectories one after the other, by an integrator whose lanes are the stages of one: each is a single run, bit for bit. */
#include "many_lanes.h"

#include <stdlib.h>
#include <string.h>

static int stopped(void *context)
{
    const int *stop = ((const vcg_many_task *)context)->stop;
    return stop != NULL && __atomic_load_n(stop, __ATOMIC_RELAXED);
}

/* Room for a trajectory. */
typedef struct {
    double *p, *w, *g, *signals, *scratch, *times, *rows, *last;
} room;

/* Lay out the room; called with no memory to measure it. Returns the doubles needed. */
static size_t lay_out(const vcg_many_task *task, double *memory, room *at)
{
    const vcg_model *model = task->model;
    const struct {
        double **place;
        int size;
    } parts[] = {{&at->p, model->parameters},    {&at->w, model->prepared},       {&at->g, model->momenta},
                 {&at->signals, model->signals}, {&at->scratch, model->scratch},  {&at->times, task->count},
                 {&at->last, model->states},     {&at->rows, 0}};
    size_t used = 0;
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); ++i) {
        *parts[i].place = memory != NULL ? memory + used : NULL;
        used += (size_t)parts[i].size;
    }
    return used + (size_t)task->count * (size_t)model->states;
}

static void note(const vcg_many_task *task, long row, int status, const vcg_results *results)
{
    /* A run that stops early has a row for its end; an ensemble has none. */
    const int extra = status != VCG_DONE && results->reached > 1 && results->t < task->times[results->reached - 1];
    const int reached = results->reached - extra;
    const size_t states = (size_t)task->model->states;
    task->status[row] = status;
    task->where[row] = status == VCG_SINGULAR || status == VCG_TOO_SMALL ? results->where : -1;
    task->reached[row] = reached;
    task->ended[row] = results->t;
    task->steps[row] = results->statistics.steps;
    task->rejections[row] = results->statistics.rejections;
    task->calls[row] = results->statistics.calls;
    memcpy(task->results + row * task->count * (long)states, results->rows, (size_t)reached * states * sizeof(double));
}

static int run(const vcg_integrator *integrator, const vcg_many_task *task, long row, const room *at)
{
    const vcg_model *model = task->model;
    const size_t size = sizeof(double);
    vcg_results results = {.count = task->count, .times = at->times, .rows = at->rows, .last = at->last, .where = -1};
    const vcg_settings settings = {.rtol = task->settings.rtol,
                                   .atol = task->settings.atol,
                                   .max_step = task->settings.max_step,
                                   .max_steps = task->settings.max_steps,
                                   .by_rows = 1,
                                   .kinks = task->settings.kinks,
                                   .poll = stopped};
    vcg_bound bound = {.model = model,
                       .p = at->p,
                       .w = at->w,
                       .g = at->g,
                       .signals = at->signals,
                       .scratch = at->scratch,
                       .sampled = task->sampled,
                       .samples = task->samples,
                       .context = (void *)task};
    memcpy(at->p, task->parameters + row * model->parameters, (size_t)model->parameters * size);
    memcpy(at->g, task->momenta + row * model->momenta, (size_t)model->momenta * size);
    memcpy(at->signals, task->signals + row * model->signals, (size_t)model->signals * size);
    memcpy(at->times, task->times, (size_t)task->count * size);
    memcpy(at->rows, task->results + row * task->count * model->states, (size_t)model->states * size);
    results.output = results.watch = results.closed = -1;
    results.t = task->times[0];
    results.reached = 1;
    int where = -1, status = model->prepare(at->p, at->w, &where) != 0 ? VCG_SINGULAR : VCG_DONE;
    results.where = where;
    status = status == VCG_DONE ? vcg_run(integrator, &bound, &settings, &results) : status;
    note(task, row, status, &results);
    return status == VCG_NO_MEMORY ? status : VCG_DONE;
}

int vcg_many_single(const vcg_integrator *integrator, const vcg_many_task *task, long first, long last)
{
    room at;
    double *memory = malloc((lay_out(task, NULL, &at) + 1) * sizeof(double));
    int status = memory != NULL ? VCG_DONE : VCG_NO_MEMORY;
    if (memory != NULL) {
        lay_out(task, memory, &at);
    }
    for (; first < last && status == VCG_DONE; ++first) {
        if (task->status[first] == VCG_DONE && stopped((void *)task)) {
            task->status[first] = VCG_INTERRUPTED;
        } else if (task->status[first] == VCG_DONE) {
            status = run(integrator, task, first, &at);
        }
    }
    free(memory);
    return status;
}
