/* The stages of Gauss's method: evaluated at once where the model has lanes, found by fixed-point iteration. */
#include "gauss.h"
#include "gauss_table.h"

#include <string.h>

enum { L = VCG_LANES };

static const double LONGEST = 3.0; /* steps, beyond which the last polynomial is no guess */
static const double ROUNDING = 2.0 * DBL_EPSILON;

/* Lay out the work space, arrays over lanes at multiples of 64 bytes; called with no memory to measure it. Returns the doubles
 * needed. */
static size_t lay_out(const vcg_stepper *at, const vcg_model *model, double *memory, vcg_gauss_work *own)
{
    const size_t n = (size_t)at->n, width = (size_t)at->width, lanes = model->rhs_lanes != NULL ? L : 0;
    const size_t scratch = (size_t)(lanes > 0 ? model->scratch : model->divisors);
    const struct {
        double **place;
        size_t size;
    } parts[] = {
        {&own->t, L},
        {&own->z, n * L},
        {&own->f, n * L},
        {&own->w, (size_t)model->prepared * lanes},
        {&own->g, (size_t)model->momenta * lanes},
        {&own->signals, (size_t)model->signals * lanes},
        {&own->scratch, scratch * L},
        {&own->terms, n * L},
        {&own->last, n * L},
        {&own->low, width},
        {&own->weight, width},
    };
    size_t used = 2 * width + (memory != NULL ? (64 - (size_t)(memory + 2 * width) % 64) % 64 / sizeof(double) : L);
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); ++i) {
        *parts[i].place = memory != NULL ? memory + used : NULL;
        used += parts[i].size;
    }
    own->kept = memory != NULL ? (vcg_gauss_memory *)(memory + used) : NULL;
    return used + sizeof(vcg_gauss_memory) / sizeof(double) + 1;
}

size_t vcg_gauss_doubles(const vcg_stepper *at)
{
    const vcg_bound *bound = at->bound;
    vcg_gauss_work own;
    size_t most = lay_out(at, bound->model, NULL, &own);
    for (int k = 1; k <= bound->charts; ++k) {
        const size_t needed = lay_out(at, bound->sets[k].model, NULL, &own);
        most = needed > most ? needed : most;
    }
    return most;
}

void vcg_gauss_arrange(vcg_stepper *at)
{
    at->f = at->work;
    at->fnew = at->f + at->width;
}

vcg_gauss_work vcg_gauss_space(const vcg_stepper *at)
{
    vcg_gauss_work own;
    lay_out(at, at->bound->model, at->work, &own);
    if (own.kept->turn) {
        double *other = own.terms;
        own.terms = own.last;
        own.last = other;
    }
    return own;
}

/* The same number in all lanes. */
static void spread(int count, const double *values, double *lanes)
{
    for (int i = 0; i < count * L; ++i) {
        lanes[i] = values[i / L];
    }
}

void vcg_gauss_renew(vcg_stepper *at)
{
    const vcg_gauss_work own = vcg_gauss_space(at);
    const vcg_bound *bound = at->bound;
    memset(own.kept, 0, sizeof(vcg_gauss_memory));
    own.kept->usual = GAUSS_USUAL;
    memset(own.low, 0, (size_t)at->width * sizeof(double));
    if (bound->model->rhs_lanes != NULL) {
        spread(bound->model->prepared, bound->w, own.w);
        spread(bound->model->momenta, bound->g, own.g);
        spread(bound->model->signals, bound->signals, own.signals);
    }
}

/* --- evaluation ---------------------------------------------------------------------------------------------------- */

/* What all sweeps of a step share: times, sampled signals. */
static void set_out(const vcg_stepper *at, const vcg_gauss_work *own, double h)
{
    const vcg_bound *bound = at->bound;
    const vcg_model *model = bound->model;
    for (int j = 0; j < L; ++j) {
        own->t[j] = at->step.t + C[j] * h;
    }
    for (int i = 0; i < bound->sampled && model->rhs_lanes != NULL; ++i) {
        for (int j = 0; j < L; ++j) {
            own->signals[bound->samples[i].signal * L + j] = vcg_sample(bound->samples + i, own->t[j]);
        }
    }
}

static void gather(int count, const double *lanes, int j, double *one)
{
    for (int i = 0; i < count; ++i) {
        one[i] = lanes[i * L + j];
    }
}

static void scatter(int count, const double *one, int j, double *lanes)
{
    for (int i = 0; i < count; ++i) {
        lanes[i * L + j] = one[i];
    }
}

/* Stage by stage, for models without lanes; with `asking`, the signals that are functions alone. */
static int evaluate_each(vcg_stepper *at, const vcg_gauss_work *own, int asking)
{
    for (int j = 0; j < L; ++j) {
        gather(at->n, own->z, j, at->ynew);
        const int status = asking ? vcg_signals_at(at->bound, own->t[j], at->ynew)
                                  : vcg_evaluate(at, own->t[j], at->ynew, at->fnew);
        if (status != VCG_DONE) {
            return status;
        }
        if (asking) {
            scatter(at->bound->model->signals, at->bound->signals, j, own->signals);
        } else {
            scatter(at->n, at->fnew, j, own->f);
            scatter(at->bound->model->divisors, at->bound->scratch, j, own->scratch);
        }
    }
    return VCG_DONE;
}

static int evaluate(vcg_stepper *at, const vcg_gauss_work *own)
{
    const vcg_bound *bound = at->bound;
    int where[L];
    if (bound->model->rhs_lanes == NULL) {
        return evaluate_each(at, own, 0);
    }
    const int status = bound->ask != NULL ? evaluate_each(at, own, 1) : VCG_DONE;
    if (status != VCG_DONE) {
        return status;
    }
    at->statistics->calls += L;
    if (bound->model->rhs_lanes(own->t, own->z, own->f, own->w, own->g, own->signals, own->scratch, where) == 0) {
        return VCG_DONE;
    }
    for (int j = L - 1; j >= 0; --j) {
        at->where = where[j] >= 0 ? where[j] : at->where;
    }
    return VCG_SINGULAR;
}

/* --- iteration ----------------------------------------------------------------------------------------------------- */

/* The stages by the polynomial of the last step, or by its derivative at the end where that is too far to go. */
static void guess(vcg_stepper *at, const vcg_gauss_work *own, double h)
{
    const double *terms = own->last, size = own->kept->size;
    if (size > 0.0 && h <= LONGEST * size) {
        vcg_gauss_guess(at->n, h / size, at->y, own->low, terms, own->z);
        return;
    }
    for (int i = 0; size > 0.0 && i < at->n; ++i) {
        double sum = 0.0;
        for (int k = 0; k < L; ++k) {
            sum += terms[i * L + k];
        }
        at->fnew[i] = sum / size;
    }
    vcg_gauss_first_guess(at->n, h, at->y, size > 0.0 ? at->fnew : at->f, own->z);
}

/* The weights of the states, whose squares are those of a mean; returns what rounding of the states makes of the norm of a change. */
static double weigh(const vcg_stepper *at, const vcg_gauss_work *own)
{
    const vcg_settings *settings = at->settings;
    const double part = 1.0 / sqrt((double)at->n);
    double sum = 0.0;
    for (int i = 0; i < at->n; ++i) {
        const double size = fabs(at->y[i]);
        own->weight[i] = part / (settings->atol[i] + settings->rtol * size);
        sum += (size * own->weight[i]) * (size * own->weight[i]);
    }
    return ROUNDING * sqrt(sum);
}

/* What rounding of the stages makes of the norm of a change: each state by its own size or, where it is all that
 * sweeps may leave, by the largest: the rounding of an angle that has grown reaches the rates. */
static double rounding(const vcg_stepper *at, const vcg_gauss_work *own, int mixed)
{
    double sum = 0.0, largest = 0.0;
    for (int i = 0; i < at->n * L && mixed; ++i) {
        largest = vcg_larger(largest, fabs(own->z[i]));
    }
    for (int i = 0; i < at->n; ++i) {
        double size = largest;
        for (int j = 0; j < L; ++j) {
            size = vcg_larger(size, fabs(own->z[i * L + j]));
        }
        sum += (size * own->weight[i]) * (size * own->weight[i]);
    }
    return ROUNDING * sqrt(sum);
}

/* Sweeps are over: their mean contraction, 0 where the first change was hardly more than rounding. */
static int end(vcg_gauss_memory *kept, double changed, double first, double noise)
{
    kept->rate = first <= 1e3 * noise ? 0.0 : pow(vcg_larger(changed, noise) / first, 1.0 / (kept->sweeps - 1.0));
    return VCG_DONE;
}

/* Whether sweeps that have not converged will not: the last has hardly contracted the larger one of the two before. One alone may
 * not, as a change of a rate reaches its coordinate in the next. */
static int hopeless(const vcg_gauss_patience *patience, int sweeps, double earlier, double before, double changed)
{
    return sweeps == patience->sweeps || !isfinite(changed) ||
           (sweeps > 2 && !(changed < patience->slow * patience->slow * vcg_larger(earlier, before)));
}

int vcg_gauss_converge(vcg_stepper *at, const vcg_gauss_work *own, double h, const vcg_gauss_patience *patience,
                       int *converged)
{
    vcg_gauss_memory *kept = own->kept;
    const double noise = weigh(at, own);
    double first = 0.0, earlier = 0.0, before = 0.0;
    *converged = 0;
    at->fnew_known = 0;
    kept->rate = NAN;
    set_out(at, own, h);
    guess(at, own, h);
    for (kept->sweeps = 1;; ++kept->sweeps) {
        const int status = evaluate(at, own);
        if (status != VCG_DONE) {
            return status;
        }
        const double changed = vcg_gauss_sweep(at->n, h, at->y, own->low, own->weight, own->f, own->z);
        ++at->statistics->iterations;
        if (kept->sweeps == 1) {
            first = before = changed; /* nothing is accepted that has not been seen to contract */
            continue;
        }
        const double rate = vcg_larger(changed / before, kept->usual); /* one small quotient may be an accident */
        *converged = changed <= noise || (rate < patience->slow && rate * changed <= patience->rest * (1.0 - rate));
        if (*converged) {
            return end(kept, changed, first, noise);
        }
        if (hopeless(patience, kept->sweeps, earlier, before, changed)) {
            const double left = 32.0 * rounding(at, own, patience->rest == 0.0);
            *converged = changed <= left && (changed < 1e-3 * first || first <= left);
            return end(kept, changed, first, noise);
        }
        earlier = before;
        before = changed;
    }
}
