/* What the parts of the loop share: steps in loop.c, runs by calls in calls.c, rows in results.c, sides of watched outputs
 * in event_signs.c, zero crossings in events.c, what they change in event_changes.c, constraints in project.c, other charts in charts.c. */
#ifndef VCG_RUN_H
#define VCG_RUN_H

#include "stepper.h"

/* A watched output at a place: its value and, if it is the gap of an impact, its rate (0 if not). */
typedef struct vcg_reading {
    double value, rate;
} vcg_reading;

/* A watched output on its way. */
typedef struct vcg_watched {
    int side;         /* 1 above zero, -1 below; at zero, the side that it is about to be on; 0 not known */
    int off;          /* whether it has been off zero on that side, by more than rounding */
    int just;         /* whether its event happens now */
    int touches;      /* whether it is a gap that is closed now */
    int unknown;      /* whether its side is yet to be found from its slope */
    double value;     /* at the place looked at last; NAN before the first look */
    double rate;      /* there, if it is the gap of an impact */
    vcg_reading band; /* at zero: what its value and its rate may be by rounding alone */
    double happened;  /* when its event last did */
    double farthest;  /* from zero on its side since then, at the places looked at */
    double missed;    /* how far the gap of an impact was off the cubics through looks at it */
    int rests;        /* how often it happened in a row without being off zero in between */
} vcg_watched;

struct vcg_loop {
    const vcg_integrator *integrator;
    vcg_stepper at;
    vcg_bound *bound;
    const vcg_settings *settings;
    vcg_results *results;
    int pauses;     /* whether the model is evaluated after every step, not only where there is a result */
    int next;       /* the first row to fill */
    double *point;  /* a state */
    double *before; /* the state before an event */
    double *y;      /* outputs */
    vcg_watched *watched;
    vcg_reading *readings; /* of the watched outputs at a place, then at another */
    vcg_reading *noise;    /* what rounding may do to them, and twice as much room for finding that out */
    double *nudged;        /* a state */
    double *momenta;       /* while others stand in for them */
    double turned;         /* when an event last happened that stops a step */
    double burst;   /* where the present run of events so close that time hardly passes began */
    long burst_count;
    double *gap, *slopes, *shift, *solve; /* of projection */
    int *order;
    double *after;        /* of events */
    double *bound_before; /* parameters, prepared parameters and momenta before them */
    double *frame;        /* rows of a chart */
    double *told;         /* states of the first chart: before and after an event */
    double *fit, *solved; /* of interpolants in the first chart */
    double *atol;
    double stuck;         /* when a step last failed in a chart */
    unsigned tried;       /* the charts that were tried then, as bits */
    double looked, asked; /* when the clock was looked at and poll was asked, in seconds */
    long steps, stride;   /* since the clock was looked at, and until it is again */
};

/* --- loop.c -------------------------------------------------------------------------------------------------------- */

/* Lay out the memory of a run and everything that does not change along it; NULL where there is no memory. */
double *vcg_lay_out(vcg_loop *run, vcg_settings *own);

/* Make the first row of the results the present state; its chart is the first. */
void vcg_set_out(vcg_loop *run);

/* Set off from the present state, with a step of a size or (0) one that the integrator chooses; go on to the end, which is
 * one of the results. */
int vcg_begin(vcg_loop *run, double size);
int vcg_advance(vcg_loop *run);
void vcg_finish(vcg_loop *run, int status);

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

/* --- event_signs.c ------------------------------------------------------------------------------------------------------- */

/* The watched outputs at a state; values may not be finite. */
int vcg_read(vcg_loop *run, double t, const double *z, vcg_reading *readings);

/* What rounding may do to the watched outputs, whose readings at a state are given. */
int vcg_rounding(vcg_loop *run, double t, const double *z, const vcg_reading *here, vcg_reading *noise);

/* Find the sides of all watched outputs at the present state: at the start, and after events. VCG_INCONSISTENT where the gap
 * of an impact is closed there. */
int vcg_look(vcg_loop *run);

/* Whether an output is not on its side any more. */
int vcg_over(const vcg_loop *run, int watch, vcg_reading at);

/* Whether an output that leaves its side is an event; whether it is the gap of an impact, and closes. */
int vcg_matters(const vcg_loop *run, int watch);
int vcg_is_impact(const vcg_loop *run, int watch);
int vcg_closes(const vcg_loop *run, int watch, vcg_reading at);

/* Take the readings at a place as those looked at last; an output that is over is on its other side from now on. */
void vcg_pass(vcg_loop *run, const vcg_reading *readings);

/* An output has crossed zero and nothing has changed: it is on its other side. */
void vcg_cross(vcg_loop *run, int watch, double t, double value);

/* --- events.c ------------------------------------------------------------------------------------------------------ */

/* The state at t + s h of the step just made, on the constraints if the run projects, in run->point; the time there. */
int vcg_at_place(vcg_loop *run, double s, double *t);

/* Search the step for events. Those that change nothing are noted; the first that ends the run or changes the state is
 * left in results->watch, with `until` the place of it in the step (1 if there is none). */
int vcg_search(vcg_loop *run, double *until);

/* Note an event with the states before and after it. */
int vcg_note(vcg_results *results, int watch, double t, int n, const double *before, const double *after);

/* --- event_changes.c ----------------------------------------------------------------------------------------------------- */

/* Carry out all events at the state z of time t, results->watch first among them: notes, and changes of z, parameters
 * and momenta. VCG_EVENT if one of them ends the run; where one fails, parameters and momenta are those before all of them. */
int vcg_happen(vcg_loop *run, double t, double *z);

/* --- charts.c ------------------------------------------------------------------------------------------------------ */

/* A state as one of the first chart. */
int vcg_told(vcg_loop *run, double t, const double *z, double *result);

/* Choose the chart at the start, where the state is that of the first. */
void vcg_settle(vcg_loop *run);

/* After a step: go on in another chart where that is more regular by far. */
int vcg_pick(vcg_loop *run);

/* After a step that ended in `status`: try it in another chart; what it ended in if there is none. */
int vcg_escape(vcg_loop *run, int status);

/* Prepare the parameters of the other charts; the status of the model. */
int vcg_refresh(vcg_bound *bound);

/* The interpolant of the step as one of the first chart, [y, terms]. */
int vcg_first_terms(vcg_loop *run, double *block);

/* --- project.c ----------------------------------------------------------------------------------------------------- */

/* Move q to the constraints; `moved` is how far, 0 if it was there. */
int vcg_project(vcg_loop *run, double t, double *z, double *moved);

#endif
