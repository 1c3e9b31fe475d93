#include "many_lanes.h"

#include "integrators.h"

#include <stdlib.h>
#include <string.h>

#define DECLARED(name) extern const vcg_many_integrator vcg_many_##name;
VCG_MANY_INTEGRATORS(DECLARED)

const vcg_many_integrator *vcg_many_integrator_of(const char *name)
{
#define ROW(name) {#name, &vcg_many_##name},
    static const struct {
        const char *name;
        const vcg_many_integrator *integrator;
    } rows[] = {VCG_MANY_INTEGRATORS(ROW)};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        if (strcmp(rows[i].name, name) == 0) {
            return rows[i].integrator;
        }
    }
    return NULL;
}

/* --- evaluation ---------------------------------------------------------------------------------------------------- */

double vcg_many_stop(const vcg_ensemble *at, double t)
{
    double stop = at->end;
    for (int i = 0; i < at->task->sampled; ++i) {
        stop = vcg_smaller(stop, vcg_next_corner(at->task->samples + i, t));
    }
    return stop;
}

/* rhs lane by lane, for models without a vector form. */
static void evaluate_each(vcg_ensemble *at, const double *z, double *dz, int *where)
{
    const vcg_model *model = at->model;
    double *one = at->one, *result = one + at->n, *w = result + at->n, *g = w + model->prepared;
    double *signals = g + model->momenta, *scratch = signals + model->signals;
    for (int k = 0; k < L; ++k) {
        where[k] = -1;
        if (at->lane[k].row < 0) {
            continue;
        }
        vcg_many_gather(at->n, z, k, one);
        vcg_many_gather(model->prepared, at->w, k, w);
        vcg_many_gather(model->momenta, at->g, k, g);
        vcg_many_gather(model->signals, at->signals, k, signals);
        if (model->rhs(at->time[k], one, result, w, g, signals, scratch, where + k) == 0) {
            vcg_many_scatter(at->n, result, k, dz);
            vcg_many_scatter(model->divisors, scratch, k, at->scratch);
        }
    }
}

/* The bounds of a divisor in w; `place` is that of the divisor in scratch. */
static double *bounds_of(const vcg_ensemble *at, int place)
{
    return at->w + (at->model->prepared - 2 * at->model->divisors + 2 * (place / L)) * L + place % L;
}

/* Let the kernels know where a divisor that was kept is, and what is near it. */
static void show(vcg_ensemble *at, int place)
{
    const vcg_divisor *divisor = at->divisors + place;
    const uint64_t ends[2] = {divisor->least, divisor->least + divisor->near};
    double *near = at->near + 3 * (place / L) * L + place % L, numbers[2];
    memcpy(numbers, ends, sizeof(numbers));
    near[0] = vcg_smaller(numbers[0], numbers[1]);
    near[L] = vcg_larger(numbers[0], numbers[1]);
    near[2 * L] = divisor->begin;
}

/* The divisors of a lane where the step begins, as the kernels have kept them. */
static void recall(vcg_ensemble *at, int k)
{
    for (int i = 0; i < at->model->divisors; ++i) {
        at->divisors[i * L + k].begin = at->near[(3 * i + 2) * L + k];
    }
}

void vcg_many_meet_divisors(vcg_ensemble *at, int k)
{
    for (int i = k; i < at->model->divisors * L; i += L) {
        vcg_meet_divisor(at->divisors + i, at->scratch[i], bounds_of(at, i), L);
        show(at, i);
    }
    at->lane[k].spaced = 0.0;
}

int vcg_many_follow_divisors(vcg_ensemble *at, int k)
{
    vcg_lane *lane = at->lane + k;
    const double size = lane->step.tnew - lane->step.t;
    const int alike = !at->guard.adaptive && vcg_same_size(lane->spaced, size);
    recall(at, k);
    for (int i = k; i < at->model->divisors * L; i += L) {
        if (alike && vcg_has_touched(at->divisors + i, at->scratch[i])) {
            lane->where = at->model->divisor_checks[i / L];
            return VCG_SINGULAR;
        }
        vcg_keep_divisor(at->divisors + i, at->scratch[i]);
        vcg_widen(at->divisors + i, &at->guard, bounds_of(at, i), L);
        show(at, i);
    }
    lane->spaced = size;
    return VCG_DONE;
}

int vcg_many_why_too_small(vcg_ensemble *at, int k)
{
    int number = -1;
    recall(at, k);
    const int status = vcg_smallest_divisor(at->divisors + k, at->model->divisors, L, &number);
    at->lane[k].where = number < 0 ? -1 : at->model->divisor_checks[number];
    return status;
}

void vcg_many_guard(vcg_ensemble *at, int on)
{
    for (int i = 0; i < at->model->divisors * L; ++i) {
        if (at->lane[i % L].row >= 0 && on) {
            vcg_widen(at->divisors + i, &at->guard, bounds_of(at, i), L);
        } else if (at->lane[i % L].row >= 0) {
            vcg_restore(at->divisors + i, bounds_of(at, i), L);
        }
    }
}

void vcg_many_evaluate(vcg_ensemble *at, const double *z, double *dz)
{
    const vcg_many_task *task = at->task;
    int where[L], failed = 1;
    for (int i = 0; i < task->sampled; ++i) {
        for (int k = 0; k < L; ++k) {
            at->signals[task->samples[i].signal * L + k] = vcg_sample(task->samples + i, at->time[k]);
        }
    }
    if (at->model->rhs_lanes != NULL) {
        failed = at->model->rhs_lanes(at->time, z, dz, at->w, at->g, at->signals, at->scratch, where);
    } else {
        evaluate_each(at, z, dz, where);
    }
    for (int k = 0; failed && k < L; ++k) {
        vcg_lane *lane = at->lane + k;
        if (where[k] >= 0 && lane->failed == VCG_DONE) {
            lane->failed = VCG_SINGULAR;
            lane->where = where[k];
        }
    }
}

/* --- trajectories ---------------------------------------------------------------------------------------------------- */

void vcg_many_leave(vcg_ensemble *at, int k, int status)
{
    const vcg_many_task *task = at->task;
    vcg_lane *lane = at->lane + k;
    task->status[lane->row] = status;
    task->where[lane->row] = status == VCG_SINGULAR || status == VCG_TOO_SMALL ? lane->where : -1;
    task->reached[lane->row] = lane->next;
    task->ended[lane->row] = lane->step.t;
    task->steps[lane->row] = lane->steps;
    task->rejections[lane->row] = lane->rejections;
    task->calls[lane->row] = lane->calls;
    lane->row = -1;
    at->h[k] = 0.0;
}

/* Put a trajectory into a lane; says whether it can be. */
static int load(vcg_ensemble *at, int k, long row)
{
    const vcg_many_task *task = at->task;
    const vcg_model *model = at->model;
    double *w = at->one;
    int where = -1;
    at->lane[k] = (vcg_lane){.row = row, .next = 1, .step = {.t = at->begin}, .where = -1};
    if (model->prepare(task->parameters + row * model->parameters, w, &where) != 0) {
        at->lane[k].where = where;
        vcg_many_leave(at, k, VCG_SINGULAR);
        return 0;
    }
    vcg_many_scatter(model->prepared, w, k, at->w);
    vcg_many_scatter(model->momenta, task->momenta + row * model->momenta, k, at->g);
    vcg_many_scatter(model->signals, task->signals + row * model->signals, k, at->signals);
    vcg_many_scatter(at->n, task->results + row * task->count * at->n, k, at->y);
    if (task->count == 1) {
        vcg_many_leave(at, k, VCG_DONE);
        return 0;
    }
    at->time[k] = at->begin;
    at->lane[k].step.stop = vcg_many_stop(at, at->begin);
    return 1;
}

/* Fill the lanes that have nothing to do; returns how many are at work. */
static int fill(vcg_ensemble *at, long *next, long last)
{
    int busy = 0, filled[L] = {0}, any = 0;
    for (int k = 0; k < L; ++k) {
        while (at->lane[k].row < 0 && *next < last) {
            const long row = (*next)++;
            filled[k] = at->task->status[row] == VCG_DONE && load(at, k, row);
        }
        any |= filled[k];
    }
    for (int tried = 0; any && tried <= at->integrator->tries; ++tried) {
        vcg_many_evaluate(at, tried ? at->inner : at->y, tried ? at->k + at->n * L : at->ynew);
        for (int k = 0; k < L; ++k) {
            vcg_lane *lane = at->lane + k;
            if (!filled[k]) {
                lane->failed = VCG_DONE;
                continue;
            }
            ++lane->calls;
            for (int i = 0; i < at->n && !tried; ++i) {
                at->k[i * L + k] = at->ynew[i * L + k];
            }
            if (!tried) {
                vcg_many_meet_divisors(at, k);
            }
            const int finite = tried || (vcg_are_finite(at->n, L, at->y + k) && vcg_are_finite(at->n, L, at->k + k));
            if (!tried && (lane->failed || !finite)) {
                vcg_many_leave(at, k, lane->failed ? lane->failed : VCG_NOT_FINITE);
                filled[k] = 0;
            } else if (at->integrator->begin != NULL) {
                at->integrator->begin(at, k, tried);
            }
        }
    }
    if (any) {
        vcg_many_guard(at, 1);
    }
    for (int k = 0; k < L; ++k) {
        busy += at->lane[k].row >= 0;
    }
    return busy;
}

/* --- the whole ------------------------------------------------------------------------------------------------------- */

static vcg_many_row row_of(int count, const double *weights, int first)
{
    while (count > 0 && weights[count - 1] == 0.0) {
        --count;
    }
    return (vcg_many_row){.leads = first > 0 && weights[0] != 0.0, .begin = first, .end = count, .weights = weights};
}

static void set_up(vcg_ensemble *at)
{
    const vcg_many_integrator *integrator = at->integrator;
    const vcg_many_task *task = at->task;
    at->guard = vcg_guard_of(integrator->judge != NULL, task->settings.rtol, at->model->holonomic);
    at->begin = task->times[0];
    at->end = task->times[task->count - 1];
    at->largest = vcg_largest(task->settings.max_step, at->end - at->begin, integrator->fraction);
    for (int stage = 1; stage < integrator->all; ++stage) {
        const int first = integrator->first != NULL ? integrator->first[stage] : 0;
        at->rows[stage] = row_of(stage, integrator->a + stage * integrator->columns, first);
    }
    for (int i = 0; i < 2 && integrator->errors[i] != NULL; ++i) {
        at->errors[i] = row_of(integrator->stages, integrator->errors[i], integrator->others);
    }
    for (int term = 3; term < MOST_TERMS && integrator->dense != NULL; ++term) {
        at->dense[term] = row_of(integrator->all, integrator->dense + (term - 3) * integrator->all, integrator->others);
    }
    for (int k = 0; k < L; ++k) {
        at->lane[k].row = -1;
    }
}

/* Lay out the memory, every array at a multiple of 64 bytes; returns the doubles needed. */
static size_t lay_out(vcg_ensemble *at, double *memory)
{
    const vcg_model *model = at->model;
    const size_t n = (size_t)at->n;
    const size_t all = (size_t)(2 * model->states + model->prepared + model->momenta + model->signals + model->scratch);
    struct {
        double **place;
        size_t size;
    } parts[] = {
        {&at->time, L},
        {&at->h, L},
        {&at->y, n * L},
        {&at->ynew, n * L},
        {&at->inner, n * L},
        {&at->k, (size_t)at->integrator->all * n * L},
        {&at->terms, MOST_TERMS * n * L},
        {&at->w, (size_t)model->prepared * L},
        {&at->g, (size_t)model->momenta * L},
        {&at->signals, (size_t)model->signals * L},
        {&at->scratch, (size_t)model->scratch * L},
        {(double **)&at->divisors, (size_t)model->divisors * L * sizeof(vcg_divisor) / sizeof(double)},
        {&at->near, 3 * (size_t)model->divisors * L},
        {(double **)&at->away, L},
        {&at->sums, 3 * L},
        {&at->block, (2 + MOST_TERMS) * (size_t)at->width},
        {&at->one, (all + L) / L * L},
    };
    size_t used = 0;
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); ++i) {
        *parts[i].place = memory != NULL ? memory + used : NULL;
        used += parts[i].size;
    }
    return used;
}

int vcg_many(const vcg_many_integrator *integrator, const vcg_many_task *task, long first, long last)
{
    if (integrator->single != NULL) {
        return vcg_many_single(integrator->single, task, first, last);
    }
    vcg_ensemble at = {.task = task, .integrator = integrator, .model = task->model, .kernels = vcg_best_kernels()};
    at.n = task->model->states;
    at.width = (at.n + L - 1) / L * L;
    const size_t size = lay_out(&at, NULL) * sizeof(double);
    double *memory = aligned_alloc(64, (size + 63) / 64 * 64);
    if (memory == NULL) {
        return VCG_NO_MEMORY;
    }
    memset(memory, 0, size);
    lay_out(&at, memory);
    set_up(&at);
    for (int busy = 0; (busy = fill(&at, &first, last)) > 0 || first < last;) {
        if (task->stop != NULL && __atomic_load_n(task->stop, __ATOMIC_RELAXED)) {
            for (int k = 0; k < L; ++k) {
                if (at.lane[k].row >= 0) {
                    vcg_many_leave(&at, k, VCG_INTERRUPTED);
                }
            }
            for (; first < last; ++first) {
                task->status[first] = task->status[first] ? task->status[first] : VCG_INTERRUPTED;
            }
            break;
        }
        if (busy > 0) {
            vcg_many_step(&at);
        }
    }
    free(memory);
    return VCG_DONE;
}
