/* What the loop and the integrators share: one step, and vectors of states.
 *
 * Vectors of states stand in rows of `width` doubles, the number of states rounded up to a multiple of 4, with zeros at
 * the end: sums over rows then need no loop for a rest.
 */
#ifndef VCG_STEPPER_H
#define VCG_STEPPER_H

#include "control.h"
#include "loop.h"

/* Functions of sums over rows: once more for processors with wider registers, which changes no result, as no operations
 * are fused. */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) &&                           \
    !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
#define VCG_WIDE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define VCG_WIDE
#endif

typedef struct vcg_stepper {
    vcg_bound *bound;
    const vcg_settings *settings;
    vcg_statistics *statistics;
    int n, width;
    vcg_step step;
    double largest;     /* no step is longer */
    double target, end; /* the next time where steps of one size end, the last one */
    double spacing;     /* between the first two results */
    double *y, *ynew;   /* the states at t and tnew; the terms of the interpolant follow y */
    double *f, *fnew;   /* their derivatives */
    int f_known, fnew_known;
    double *work; /* the integrator's own */
    int where;    /* the check of the model that failed */
    vcg_guard guard;
    vcg_divisor *divisors, *beyond; /* of rhs, and the end of them */
    double spaced;         /* the size of the step before; 0 where there was none */
    int guarded;           /* whether their bounds are those of a step */
} vcg_stepper;

struct vcg_integrator {
    double fraction;               /* of the span, which a step may be at most unless told; 0: all of it */
    int terms;                     /* rows of the interpolant after y */
    int by_state;                  /* whether the terms of a state stand together, in place of those of a row */
    int without_f; /* whether `step` needs no f, except after `renew`, and keeps and judges divisors itself */
    size_t (*doubles)(const vcg_stepper *at); /* of work space; NULL: none */
    void (*arrange)(vcg_stepper *at); /* places f and fnew in y's rows or in the work space */
    void (*renew)(vcg_stepper *at);   /* the state, parameters or momenta have changed: forgets earlier steps; NULL: has none */
    int (*begin)(vcg_stepper *at); /* chooses the first size, f being known; NULL where steps are of one size */
    int (*step)(vcg_stepper *at);  /* one accepted step, f being known; sets tnew, ynew, the next size and, if it can,
                                    * fnew, in its last evaluation */
    int (*prepare)(vcg_stepper *at); /* makes the terms of the interpolant over the step */
    /* the interpolant of a block [y, terms] over a step h at t + s h */
    void (*interpolate)(int width, const double *block, double h, double s, double *result);
};

/* dz = rhs(t, z); VCG_DONE, VCG_SINGULAR, VCG_SIGNAL_ERROR or VCG_FATAL. */
int vcg_evaluate(vcg_stepper *at, double t, const double *z, double *dz);

/* What steps that are too small mean: VCG_SINGULAR where a divisor has become small. */
int vcg_why_too_small(vcg_stepper *at);

/* Make sure that f holds the derivative at y. */
int vcg_know_f(vcg_stepper *at);

/* Hairer's choice of a first step for an integrator of the given order; sets the size, uses ynew and fnew. */
int vcg_hairer_first_step(vcg_stepper *at, double order);

/* result = base + Σ_j weights[j] * (row j of k); `result` is none of the others. */
void vcg_combine(int width, int count, const double *weights, const double *base, const double *k, double *result);

/* The bounds of the divisors in w. */
static inline double *vcg_bounds(const vcg_bound *bound)
{
    return bound->w + bound->model->prepared - 2 * bound->model->divisors;
}

/* Widen the bounds of divisors for steps. */
void vcg_guard_divisors(vcg_stepper *at);

/* As below, where one is no longer near what it was. */
int vcg_follow_divisors(vcg_stepper *at);

/* The next step begins with the divisors of the last evaluation: VCG_DONE, or VCG_SINGULAR if one has touched zero in a step of one size. */
static inline int vcg_keep_divisors(vcg_stepper *at)
{
    const double *value = at->bound->scratch;
    vcg_divisor *divisor = at->divisors;
    int near = 1;
    do { /* each, also after one that is not near: where steps begin, they are as in lanes */
        near &= vcg_stays_near(divisor, *value++);
    } while (++divisor < at->beyond);
    return near ? VCG_DONE : vcg_follow_divisors(at);
}

/* Put back the bounds of the model, for whoever evaluates it elsewhere. */
static inline void vcg_release_divisors(vcg_stepper *at)
{
    for (int i = 0; at->guarded && i < at->bound->model->divisors; ++i) {
        vcg_restore(at->divisors + i, vcg_bounds(at->bound) + 2 * i, 1);
    }
    at->guarded = 0;
}

/* Set off with the divisors of the last evaluation. */
void vcg_meet_divisors(vcg_stepper *at);

/* Note whether an accepted step could be longer but for something else than accuracy. */
static inline void vcg_note_held(vcg_statistics *statistics, int held)
{
    statistics->held += held;
    statistics->in_a_row = held ? statistics->in_a_row + 1 : 0;
}

static inline int vcg_failed(int status)
{
    return status == VCG_FATAL || status == VCG_SIGNAL_ERROR; /* no smaller step will help */
}

/* Whether every entry is a finite number. */
static inline int vcg_is_finite(int n, const double *values)
{
    return vcg_are_finite(n, 1, values);
}

#endif
