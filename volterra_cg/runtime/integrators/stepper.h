/* What the loop and the integrators share: one step, and vectors of states.
 *
 * Vectors of states stand in rows of `width` doubles, the number of states rounded up to a multiple of 4, with zeros at
 * the end: sums over rows then need no loop for a rest.
 */
#ifndef VCG_STEPPER_H
#define VCG_STEPPER_H

#include "loop.h"

#include <math.h>
#include <stddef.h>

/* Functions of sums over rows: once more for processors with wider registers, which changes no result, as no operations
 * are fused. */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) &&                           \
    !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
#define VCG_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define VCG_WIDE
#endif

typedef struct vcg_stepper {
    vcg_bound *bound;
    const vcg_settings *settings;
    vcg_statistics *statistics;
    int n, width;
    double t, tnew;     /* a step goes from t to tnew */
    double size;        /* of the step to try next */
    double largest;     /* no step is longer */
    double target, end; /* the next time where steps of one size end, the last one */
    double stop;        /* no step goes beyond: the end, or the next corner of a signal */
    double spacing;     /* between the first two results */
    double *y, *ynew;   /* the states at t and tnew; the terms of the interpolant follow y */
    double *f, *fnew;   /* their derivatives */
    int f_known, fnew_known;
    double *work;  /* the integrator's own */
    double origin; /* of the interval that steps of one size divide */
    long part, parts;
    int where; /* the check of the model that failed */
} vcg_stepper;

struct vcg_integrator {
    int adaptive;
    double fraction;               /* of the span, which a step may be at most unless told; 0: all of it */
    int terms;                     /* rows of the interpolant after y */
    size_t (*doubles)(int width);  /* of work space */
    void (*arrange)(vcg_stepper *at); /* places f and fnew in y's rows or in the work space */
    int (*begin)(vcg_stepper *at); /* chooses the first size; f is known */
    int (*step)(vcg_stepper *at);  /* one accepted step, f being known; sets tnew, ynew, the next size and, if it can, fnew */
    int (*prepare)(vcg_stepper *at); /* makes the terms of the interpolant over the step */
    /* the interpolant of a block [y, terms] over a step h at t + s h */
    void (*interpolate)(int width, const double *block, double h, double s, double *result);
};

/* dz = rhs(t, z); VCG_DONE, VCG_SINGULAR, VCG_SIGNAL_ERROR or VCG_FATAL. */
int vcg_evaluate(vcg_stepper *at, double t, const double *z, double *dz);

/* Make sure that f holds the derivative at y. */
int vcg_know_f(vcg_stepper *at);

/* The first of a signal's sampled times after t, or infinity. */
double vcg_next_corner(const vcg_samples *of, double t);

/* The size of a step that divides the way to the target into equal parts, and tnew at its end. */
double vcg_fixed_step(vcg_stepper *at);

/* Hairer's choice of a first step for a integrator of the given order; uses ynew and fnew. */
int vcg_hairer_first_step(vcg_stepper *at, double order, double *step);

/* The distance from |t| to the next larger double. */
double vcg_spacing(double t);

/* result = base + Σ_j weights[j] * (row j of k); `result` is none of the others. */
void vcg_combine(int width, int count, const double *weights, const double *base, const double *k, double *result);

static inline int vcg_failed(int status)
{
    return status == VCG_FATAL || status == VCG_SIGNAL_ERROR; /* no smaller step will help */
}

static inline double vcg_larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double vcg_smaller(double a, double b)
{
    return a < b ? a : b;
}

/* A step, or what is left of the way if it is no longer or only by rounding. */
static inline double vcg_up_to(double h, double left)
{
    return h < left * (1.0 - 1e-10) ? h : left;
}

/* The step after one of size h that may grow by a factor, `most` at most. Where the step before was cut short at a corner of
 * a signal and its error is too small to say more, the size that was wanted there is good again. */
static inline double vcg_next_size(double h, double factor, double most, double wanted)
{
    return factor < most ? h * factor : vcg_larger(h * most, wanted);
}

/* Whether every entry is a finite number. */
static inline int vcg_is_finite(int n, const double *values)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i) {
        sum += 0.0 * values[i]; /* NaN where a value is not finite */
    }
    return sum == 0.0;
}

#endif
