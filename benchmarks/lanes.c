/* Nanoseconds per evaluation of a model's rhs, called in a loop, and of its vector form; processor time of the thread.
 *
 * stdin: parameters and signals. stdout: the two numbers, the least of several rounds.
 */
#define _POSIX_C_SOURCE 200809L
#include "vcg_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

extern const vcg_model MODEL;

enum { ROUNDS = 9 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double *array(int size)
{
    double *values = aligned_alloc(64, ((size_t)size * sizeof(double) / 64 + 1) * 64);
    if (values == NULL) {
        exit(3);
    }
    for (int i = 0; i < size; ++i) {
        values[i] = 0.0;
    }
    return values;
}

static double *given(int size)
{
    double *values = array(size);
    for (int i = 0; i < size; ++i) {
        if (scanf("%lf", &values[i]) != 1) {
            exit(4);
        }
    }
    return values;
}

static double *spread(int size, const double *values)
{
    double *lanes = array(size * VCG_LANES);
    for (int i = 0; i < size * VCG_LANES; ++i) {
        lanes[i] = values[i / VCG_LANES];
    }
    return lanes;
}

int main(void)
{
    const vcg_model *m = &MODEL;
    int where[VCG_LANES];
    double *p = given(m->parameters), *s = given(m->signals), *q = array(m->coordinates), *qd = array(m->coordinates);
    double *w = array(m->prepared), *z = array(m->states), *g = array(m->momenta), *dz = array(m->states);
    double *scratch = array(m->scratch * VCG_LANES), *dzs = array(m->states * VCG_LANES), *t = array(VCG_LANES);
    if (m->prepare(p, w, where) || m->initial(p, q, qd, where) || m->start(0.0, q, qd, w, z, g, where)) {
        return 5;
    }
    double *zs = spread(m->states, z), *ws = spread(m->prepared, w), *gs = spread(m->momenta, g);
    double *ss = spread(m->signals, s), best[2] = {1e9, 1e9};
    const long loops = 160000;
    for (int round = 0; round < ROUNDS; ++round) {
        double begin = now();
        for (long i = 0; i < loops; ++i) {
            m->rhs(0.0, z, dz, w, g, s, scratch, where);
            z[0] += 1e-200 * dz[0]; /* the next call waits for this one */
        }
        double took = (now() - begin) / (double)loops;
        best[0] = took < best[0] ? took : best[0];
        begin = now();
        for (long i = 0; i < loops / VCG_LANES; ++i) {
            m->rhs_lanes(t, zs, dzs, ws, gs, ss, scratch, where);
            zs[0] += 1e-200 * dzs[0];
        }
        took = (now() - begin) / (double)(loops / VCG_LANES * VCG_LANES);
        best[1] = took < best[1] ? took : best[1];
    }
    printf("%.2f %.2f\n", 1e9 * best[0], 1e9 * best[1]);
    return 0;
}
