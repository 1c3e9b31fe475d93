/* How a run ends; runtime/status.py has the same numbers. */
#ifndef VCG_STATUS_H
#define VCG_STATUS_H

enum {
    VCG_DONE = 0,
    VCG_EVENT,           /* stopped by a terminal event */
    VCG_SINGULAR,        /* a divisor of the model vanished and no smaller step helped; `where` says which */
    VCG_NOT_FINITE,      /* a state, its derivative or an output (then `output` says which) is no finite number */
    VCG_TOO_SMALL,       /* the tolerance needs steps below the resolution of time */
    VCG_TOO_MANY_STEPS,  /* settings->max_steps */
    VCG_TOO_MANY_EVENTS, /* so many in so short a time that the motion does not go on */
    VCG_INTERRUPTED,     /* by settings->poll */
    VCG_NO_MEMORY,
    VCG_SIGNAL_ERROR,    /* a signal that is a function failed */
    VCG_OFF_CONSTRAINTS, /* projection does not find a state on the constraints */
    VCG_INCONSISTENT,    /* what an event makes of a state, or a start, breaks the constraints; `where` says which */
    VCG_FATAL,           /* the model said that going on makes no sense */
    VCG_IMPOSSIBLE,      /* no bodies of these parameters exist; `where` says which limit they break, or -1 for a restitution */
    VCG_NOT_CONVERGED,   /* an implicit step of one size is too long for its stages to be found */
    VCG_LEFT             /* by settings->leave; the caller goes on with another integrator, so this is no status of a run in Python */
};

/* What a function of the model came back with. */
static inline int vcg_model_status(int status)
{
    return status == 0 ? VCG_DONE : status == 2 ? VCG_IMPOSSIBLE : status > 0 ? VCG_SINGULAR : VCG_FATAL;
}

#endif
