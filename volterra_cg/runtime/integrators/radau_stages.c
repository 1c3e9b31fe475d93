/* The system for the stages: Newton's iteration with a Jacobian that is kept as long as it serves, split into a real and a
 * complex system of the size of the state.
 */
#include "lu.h"
#include "radau.h"

#include <float.h>

static const double C[RADAU_STAGES] = {(4.0 - S6) / 10, (4.0 + S6) / 10, 1.0};

/* The eigenvalues of A^-1 and the matrices that bring it to diagonal form. */
static const double REAL = 3.637834252744496, COMPLEX[2] = {2.681082873627752, -3.050430199247411};
static const double T[RADAU_STAGES][RADAU_STAGES] = {
    {0.09443876248897524, -0.14125529502095421, 0.03002919410514742},
    {0.25021312296533332, 0.20412935229379994, -0.38294211275726192},
    {1.0, 1.0, 0.0}};
static const double TI[RADAU_STAGES][RADAU_STAGES] = {
    {4.17871859155190428, 0.32768282076106237, 0.52337644549944951},
    {-4.17871859155190428, -0.32768282076106237, 0.47662355450055044},
    {0.50287263494578682, -2.57192694985560522, 0.59603920482822492}};

vcg_radau_work vcg_radau_space(const vcg_stepper *at)
{
    const size_t n = (size_t)at->width;
    double *next = at->work + 2 * n; /* after f and fnew */
    vcg_radau_work own;
    double **rows[] = {&own.z, &own.w, &own.dw, &own.f};
    for (int i = 0; i < 4; ++i, next += RADAU_STAGES * n) {
        *rows[i] = next;
    }
    own.scale = next;
    own.error = own.scale + n;
    own.point = own.error + n;
    own.pair = own.point + n; /* complex */
    own.jacobian = own.pair + 2 * n;
    own.real = own.jacobian + n * n;
    own.complex = own.real + n * n; /* 2 n^2 */
    own.pivots = (int *)(own.complex + 2 * n * n);
    own.complex_pivots = own.pivots + n;
    own.kept = (vcg_radau_memory *)(own.complex + 2 * n * n + 2 * n);
    return own;
}

int vcg_radau_jacobian(vcg_stepper *at, const vcg_radau_work *own)
{
    vcg_bound *bound = at->bound;
    int where = -1;
    if (vcg_signals_at(bound, at->step.t, at->y) != VCG_DONE) {
        return VCG_SIGNAL_ERROR;
    }
    const int status = bound->model->jacobian(at->step.t, at->y, own->jacobian, bound->w, bound->g, bound->signals,
                                              bound->scratch, &where);
    ++at->statistics->jacobians;
    own->kept->fresh = 1;
    own->kept->factored = 0.0;
    at->where = status != 0 ? where : at->where;
    return status == 0 ? VCG_DONE : status > 0 ? VCG_SINGULAR : VCG_FATAL;
}

/* Factorise REAL/h - J and COMPLEX/h - J; 1 if one has no inverse. */
static int factorise(vcg_stepper *at, const vcg_radau_work *own, double h)
{
    const int n = at->n;
    for (int i = 0; i < n * n; ++i) {
        own->real[i] = own->complex[2 * i] = -own->jacobian[i];
        own->complex[2 * i + 1] = 0.0;
    }
    for (int i = 0; i < n; ++i) {
        own->real[i * n + i] += REAL / h;
        own->complex[2 * (i * n + i)] += COMPLEX[0] / h;
        own->complex[2 * (i * n + i) + 1] += COMPLEX[1] / h;
    }
    ++at->statistics->factorisations;
    own->kept->factored = h;
    return vcg_lu_factor(n, own->real, own->pivots) || vcg_lu_factor_complex(n, own->complex, own->complex_pivots);
}

/* rows = matrix * others, for RADAU_STAGES rows */
static void transform(const vcg_stepper *at, const double matrix[RADAU_STAGES][RADAU_STAGES], const double *others, double *rows)
{
    const int w = at->width;
    for (int s = 0; s < RADAU_STAGES; ++s) {
        for (int i = 0; i < at->n; ++i) {
            rows[s * w + i] =
                matrix[s][0] * others[i] + matrix[s][1] * others[w + i] + matrix[s][2] * others[2 * w + i];
        }
    }
}

/* A guess of the stages: the last step's polynomial carried on, or nothing. */
static void guess(const vcg_stepper *at, const vcg_radau_work *own, double h)
{
    const int w = at->width;
    const double *q = at->y + w;
    const double before = own->kept->size_before;
    for (int s = 0; s < RADAU_STAGES; ++s) {
        const double x = before > 0.0 ? 1.0 + C[s] * h / before : 1.0;
        for (int i = 0; i < at->n; ++i) {
            own->z[s * w + i] =
                (x - 1.0) * q[i] + (x * x - 1.0) * q[w + i] + (x * x * x - 1.0) * q[2 * w + i];
        }
    }
    transform(at, TI, own->z, own->w);
}

static int evaluate_stages(vcg_stepper *at, const vcg_radau_work *own, double h)
{
    for (int s = 0; s < RADAU_STAGES; ++s) {
        for (int i = 0; i < at->n; ++i) {
            own->point[i] = at->y[i] + own->z[s * at->width + i];
        }
        double *f = own->f + s * at->width;
        const int status = vcg_evaluate(at, at->step.t + C[s] * h, own->point, f);
        if (status != VCG_DONE) {
            return status;
        }
        if (!vcg_is_finite(at->n, f)) {
            return VCG_NOT_FINITE;
        }
    }
    return VCG_DONE;
}

/* One correction of Newton's; returns its size beside the tolerances. */
static double correct(const vcg_stepper *at, const vcg_radau_work *own, double h)
{
    const int n = at->n, w = at->width;
    double sum = 0.0;
    transform(at, TI, own->f, own->dw);
    for (int i = 0; i < n; ++i) {
        const double re = own->w[w + i], im = own->w[2 * w + i];
        own->dw[i] -= REAL / h * own->w[i];
        own->pair[2 * i] = own->dw[w + i] - (COMPLEX[0] * re - COMPLEX[1] * im) / h;
        own->pair[2 * i + 1] = own->dw[2 * w + i] - (COMPLEX[0] * im + COMPLEX[1] * re) / h;
    }
    vcg_lu_solve(n, own->real, own->pivots, own->dw);
    vcg_lu_solve_complex(n, own->complex, own->complex_pivots, own->pair);
    for (int i = 0; i < n; ++i) {
        own->dw[w + i] = own->pair[2 * i];
        own->dw[2 * w + i] = own->pair[2 * i + 1];
        for (int s = 0; s < RADAU_STAGES; ++s) {
            const double ratio = own->dw[s * w + i] / own->scale[i];
            sum += ratio * ratio;
        }
    }
    return sqrt(sum / (RADAU_STAGES * n));
}

/* Newton's iteration for the stages; 1 if it converged. */
static int solve_stages(vcg_stepper *at, const vcg_radau_work *own, double h)
{
    const double rtol = at->settings->rtol;
    const double tolerance = vcg_larger(10.0 * DBL_EPSILON / rtol, vcg_smaller(0.03, sqrt(rtol)));
    double before = 0.0, rate = -1.0;
    guess(at, own, h);
    for (int k = 0; k < RADAU_ITERATIONS; ++k) {
        own->kept->status = evaluate_stages(at, own, h);
        if (own->kept->status != VCG_DONE) {
            return 0;
        }
        const double size = correct(at, own, h);
        rate = before > 0.0 ? size / before : -1.0;
        own->kept->iterations = k + 1;
        ++at->statistics->iterations;
        own->kept->rate = rate;
        if (!(rate < 1.0) || (rate >= 0.0 && pow(rate, RADAU_ITERATIONS - k) / (1.0 - rate) * size > tolerance)) {
            return 0;
        }
        for (int i = 0; i < RADAU_STAGES * at->width; ++i) {
            own->w[i] += own->dw[i];
        }
        transform(at, T, own->w, own->z);
        if (size == 0.0 || (rate >= 0.0 && rate / (1.0 - rate) * size < tolerance)) {
            return 1;
        }
        before = size;
    }
    return 0;
}

int vcg_radau_converge(vcg_stepper *at, const vcg_radau_work *own, double h, int *converged)
{
    for (int i = 0; i < at->n; ++i) {
        own->scale[i] = at->settings->atol[i] + at->settings->rtol * fabs(at->y[i]);
    }
    for (;;) {
        *converged = 0;
        own->kept->status = VCG_DONE;
        const int regular = own->kept->factored == h || !factorise(at, own, h);
        if (regular && solve_stages(at, own, h)) {
            *converged = 1;
            return VCG_DONE;
        }
        if (vcg_failed(own->kept->status)) {
            return own->kept->status;
        }
        if (own->kept->fresh) {
            return VCG_DONE;
        }
        const int status = vcg_radau_jacobian(at, own);
        if (status != VCG_DONE) {
            return status;
        }
    }
}
