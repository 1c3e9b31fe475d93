/* The loop that every candidate is timed in, and what it calls for models of ours and for MuJoCo. */
#define _POSIX_C_SOURCE 199309L
#include <string.h>
#include <time.h>
#include "vcg_model.h"

typedef void call(void *self, const double *in, double *out);

/* Processor seconds of one call, over `loops` of them that take the rows of `in` in turn. */
double loop_seconds(call *one, void *self, const double *in, double *out, int rows, int inputs, int outputs, long loops);
double loop_seconds(call *one, void *self, const double *in, double *out, int rows, int inputs, int outputs, long loops)
{
    struct timespec from, to;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
    for (long k = 0; k < loops; ++k)
        one(self, in + inputs * (k % rows), out + outputs * (k % rows));
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
    return ((double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec)) / (double)loops;
}

typedef struct {
    const vcg_model *model;
    const double *w, *g, *signals;
    double *scratch;
} ours;

call ours_rhs, mujoco_forward;
void ours_rhs(void *self, const double *in, double *out)
{
    const ours *s = self;
    int where;
    s->model->rhs(0.0, in, out, s->w, s->g, s->signals, s->scratch, &where);
}

typedef struct {
    void (*forward)(const void *model, void *data);
    const void *model;
    void *data;
    double *qpos, *qvel, *applied;
    const double *qacc;
    long nq, nv;
} mujoco;

void mujoco_forward(void *self, const double *in, double *out)
{
    const mujoco *s = self;
    memcpy(s->qpos, in, (size_t)s->nq * sizeof(double));
    memcpy(s->qvel, in + s->nq, (size_t)s->nv * sizeof(double));
    memcpy(s->applied, in + s->nq + s->nv, (size_t)s->nv * sizeof(double));
    s->forward(s->model, s->data);
    memcpy(out, s->qacc, (size_t)s->nv * sizeof(double));
}
