/* On which side of zero the watched outputs are.
 *
 * An output at zero, at the start of a run or because its event has just happened, is on the side that it is about to be
 * on, and rounding decides nothing: it has left that side only when it is on the other by more than rounding. The gap of
 * an impact is judged by its rate as well, which is known far better than so small a value: at zero it is an impact again
 * as soon as it closes, and never while it opens.
 */
#include "run.h"

#include <float.h>
#include <string.h>

enum { NUDGES = 4, WIDER = 5 };

static const double NUDGE = 8.0 * DBL_EPSILON; /* of a state, to see what rounding does */

static int sign(double value)
{
    return (value > 0.0) - (value < 0.0);
}

int vcg_read(vcg_loop *run, double t, const double *z, vcg_reading *readings)
{
    const int status = vcg_outputs(run, t, z, run->y);
    for (int i = 0; i < run->settings->watched && status == VCG_DONE; ++i) {
        const vcg_watch *watch = run->settings->watches + i;
        readings[i].value = run->y[watch->output];
        readings[i].rate = watch->rate >= 0 ? run->y[watch->rate] : 0.0;
    }
    return status;
}

/* The readings where every state, every momentum and the time are a few roundings away, up or down by chance. */
static int nudge(vcg_loop *run, unsigned chance, double t, const double *z, vcg_reading *readings)
{
    const vcg_stepper *at = &run->at;
    const int momenta = run->bound->model->momenta;
    double *g = run->bound->g;
    memcpy(run->momenta, g, (size_t)momenta * sizeof(double));
    for (int i = 0; i < momenta; ++i) {
        chance = chance * 1664525u + 1013904223u;
        g[i] *= chance >> 31 ? 1.0 + NUDGE : 1.0 - NUDGE;
    }
    for (int i = 0; i < at->n; ++i) {
        chance = chance * 1664525u + 1013904223u;
        const double size = NUDGE * vcg_larger(fabs(z[i]), fabs(at->y[i]));
        run->nudged[i] = chance >> 31 ? z[i] + size : z[i] - size;
    }
    const double late = NUDGE * fabs(t);
    const int status = vcg_read(run, chance >> 30 & 1 ? t + late : t - late, run->nudged, readings);
    memcpy(g, run->momenta, (size_t)momenta * sizeof(double));
    return status;
}

int vcg_rounding(vcg_loop *run, double t, const double *z, const vcg_reading *here, vcg_reading *noise)
{
    const int count = run->settings->watched;
    vcg_reading *there = noise + count;
    int status = VCG_DONE;
    for (int i = 0; i < count; ++i) {
        noise[i].value = 0.0;
        noise[i].rate = 4.0 * DBL_EPSILON * fabs(here[i].rate);
    }
    for (unsigned k = 1; k <= NUDGES && status == VCG_DONE; ++k) {
        status = nudge(run, k * 0x9e3779b9u + (unsigned)run->results->happened.count, t, z, there);
        for (int i = 0; i < count && status == VCG_DONE; ++i) {
            noise[i].value = vcg_larger(fabs(there[i].value - here[i].value), noise[i].value);
            noise[i].rate = vcg_larger(fabs(there[i].rate - here[i].rate), noise[i].rate);
        }
    }
    return vcg_failed(status) ? status : VCG_DONE;
}

/* --- sides --------------------------------------------------------------------------------------------------------- */

int vcg_is_impact(const vcg_loop *run, int watch)
{
    return run->settings->watches[watch].rate >= 0;
}

int vcg_matters(const vcg_loop *run, int watch)
{
    const int side = run->watched[watch].side, direction = run->settings->watches[watch].direction;
    return side != 0 && direction != side;
}

int vcg_closes(const vcg_loop *run, int watch, vcg_reading at)
{
    const vcg_watched *of = run->watched + watch;
    return vcg_matters(run, watch) && at.rate * of->side < -of->band.rate;
}

int vcg_over(const vcg_loop *run, int watch, vcg_reading at)
{
    const vcg_watched *of = run->watched + watch;
    const double beyond = -at.value * of->side;
    if (of->side == 0 || !isfinite(at.value)) {
        return 0;
    }
    if (of->off) {
        return beyond >= 0.0;
    }
    return beyond > of->band.value || (vcg_is_impact(run, watch) && beyond >= 0.0 && vcg_closes(run, watch, at));
}

void vcg_pass(vcg_loop *run, const vcg_reading *readings)
{
    for (int i = 0; i < run->settings->watched; ++i) {
        vcg_watched *of = run->watched + i;
        const double value = readings[i].value;
        if (vcg_over(run, i, readings[i])) {
            of->side = -of->side;
            of->off = 0;
        } else if (of->side == 0 && fabs(value) > of->band.value) {
            of->side = sign(value);
        }
        of->off |= value * of->side > of->band.value;
        of->farthest = vcg_larger(of->farthest, value * of->side);
        of->value = value;
        of->rate = readings[i].rate;
    }
}

void vcg_cross(vcg_loop *run, int watch, double t, double value)
{
    vcg_watched *of = run->watched + watch;
    of->side = -of->side;
    of->off = 0;
    of->band.value = run->noise[watch].value + fabs(value);
    of->happened = t;
    of->farthest = 0.0;
    of->value = value;
}

/* --- a state that did not come about by stepping ----------------------------------------------------------------------- */

/* Where an output stands now; says whether it is at zero and its side is to be found from its slope. */
static int settle(vcg_loop *run, int watch, double value)
{
    vcg_watched *of = run->watched + watch;
    const int just = of->just, impact = vcg_is_impact(run, watch), direction = run->settings->watches[watch].direction;
    const double zero = run->noise[watch].value + (just ? fabs(of->value) : 0.0);
    const int moved = !(fabs(value - of->value) <= vcg_larger(zero, of->band.value));
    of->just = of->touches = 0;
    if (!isfinite(value) || (!just && !moved)) {
        return 0;
    }
    of->value = value;
    of->band = (vcg_reading){zero, run->noise[watch].rate};
    of->off = moved && fabs(value) > zero;
    if (of->off) {
        of->side = sign(value);
        return 0;
    }
    if (impact && direction != 0) {
        of->side = -direction; /* open */
        return 0;
    }
    of->side = just ? of->side : 0; /* unless the slope says otherwise: where it came from */
    return !impact || of->side == 0;
}

/* Which sides the outputs at zero are about to be on, from their values a little way along the derivative to both sides;
 * a wider way where rounding hides the difference. */
static int expect(vcg_loop *run)
{
    vcg_stepper *at = &run->at;
    const int count = run->settings->watched;
    double way = 1e-4 * vcg_smaller(at->step.size > 0.0 ? at->step.size : at->spacing, at->end - at->step.t);
    int status = vcg_know_f(at), unknown = 1;
    for (int k = 0; k < WIDER && unknown && status == VCG_DONE; ++k, way *= 10.0) {
        for (int side = -1; side <= 1 && status == VCG_DONE; side += 2) {
            for (int i = 0; i < at->n; ++i) {
                run->nudged[i] = at->y[i] + side * way * at->f[i];
            }
            status = vcg_read(run, at->step.t + side * way, run->nudged, run->readings + (side > 0 ? count : 0));
        }
        unknown = 0;
        for (int i = 0; i < count && status == VCG_DONE; ++i) {
            vcg_watched *of = run->watched + i;
            const double rise = run->readings[count + i].value - run->readings[i].value;
            if (of->unknown && fabs(rise) > 4.0 * of->band.value) {
                of->side = sign(rise);
                of->unknown = 0;
            }
            unknown |= of->unknown;
        }
    }
    return vcg_failed(status) ? status : VCG_DONE;
}

/* Whether the gap of an impact, one that opens to one side only, is on the other, where no impact can bring it back. */
static int is_closed(const vcg_loop *run, int watch)
{
    const vcg_watched *of = run->watched + watch;
    return vcg_is_impact(run, watch) && of->off && of->side == run->settings->watches[watch].direction;
}

/* A gap is closed at the start, or after an event that happens now: the last of those that are more than an impact. */
static int refuse_closed(vcg_loop *run, int watch)
{
    vcg_results *results = run->results;
    const vcg_happened *all = &results->happened;
    results->closed = watch;
    results->watch = -1;
    for (long i = all->count - 1; i >= 0 && all->data[i * all->size + 1] == run->at.step.t; --i) {
        const int cause = (int)all->data[i * all->size];
        results->watch = results->watch < 0 || !vcg_is_impact(run, cause) ? cause : results->watch;
        if (!vcg_is_impact(run, cause)) {
            break;
        }
    }
    return VCG_INCONSISTENT;
}

int vcg_look(vcg_loop *run)
{
    vcg_stepper *at = &run->at;
    int status = vcg_read(run, at->step.t, at->y, run->readings), unknown = 0;
    if (status == VCG_DONE && run->turned < at->step.t) {
        status = vcg_rounding(run, at->step.t, at->y, run->readings, run->noise);
    }
    for (int i = 0; i < run->settings->watched && status == VCG_DONE; ++i) {
        run->watched[i].rate = run->readings[i].rate;
        run->watched[i].unknown = settle(run, i, run->readings[i].value);
        unknown |= run->watched[i].unknown;
        if (is_closed(run, i)) {
            return refuse_closed(run, i);
        }
    }
    return status == VCG_DONE && unknown ? expect(run) : status;
}
