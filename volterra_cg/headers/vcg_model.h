/* The interface between a generated model and whoever runs it.
 *
 * Every function is re-entrant and touches nothing but its arguments. It returns 0 when all is well and 1 when a divisor
 * vanished (a smaller step may pass); `where` then holds the number of the divisor in the model's list of checks. `prepare`
 * returns 2 where no bodies of such parameters exist, with the number of the limit that they break in `where`.
 * Matrices are stored row by row.
 */
#ifndef VCG_MODEL_H
#define VCG_MODEL_H

#define VCG_ABI_VERSION 6
#define VCG_LANES 8 /* the states that rhs_lanes takes at once */

typedef struct vcg_model {
    int abi_version;
    int coordinates; /* m, the length of q and qd */
    int speeds;      /* the number of equations, the length of u */
    int states;      /* the length of z = [q, u, work integral if asked for] */
    int momenta;     /* s, the length of g */
    int parameters;  /* the length of p */
    int prepared;    /* the length of w */
    int signals;
    int scratch;   /* doubles that any function may use; rhs_lanes uses VCG_LANES times as many */
    int outputs;   /* the length of y */
    int holonomic; /* the constraints on positions */
    int redundant; /* how many of these follow from the others */
    int events;    /* of the spec */
    /* Divisors of rhs that change their sign at singular configurations only. rhs leaves them in scratch[0], ... and takes
     * divisor i for zero from w[prepared - 2 * (divisors - i)] to the entry after it; who steps may widen that in a w of its own. */
    int divisors;
    int charts; /* further models of the same mechanism in other quasi-velocities, for where these are singular */
    int framed; /* rows of frame */
    int drawn; /* the length of s, what a picture shows */
    const int *divisor_checks; /* their numbers in the list of checks */
    const struct vcg_model *const *chart; /* all sizes that a caller sees are those of this model */
    /* w from the parameters: all arithmetic that depends on nothing else */
    int (*prepare)(const double *p, double *w, int *where);
    /* the start values of the spec, as functions of the parameters */
    int (*initial)(const double *p, double *q, double *qd, int *where);
    /* states and conserved momenta from coordinates and rates */
    int (*start)(double t, const double *q, const double *qd, const double *w, double *z, double *g, int *where);
    /* the derivative of z */
    int (*rhs)(double t, const double *z, double *dz, const double *w, const double *g, const double *signals,
               double *scratch, int *where);
    /* everything else one may want to know about a state */
    int (*output)(double t, const double *z, double *y, const double *w, const double *g, const double *signals,
                  double *scratch, int *where);
    /* the reduced mass matrix and the forcing of mass * du/dt = forcing */
    int (*matrices)(double t, const double *z, double *mass, double *forcing, const double *w, const double *g,
                    const double *signals, double *scratch, int *where);

    /* The rest may be absent (NULL). */

    /* what the holonomic constraints miss zero by, and their derivatives by q (holonomic by coordinates) */
    int (*gaps)(double t, const double *z, double *gap, double *slopes, const double *w, const double *g,
                const double *signals, double *scratch, int *where);
    /* what each event of the spec makes of a state: q, qd, p after the first event, then those after the second, ... */
    int (*changes)(double t, const double *z, double *after, const double *w, const double *g, const double *signals,
                   double *scratch, int *where);
    /* positions, orientations and sizes of what a picture shows, as the report says; `x` is q, then qd, then signals */
    int (*scene)(double t, const double *x, const double *p, double *s, double *scratch, int *where);
    /* the derivatives of dz by z (states by states) */
    int (*jacobian)(double t, const double *z, double *dfdz, const double *w, const double *g, const double *signals,
                    double *scratch, int *where);
    /* the derivatives of dz by p, g and signals (states by parameters + momenta + signals) */
    int (*sensitivity)(double t, const double *z, double *dfdp, const double *w, const double *g,
                       const double *signals, double *scratch, int *where);
    /* the derivatives of z and g by q, qd and p (states + momenta by 2 coordinates + parameters) */
    int (*start_sensitivity)(double t, const double *q, const double *qd, double *slopes, const double *w, int *where);
    /* the rows that must be independent for a state to determine the motion (framed by coordinates); of z it takes q alone,
     * so that the states of all charts will do */
    int (*frame)(double t, const double *z, double *rows, const double *w, const double *g, const double *signals,
                 double *scratch, int *where);
    /* rhs of VCG_LANES states with their own times, w, g and signals: entry i of lane k is at [i * VCG_LANES + k], and
     * where[k] is set as above, or to -1; returns whether any lane failed */
    int (*rhs_lanes)(const double *t, const double *z, double *dz, const double *w, const double *g,
                     const double *signals, double *scratch, int *where);
} vcg_model;

#endif
