#include "stepper.h"

#include <string.h>

int vcg_in_first(vcg_bound *bound, double t, const double *z, double *result)
{
    const vcg_model *model = bound->model, *first = bound->sets[0].model;
    const int m = model->coordinates, kept = m + model->speeds, n = model->states;
    double *rates = bound->converted, *momenta = rates + n;
    int where = -1;
    int status = model->rhs(t, z, rates, bound->w, bound->g, bound->signals, bound->scratch, &where);
    status = status != 0 ? status : first->start(t, z, rates, bound->sets[0].w, result, momenta, &where);
    memcpy(result + kept, z + kept, (size_t)(n - kept) * sizeof(double));
    return status == 0 ? VCG_DONE : vcg_model_status(status);
}

/* Ask for signals with a state of the model, whichever chart it is given in. */
static int ask_for(vcg_bound *bound, vcg_ask ask, double t, const double *z)
{
    bound->present = z;
    if (bound->chart > 0) {
        double *first = bound->converted + bound->model->states + bound->model->momenta;
        const int status = vcg_in_first(bound, t, z, first);
        if (status != VCG_DONE) {
            return status;
        }
        z = first;
    }
    return ask(bound->context, t, z, bound->signals) != 0 ? VCG_SIGNAL_ERROR : VCG_DONE;
}

int vcg_signals_at(vcg_bound *bound, double t, const double *z)
{
    for (int i = 0; i < bound->sampled; ++i) {
        bound->signals[bound->samples[i].signal] = vcg_sample(bound->samples + i, t);
    }
    /* Where the state is none of the model's, the model cannot be evaluated either, which tells more. */
    const int failed = bound->ask != NULL && ask_for(bound, bound->ask, t, z) == VCG_SIGNAL_ERROR;
    return failed ? VCG_SIGNAL_ERROR : VCG_DONE;
}

int vcg_switch(vcg_bound *bound, double t, const double *z)
{
    const int status = vcg_signals_at(bound, t, z); /* those that the controller may see */
    return status == VCG_DONE ? ask_for(bound, bound->hold.ask, t, z) : status;
}

void vcg_meet_divisors(vcg_stepper *at)
{
    for (int i = 0; i < at->bound->model->divisors; ++i) {
        vcg_meet_divisor(at->divisors + i, at->bound->scratch[i], vcg_bounds(at->bound) + 2 * i, 1);
    }
    at->beyond = at->divisors + at->bound->model->divisors;
    at->spaced = 0.0;
}

int vcg_why_too_small(vcg_stepper *at)
{
    const vcg_model *model = at->bound->model;
    int number = -1;
    const int status = vcg_smallest_divisor(at->divisors, model->divisors, 1, &number);
    at->where = number < 0 ? -1 : model->divisor_checks[number];
    return status;
}

void vcg_guard_divisors(vcg_stepper *at)
{
    double *bounds = vcg_bounds(at->bound);
    for (const vcg_divisor *divisor = at->divisors; divisor < at->beyond; ++divisor, bounds += 2) {
        vcg_widen(divisor, &at->guard, bounds, 1);
    }
    at->guarded = 1;
}

int vcg_follow_divisors(vcg_stepper *at)
{
    const double size = at->step.tnew - at->step.t;
    const int alike = !at->guard.adaptive && vcg_same_size(at->spaced, size);
    for (int i = 0; i < at->bound->model->divisors; ++i) {
        const double value = at->bound->scratch[i];
        if (alike && vcg_has_touched(at->divisors + i, value)) {
            at->where = at->bound->model->divisor_checks[i];
            return VCG_SINGULAR;
        }
        vcg_keep_divisor(at->divisors + i, value);
    }
    at->spaced = size;
    vcg_guard_divisors(at);
    return VCG_DONE;
}

int vcg_evaluate(vcg_stepper *at, double t, const double *z, double *dz)
{
    vcg_bound *bound = at->bound;
    if ((bound->sampled > 0 || bound->ask != NULL) && vcg_signals_at(bound, t, z) != VCG_DONE) {
        return VCG_SIGNAL_ERROR;
    }
    int where = -1;
    const int status = bound->model->rhs(t, z, dz, bound->w, bound->g, bound->signals, bound->scratch, &where);
    ++at->statistics->calls;
    if (status == 0) {
        return VCG_DONE;
    }
    at->where = where;
    return status > 0 ? VCG_SINGULAR : VCG_FATAL;
}

int vcg_know_f(vcg_stepper *at)
{
    const int status = at->f_known ? VCG_DONE : vcg_evaluate(at, at->step.t, at->y, at->f);
    at->f_known = status == VCG_DONE;
    return status;
}

static double norm(const vcg_stepper *at, const double *values, const double *less)
{
    return vcg_norm(at->n, 1, at->y, at->settings->rtol, at->settings->atol, values, less);
}

int vcg_hairer_first_step(vcg_stepper *at, double order)
{
    const double longest = vcg_smaller(at->largest, at->step.stop - at->step.t), rate = norm(at, at->f, NULL);
    const double trial = vcg_first_trial(norm(at, at->y, NULL), rate, longest);
    for (int i = 0; i < at->n; ++i) {
        at->ynew[i] = at->y[i] + trial * at->f[i];
    }
    const int status = vcg_evaluate(at, at->step.t + trial, at->ynew, at->fnew);
    const int known = status == VCG_DONE;
    at->step.size = known ? vcg_first_size(trial, rate, norm(at, at->fnew, at->f), order, longest) : trial;
    return vcg_failed(status) ? status : VCG_DONE;
}

typedef double four __attribute__((vector_size(32), aligned(8), may_alias)); /* doubles side by side */

#define AT(values) (*(const four *)(values))

VCG_WIDE
void vcg_combine(int width, int count, const double *w, const double *base, const double *k, double *result)
{
    const size_t n = (size_t)width;
    for (size_t i = 0; i < n; i += 4) {
        four sum = AT(base + i);
        const double *row = k + i;
        int j = 0;
        for (; j + 4 <= count; j += 4, row += 4 * n) {
            sum += (w[j] * AT(row) + w[j + 1] * AT(row + n)) +
                   (w[j + 2] * AT(row + 2 * n) + w[j + 3] * AT(row + 3 * n));
        }
        if (count - j == 3) {
            sum += w[j] * AT(row) + w[j + 1] * AT(row + n) + w[j + 2] * AT(row + 2 * n);
        } else if (count - j == 2) {
            sum += w[j] * AT(row) + w[j + 1] * AT(row + n);
        } else if (count - j == 1) {
            sum += w[j] * AT(row);
        }
        *(four *)(result + i) = sum;
    }
}
