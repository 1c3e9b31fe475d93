/* Zero crossings of outputs, found on the dense output: an output is looked at where a step ends and at places between. */
#include "run.h"

#include <stdlib.h>
#include <string.h>

enum {
    PLACES = 4,         /* looks at a step */
    MOST_LOOKS = 4096,  /* between two of them, for a gap that may be closed for a while */
    BURST_EVENTS = 100, /* more for each watch while time passes by less than BURST of the span are too many */
    RESTS = 32,         /* so are more in a row between which the output is not off zero */
    MOST_EVENTS = 1000000
};

static const double BURST = 1e-10, RESOLVED = 64.0, AT_REST = 64.0; /* ulps of time; roundings of an output */
static const double UNEVEN = 0.4384471871911697; /* of the way between two looks: where no period of a gap repeats them */

/* Where the first of some events is: the last place that is known to be before it, and the first known to be after. */
typedef struct {
    int watch; /* or -1 */
    double before, after;
} found;

int vcg_at_place(vcg_loop *run, double s, double *t)
{
    const vcg_stepper *at = &run->at;
    double moved = 0.0;
    *t = s < 1.0 ? at->step.t + s * (at->step.tnew - at->step.t) : at->step.tnew;
    vcg_inside(run, s, run->point);
    return run->settings->project ? vcg_project(run, *t, run->point, &moved) : VCG_DONE;
}

static int read_at(vcg_loop *run, double s, vcg_reading *readings)
{
    double t = 0.0;
    const int status = vcg_at_place(run, s, &t);
    return status == VCG_DONE ? vcg_read(run, t, run->point, readings) : status;
}

/* An output that is not finite, or -1. */
static int not_finite(const vcg_loop *run, const vcg_reading *readings)
{
    for (int i = 0; i < run->settings->watched; ++i) {
        if (!isfinite(readings[i].value)) {
            return run->settings->watches[i].output;
        }
    }
    return -1;
}

static int refuse(vcg_loop *run, int output)
{
    run->results->output = output;
    return VCG_NOT_FINITE;
}

/* Close in on the place between at->before and at->after at which an output leaves its side, to the resolution of time;
 * `value` is the one at the end. Straight lines through the ends, halved where they do not help. */
static int locate(vcg_loop *run, double value, found *at)
{
    const vcg_step *step = &run->at.step;
    const vcg_watched *of = run->watched + at->watch;
    const double h = step->tnew - step->t;
    const double resolution = vcg_larger(vcg_spacing(vcg_larger(fabs(step->t), fabs(step->tnew))) / h, 1e-17);
    double left = of->value * of->side, right = value * of->side;
    for (int turn = 0; at->after - at->before > resolution && turn < 200; ++turn) {
        const double way = at->after - at->before;
        double s = at->before + 0.5 * way;
        if (turn % 3 != 2 && left > 0.0 && right < 0.0) {
            s = at->before + way * (left / (left - right));
            s = vcg_smaller(vcg_larger(s, at->before + 0.5 * resolution), at->after - 0.5 * resolution);
        }
        if (!(s > at->before && s < at->after)) {
            break;
        }
        const int status = read_at(run, s, run->readings);
        const vcg_reading here = run->readings[at->watch];
        if (status != VCG_DONE || !isfinite(here.value)) {
            return status != VCG_DONE ? status : refuse(run, run->settings->watches[at->watch].output);
        }
        if (vcg_over(run, at->watch, here)) {
            at->after = s;
            right = here.value * of->side;
        } else {
            at->before = s;
            left = here.value * of->side;
        }
    }
    at->before = right == 0.0 ? at->after : at->before; /* there it is */
    return VCG_DONE;
}

static int stops(const vcg_loop *run, int watch)
{
    return run->settings->watches[watch].terminal || run->settings->watches[watch].change >= 0;
}

/* The first event between the places a and b of the step, whose readings stand in run->readings + count; or the first that
 * is more than a note. */
static int first_between(vcg_loop *run, double a, double b, int only_stops, found *first)
{
    const int count = run->settings->watched;
    *first = (found){-1, a, b};
    for (int i = 0; i < count; ++i) {
        const vcg_reading there = run->readings[count + i];
        if (!vcg_over(run, i, there) || !vcg_matters(run, i) || (only_stops && !stops(run, i))) {
            continue;
        }
        found at = {i, a, b};
        const int status = locate(run, there.value, &at);
        if (status != VCG_DONE) {
            return status;
        }
        if (first->watch < 0 || at.after < first->after) {
            *first = at;
        }
    }
    return VCG_DONE;
}

/* Has an output been off zero, by much more than rounding, since its event was last? If no look has told, one halfway does. */
static int been_off(vcg_loop *run, int watch, double s)
{
    vcg_watched *of = run->watched + watch;
    const double zero = AT_REST * of->band.value;
    if (!(of->farthest > zero) && read_at(run, 0.5 * s, run->readings) == VCG_DONE) {
        of->farthest = vcg_larger(of->farthest, run->readings[watch].value * of->side);
    }
    return of->farthest > zero;
}

/* Too many events in too short a time? `still` says that the output has not been off zero since its event was last. */
static int counted(vcg_loop *run, double t, int watch, int still)
{
    const vcg_results *results = run->results;
    vcg_watched *of = run->watched + watch;
    of->rests = still ? of->rests + 1 : 0;
    if (of->rests > RESTS || (still && t - of->happened <= RESOLVED * vcg_spacing(t))) {
        return VCG_TOO_MANY_EVENTS;
    }
    if (t - run->burst > BURST * (run->at.end - results->times[0])) {
        run->burst = t;
        run->burst_count = 0;
    }
    const long most = (long)BURST_EVENTS * run->settings->watched;
    return ++run->burst_count > most || results->happened.count >= MOST_EVENTS ? VCG_TOO_MANY_EVENTS : VCG_DONE;
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

/* An event that is no more than a note; or that is rounding, if it is there again already. */
static int take_note(vcg_loop *run, int watch, double t)
{
    const vcg_watched *of = run->watched + watch;
    const int again = !of->off && t - of->happened <= RESOLVED * vcg_spacing(t);
    int status = vcg_read(run, t, run->point, run->readings);
    status = status == VCG_DONE ? vcg_rounding(run, t, run->point, run->readings, run->noise) : status;
    if (status == VCG_DONE && !again) {
        status = vcg_told(run, t, run->point, run->told);
        status = status == VCG_DONE ? vcg_note(run->results, watch, t, run->at.n, run->told, run->told) : status;
    }
    if (status == VCG_DONE) {
        vcg_cross(run, watch, t, run->readings[watch].value);
    }
    return status;
}

/* Look for events between the places a and b; stops at the first that is more than a note. */
static int search_between(vcg_loop *run, double a, double b, double *until)
{
    for (;;) {
        found first;
        double t = 0.0;
        int status = first_between(run, a, b, 0, &first);
        if (status != VCG_DONE || first.watch < 0) {
            return status;
        }
        const int more = stops(run, first.watch), still = more && !been_off(run, first.watch, first.before);
        status = vcg_at_place(run, first.before, &t);
        if (status == VCG_DONE) {
            run->results->watch = first.watch;
            status = counted(run, t, first.watch, still);
        }
        if (status != VCG_DONE || more) {
            *until = first.before;
            return status;
        }
        run->results->watch = -1;
        status = take_note(run, first.watch, t);
        if (status != VCG_DONE) {
            return status;
        }
        a = first.before;
    }
}

/* Where an output is not finite at a place, an event before it may turn the motion away: then the place of that event, where
 * all must be finite, takes its place. */
static int shorten(vcg_loop *run, double a, double *b, int *watch)
{
    vcg_reading *there = run->readings + run->settings->watched;
    const int wrong = not_finite(run, there);
    found first = {-1, a, *b};
    *watch = -1;
    if (wrong < 0) {
        return VCG_DONE;
    }
    int status = first_between(run, a, *b, 1, &first);
    if (status == VCG_DONE && first.watch < 0) {
        return refuse(run, wrong);
    }
    *b = first.before;
    *watch = first.watch;
    status = status == VCG_DONE ? read_at(run, *b, there) : status;
    const int still = not_finite(run, there);
    return status == VCG_DONE && still >= 0 ? refuse(run, still) : status;
}

/* The gap of an impact at a place of a step, positive while it is open, and its change by a whole step at the rate there. */
typedef struct {
    double place, gap, slope;
} look;

static look look_of(const vcg_loop *run, int watch, double place, vcg_reading at)
{
    const int side = run->watched[watch].side;
    return (look){place, at.value * side, at.rate * side * (run->at.step.tnew - run->at.step.t)};
}

/* How far the gap and its rate at c, between a and b, are off Hermite's cubic through a and b. */
static double missed(look a, look b, look c)
{
    const double way = b.place - a.place, s = (c.place - a.place) / way, r = 1.0 - s, rise = b.gap - a.gap;
    const double at_a = way * a.slope - rise, at_b = rise - way * b.slope; /* beside the straight line */
    const double gap = a.gap + s * rise + s * r * (r * at_a + s * at_b);
    const double slope = rise + r * (r - 2.0 * s) * at_a + s * (2.0 * r - s) * at_b;
    return fabs(c.gap - gap) + fabs(way * c.slope - slope);
}

/* Whether the gap stays open between two places. It is Hermite's cubic less at most `error` halfway, where such cubics are
 * worst: a polynomial of order four, which is nowhere below the least of its coefficients after Bernstein. */
static int stays_open(look a, look b, double error, double zero)
{
    const double way = b.place - a.place;
    const double middle = 0.5 * (a.gap + b.gap) + way * (a.slope - b.slope) / 6.0 - error * 8.0 / 3.0;
    return vcg_smaller(vcg_smaller(a.gap + 0.25 * way * a.slope, b.gap - 0.25 * way * b.slope), middle) >= -zero;
}

/* Look for a place between a and b, at neither of which it is, where the gap is closed; `at` is the first found, or 1.
 * A look between them tells how good the cubic is; then each part is looked at where that cannot exclude it. `off` is how
 * good cubics were before, which holds for a while: a gap that moves to and fro may be on one by chance. */
static int closed_between(vcg_loop *run, int watch, look a, look b, int *looks, double *off, double *at)
{
    const double place = a.place + UNEVEN * (b.place - a.place), zero = run->watched[watch].band.value;
    if (!(place > a.place && place < b.place) || --*looks < 0) {
        return VCG_DONE;
    }
    int status = read_at(run, place, run->readings);
    const vcg_reading here = run->readings[watch];
    if (status != VCG_DONE || !isfinite(here.value)) {
        return status;
    }
    if (vcg_over(run, watch, here)) {
        *at = place;
        return VCG_DONE;
    }
    const look c = look_of(run, watch, place, here);
    *off = vcg_larger(missed(a, b, c), 0.5 * *off);
    double left = 0.125 * *off, right = left; /* half the way: a sixteenth of what a cubic is off by */
    if (!stays_open(a, c, *off, zero)) {
        status = closed_between(run, watch, a, c, looks, &left, at);
    }
    if (status == VCG_DONE && !(*at < 1.0) && !stays_open(c, b, *off, zero)) {
        status = closed_between(run, watch, c, b, looks, &right, at);
    }
    return status;
}

/* The same where the gap is closed at b: before the place at which it is found to close. */
static int closed_before(vcg_loop *run, int watch, look a, look b, int *looks, double *off, double *at)
{
    found end = {watch, a.place, b.place};
    int status = locate(run, b.gap * run->watched[watch].side, &end);
    status = status == VCG_DONE ? read_at(run, end.before, run->readings) : status;
    const look last = look_of(run, watch, end.before, run->readings[watch]);
    return status == VCG_DONE ? closed_between(run, watch, a, last, looks, off, at) : status;
}

/* If the gap of an impact is closed for a while between the places a and b, a place in the first such while takes the place
 * of b. */
static int dip(vcg_loop *run, double a, double *b)
{
    const int count = run->settings->watched;
    vcg_reading *there = run->readings + count;
    int status = VCG_DONE;
    for (int i = 0; i < count; ++i) {
        const look from = look_of(run, i, a, (vcg_reading){run->watched[i].value, run->watched[i].rate});
        double at = a, *off = &run->watched[i].missed;
        for (int looks = MOST_LOOKS; vcg_is_impact(run, i) && vcg_matters(run, i) && at < 1.0;) {
            const look to = look_of(run, i, *b, there[i]);
            at = 1.0;
            status = (vcg_over(run, i, there[i]) ? closed_before : closed_between)(run, i, from, to, &looks, off, &at);
            if (status == VCG_DONE && at < 1.0) {
                *b = at;
                status = read_at(run, at, there);
            }
            if (status != VCG_DONE) {
                return status;
            }
        }
    }
    return VCG_DONE;
}

/* Search the step from the place a on; `b` is how far, no farther than it was given. */
static int search_from(vcg_loop *run, double a, double *b, double *until)
{
    vcg_reading *there = run->readings + run->settings->watched;
    int watch = -1, status = read_at(run, *b, there);
    status = status == VCG_DONE ? shorten(run, a, b, &watch) : status;
    const double end = *b;
    status = status == VCG_DONE ? dip(run, a, b) : status;
    status = status == VCG_DONE ? search_between(run, a, *b, until) : status;
    if (status != VCG_DONE || run->results->watch >= 0) {
        return status;
    }
    vcg_pass(run, there);
    if (watch >= 0 && *b == end) {
        const int still = !been_off(run, watch, end);
        double t = 0.0;
        status = vcg_at_place(run, end, &t);
        run->results->watch = watch;
        *until = end;
        return status == VCG_DONE ? counted(run, t, watch, still) : status;
    }
    return VCG_DONE;
}

int vcg_search(vcg_loop *run, double *until)
{
    double a = 0.0;
    *until = 1.0;
    run->results->watch = -1;
    while (a < 1.0) {
        double b = (floor(a * PLACES) + 1.0) / PLACES;
        const int status = search_from(run, a, &b, until);
        if (status != VCG_DONE || run->results->watch >= 0) {
            return status;
        }
        a = b;
    }
    return VCG_DONE;
}
