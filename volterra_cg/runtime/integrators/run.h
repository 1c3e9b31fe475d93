/* What the parts of the loop share: steps in loop.c, rows in results.c, zero crossings in events.c, what
 * they change in changes.c, constraints in project.c. */
#ifndef VCG_RUN_H
#define VCG_RUN_H

#include "stepper.h"

/* A watched output on its way. */
typedef struct vcg_watched {
    int side;       /* 1 above zero, -1 below, 0 at zero: not known yet */
    int expected;   /* at zero: the side that it is about to be on, 0 if not known either */
    int just;       /* whether its event has just happened */
    double value;   /* at the place looked at last, or, at zero, where it came to be so */
} vcg_watched;

typedef struct vcg_loop {
    const vcg_method *method;
    vcg_stepper at;
    vcg_bound *bound;
    const vcg_settings *settings;
    vcg_results *results;
    int next;       /* the first row to fill */
    double *point;  /* a state */
    double *before; /* the state before an event */
    double *y;      /* outputs */
    vcg_watched *watched;
    double *values; /* of the watched outputs at a place */
    double turned;  /* when an event last changed the state */
    double burst;   /* where the present run of events so close that time hardly passes began */
    long burst_count;
    double *gap, *slopes, *shift, *solve; /* of projection */
    int *order;
    double *after;        /* of events */
    double looked, asked; /* when the clock was looked at and poll was asked, in seconds */
    long steps, stride;   /* since the clock was looked at, and until it is again */
} vcg_loop;

/* --- results.c ----------------------------------------------------------------------------------------------------- */

/* The outputs at a state. */
int vcg_outputs(vcg_loop *run, double t, const double *z, double *y);

/* The state at t + s h of the step just made. */
void vcg_inside(vcg_loop *run, double s, double *z);

/* Fill the next row with a state and its outputs; the rows before a time in the step; the row of the present time, if
 * it is asked for. */
int vcg_put(vcg_loop *run, double t, const double *z);
int vcg_put_before(vcg_loop *run, double until);
int vcg_put_here(vcg_loop *run);

/* Keep the interpolant of the step up to a time. */
int vcg_keep(vcg_loop *run, double until);

/* --- events.c ------------------------------------------------------------------------------------------------------ */

/* Find the sides of all watched outputs at the present state. */
int vcg_look(vcg_loop *run);

/* Search the step for events. Those that change nothing are noted; the first that ends the run or changes the state is
 * left in results->watch, with `until` the place of it in the step (1 if there is none). */
int vcg_search(vcg_loop *run, double *until);

/* The watched outputs at a state; those that are not finite end the run. */
int vcg_watched_values(vcg_loop *run, double t, const double *z, double *values);

/* Which way an output has crossed zero on its way to a value, 1 up, -1 down, 0 not at all; and whether it matters. */
int vcg_crossing(const vcg_watched *of, double value);
int vcg_matters(const vcg_watch *watch, int direction);

/* Note an event with the states before and after it. */
int vcg_note(vcg_results *results, int watch, double t, int n, const double *before, const double *after);

/* --- changes.c ----------------------------------------------------------------------------------------------------- */

/* Carry out all events at the state z of time t, results->watch first among them: notes, and changes of z, parameters
 * and momenta. VCG_EVENT if one of them ends the run. */
int vcg_happen(vcg_loop *run, double t, double *z);

/* --- project.c ----------------------------------------------------------------------------------------------------- */

/* Move q to the constraints; `moved` is how far, 0 if it was there. */
int vcg_project(vcg_loop *run, double t, double *z, double *moved);

#endif
