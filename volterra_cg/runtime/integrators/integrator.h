/* Explicit Runge-Kutta methods over a model's function table: plain C, no state of their own, no Python.
 *
 * An integrator goes from times[0] to times[count - 1] and leaves the state at every asked time in `results`, one row of
 * `states` doubles each; row 0 holds the start and is given by the caller.
 */
#ifndef VCG_INTEGRATOR_H
#define VCG_INTEGRATOR_H

#include "vcg_model.h"

typedef struct vcg_bound {
    const vcg_model *model;
    const double *w;       /* prepared parameters */
    const double *g;       /* momenta */
    const double *signals; /* held over the whole run */
    double *scratch;       /* the model's own, model->scratch doubles */
} vcg_bound;

typedef struct vcg_settings {
    double rtol;
    double atol;
    double max_step; /* 0: a tenth of the span, as in MATLAB; rk4: the time between results */
} vcg_settings;

typedef struct vcg_statistics {
    long steps;    /* accepted */
    long failures; /* tried again with a smaller step */
    long calls;    /* of rhs */
    int reached;   /* rows of results that are filled */
    double t;      /* where the last accepted step ended */
    int where;     /* the check that failed, or -1 */
} vcg_statistics;

enum {
    VCG_DONE = 0,
    VCG_SINGULAR = 1,   /* a divisor of the model vanished and no smaller step helped; `where` says which */
    VCG_TOO_SMALL = 2,  /* the tolerance needs steps below the resolution of time */
    VCG_NOT_FINITE = 3, /* the state or its derivative is not a number */
    VCG_FATAL = 4,      /* the model said that going on makes no sense */
    VCG_NO_MEMORY = 5
};

typedef int vcg_integrator(const vcg_bound *bound, const vcg_settings *settings, int count, const double *times,
                           double *results, vcg_statistics *statistics);

vcg_integrator vcg_ode45, vcg_dop853, vcg_rk4;

/* Call rhs `loops` times over rows of states; returns the last status. For measuring. */
int vcg_repeat(const vcg_bound *bound, int count, const double *times, const double *states, double *dz, long loops);

/* --- shared by the integrators ------------------------------------------------------------------------------------ */

/* dz = rhs(t, z); VCG_DONE, VCG_SINGULAR or VCG_FATAL. */
int vcg_evaluate(const vcg_bound *bound, double t, const double *z, double *dz, vcg_statistics *statistics);

/* result = y + Σ_j weights[j] * (row j of k); `result` is none of the others. */
void vcg_combine(int n, int count, const double *weights, const double *y, const double *k, double *result);

/* Whether every entry is a finite number. */
int vcg_is_finite(int n, const double *values);

/* The distance from |t| to the next larger double. */
double vcg_spacing(double t);

#endif
