/* One driver for all integrators: steps, what follows them, and when to stop. */
#include "run.h"
#include "integrators.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define DECLARED(name) extern const vcg_integrator vcg_##name;
VCG_INTEGRATORS(DECLARED)

const vcg_integrator *vcg_integrator_of(const char *name)
{
#define ROW(name) {#name, &vcg_##name},
    static const struct {
        const char *name;
        const vcg_integrator *integrator;
    } rows[] = {VCG_INTEGRATORS(ROW)};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        if (strcmp(rows[i].name, name) == 0) {
            return rows[i].integrator;
        }
    }
    return NULL;
}

static const double EVERY = 0.05; /* seconds between polls */

/* --- steps --------------------------------------------------------------------------------------------------------- */

/* Where the next step must not go beyond: the end, a corner or a jump of a signal; steps of one size divide the way to a result. */
static void aim(vcg_loop *run)
{
    vcg_stepper *at = &run->at;
    at->step.stop = at->end;
    for (int i = 0; i < run->bound->sampled; ++i) {
        at->step.stop = vcg_smaller(at->step.stop, vcg_next_corner(run->bound->samples + i, at->step.t));
    }
    if (run->bound->hold.next < run->bound->hold.count) {
        at->step.stop = vcg_smaller(at->step.stop, run->bound->hold.times[run->bound->hold.next]);
    }
    at->target = run->next < run->results->count ? run->results->times[run->next] : at->end;
    at->target = vcg_smaller(at->target, at->step.stop);
}

/* Whether the model is evaluated after every step. */
static int pauses(const vcg_loop *run)
{
    const vcg_settings *settings = run->settings;
    return settings->watched > 0 || settings->dense || settings->project || run->bound->charts > 0 || run->bound->hold.count > 0;
}

int vcg_begin(vcg_loop *run, double size)
{
    vcg_stepper *at = &run->at;
    run->pauses = pauses(run);
    at->f_known = 0;
    at->step.part = at->step.parts = 0;
    at->step.rejected = 0;
    aim(run);
    if (run->integrator->renew != NULL) {
        run->integrator->renew(at);
    }
    int status = vcg_is_finite(at->n, at->y) ? vcg_know_f(at) : VCG_NOT_FINITE;
    vcg_meet_divisors(at);
    if (status == VCG_DONE && !vcg_is_finite(at->n, at->f)) {
        status = VCG_NOT_FINITE;
    }
    if (status == VCG_DONE && run->integrator->begin != NULL) {
        status = run->integrator->begin(at);
        at->step.size = size > 0.0 ? size : at->step.size;
    }
    if (status == VCG_DONE && run->settings->watched > 0) {
        status = vcg_look(run);
    }
    return status;
}

/* Make the end of the step, or a state given for a time within it, the present state. */
static void move(vcg_stepper *at, double t)
{
    memcpy(at->y, at->ynew, (size_t)at->width * sizeof(double));
    at->f_known = at->fnew_known;
    if (at->fnew_known) {
        memcpy(at->f, at->fnew, (size_t)at->width * sizeof(double));
    }
    at->fnew_known = 0;
    at->step.t = t;
}

/* Move the end of the step to the constraints; the derivative there is then another. */
static int project(vcg_loop *run, double t)
{
    vcg_statistics *statistics = &run->results->statistics;
    double moved = 0.0;
    const int status = vcg_project(run, t, run->at.ynew, &moved);
    if (moved > 0.0) {
        run->at.fnew_known = 0;
        ++statistics->projections;
        statistics->correction = vcg_larger(moved, statistics->correction);
    }
    return status;
}

/* Let the step end at a place of it. */
static int cut(vcg_loop *run, double place, double *t)
{
    vcg_stepper *at = &run->at;
    const int status = vcg_at_place(run, place, t);
    memcpy(at->ynew, run->point, (size_t)at->n * sizeof(double));
    at->fnew_known = 0;
    return status;
}

/* Carry out the event at a place of the step and set off anew. A row of that time is filled again. */
static int turn(vcg_loop *run, double place)
{
    vcg_stepper *at = &run->at;
    const long count = run->results->happened.count;
    double t = 0.0;
    int status = cut(run, place, &t);
    status = status == VCG_DONE ? vcg_happen(run, t, at->ynew) : status;
    if (status == VCG_DONE || status == VCG_EVENT) {
        run->turned = t;
        run->next -= run->next > 0 && run->results->times[run->next - 1] == t;
        move(at, t);
    } else if (cut(run, place, &t) == VCG_DONE) {
        move(at, t); /* an event that cannot happen, or impacts that do not settle: the state before them */
        run->results->happened.count = count;
    }
    return status == VCG_DONE ? vcg_begin(run, 0.0) : status;
}

/* Whether it is time for a sampled controller. */
static int is_due(const vcg_loop *run)
{
    const vcg_hold *hold = &run->bound->hold;
    return hold->next < hold->count && run->at.step.t >= hold->times[hold->next];
}

/* Let a sampled controller set its signals at the present state. */
static int hold(vcg_loop *run)
{
    ++run->bound->hold.next;
    return vcg_switch(run->bound, run->at.step.t, run->at.y);
}

/* What follows an accepted step: events, results, projection, controllers. */
static int follow(vcg_loop *run)
{
    vcg_stepper *at = &run->at;
    const vcg_settings *settings = run->settings;
    const double first = run->next < run->results->count ? run->results->times[run->next] : at->end;
    double place = 1.0, until = at->step.tnew;
    int status = VCG_DONE;
    if (run->pauses || first < at->step.tnew) {
        vcg_release_divisors(at);
    }
    if (settings->watched > 0 || settings->dense || first < at->step.tnew) {
        status = run->integrator->prepare(at);
    }
    if (settings->watched > 0 && status == VCG_DONE) {
        status = vcg_search(run, &place);
        until = place < 1.0 ? at->step.t + place * (at->step.tnew - at->step.t) : at->step.tnew;
    }
    const int ends = status; /* an event too many still has the results before it */
    if (status == VCG_DONE || status == VCG_TOO_MANY_EVENTS) {
        status = vcg_put_before(run, until);
    }
    if (status == VCG_DONE && settings->dense && until > at->step.t) {
        status = vcg_keep(run, until);
    }
    if (status == VCG_DONE && ends == VCG_TOO_MANY_EVENTS && cut(run, place, &until) == VCG_DONE) {
        move(at, until);
    }
    if (status != VCG_DONE || ends != VCG_DONE) {
        return status != VCG_DONE ? status : ends;
    }
    if (run->results->watch >= 0) {
        status = turn(run, place);
    } else {
        status = settings->project ? project(run, at->step.tnew) : VCG_DONE;
        if (status == VCG_DONE) {
            move(at, at->step.tnew);
        }
    }
    if (status == VCG_DONE && is_due(run)) {
        status = hold(run);
        status = status == VCG_DONE ? vcg_begin(run, at->step.size) : status;
    }
    const int stored = status == VCG_DONE || status == VCG_EVENT ? vcg_put_here(run) : VCG_DONE;
    return stored != VCG_DONE ? stored : status;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Ask whether to stop, seldom enough to cost nothing and often enough to be prompt. */
static int interrupted(vcg_loop *run)
{
    if (run->settings->poll == NULL || ++run->steps < run->stride) {
        return 0;
    }
    const double time = now(), passed = time - run->looked;
    run->steps = 0;
    run->looked = time;
    if (passed < 0.02 * EVERY) {
        run->stride *= 2;
    } else if (passed > 0.2 * EVERY && run->stride > 1) {
        run->stride /= 2;
    }
    if (time - run->asked < EVERY) {
        return 0;
    }
    run->asked = time;
    return run->settings->poll(run->bound->context) != 0;
}

/* Whether a step across a singular configuration is tried again with a smaller one. */
static int tries_again(const vcg_integrator *integrator)
{
    return integrator->begin != NULL || integrator->without_f;
}

/* One step that crosses no singular configuration. */
static int stride(vcg_loop *run)
{
    vcg_stepper *at = &run->at;
    if (run->integrator->without_f) {
        const int stepped = run->integrator->step(at);
        return stepped == VCG_TOO_SMALL ? vcg_why_too_small(at) : stepped;
    }
    int status = vcg_know_f(at);
    if (status != VCG_DONE) {
        return status;
    }
    if (!at->guarded && at->bound->model->divisors > 0) {
        vcg_guard_divisors(at);
    }
    status = run->integrator->step(at);
    if (status == VCG_DONE && at->guarded && !at->fnew_known) {
        status = vcg_evaluate(at, at->step.tnew, at->ynew, at->fnew);
        at->fnew_known = status == VCG_DONE;
    }
    if (status == VCG_DONE && at->guarded) {
        status = vcg_keep_divisors(at);
    }
    if (status != VCG_DONE) {
        vcg_release_divisors(at);
    }
    return status == VCG_TOO_SMALL ? vcg_why_too_small(at) : status;
}

int vcg_advance(vcg_loop *run)
{
    const vcg_statistics *statistics = &run->results->statistics;
    if (statistics->steps + statistics->rejections >= run->settings->max_steps) {
        return VCG_TOO_MANY_STEPS;
    }
    if (interrupted(run)) {
        return VCG_INTERRUPTED;
    }
    aim(run);
    int status = stride(run);
    if (status != VCG_DONE) {
        return vcg_escape(run, status);
    }
    ++run->results->statistics.steps;
    if (run->settings->leave > 0 && statistics->in_a_row >= run->settings->leave &&
        2 * statistics->in_a_row >= statistics->steps) { /* else beginning again may take longer than going on */
        return VCG_LEFT;
    }
    status = follow(run);
    return status == VCG_DONE && run->at.step.t < run->at.end ? vcg_pick(run) : status;
}

/* --- the whole ----------------------------------------------------------------------------------------------------- */

/* The largest of a size over the charts. */
#define LARGEST(bound, member) largest_of((bound), offsetof(vcg_model, member))

static size_t largest_of(const vcg_bound *bound, size_t offset)
{
    int largest = *(const int *)((const char *)bound->model + offset);
    for (int k = 0; k <= bound->charts && bound->charts > 0; ++k) {
        const int size = *(const int *)((const char *)bound->sets[k].model + offset);
        largest = size > largest ? size : largest;
    }
    return (size_t)largest;
}

/* Lay out the memory of a run; called once with no memory to measure it. Returns the doubles needed. */
static size_t lay_out(vcg_loop *run, double *memory)
{
    const vcg_model *model = run->bound->model;
    const size_t charted = run->bound->charts > 0, terms = 1 + (size_t)run->integrator->terms;
    const size_t width = (size_t)run->at.width, m = (size_t)model->coordinates, rows = (size_t)model->holonomic;
    const size_t watched = (size_t)run->settings->watched, changed = 2 * m + (size_t)model->parameters;
    struct {
        double **place;
        size_t size;
    } parts[] = {
        {&run->at.y, (1 + (size_t)run->integrator->terms) * width},
        {&run->at.ynew, width},
        {&run->at.work, run->integrator->doubles != NULL ? run->integrator->doubles(&run->at) : 0},
        {(double **)&run->at.divisors, LARGEST(run->bound, divisors) * sizeof(vcg_divisor) / sizeof(double)},
        {&run->point, width},
        {&run->before, width},
        {&run->y, (size_t)model->outputs},
        {&run->nudged, width},
        {(double **)&run->readings, 4 * watched},
        {&run->momenta, (size_t)model->momenta},
        {(double **)&run->noise, 6 * watched},
        {&run->gap, rows},
        {&run->slopes, rows * m},
        {&run->shift, m},
        {&run->solve, rows * (rows + 1)},
        {&run->after, (size_t)model->events * changed},
        {&run->bound_before, (size_t)(model->parameters + model->momenta) + LARGEST(run->bound, prepared)},
        {(double **)&run->order, rows},
        {&run->told, 2 * width},
        {&run->frame, charted * LARGEST(run->bound, framed) * m},
        {&run->fit, charted * terms * (terms + 3 + 4)},
        {&run->solved, charted * terms * (terms + 1 + width + 1)},
        {&run->atol, charted * width},
        {(double **)&run->watched, watched * (1 + sizeof(vcg_watched) / sizeof(double))},
    };
    size_t used = 0;
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); ++i) {
        *parts[i].place = memory != NULL ? memory + used : NULL;
        used += parts[i].size;
    }
    return used;
}

void vcg_set_out(vcg_loop *run)
{
    vcg_stepper *at = &run->at;
    const vcg_results *results = run->results;
    const double span = results->times[results->count - 1] - results->times[0];
    at->step.t = at->step.tnew = results->times[0];
    at->end = results->times[results->count - 1];
    at->spacing = results->count > 1 ? results->times[1] - results->times[0] : 0.0;
    at->largest = vcg_largest(run->settings->max_step, span, run->integrator->fraction);
    at->guard = vcg_guard_of(tries_again(run->integrator), run->settings->rtol, run->bound->model->holonomic);
    at->where = -1;
    run->burst = results->times[0];
    run->turned = -INFINITY;
    for (int i = 0; i < run->settings->watched; ++i) {
        run->watched[i] = (vcg_watched){.value = NAN, .happened = -INFINITY};
    }
    run->stride = 1;
    run->looked = run->asked = run->settings->poll != NULL ? now() : 0.0;
    memcpy(at->y, results->rows, (size_t)at->n * sizeof(double));
    run->integrator->arrange(at);
}

/* The state at the end as a last piece of the dense output, where none has it: there was no step, or an event. */
static int keep_end(vcg_loop *run)
{
    vcg_stepper *at = &run->at;
    if (!run->settings->dense || (run->results->dense.count > 0 && run->turned < at->step.t)) {
        return VCG_DONE;
    }
    at->step.tnew = at->step.t;
    memset(at->y + at->width, 0, (size_t)(run->integrator->terms * at->width) * sizeof(double));
    return vcg_keep(run, at->step.t);
}

/* Where a run stops early its last state becomes a row. */
void vcg_finish(vcg_loop *run, int status)
{
    vcg_results *results = run->results;
    vcg_stepper *at = &run->at;
    vcg_release_divisors(at);
    results->t = at->step.t;
    results->chart = run->bound->chart;
    const int named =
        status == VCG_SINGULAR || status == VCG_TOO_SMALL || status == VCG_INCONSISTENT || status == VCG_IMPOSSIBLE;
    results->where = named ? at->where : -1;
    (void)vcg_told(run, at->step.t, at->y, results->last);
    const int kept = results->output;
    if (status != VCG_DONE && run->next > 0 && run->next < results->count && at->step.t > results->times[run->next - 1]) {
        results->times[run->next] = at->step.t;
        (void)vcg_put(run, at->step.t, at->y);
        results->output = kept;
    }
}

/* Quasi-velocities of all charts keep the smallest of the tolerances that those of the first are given. */
static void share_tolerance(vcg_loop *run, vcg_settings *settings)
{
    const vcg_model *model = run->bound->model;
    const int first = model->coordinates, last = first + model->speeds;
    double least = INFINITY;
    for (int i = first; i < last; ++i) {
        least = vcg_smaller(least, settings->atol[i]);
    }
    for (int i = 0; i < model->states; ++i) {
        run->atol[i] = i < first || i >= last ? settings->atol[i] : least;
    }
    settings->atol = run->atol;
    run->settings = run->at.settings = settings;
    run->stuck = -INFINITY;
}

double *vcg_lay_out(vcg_loop *run, vcg_settings *own)
{
    vcg_bound *bound = run->bound;
    const int n = bound->model->states, width = (n + 3) / 4 * 4;
    run->at = (vcg_stepper){
        .bound = bound, .settings = run->settings, .statistics = &run->results->statistics, .n = n, .width = width};
    double *memory = calloc(lay_out(run, NULL) + 1, sizeof(double));
    if (memory != NULL) {
        lay_out(run, memory);
        *own = *run->settings;
        if (bound->charts > 0) {
            share_tolerance(run, own);
        }
    }
    return memory;
}

int vcg_run(const vcg_integrator *integrator, vcg_bound *bound, const vcg_settings *settings, vcg_results *results)
{
    vcg_loop run = {.integrator = integrator, .bound = bound, .settings = settings, .results = results};
    vcg_settings own;
    double *memory = vcg_lay_out(&run, &own);
    if (memory == NULL) {
        return VCG_NO_MEMORY;
    }
    vcg_set_out(&run);
    vcg_settle(&run);
    int status = is_due(&run) ? hold(&run) : VCG_DONE;
    status = status == VCG_DONE ? vcg_put_here(&run) : status;
    if (status == VCG_DONE && results->count > 1) {
        status = vcg_begin(&run, 0.0);
    }
    while (status == VCG_DONE && run.at.step.t < run.at.end) {
        status = vcg_advance(&run);
    }
    vcg_finish(&run, status);
    status = keep_end(&run) != VCG_DONE ? VCG_NO_MEMORY : status;
    free(memory);
    return status;
}

int vcg_repeat(vcg_bound *bound, int count, const double *times, const double *states, double *dz, long loops)
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
