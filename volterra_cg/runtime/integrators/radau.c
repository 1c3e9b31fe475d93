/* The Radau IIA method of order 5 after RADAU5 of Hairer and Wanner (Solving Ordinary Differential Equations II, IV.8):
 * Newton's iteration with a Jacobian that is kept as long as it serves, split into a real and a complex system of the
 * size of the state; Gustafsson's predictive steps; dense output of order 3 by the collocation polynomial.
 */
#include "lu.h"
#include "stepper.h"

#include <float.h>
#include <string.h>

enum { STAGES = 3, ITERATIONS = 6 };

static const double SHRINK = 0.2, GROW = 10.0, KEEP = 1.2;

#define S6 2.449489742783178
static const double C[STAGES] = {(4.0 - S6) / 10, (4.0 + S6) / 10, 1.0};
static const double E[STAGES] = {(-13.0 - 7.0 * S6) / 3, (-13.0 + 7.0 * S6) / 3, -1.0 / 3};

/* The eigenvalues of A^-1 and the matrices that bring it to diagonal form. */
static const double REAL = 3.637834252744496, COMPLEX[2] = {2.681082873627752, -3.050430199247411};
static const double T[STAGES][STAGES] = {{0.09443876248897524, -0.14125529502095421, 0.03002919410514742},
                                         {0.25021312296533332, 0.20412935229379994, -0.38294211275726192},
                                         {1.0, 1.0, 0.0}};
static const double TI[STAGES][STAGES] = {{4.17871859155190428, 0.32768282076106237, 0.52337644549944951},
                                          {-4.17871859155190428, -0.32768282076106237, 0.47662355450055044},
                                          {0.50287263494578682, -2.57192694985560522, 0.59603920482822492}};

/* Powers s, s^2, s^3 of the collocation polynomial from the stages. */
static const double P[STAGES][STAGES] = {{13.0 / 3 + 7.0 * S6 / 3, -23.0 / 3 - 22.0 * S6 / 3, 10.0 / 3 + 5.0 * S6},
                                         {13.0 / 3 - 7.0 * S6 / 3, -23.0 / 3 + 22.0 * S6 / 3, 10.0 / 3 - 5.0 * S6},
                                         {1.0 / 3, -8.0 / 3, 10.0 / 3}};

/* What is kept between steps stands at the beginning of the work space. */
typedef struct {
    double size_before, error_before; /* of the last accepted step, 0 at first */
    double rate;                      /* of Newton's convergence */
    double factored;                  /* the step that the factors belong to, 0 if to none */
    int fresh;                        /* whether the Jacobian is that of the present state */
    int iterations, status;           /* of the last attempt */
} memory;

typedef struct {
    memory *kept;
    double *z, *w, *dw, *f; /* STAGES rows each */
    double *scale, *error, *point, *pair, *jacobian, *real, *complex;
    int *pivots, *complex_pivots;
} space;

static size_t doubles(int width)
{
    const size_t n = (size_t)width;
    return sizeof(memory) / sizeof(double) + 1 + (4 * STAGES + 2 + 5) * n + 4 * n * n + 2 * n;
}

static space space_of(const vcg_stepper *at)
{
    const size_t n = (size_t)at->width;
    double *next = at->work + 2 * n; /* after f and fnew */
    space own;
    double **rows[] = {&own.z, &own.w, &own.dw, &own.f};
    for (int i = 0; i < 4; ++i, next += STAGES * n) {
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
    own.kept = (memory *)(own.complex + 2 * n * n + 2 * n);
    return own;
}

static void arrange(vcg_stepper *at)
{
    at->f = at->work;
    at->fnew = at->f + at->width;
}

static int find_jacobian(vcg_stepper *at, const space *own)
{
    vcg_bound *bound = at->bound;
    int where = -1;
    if (vcg_signals_at(bound, at->t, at->y) != VCG_DONE) {
        return VCG_SIGNAL_ERROR;
    }
    const int status = bound->model->jacobian(at->t, at->y, own->jacobian, bound->w, bound->g, bound->signals,
                                              bound->scratch, &where);
    ++at->statistics->jacobians;
    own->kept->fresh = 1;
    own->kept->factored = 0.0;
    at->where = status != 0 ? where : at->where;
    return status == 0 ? VCG_DONE : status > 0 ? VCG_SINGULAR : VCG_FATAL;
}

static int begin(vcg_stepper *at)
{
    const space own = space_of(at);
    memset(own.kept, 0, sizeof(memory));
    at->size = at->settings->first_step;
    const int status = at->size > 0.0 ? VCG_DONE : vcg_hairer_first_step(at, 4.0, &at->size);
    return status == VCG_DONE ? find_jacobian(at, &own) : status;
}

/* Factorise REAL/h - J and COMPLEX/h - J; 1 if one has no inverse. */
static int factorise(vcg_stepper *at, const space *own, double h)
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

/* rows = matrix * others, for STAGES rows */
static void transform(const vcg_stepper *at, const double matrix[STAGES][STAGES], const double *others, double *rows)
{
    const int w = at->width;
    for (int s = 0; s < STAGES; ++s) {
        for (int i = 0; i < at->n; ++i) {
            rows[s * w + i] =
                matrix[s][0] * others[i] + matrix[s][1] * others[w + i] + matrix[s][2] * others[2 * w + i];
        }
    }
}

/* A guess of the stages: the last step's polynomial carried on, or nothing. */
static void guess(const vcg_stepper *at, const space *own, double h)
{
    const int w = at->width;
    const double *q = at->y + w;
    const double before = own->kept->size_before;
    for (int s = 0; s < STAGES; ++s) {
        const double x = before > 0.0 ? 1.0 + C[s] * h / before : 1.0;
        for (int i = 0; i < at->n; ++i) {
            own->z[s * w + i] =
                (x - 1.0) * q[i] + (x * x - 1.0) * q[w + i] + (x * x * x - 1.0) * q[2 * w + i];
        }
    }
    transform(at, TI, own->z, own->w);
}

static int evaluate_stages(vcg_stepper *at, const space *own, double h)
{
    for (int s = 0; s < STAGES; ++s) {
        for (int i = 0; i < at->n; ++i) {
            own->point[i] = at->y[i] + own->z[s * at->width + i];
        }
        double *f = own->f + s * at->width;
        const int status = vcg_evaluate(at, at->t + C[s] * h, own->point, f);
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
static double correct(const vcg_stepper *at, const space *own, double h)
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
        for (int s = 0; s < STAGES; ++s) {
            const double ratio = own->dw[s * w + i] / own->scale[i];
            sum += ratio * ratio;
        }
    }
    return sqrt(sum / (STAGES * n));
}

/* Newton's iteration for the stages; 1 if it converged. */
static int solve_stages(vcg_stepper *at, const space *own, double h)
{
    const double rtol = at->settings->rtol;
    const double tolerance = vcg_larger(10.0 * DBL_EPSILON / rtol, vcg_smaller(0.03, sqrt(rtol)));
    double before = 0.0, rate = -1.0;
    guess(at, own, h);
    for (int k = 0; k < ITERATIONS; ++k) {
        own->kept->status = evaluate_stages(at, own, h);
        if (own->kept->status != VCG_DONE) {
            return 0;
        }
        const double size = correct(at, own, h);
        rate = before > 0.0 ? size / before : -1.0;
        own->kept->iterations = k + 1;
        own->kept->rate = rate;
        if (!(rate < 1.0) || (rate >= 0.0 && pow(rate, ITERATIONS - k) / (1.0 - rate) * size > tolerance)) {
            return 0;
        }
        for (int i = 0; i < STAGES * at->width; ++i) {
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

/* Solve for the stages, with a new Jacobian if the old one does not serve. */
static int converge(vcg_stepper *at, const space *own, double h, int *converged)
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
        const int status = find_jacobian(at, own);
        if (status != VCG_DONE) {
            return status;
        }
    }
}

/* error = (REAL/h - J)^-1 (f + Z E / h), beside the tolerances */
static double error_of(const vcg_stepper *at, const space *own, const double *f, double h)
{
    const int w = at->width;
    double sum = 0.0;
    for (int i = 0; i < at->n; ++i) {
        own->error[i] = f[i] + (E[0] * own->z[i] + E[1] * own->z[w + i] + E[2] * own->z[2 * w + i]) / h;
    }
    vcg_lu_solve(at->n, own->real, own->pivots, own->error);
    for (int i = 0; i < at->n; ++i) {
        const double size = vcg_larger(fabs(at->y[i]), fabs(at->ynew[i]));
        const double ratio = own->error[i] / (at->settings->atol[i] + at->settings->rtol * size);
        sum += ratio * ratio;
    }
    return sqrt(sum / at->n);
}

/* Gustafsson's factor: the error's fourth root, and less if the last step's error foretells it. */
static double factor_of(const memory *kept, double h, double error)
{
    double trend = 1.0;
    if (kept->size_before > 0.0 && error > 0.0) {
        trend = h / kept->size_before * sqrt(sqrt(kept->error_before / error));
    }
    return vcg_smaller(trend, 1.0) / sqrt(sqrt(error));
}

/* The error of converged stages; after a rejection a large one is looked at twice, as stiff components exaggerate it. */
static int judge(vcg_stepper *at, const space *own, double h, int rejected, double *error)
{
    for (int i = 0; i < at->n; ++i) {
        at->ynew[i] = at->y[i] + own->z[(STAGES - 1) * at->width + i];
    }
    *error = error_of(at, own, at->f, h);
    if (!(rejected && *error > 1.0)) {
        return VCG_DONE;
    }
    for (int i = 0; i < at->n; ++i) {
        own->point[i] = at->y[i] + own->error[i];
    }
    const int status = vcg_evaluate(at, at->t, own->point, at->fnew);
    if (status == VCG_DONE) {
        *error = error_of(at, own, at->fnew, h);
    }
    return vcg_failed(status) ? status : VCG_DONE;
}

/* Keep what the next step needs: the polynomial, the trend of the error, and factors as long as they serve. */
static int accept(vcg_stepper *at, const space *own, double h, double factor, double error)
{
    memory *kept = own->kept;
    const int w = at->width, renew = kept->iterations > 2 && kept->rate > 1e-3;
    double *q = at->y + w;
    for (int k = 0; k < STAGES; ++k) {
        for (int i = 0; i < at->n; ++i) {
            q[k * w + i] =
                own->z[i] * P[0][k] + own->z[w + i] * P[1][k] + own->z[2 * w + i] * P[2][k];
        }
    }
    factor = vcg_smaller(factor, GROW);
    at->size = h * (!renew && factor < KEEP && factor >= 1.0 / KEEP ? 1.0 : factor);
    kept->fresh = 0;
    kept->size_before = h;
    kept->error_before = vcg_larger(error, 1e-2);
    kept->factored = renew ? 0.0 : kept->factored;
    const int status = vcg_evaluate(at, at->tnew, at->ynew, at->fnew);
    at->fnew_known = status == VCG_DONE;
    return vcg_failed(status) ? status : VCG_DONE;
}

static int step(vcg_stepper *at)
{
    const space own = space_of(at);
    const double least = 10.0 * vcg_spacing(at->t), left = at->end - at->t;
    double h = vcg_up_to(vcg_smaller(at->size, at->largest), left);
    int rejected = 0, status = VCG_DONE;
    if (own.kept->factored == 0.0 && !own.kept->fresh) {
        status = find_jacobian(at, &own);
    }
    while (status == VCG_DONE) {
        int converged = 0;
        double error = NAN, factor = 0.5;
        status = converge(at, &own, h, &converged);
        if (converged) {
            const double safety = 0.9 * (2.0 * ITERATIONS + 1.0) / (2.0 * ITERATIONS + own.kept->iterations);
            status = judge(at, &own, h, rejected, &error);
            factor = safety * factor_of(own.kept, h, error);
            if (status == VCG_DONE && error <= 1.0 && vcg_is_finite(at->n, at->ynew)) {
                at->tnew = h == left ? at->end : at->t + h;
                return accept(at, &own, h, rejected ? vcg_smaller(factor, 1.0) : factor, error);
            }
        }
        if (status == VCG_DONE && h <= least) {
            return own.kept->status != VCG_DONE ? own.kept->status : VCG_TOO_SMALL;
        }
        ++at->statistics->rejections;
        rejected = 1;
        h = vcg_smaller(vcg_larger(least, h * vcg_larger(factor, SHRINK)), left);
    }
    return status;
}

static int prepare(vcg_stepper *at)
{
    (void)at; /* the polynomial was needed for the next guess already */
    return VCG_DONE;
}

static void interpolate(int width, const double *block, double h, double s, double *result)
{
    const double *q = block + width;
    (void)h;
    for (int i = 0; i < width; ++i) {
        result[i] = block[i] + s * (q[i] + s * (q[width + i] + s * q[2 * width + i]));
    }
}

const vcg_method vcg_radau = {.adaptive = 1,
                              .terms = STAGES,
                              .doubles = doubles,
                              .arrange = arrange,
                              .begin = begin,
                              .step = step,
                              .prepare = prepare,
                              .interpolate = interpolate};
