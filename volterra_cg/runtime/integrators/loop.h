/* Integration in time over a model's function table: plain C, no static state, no Python.
 *
 * vcg_run goes from times[0] to the last of the times and leaves the state at every one of them. It stops early where it
 * cannot go on or is told to; what was found until then stays.
 */
#ifndef VCG_LOOP_H
#define VCG_LOOP_H

#include "samples.h"
#include "status.h"
#include "vcg_model.h"

#include <stddef.h>

/* A chart of a model, and its prepared parameters. */
typedef struct vcg_chart {
    const vcg_model *model;
    double *w;
} vcg_chart;

/* Asks Python for signals at a time and state; anything but 0 if it fails. */
typedef int (*vcg_ask)(void *context, double t, const double *z, double *signals);

/* A controller that is asked at some times, of which the first is the start; its signals stay until the next of them. */
typedef struct vcg_hold {
    int count, next; /* how many there are, and the first that has not come */
    const double *times;
    vcg_ask ask;
} vcg_hold;

/* A model with all that it is evaluated with; where it has charts, the present one of them. */
typedef struct vcg_bound {
    const vcg_model *model;
    double *p, *w, *g; /* parameters, prepared parameters, momenta: the run's own, because events change them */
    double *signals;   /* their values now */
    double *scratch;   /* the model's */
    int sampled;
    const vcg_samples *samples;
    vcg_ask ask; /* signals that are functions, or NULL */
    vcg_hold hold;
    void *context;         /* of ask, hold and poll */
    const double *present; /* the state of the present chart that is asked about */
    int charts, chart;     /* how many there are beside the first, and the number of the present one */
    const vcg_chart *sets; /* all of them */
    double *converted;     /* room for two states and the momenta */
} vcg_bound;

/* A scalar output whose zero crossings matter. */
typedef struct vcg_watch {
    int output;    /* its place in y */
    int direction; /* 1 rising, -1 falling, 0 both */
    int terminal;
    int change; /* the event of the spec whose change takes place, or -1 */
    int rate;   /* where the rate of the output stands in y if it is the gap of an impact, or -1 */
} vcg_watch;

typedef struct vcg_settings {
    double rtol;
    const double *atol;           /* one per state */
    double max_step;              /* 0: up to the integrator */
    double first_step;            /* 0: up to the integrator */
    long max_steps;               /* accepted and rejected */
    int by_rows;                  /* whether the first step of ode45 is no longer than results are apart, as in MATLAB */
    int leave;                    /* steps in a row that are short only for convergence or stability, which end a run if they are half of all; 0: none do */
    int kinks;                    /* whether rhs may have kinks or jumps where no sampled signal has a corner */
    int project, dense;           /* whether to move q to the constraints, to keep the interpolants */
    int rates;                    /* where the rates of q stand in y */
    const double *start_rates;    /* of q, where the first row may not determine them; or NULL */
    int watched;
    const vcg_watch *watches;
    int (*poll)(void *context);   /* asked now and then whether to stop; or NULL */
} vcg_settings;

typedef struct vcg_statistics {
    long steps, rejections, calls, jacobians, factorisations, projections;
    long iterations; /* of implicit integrators */
    long held;       /* steps that accuracy would allow to be longer, but not the convergence of the stages of gauss, or the stability of dop853 */
    long in_a_row;   /* the last of these */
    long charts;       /* changes of the chart */
    double correction; /* the largest that a projection made to an entry of q */
} vcg_statistics;

/* Interpolants one after the other, each of `size` doubles: begin, step, end, then y and the terms of the integrator. */
typedef struct vcg_dense {
    long count, room;
    int size;
    double *data;
} vcg_dense;

/* Events that took place, each of `size` doubles: the number of its watch, t, z before, z after. */
typedef struct vcg_happened {
    long count, room;
    int size;
    double *data;
} vcg_happened;

typedef struct vcg_results {
    int count;
    double *times;   /* increasing; where a run stops early, its end takes the place of the first time not reached */
    double *rows;    /* count by states; the first is the start and given by the caller */
    double *outputs; /* count by outputs, or NULL */
    int reached;     /* rows filled */
    double t;        /* where it ended */
    double *last;    /* the state there */
    int where;       /* the check that failed, or -1 */
    int chart;       /* of which chart */
    int output;      /* the output that is not finite, or -1 */
    int watch;       /* the event that ended the run or failed, or -1 */
    int closed;      /* the impact whose gap is closed at the start, or after the event `watch`; or -1 */
    vcg_statistics statistics;
    vcg_dense dense;       /* to be freed by the caller */
    vcg_happened happened; /* likewise */
} vcg_results;

typedef struct vcg_integrator vcg_integrator;

/* The integrator of a name, or NULL. */
const vcg_integrator *vcg_integrator_of(const char *name);

int vcg_run(const vcg_integrator *integrator, vcg_bound *bound, const vcg_settings *settings, vcg_results *results);

/* A run by calls: vcg_open takes its memory, and NULL says that there is none. The results have the time and the state of
 * the start in their first row, and `last` is the state after each call. */
typedef struct vcg_loop vcg_loop;

vcg_loop *vcg_open(const vcg_integrator *integrator, vcg_bound *bound, const vcg_settings *settings, vcg_results *results);
void vcg_close(vcg_loop *run);

/* Go back to the start, with the parameters, momenta and signals that are bound now; a failure to prepare charts, or VCG_DONE. */
int vcg_reset(vcg_loop *run);

/* Go on for a time with the signals that are bound now, which may have jumped. */
int vcg_go_on(vcg_loop *run, double dt);

/* The present state, of the present chart. */
const double *vcg_present(const vcg_loop *run);

/* All that the further course depends on, as doubles: how many, write them, and go on from them. */
size_t vcg_kept(const vcg_loop *run);
void vcg_save(const vcg_loop *run, double *kept);
int vcg_resume(vcg_loop *run, const double *kept);

/* The state at t from kept interpolants; at the time of an event the state after it. 0, or 1 outside of the run. */
int vcg_dense_at(const vcg_integrator *integrator, const vcg_dense *dense, int n, double t, double *z);

/* The values of all signals at a time and state; VCG_DONE or VCG_SIGNAL_ERROR. */
int vcg_signals_at(vcg_bound *bound, double t, const double *z);

/* Let a sampled controller set its signals at a time and state; VCG_DONE, VCG_SIGNAL_ERROR or a failure of the model. */
int vcg_switch(vcg_bound *bound, double t, const double *z);

/* A state of the present chart as one of the model; VCG_DONE or a failure of the model. */
int vcg_in_first(vcg_bound *bound, double t, const double *z, double *result);

/* Call rhs `loops` times over rows of states; returns the last status. For measuring. */
int vcg_repeat(vcg_bound *bound, int count, const double *times, const double *states, double *dz, long loops);

#endif
