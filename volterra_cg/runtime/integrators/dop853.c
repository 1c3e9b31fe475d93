/* Dormand and Prince's method of order 8 as DOP853 of Hairer, Norsett and Wanner: the error from embedded results of
 * orders 5 and 3 in the root-mean-square norm, dense output of order 7 for three more evaluations a step, made only where
 * something is asked for inside the step.
 */
#include "dop853_table.h"
#include "stepper.h"

static const double SAFETY = 0.9, SHRINK = 0.2, GROW = 10.0;

/* The work space: the derivatives, the state at a stage, three sums, and zeros. */
static size_t doubles(int width)
{
    return (ALL_STAGES + 5) * (size_t)width;
}

static void arrange(vcg_stepper *at)
{
    at->f = at->work;
    at->fnew = at->f + STAGES * at->width;
}

/* result = y + h * (a row of A) * k, without the columns that are zero */
static void combine(const vcg_stepper *at, int row, double h, double *result)
{
    const int first = FIRST[row];
    const double *from = at->y;
    double weights[ALL_STAGES], *base = at->work + (ALL_STAGES + 1) * at->width;
    for (int j = 0; j < row; ++j) {
        weights[j] = h * A[row][j];
    }
    if (first > 0) {
        vcg_combine(at->width, 1, weights, from, at->f, base);
        from = base;
    }
    vcg_combine(at->width, row - first, weights + first, from, at->f + first * at->width, result);
}

static int stages(vcg_stepper *at, int first, int last, double h)
{
    double *inner = at->work + ALL_STAGES * at->width;
    for (int stage = first; stage < last; ++stage) {
        double *place = stage == STAGES ? at->ynew : inner;
        combine(at, stage, h, place);
        const int status = vcg_evaluate(at, at->t + C[stage] * h, place, at->f + stage * at->width);
        if (status != VCG_DONE) {
            return status;
        }
    }
    return VCG_DONE;
}

/* The error of a step beside the tolerance; the errors of order 5 and 3 need the first derivative and those from 5 on. */
static double error_of(const vcg_stepper *at, double h)
{
    const int width = at->width;
    double *e5 = at->work + (ALL_STAGES + 1) * width, *e3 = e5 + width, *first = e3 + width;
    const double *zero = first + width, *k = at->f + 5 * width;
    double five = 0.0, three = 0.0;
    vcg_combine(width, 1, E5, zero, at->f, first);
    vcg_combine(width, STAGES - 5, E5 + 5, first, k, e5);
    vcg_combine(width, 1, E3, zero, at->f, first);
    vcg_combine(width, STAGES - 5, E3 + 5, first, k, e3);
    for (int i = 0; i < at->n; ++i) {
        const double size = vcg_larger(fabs(at->ynew[i]), fabs(at->y[i]));
        const double scale = 1.0 / (at->settings->atol[i] + at->settings->rtol * size);
        five += (e5[i] * scale) * (e5[i] * scale);
        three += (e3[i] * scale) * (e3[i] * scale);
    }
    return five == 0.0 && three == 0.0 ? 0.0 : h * five / sqrt((five + 0.01 * three) * at->n);
}

static int begin(vcg_stepper *at)
{
    at->size = at->settings->first_step;
    return at->size > 0.0 ? VCG_DONE : vcg_hairer_first_step(at, 8.0, &at->size);
}

static int step(vcg_stepper *at)
{
    const double least = 10.0 * vcg_spacing(at->t), left = at->stop - at->t;
    const double wanted = vcg_larger(vcg_smaller(at->size, at->largest), least);
    double h = vcg_up_to(wanted, left);
    int clean = 1;
    for (;;) {
        const int status = stages(at, 1, STAGES + 1, h);
        if (vcg_failed(status)) {
            return status;
        }
        const double error = status == VCG_DONE ? error_of(at, h) : INFINITY;
        const double change = SAFETY / sqrt(sqrt(sqrt(error)));
        if (error < 1.0 && vcg_is_finite(at->n, at->ynew)) {
            at->tnew = h == left ? at->stop : at->t + h;
            at->size = clean ? vcg_next_size(h, change, GROW, wanted) : h * vcg_smaller(change, 1.0);
            at->fnew_known = 1;
            return VCG_DONE;
        }
        if (h <= least) {
            return status != VCG_DONE ? status : isfinite(error) ? VCG_TOO_SMALL : VCG_NOT_FINITE;
        }
        ++at->statistics->rejections;
        clean = 0;
        h = vcg_smaller(vcg_larger(least, h * vcg_larger(change, SHRINK)), left);
    }
}

static int prepare(vcg_stepper *at)
{
    const int width = at->width;
    const double h = at->tnew - at->t;
    const int status = stages(at, STAGES + 1, ALL_STAGES, h);
    if (status != VCG_DONE) {
        return status;
    }
    double *terms = at->y + width, *base = at->work + (ALL_STAGES + 1) * width;
    const double *zero = at->work + (ALL_STAGES + 4) * width;
    for (int i = 0; i < width; ++i) {
        const double difference = at->ynew[i] - at->y[i];
        terms[i] = difference;
        terms[width + i] = h * at->f[i] - difference;
        terms[2 * width + i] = 2.0 * difference - h * (at->fnew[i] + at->f[i]);
    }
    for (int term = 3; term < TERMS; ++term) {
        double weights[ALL_STAGES];
        for (int j = 0; j < ALL_STAGES; ++j) {
            weights[j] = h * D[term - 3][j];
        }
        vcg_combine(width, 1, weights, zero, at->f, base);
        vcg_combine(width, ALL_STAGES - 5, weights + 5, base, at->f + 5 * width, terms + term * width);
    }
    return VCG_DONE;
}

static void interpolate(int width, const double *restrict block, double h, double s, double *restrict result)
{
    const double *f = block + width, r = 1.0 - s;
    const int w = width;
    (void)h;
    for (int i = 0; i < w; ++i) {
        const double high = ((f[6 * w + i] * s + f[5 * w + i]) * r + f[4 * w + i]) * s;
        result[i] = block[i] + ((((high + f[3 * w + i]) * r + f[2 * w + i]) * s + f[w + i]) * r + f[i]) * s;
    }
}

const vcg_integrator vcg_dop853 = {.adaptive = 1,
                               .terms = TERMS,
                               .doubles = doubles,
                               .arrange = arrange,
                               .begin = begin,
                               .step = step,
                               .prepare = prepare,
                               .interpolate = interpolate};
