/* Many trajectories of one model: every lane of the vector form of rhs carries one of its own, with its own time, step,
 * parameters and momenta, and takes the next when that is done. What becomes of a trajectory depends on nothing but its own
 * row of the arrays, bit for bit: not on its neighbours, on the lane, on the calls among which rows are shared out, or on
 * the instructions of the machine.
 */
#ifndef VCG_MANY_H
#define VCG_MANY_H

#include "samples.h"
#include "status.h"
#include "vcg_model.h"

typedef struct vcg_many_settings {
    double rtol;
    const double *atol; /* one per state */
    double max_step; /* 0: up to the integrator; rk4 and dopri5: the time between results */
    long max_steps;  /* accepted and rejected, of one trajectory */
    int kinks;       /* whether rhs may have kinks or jumps */
} vcg_many_settings;

/* Arrays of all trajectories, one row each; calls of vcg_many may share one task if their rows differ. */
typedef struct vcg_many_task {
    const vcg_model *model;
    vcg_many_settings settings;
    int count;           /* times */
    const double *times; /* increasing; the first is that of the start */
    int sampled;
    const vcg_samples *samples; /* signals that change in time, the same for all */
    const double *parameters;        /* rows of model->parameters */
    const double *signals;           /* rows of model->signals; sampled ones are not read */
    const double *momenta;           /* rows of model->momenta */
    double *results;                 /* rows of count * states; the first state of each is given */
    int *status;                     /* what is not VCG_DONE is left alone */
    int *where;                      /* the check that failed, or -1 */
    int *reached;                    /* the number of results */
    double *ended;                   /* the time of the last accepted step */
    long *steps, *rejections, *calls;
    const int *stop; /* set by another thread to end early, or NULL */
} vcg_many_task;

typedef struct vcg_many_integrator vcg_many_integrator;

/* The integrator of a name, or NULL if there is none in lanes. */
const vcg_many_integrator *vcg_many_integrator_of(const char *name);

/* Integrate the rows from `first` to before `last`; VCG_DONE or VCG_NO_MEMORY. */
int vcg_many(const vcg_many_integrator *integrator, const vcg_many_task *task, long first, long last);

/* Where the rows of a start come from and go to. */
typedef struct vcg_many_start_task {
    const vcg_model *model;
    double t;
    const double *parameters, *signals; /* as above, signals at t */
    const unsigned char *given_q, *given_qd; /* m flags each: whether `q` and `qd` or the spec have the start values */
    double *q, *qd;                          /* rows of coordinates; completed with the spec's values */
    long stride;                             /* doubles from a row of results to the next */
    double *results, *momenta;
    int rates, residuals[2], sizes[2]; /* where rates and the two sets of residuals stand in the outputs */
    double tolerance;                  /* relative to the size of coordinates and rates */
    int *status, *where;
    double *residual; /* of the constraint, or of the rate, that is not kept */
} vcg_many_start_task;

/* States and momenta of the rows; one that cannot start gets a status that says why, one that has it is left alone. */
int vcg_many_start(const vcg_many_start_task *task, long first, long last);

#endif
