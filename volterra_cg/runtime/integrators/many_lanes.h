/* What the parts of the ensemble share: the lanes, the kernels over them, and the integrators.
 *
 * Vectors over lanes stand in memory as in rhs_lanes: entry i of lane k at [i * VCG_LANES + k].
 */
#ifndef VCG_MANY_LANES_H
#define VCG_MANY_LANES_H

#include "control.h"
#include "loop.h"
#include "many.h"

enum { L = VCG_LANES, MOST_STAGES = 16, MOST_TERMS = 7 };

/* A trajectory on its way. */
typedef struct vcg_lane {
    long row; /* of the arrays, or -1 for none */
    int next; /* the first result to fill */
    vcg_step step;
    long steps, rejections, calls;
    int failed, where; /* in the trial: a status and the check */
    double spaced;     /* the size of the step before; 0 where there was none */
    int unknown;       /* the same of the derivative at y, for integrators that do not try again */
} vcg_lane;

/* A row of the table: the stages that it weighs are the first, if it `leads`, and those from `begin` to before `end`. */
typedef struct vcg_many_row {
    int leads, begin, end;
    const double *weights;
} vcg_many_row;

typedef struct vcg_kernels vcg_kernels;

typedef struct vcg_ensemble {
    const vcg_many_task *task;
    const vcg_many_integrator *integrator;
    const vcg_model *model;
    const vcg_kernels *kernels;
    int n;
    double begin, end, largest; /* times, and the longest step */
    vcg_lane lane[L];
    vcg_many_row rows[MOST_STAGES], errors[2], dense[MOST_TERMS];
    double *time, *h;                  /* L each: where stages are taken, and steps */
    double *y, *ynew, *inner;          /* n * L each */
    double *k;                         /* stages, n * L each */
    double *terms;                     /* of the interpolant, n * L each */
    double *w, *g, *signals, *scratch; /* as rhs_lanes takes them */
    vcg_guard guard;
    vcg_divisor *divisors;             /* of rhs, in the same order, but for where steps begin */
    double *near;                      /* 3 * L for each: between which numbers it is near, and where the step begins */
    uint64_t *away;                    /* L: not 0 where the step has left one of them away from what it was */
    double *sums;                      /* 3 * L: two norms of the error, and 0 where ynew is finite */
    int width;                         /* n, rounded up to a multiple of L */
    double *block;                     /* of one lane: y and the terms of its interpolant, `width` each, then a result */
    double *one;                       /* room for one lane: z, dz, w, g, signals, scratch */
} vcg_ensemble;

/* The vector arithmetic, with the best instructions of the machine. */
struct vcg_kernels {
    /* result = y + h * (a row) * k */
    void (*combine)(const vcg_ensemble *at, const vcg_many_row *row, double *result);
    /* sums: the largest error relative to the larger of the states, before and after, and atol / rtol */
    void (*largest_error)(const vcg_ensemble *at);
    /* sums: the squares of the two errors relative to the tolerance */
    void (*square_errors)(const vcg_ensemble *at);
    /* the terms of dop853's interpolant */
    void (*prepare)(const vcg_ensemble *at);
    /* y and the first of k are those at the end of the step, in the lanes whose `moves` is not 0 */
    void (*move)(const vcg_ensemble *at, const double *moves);
    /* In the lanes whose `moves` is not 0, the next step begins with the divisors in scratch, where they are still near; says whether any is
     * not, and in `away` where. */
    int (*watch)(const vcg_ensemble *at, const double *moves);
};

const vcg_kernels *vcg_best_kernels(void);

/* Where steps are of one size, what follows `tries` is not given. */
struct vcg_many_integrator {
    /* Whose lanes are the stages of one trajectory; nothing else is given then. */
    const vcg_integrator *single;
    int stages;      /* the last is taken at the result, and is the first of the next step */
    int all;         /* with those that only the interpolant needs */
    int columns;     /* of a */
    double fraction; /* of the span, which a step may be at most unless told; 0: all of it */
    const double *a, *c;
    const int *first;        /* of the stages that rows of a weigh, beside that at the beginning; NULL: they weigh all */
    const double *errors[2]; /* weights of the stages, or NULL */
    const double *dense;     /* dop853: 4 rows of weights of all stages */
    int others;              /* the first stage that errors and the interpolant weigh, beside that at the beginning */
    /* Whether the first step needs the derivative at a point that `begin` makes of y and k; then called again. */
    int tries;
    void (*begin)(vcg_ensemble *at, int lane, int tried);
    double (*propose)(vcg_ensemble *at, int lane); /* the size of a new step */
    void (*measure)(const vcg_ensemble *at);       /* errors of all lanes */
    int (*judge)(vcg_ensemble *at, int lane);      /* after a trial: VCG_DONE, VCG_TRY_AGAIN, or how it ends */
    /* that of single runs; NULL where steps end at every result */
    void (*interpolate)(int width, const double *block, double h, double s, double *result);
};

/* rhs of all lanes at `time` and z; a lane's status goes to `failed` if that is VCG_DONE. */
void vcg_many_evaluate(vcg_ensemble *at, const double *z, double *dz);

/* As the functions of single runs, in a lane; `vcg_many_guard` in all that are at work. */
void vcg_many_meet_divisors(vcg_ensemble *at, int lane);
int vcg_many_follow_divisors(vcg_ensemble *at, int lane);
int vcg_many_why_too_small(vcg_ensemble *at, int lane);
void vcg_many_guard(vcg_ensemble *at, int on);

/* Integrate the rows one after the other, as single runs. */
int vcg_many_single(const vcg_integrator *integrator, const vcg_many_task *task, long first, long last);

/* Try a step in every lane. */
void vcg_many_step(vcg_ensemble *at);

/* The trajectory of a lane is over: note how, and let the lane be empty. */
void vcg_many_leave(vcg_ensemble *at, int lane, int status);

/* Where the next step of a lane must not go beyond. */
double vcg_many_stop(const vcg_ensemble *at, double t);

/* The entries of one lane, from and to all lanes. */
static inline void vcg_many_gather(int count, const double *lanes, int k, double *one)
{
    for (int i = 0; i < count; ++i) {
        one[i] = lanes[i * L + k];
    }
}

static inline void vcg_many_scatter(int count, const double *one, int k, double *lanes)
{
    for (int i = 0; i < count; ++i) {
        lanes[i * L + k] = one[i];
    }
}

/* Hairer's choice of a first step for an integrator of the given order that `tries`; see vcg_hairer_first_step. */
static inline void vcg_many_first_step(vcg_ensemble *at, int k, int tried, double order)
{
    const double rtol = at->task->settings.rtol, *atol = at->task->settings.atol;
    const double *y = at->y + k, *f = at->k + k, *fnew = f + at->n * L, rate = vcg_norm(at->n, L, y, rtol, atol, f, NULL);
    vcg_lane *lane = at->lane + k;
    vcg_step *step = &lane->step;
    const double longest = vcg_smaller(at->largest, step->stop - step->t);
    if (!tried) {
        step->size = vcg_first_trial(vcg_norm(at->n, L, y, rtol, atol, y, NULL), rate, longest);
        for (int i = 0; i < at->n; ++i) {
            at->inner[i * L + k] = y[i * L] + step->size * f[i * L];
        }
        at->time[k] = step->t + step->size;
    } else if (lane->failed) {
        lane->failed = VCG_DONE; /* keep the small step */
    } else {
        step->size = vcg_first_size(step->size, rate, vcg_norm(at->n, L, y, rtol, atol, fnew, f), order, longest);
    }
}

static inline double vcg_many_propose(vcg_ensemble *at, int k)
{
    return vcg_propose(&at->lane[k].step, at->largest);
}

#endif
