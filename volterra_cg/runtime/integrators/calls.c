/* A run by calls, for loops outside: each goes on for a time with signals that may have jumped.
 *
 * Every call sets off anew from the state, in steps of the size of the last ones, so that nothing but the numbers of vcg_save
 * matters for what follows.
 */
#include "run.h"

#include <stdlib.h>
#include <string.h>

typedef struct whole {
    vcg_loop run;
    vcg_settings own;
    double *memory;
} whole;

vcg_loop *vcg_open(const vcg_integrator *integrator, vcg_bound *bound, const vcg_settings *settings, vcg_results *results)
{
    whole *made = calloc(1, sizeof(whole));
    if (made == NULL) {
        return NULL;
    }
    made->run = (vcg_loop){.integrator = integrator, .bound = bound, .settings = settings, .results = results};
    made->memory = vcg_lay_out(&made->run, &made->own);
    if (made->memory == NULL) {
        free(made);
        return NULL;
    }
    return &made->run;
}

void vcg_close(vcg_loop *run)
{
    if (run != NULL) {
        free(((whole *)run)->memory); /* the run is the first member */
        free(run);
    }
}

static void take_chart(vcg_bound *bound, int chart)
{
    bound->chart = chart;
    bound->model = bound->sets[chart].model;
    bound->w = bound->sets[chart].w;
}

/* What the last call has left in the results is forgotten. */
static void clear(vcg_results *results)
{
    results->happened.count = 0;
    results->statistics = (vcg_statistics){.steps = 0};
    results->where = results->output = results->watch = results->closed = -1;
}

/* Prepare the parameters of all charts. */
static int prepare(vcg_bound *bound)
{
    int where = -1;
    take_chart(bound, 0);
    const int status = bound->model->prepare(bound->p, bound->w, &where);
    return vcg_model_status(status == 0 ? vcg_refresh(bound) : status);
}

int vcg_reset(vcg_loop *run)
{
    vcg_results *results = run->results;
    const int status = prepare(run->bound);
    results->count = 1;
    run->next = 0;
    run->burst_count = 0;
    run->tried = 0;
    run->stuck = -INFINITY;
    run->at.step = (vcg_step){.t = 0.0};
    clear(results);
    vcg_set_out(run);
    vcg_settle(run);
    results->t = run->at.step.t;
    memcpy(results->last, results->rows, (size_t)run->at.n * sizeof(double));
    return status;
}

int vcg_go_on(vcg_loop *run, double dt)
{
    vcg_stepper *at = &run->at;
    clear(run->results);
    run->results->count = run->next = 0; /* no row is asked for */
    at->end = at->step.t + dt;
    at->spacing = dt;
    at->largest = vcg_largest(run->settings->max_step, dt, 0.0); /* a call is no whole run, of which a step may be a fraction */
    int status = at->end > at->step.t ? vcg_begin(run, at->step.size) : VCG_TOO_SMALL;
    while (status == VCG_DONE && at->step.t < at->end) {
        status = vcg_advance(run);
    }
    vcg_finish(run, status);
    return status;
}

const double *vcg_present(const vcg_loop *run)
{
    return run->at.y;
}

/* --- what the further course depends on ---------------------------------------------------------------------------- */

enum { NUMBERS = 8 }; /* of their own, before the arrays */

static size_t watched_doubles(const vcg_loop *run)
{
    return ((size_t)run->settings->watched * sizeof(vcg_watched) + sizeof(double) - 1) / sizeof(double);
}

size_t vcg_kept(const vcg_loop *run)
{
    const vcg_model *model = run->bound->model;
    return NUMBERS + (size_t)(run->at.n + model->parameters + model->momenta + model->signals) + watched_doubles(run);
}

/* Copy between the arrays of a run and those after the numbers that are kept. */
static void copy(vcg_loop *run, double *kept, int back)
{
    const vcg_bound *bound = run->bound;
    const vcg_model *model = bound->model;
    const size_t size = sizeof(double);
    const struct {
        void *place;
        size_t bytes;
    } parts[] = {
        {run->at.y, (size_t)run->at.n * size},
        {bound->p, (size_t)model->parameters * size},
        {bound->g, (size_t)model->momenta * size},
        {bound->signals, (size_t)model->signals * size},
        {run->watched, (size_t)run->settings->watched * sizeof(vcg_watched)},
    };
    double *at = kept + NUMBERS;
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); ++i) {
        if (parts[i].bytes > 0) {
            memcpy(back ? parts[i].place : at, back ? at : parts[i].place, parts[i].bytes);
        }
        at += parts[i].bytes / size;
    }
}

void vcg_save(const vcg_loop *run, double *kept)
{
    const double numbers[NUMBERS] = {run->at.step.t, run->at.step.size, run->burst,         (double)run->burst_count,
                                     run->turned,    run->stuck,        (double)run->tried, (double)run->bound->chart};
    memset(kept, 0, vcg_kept(run) * sizeof(double));
    memcpy(kept, numbers, sizeof(numbers));
    copy((vcg_loop *)run, kept, 0);
}

int vcg_resume(vcg_loop *run, const double *kept)
{
    vcg_results *results = run->results;
    (void)vcg_reset(run);
    copy(run, (double *)kept, 1);
    const int status = prepare(run->bound);
    run->at.step.t = run->at.step.tnew = kept[0];
    run->at.step.size = kept[1];
    run->burst = kept[2];
    run->burst_count = (long)kept[3];
    run->turned = kept[4];
    run->stuck = kept[5];
    run->tried = (unsigned)kept[6];
    take_chart(run->bound, (int)kept[7]);
    run->at.f_known = 0;
    results->t = kept[0];
    return status == VCG_DONE ? vcg_told(run, kept[0], run->at.y, results->last) : status;
}
