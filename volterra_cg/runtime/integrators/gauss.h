/* The parts of Gauss's method of order 16: its stages in gauss_stages.c, the end of a step in gauss_end.c, arithmetic over
 * stages in gauss_kernels.c, the control of steps in gauss.c, steps of one size in gauss_fixed.c.
 *
 * A stage stands in each lane, entry i of it at [i * VCG_LANES + lane], so that one call of rhs_lanes evaluates them all.
 */
#ifndef VCG_GAUSS_H
#define VCG_GAUSS_H

#include "stepper.h"

enum { GAUSS_STAGES = VCG_LANES, GAUSS_TERMS = GAUSS_STAGES + 2 }; /* those of the interpolant know both ends of the step too */

/* What is kept between steps stands at the end of the work space. */
typedef struct {
    double size;    /* of the step whose polynomial the next stages are guessed from; 0: there is none */
    double rate;    /* the mean factor by which sweeps of the last trial have reduced that */
    double usual;   /* the same of the last steps; no single step makes it much smaller */
    int turn;       /* which of the two places of terms the trial has */
    int sweeps;     /* of the last trial */
    int held;       /* whether only convergence keeps steps short, since one that did not converge, or hardly */
    int halvings;   /* of a step of one size that is made in parts: 2 to the power of this many */
    long part;      /* of these, the next one */
    double whole, from, to; /* that step: its size, its beginning and its end */
} vcg_gauss_memory;

typedef struct {
    vcg_gauss_memory *kept;
    double *t, *z, *f, *w, *g, *signals, *scratch; /* as rhs_lanes takes them */
    double *terms;  /* of the trial: rows of coefficients of Legendre's polynomials, over the step */
    double *last;   /* the same of the last step */
    double *low;    /* what the state lacks: the rounding of the sums that have made it */
    double *weight; /* of the states: 1 / tolerance, over the root of their number */
} vcg_gauss_work;

/* When sweeps end. */
typedef struct {
    double rest; /* what they may leave, beside the tolerance; 0: they go on until rounding is all that is left */
    double slow; /* a contraction that is no better gives up */
    int sweeps;  /* the most */
} vcg_gauss_patience;

/* What a sweep is taken to leave of errors, at least, before steps have shown that it leaves less. */
static const double GAUSS_USUAL = 0.1;

/* Where the term of a degree stands: even ones first, then odd ones, then those that only the interpolant has. */
static inline int vcg_gauss_lane(int degree)
{
    return degree < GAUSS_STAGES ? degree / 2 + degree % 2 * (GAUSS_STAGES / 2) : degree;
}

size_t vcg_gauss_doubles(const vcg_stepper *at);
void vcg_gauss_arrange(vcg_stepper *at);
vcg_gauss_work vcg_gauss_space(const vcg_stepper *at);

/* The state, momenta or parameters have changed: forget the last step. */
void vcg_gauss_renew(vcg_stepper *at);

/* Find the stages of a step h; a status of the model, and whether sweeps have converged. */
int vcg_gauss_converge(vcg_stepper *at, const vcg_gauss_work *own, double h, const vcg_gauss_patience *patience,
                       int *converged);

/* --- gauss_end.c --------------------------------------------------------------------------------------------------- */

/* The end of a step whose stages are found, and its polynomial; `sums` of the squares of its terms, beside the tolerance. */
void vcg_gauss_finish(vcg_stepper *at, const vcg_gauss_work *own, double *sums);

/* Whether no divisor vanishes at the stages that are found, and from there to the end, which is evaluated where no divisor can
 * tell; a status. */
int vcg_gauss_regular(vcg_stepper *at, const vcg_gauss_work *own);

/* The size of the larger difference, at either end of a step h, between f and the derivative of the polynomial, times h and beside the
 * tolerance. Stages lie within a step: a jump of f between the last of one step and the first of the next is seen here alone. */
int vcg_gauss_ends(vcg_stepper *at, const vcg_gauss_work *own, double h, double *missed);

/* Keep the polynomial of the step, from which the interpolant and the next guess are made, and its last divisors. */
void vcg_gauss_keep(vcg_stepper *at, const vcg_gauss_work *own, double h);

int vcg_gauss_prepare(vcg_stepper *at);
void vcg_gauss_interpolate(int width, const double *block, double h, double s, double *result);

/* --- gauss_kernels.c ----------------------------------------------------------------------------------------------- */

/* The stages of a step, from the polynomial of the last one, `ratio` times shorter; from a constant derivative. */
void vcg_gauss_guess(int n, double ratio, const double *y, const double *low, const double *terms, double *z);
void vcg_gauss_first_guess(int n, double h, const double *y, const double *f, double *z);

/* One sweep: the stages z from their derivatives f, which become parts of the step's result. Returns half the root of the sum of
 * squares of how much they changed, times weights: about the largest change of a stage. */
double vcg_gauss_sweep(int n, double h, const double *y, const double *low, const double *weight, double *f, double *z);

/* The terms of the polynomial from the parts that a sweep has left in f; `sums` of the squares of each, times weights. */
void vcg_gauss_terms(int n, const double *weight, const double *parts, double *terms, double *sums);

#endif
