/* The interface between a generated model and whoever runs it.
 *
 * Every function is re-entrant and touches nothing but its arguments. It returns 0 when all is well, a positive number
 * when a divisor vanished (a smaller step may pass) and a negative one when going on makes no sense; `where` then holds
 * the number of the divisor in the model's list of checks.
 */
#ifndef VCG_MODEL_H
#define VCG_MODEL_H

#define VCG_ABI_VERSION 1

typedef struct vcg_model {
    int abi_version;
    int coordinates; /* m, the length of q and qd */
    int speeds;      /* the number of equations, the length of u */
    int states;      /* the length of z = [q, u, work integral if asked for] */
    int momenta;     /* s, the length of g */
    int parameters;  /* the length of p */
    int prepared;    /* the length of w */
    int signals;
    int scratch;     /* doubles that rhs, outputs and matrices may use */
    int outputs;     /* the length of y */
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
    /* the reduced mass matrix (row by row) and the forcing of mass * du/dt = forcing */
    int (*matrices)(double t, const double *z, double *mass, double *forcing, const double *w, const double *g,
                    const double *signals, double *scratch, int *where);
} vcg_model;

#endif
