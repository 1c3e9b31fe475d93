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

static const double BURST = 1e-10, RESOLVED = 64.0;

int vcg_watched_values(vcg_loop *run, double t, const double *z, double *values)
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
        status = vcg_watched_values(run, at->t + side * way, run->point, run->values + (side > 0 ? count : 0));
    }
    for (int i = 0; i < count && status == VCG_DONE; ++i) {
        const int slope = sign(run->values[count + i] - run->values[i]);
        run->watched[i].expected = slope != 0 ? slope : run->watched[i].expected;
    }
    return status;
}

int vcg_look(vcg_loop *run)
{
    int at_zero = 0, status = vcg_watched_values(run, run->at.t, run->at.y, run->values);
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
int vcg_crossing(const vcg_watched *of, double value)
{
    if (of->side != 0) {
        return value * of->side > 0.0 ? 0 : -of->side;
    }
    return value * of->expected < 0.0 && (value - of->value) * of->expected < 0.0 ? -of->expected : 0;
}

int vcg_matters(const vcg_watch *watch, int direction)
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
        const int status = vcg_watched_values(run, at->t + s * h, run->point, run->values);
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
        const int direction = vcg_crossing(run->watched + i, value);
        if (!vcg_matters(run->settings->watches + i, direction)) {
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
        const int direction = vcg_crossing(of, values[i]);
        if (direction != 0) {
            of->side = direction;
        } else if (of->side == 0 && (of->expected == 0 || values[i] * of->expected > 0.0)) {
            of->side = sign(values[i]);
        }
        of->value = of->side != 0 ? values[i] : of->value;
    }
}

int vcg_note(vcg_results *results, int watch, double t, int n, const double *before, const double *after)
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
        status = vcg_note(run->results, watch, t, at->n, run->point, run->point);
        if (status != VCG_DONE) {
            return status;
        }
        run->watched[watch].side = vcg_crossing(run->watched + watch, run->values[count + watch]);
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
        int status = vcg_watched_values(run, i < PLACES ? at->t + s * (at->tnew - at->t) : at->tnew, run->point,
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
