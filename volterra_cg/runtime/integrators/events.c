/* Zero crossings of outputs, found on the dense output, and what the model makes of the state there.
 *
 * An output is looked at where a step ends and at places between. One that is at zero, at the start of a run or
 * because its event has just happened, is judged by its slope: a ball that has just bounced is about to be above the
 * floor, and if it is found below it at the next look, it has come down again in between.
 */
#include "run.h"

#include <stdlib.h>
#include <string.h>

enum {
    PLACES = 4,         /* looks at a step */
    BURST_EVENTS = 100, /* more while time passes by less than BURST of the span are too many */
    MOST_EVENTS = 1000000
};

static const double BURST = 1e-10, TOLERANCE = 1e-8, RESOLVED = 64.0;

static int watched_values(vcg_loop *run, double t, const double *z, double *values)
{
    const int status = vcg_outputs(run, t, z, run->y);
    for (int i = 0; i < run->settings->watched && status == VCG_DONE; ++i) {
        values[i] = run->y[run->settings->watches[i].output];
        if (!isfinite(values[i])) {
            run->results->output = run->settings->watches[i].output;
            return VCG_NOT_FINITE;
        }
    }
    return status;
}

static int sign(double value)
{
    return (value > 0.0) - (value < 0.0);
}

/* Which side the outputs at zero are about to be on, from their values a little way along the derivative to both sides. */
static int expect(vcg_loop *run)
{
    vcg_stepper *at = &run->at;
    const int count = run->settings->watched;
    const double way = 1e-4 * vcg_smaller(at->size > 0.0 ? at->size : at->spacing, at->end - at->t);
    int status = vcg_know_f(at);
    for (int side = -1; side <= 1 && status == VCG_DONE; side += 2) {
        for (int i = 0; i < at->n; ++i) {
            run->point[i] = at->y[i] + side * way * at->f[i];
        }
        status = watched_values(run, at->t + side * way, run->point, run->values + (side > 0 ? count : 0));
    }
    for (int i = 0; i < count && status == VCG_DONE; ++i) {
        const int slope = sign(run->values[count + i] - run->values[i]);
        run->watched[i].expected = slope != 0 ? slope : run->watched[i].expected;
    }
    return status;
}

int vcg_look(vcg_loop *run)
{
    int at_zero = 0, status = watched_values(run, run->at.t, run->at.y, run->values);
    for (int i = 0; i < run->settings->watched && status == VCG_DONE; ++i) {
        vcg_watched *of = run->watched + i;
        const double value = run->values[i];
        of->expected = of->just ? of->side : 0; /* unless the slope says otherwise: where it came from */
        /* a change that has not moved what was found to be zero leaves it there */
        of->side = of->just && fabs(value) <= 2.0 * fabs(of->value) ? 0 : sign(value);
        of->just = 0;
        of->value = value;
        at_zero |= of->side == 0;
    }
    return status == VCG_DONE && at_zero ? expect(run) : status;
}

/* Which way an output has crossed zero on its way to a value: 1 up, -1 down, 0 not at all. One that was at zero has
 * done so if it is farther than it was on the side where it should not be. */
static int crossing(const vcg_watched *of, double value)
{
    if (of->side != 0) {
        return value * of->side > 0.0 ? 0 : -of->side;
    }
    return value * of->expected < 0.0 && (value - of->value) * of->expected < 0.0 ? -of->expected : 0;
}

static int matters(const vcg_watch *watch, int direction)
{
    return direction != 0 && (watch->direction == 0 || watch->direction == direction);
}

/* Close in on the crossing of one output between the places a and b of the step; leaves the first place at which it is
 * over, to the resolution of time, and the value there. Straight lines through the ends, halved where they do not help. */
static int locate(vcg_loop *run, int watch, int direction, double a, double *b, double *value)
{
    const vcg_stepper *at = &run->at;
    const double h = at->tnew - at->t;
    const double resolution = vcg_larger(vcg_spacing(vcg_larger(fabs(at->t), fabs(at->tnew))) / h, 1e-17);
    double left = direction * run->watched[watch].value, right = direction * *value;
    for (int turn = 0; *b - a > resolution && turn < 200; ++turn) {
        double s = a + 0.5 * (*b - a);
        if (turn % 3 != 2 && left < 0.0 && right > 0.0) {
            s = a + (*b - a) * (left / (left - right));
            s = vcg_smaller(vcg_larger(s, a + 0.5 * resolution), *b - 0.5 * resolution);
        }
        if (!(s > a && s < *b)) {
            break;
        }
        vcg_inside(run, s, run->point);
        const int status = watched_values(run, at->t + s * h, run->point, run->values);
        if (status != VCG_DONE) {
            return status;
        }
        const double found = direction * run->values[watch];
        if (found >= 0.0) {
            *b = s;
            *value = run->values[watch];
            right = found;
        } else {
            a = s;
            left = found;
        }
    }
    return VCG_DONE;
}

/* The first event that matters between the places a and b of the step, whose values stand in run->values + count; its
 * place in `place`, and the watch, or -1. */
static int first_between(vcg_loop *run, double a, double b, double *place, int *watch)
{
    const int count = run->settings->watched;
    *place = b;
    *watch = -1;
    for (int i = 0; i < count; ++i) {
        double s = b, value = run->values[count + i];
        const int direction = crossing(run->watched + i, value);
        if (!matters(run->settings->watches + i, direction)) {
            continue;
        }
        const int status = locate(run, i, direction, a, &s, &value);
        if (status != VCG_DONE) {
            return status;
        }
        if (*watch < 0 || s < *place) {
            *place = s;
            *watch = i;
        }
    }
    return VCG_DONE;
}

/* Too many events in too short a time? */
static int counted(vcg_loop *run, double t)
{
    const vcg_results *results = run->results;
    const int again = run->watched[results->watch].side == 0; /* since it last happened it has not been off zero */
    if (again && t - run->turned <= RESOLVED * vcg_spacing(t)) {
        return VCG_TOO_MANY_EVENTS; /* what happens in between is less than time can tell */
    }
    if (t - run->burst > BURST * (run->at.end - results->times[0])) {
        run->burst = t;
        run->burst_count = 0;
    }
    const int many = ++run->burst_count > BURST_EVENTS || results->happened.count >= MOST_EVENTS;
    return many ? VCG_TOO_MANY_EVENTS : VCG_DONE;
}

/* Take the values at a place as those looked at last; an output that crossed is on its other side from now on. */
static void pass(vcg_loop *run, const double *values)
{
    for (int i = 0; i < run->settings->watched; ++i) {
        vcg_watched *of = run->watched + i;
        const int direction = crossing(of, values[i]);
        if (direction != 0) {
            of->side = direction;
        } else if (of->side == 0 && (of->expected == 0 || values[i] * of->expected > 0.0)) {
            of->side = sign(values[i]);
        }
        of->value = of->side != 0 ? values[i] : of->value;
    }
}

/* Note an event with the states before and after it. */
static int note(vcg_results *results, int watch, double t, int n, const double *before, const double *after)
{
    vcg_happened *all = &results->happened;
    all->size = 2 + 2 * n;
    if (all->count == all->room) {
        const long room = 2 * all->room + 16;
        double *data = realloc(all->data, (size_t)room * (size_t)all->size * sizeof(double));
        if (data == NULL) {
            return VCG_NO_MEMORY;
        }
        all->data = data;
        all->room = room;
    }
    double *row = all->data + all->count * all->size;
    row[0] = watch;
    row[1] = t;
    memcpy(row + 2, before, (size_t)n * sizeof(double));
    memcpy(row + 2 + n, after, (size_t)n * sizeof(double));
    ++all->count;
    return VCG_DONE;
}

/* Look for events between the places a and b; stops at the first that is more than a note. */
static int search_between(vcg_loop *run, double a, double b, double *until)
{
    const vcg_stepper *at = &run->at;
    const int count = run->settings->watched;
    const double h = at->tnew - at->t;
    for (;;) {
        double place = b;
        int watch = -1, status = first_between(run, a, b, &place, &watch);
        if (status != VCG_DONE) {
            return status;
        }
        if (watch < 0) {
            pass(run, run->values + count);
            return VCG_DONE;
        }
        const double t = place < 1.0 ? at->t + place * h : at->tnew;
        run->results->watch = watch;
        status = counted(run, t);
        if (status != VCG_DONE) {
            *until = place;
            return status;
        }
        const vcg_watch *what = run->settings->watches + watch;
        if (what->terminal || what->change >= 0) {
            *until = place;
            return VCG_DONE;
        }
        run->results->watch = -1;
        vcg_inside(run, place, run->point);
        status = note(run->results, watch, t, at->n, run->point, run->point);
        if (status != VCG_DONE) {
            return status;
        }
        run->watched[watch].side = crossing(run->watched + watch, run->values[count + watch]);
        run->watched[watch].value = 0.0;
        a = place;
    }
}

int vcg_search(vcg_loop *run, double *until)
{
    const vcg_stepper *at = &run->at;
    const int count = run->settings->watched;
    *until = 1.0;
    run->results->watch = -1;
    for (int i = 1; i <= PLACES; ++i) {
        const double s = (double)i / PLACES;
        vcg_inside(run, s, run->point);
        int status = watched_values(run, i < PLACES ? at->t + s * (at->tnew - at->t) : at->tnew, run->point,
                                    run->values + count);
        if (status == VCG_DONE) {
            status = search_between(run, (double)(i - 1) / PLACES, s, until);
        }
        if (status != VCG_DONE || run->results->watch >= 0) {
            return status;
        }
    }
    return VCG_DONE;
}

/* What the constraints on positions miss zero by, at most; 0 for a model without. */
static double gap_of(vcg_loop *run, double t, const double *z)
{
    const vcg_bound *bound = run->bound;
    const vcg_model *model = bound->model;
    double largest = 0.0;
    int where = -1;
    if (model->gaps == NULL || model->gaps(t, z, run->gap, run->slopes, bound->w, bound->g, bound->signals,
                                           bound->scratch, &where) != 0) {
        return 0.0;
    }
    for (int i = 0; i < model->holonomic; ++i) {
        largest = vcg_larger(largest, fabs(run->gap[i]));
    }
    return largest;
}

/* Does the model give back the rates that a change asks for, and is it as near to its constraints as before? */
static int consistent(vcg_loop *run, double t, const double *z, const double *q, const double *qd, double gap)
{
    const int m = run->bound->model->coordinates;
    double scale = 1.0;
    for (int i = 0; i < m; ++i) {
        scale = vcg_larger(scale, vcg_larger(fabs(q[i]), fabs(qd[i])));
    }
    const int status = vcg_outputs(run, t, z, run->y);
    for (int i = 0; i < m && status == VCG_DONE; ++i) {
        if (!(fabs(run->y[run->settings->rates + i] - qd[i]) <= TOLERANCE * scale)) {
            run->at.where = i;
            return VCG_INCONSISTENT;
        }
    }
    run->at.where = -1;
    return status == VCG_DONE && gap_of(run, t, z) > 2.0 * gap + TOLERANCE * scale ? VCG_INCONSISTENT : status;
}

/* Carry out the change of a watch: parameters, momenta and z anew; the work integral, after q and u, goes on. */
static int change(vcg_loop *run, int watch, double t, double *z)
{
    vcg_bound *bound = run->bound;
    const vcg_model *model = bound->model;
    const int m = model->coordinates, kept = m + model->speeds;
    int where = -1;
    if (vcg_signals_at(bound, t, z) != VCG_DONE) {
        return VCG_SIGNAL_ERROR;
    }
    int status = model->changes(t, z, run->after, bound->w, bound->g, bound->signals, bound->scratch, &where);
    const double gap = gap_of(run, t, z);
    const double *q = run->after + (long)run->settings->watches[watch].change * (2 * m + model->parameters);
    if (status == 0) {
        memcpy(bound->p, q + 2 * m, (size_t)model->parameters * sizeof(double));
        status = model->prepare(bound->p, bound->w, &where);
    }
    if (status == 0) {
        status = model->start(t, q, q + m, bound->w, z, bound->g, &where);
        memcpy(z + kept, run->before + kept, (size_t)(model->states - kept) * sizeof(double));
    }
    if (status != 0) {
        run->at.where = where;
        return status > 0 ? VCG_SINGULAR : VCG_FATAL;
    }
    return vcg_is_finite(model->states, z) ? consistent(run, t, z, q, q + m, gap) : VCG_NOT_FINITE;
}

int vcg_happen(vcg_loop *run, double t, double *z)
{
    const int n = run->at.n, first = run->results->watch;
    int ends = -1, status = watched_values(run, t, z, run->values);
    for (int i = 0; i < run->settings->watched && status == VCG_DONE; ++i) {
        vcg_watched *of = run->watched + i;
        of->just = i == first || matters(run->settings->watches + i, crossing(of, run->values[i]));
        of->value = run->values[i];
    }
    for (int i = 0; i < run->settings->watched && status == VCG_DONE; ++i) {
        if (!run->watched[i].just) {
            continue;
        }
        run->results->watch = i;
        memcpy(run->before, z, (size_t)n * sizeof(double));
        status = run->settings->watches[i].change >= 0 ? change(run, i, t, z) : VCG_DONE;
        status = status == VCG_DONE ? note(run->results, i, t, n, run->before, z) : status;
        ends = run->settings->watches[i].terminal && ends < 0 ? i : ends;
    }
    if (status == VCG_DONE) {
        run->results->watch = ends;
        status = ends >= 0 ? VCG_EVENT : VCG_DONE;
    }
    return status;
}
