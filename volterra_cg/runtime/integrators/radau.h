/* The parts of the Radau IIA method of order 5: the system for its stages in radau_stages.c, the control of steps in
 * radau.c.
 */
#ifndef VCG_RADAU_H
#define VCG_RADAU_H

#include "stepper.h"

enum { RADAU_STAGES = 3, RADAU_ITERATIONS = 6 };

#define S6 2.449489742783178 /* the root of 6 */

/* What is kept between steps stands at the end of the work space. */
typedef struct {
    double size_before, error_before; /* of the last accepted step, 0 at first */
    double rate;                      /* of Newton's convergence */
    double factored;                  /* the step that the factors belong to, 0 if to none */
    int fresh;                        /* whether the Jacobian is that of the present state */
    int iterations, status;           /* of the last attempt */
} vcg_radau_memory;

typedef struct {
    vcg_radau_memory *kept;
    double *z, *w, *dw, *f; /* RADAU_STAGES rows each */
    double *scale, *error, *point, *pair, *jacobian, *real, *complex;
    int *pivots, *complex_pivots;
} vcg_radau_work;

vcg_radau_work vcg_radau_space(const vcg_stepper *at);

/* The Jacobian at the present state. */
int vcg_radau_jacobian(vcg_stepper *at, const vcg_radau_work *own);

/* Solve for the stages of a step, with a new Jacobian if the old one does not serve. */
int vcg_radau_converge(vcg_stepper *at, const vcg_radau_work *own, double h, int *converged);

#endif
