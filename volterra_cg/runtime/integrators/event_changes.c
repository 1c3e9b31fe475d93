/* Events that take place: the states that the model makes of a state. */
#include "run.h"

#include <string.h>

enum { MOST_ROUNDS = 1000 }; /* of impacts at one time */

static const double CONSISTENT = 1e-8; /* rates and constraints beside the size of q and its rates */
static const double REBOUND = 1e-6;    /* of a rate, by which a restitution may seem impossible */

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
        if (!(fabs(run->y[run->settings->rates + i] - qd[i]) <= CONSISTENT * scale)) {
            run->at.where = i;
            return VCG_INCONSISTENT;
        }
    }
    run->at.where = -1;
    return status == VCG_DONE && gap_of(run, t, z) > 2.0 * gap + CONSISTENT * scale ? VCG_INCONSISTENT : status;
}

/* Does a gap open as an impact lets it, by no more than it closed? A restitution may be a function of the state. */
static int rebounds(const vcg_loop *run, int watch)
{
    const int side = run->watched[watch].side;
    const double closed = -run->readings[watch].rate * side, opens = run->y[run->settings->watches[watch].rate] * side;
    const double rounding = REBOUND * closed + run->watched[watch].band.rate;
    return opens >= -rounding && opens <= closed + rounding;
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
    const int same = memcmp(run->before, q, (size_t)m * sizeof(double)) == 0 &&
                     memcmp(bound->p, q + 2 * m, (size_t)model->parameters * sizeof(double)) == 0;
    if (status == 0) {
        memcpy(bound->p, q + 2 * m, (size_t)model->parameters * sizeof(double));
        status = model->prepare(bound->p, bound->w, &where);
        status = status == 0 ? vcg_refresh(bound) : status;
    }
    if (status == 0) {
        status = model->start(t, q, q + m, bound->w, z, bound->g, &where);
        memcpy(z + kept, run->before + kept, (size_t)(model->states - kept) * sizeof(double));
    }
    if (status != 0) {
        run->at.where = where;
        return vcg_model_status(status);
    }
    status = vcg_is_finite(model->states, z) ? consistent(run, t, z, q, q + m, gap) : VCG_NOT_FINITE;
    return status == VCG_DONE && same && vcg_is_impact(run, watch) && !rebounds(run, watch) ? VCG_IMPOSSIBLE : status;
}

/* Find out which events there are at a state, results->watch first among them, and which gaps are closed. */
static int gather(vcg_loop *run, double t, const double *z)
{
    int status = vcg_read(run, t, z, run->readings);
    status = status == VCG_DONE ? vcg_rounding(run, t, z, run->readings, run->noise) : status;
    for (int i = 0; i < run->settings->watched && status == VCG_DONE; ++i) {
        vcg_watched *of = run->watched + i;
        const double value = run->readings[i].value, zero = vcg_larger(run->noise[i].value, of->band.value);
        of->just = i == run->results->watch || (vcg_over(run, i, run->readings[i]) && vcg_matters(run, i));
        of->touches = vcg_is_impact(run, i) && (of->just || fabs(value) <= zero);
        of->band.rate = run->noise[i].rate;
        of->value = isfinite(value) ? value : of->value;
    }
    return status;
}

/* Whether an event is to be carried out: once, or, if it is an impact, as often as its gap is closed and closes. */
static int due(const vcg_loop *run, int watch, int round)
{
    const vcg_watched *of = run->watched + watch;
    const vcg_reading now = run->readings[watch];
    if (!vcg_is_impact(run, watch)) {
        return of->just && round == 0;
    }
    const double zero = vcg_larger(run->noise[watch].value, of->band.value);
    return of->touches && fabs(now.value - of->value) <= zero && vcg_closes(run, watch, now);
}

/* After impacts, let the rates of all gaps be judged by what rounding does to the speeds that the mechanism has now: a gap
 * that did not move before says nothing about that. */
static int widen(vcg_loop *run, double t, const double *z)
{
    const int count = run->settings->watched;
    const vcg_reading *now = run->noise + count;
    const int status = vcg_rounding(run, t, z, run->readings, run->noise + count);
    for (int i = 0; i < count && status == VCG_DONE; ++i) {
        run->noise[i].rate = vcg_larger(run->noise[i].rate, now[i].rate);
        run->watched[i].band.rate = vcg_larger(run->watched[i].band.rate, now[i].rate);
    }
    return status;
}

static int carry_out(vcg_loop *run, int watch, double t, double *z)
{
    const int n = run->at.n;
    double *before = run->told, *after = before + run->at.width;
    int status = vcg_told(run, t, z, before);
    run->results->watch = watch;
    memcpy(run->before, z, (size_t)n * sizeof(double));
    if (status == VCG_DONE && run->settings->watches[watch].change >= 0) {
        status = change(run, watch, t, z);
        status = status == VCG_DONE ? vcg_read(run, t, z, run->readings) : status;
    }
    run->watched[watch].happened = t;
    run->watched[watch].farthest = 0.0;
    run->watched[watch].just = 1;
    status = status == VCG_DONE ? vcg_told(run, t, z, after) : status;
    return status == VCG_DONE ? vcg_note(run->results, watch, t, n, before, after) : status;
}

/* Keep the parameters and momenta of the model, or take back those kept. */
static void remember(vcg_loop *run, int back)
{
    const vcg_model *model = run->bound->model;
    const struct {
        double *values;
        int count;
    } parts[] = {
        {run->bound->p, model->parameters},
        {run->bound->w, model->prepared},
        {run->bound->g, model->momenta},
    };
    double *kept = run->bound_before;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; kept += parts[i++].count) {
        const size_t size = (size_t)parts[i].count * sizeof(double);
        memcpy(back ? parts[i].values : kept, back ? kept : parts[i].values, size);
    }
}

int vcg_happen(vcg_loop *run, double t, double *z)
{
    int ends = -1, again = 1, status = gather(run, t, z);
    remember(run, 0);
    for (int round = 0; again && status == VCG_DONE; ++round) {
        again = 0;
        status = round > 0 ? widen(run, t, z) : status;
        for (int i = 0; i < run->settings->watched && status == VCG_DONE; ++i) {
            if (due(run, i, round)) {
                again = 1;
                status = round < MOST_ROUNDS ? carry_out(run, i, t, z) : VCG_TOO_MANY_EVENTS;
                ends = run->settings->watches[i].terminal && ends < 0 ? i : ends;
            }
        }
    }
    if (status == VCG_DONE) {
        run->results->watch = ends;
        return ends >= 0 ? VCG_EVENT : VCG_DONE;
    }
    remember(run, 1);
    (void)vcg_refresh(run->bound); /* with parameters that were well before */
    return status;
}
