/* Dormand and Prince's method of order 8 in lanes, with the control of steps of Hairer, Norsett and Wanner. */
#include "dop853_table.h"
#include "many_lanes.h"

static const double SAFETY = 0.9, SHRINK = 0.2, GROW = 10.0;

static void measure(const vcg_ensemble *at)
{
    at->kernels->square_errors(at);
}

/* The root mean square of values, less others, relative to the tolerance. */
static double norm(const vcg_ensemble *at, int k, const double *values, const double *less)
{
    const vcg_many_settings *settings = &at->task->settings;
    double sum = 0.0;
    for (int i = 0; i < at->n; ++i) {
        const double scale = settings->atol[i] + settings->rtol * fabs(at->y[i * L + k]);
        const double ratio = (values[i * L + k] - (less ? less[i * L + k] : 0.0)) / scale;
        sum += ratio * ratio;
    }
    return sqrt(sum / at->n);
}

/* Hairer's choice of a first step, from the state, its derivative and the change of that over a small step. */
static void begin(vcg_ensemble *at, int k, int tried)
{
    vcg_lane *lane = at->lane + k;
    const double longest = vcg_many_smaller(at->largest, lane->stop - lane->t), *f = at->k, *fnew = f + at->n * L;
    const double rate = norm(at, k, f, NULL);
    if (!tried) {
        const double state = norm(at, k, at->y, NULL);
        lane->size = vcg_many_smaller(state < 1e-5 || rate < 1e-5 ? 1e-6 : 0.01 * state / rate, longest);
        for (int i = 0; i < at->n; ++i) {
            at->inner[i * L + k] = at->y[i * L + k] + lane->size * f[i * L + k];
        }
        at->time[k] = lane->t + lane->size;
        return;
    }
    if (lane->failed) {
        lane->failed = VCG_DONE; /* keep the small step */
        return;
    }
    const double trial = lane->size, steepest = vcg_many_larger(rate, norm(at, k, fnew, f) / trial);
    const double bound = steepest <= 1e-15 ? vcg_many_larger(1e-6, 1e-3 * trial) : pow(0.01 / steepest, 1.0 / 8);
    const double size = vcg_many_smaller(vcg_many_smaller(100.0 * trial, bound), longest);
    lane->size = size > 0.0 ? size : trial;
}

static void propose(vcg_ensemble *at, int k)
{
    vcg_lane *lane = at->lane + k;
    const double left = lane->stop - lane->t;
    lane->wanted = vcg_many_smaller(lane->size, at->largest);
    lane->size = vcg_many_smaller(lane->wanted, left);
    at->h[k] = lane->size;
    lane->tnew = lane->size == left ? lane->stop : lane->t + lane->size;
}

static int judge(vcg_ensemble *at, int k)
{
    vcg_lane *lane = at->lane + k;
    const double five = at->sums[k], three = at->sums[L + k], least = 10.0 * vcg_many_spacing(lane->t);
    const double size = five == 0.0 && three == 0.0 ? 0.0 : five / sqrt((five + 0.01 * three) * at->n);
    const double error = lane->failed ? HUGE_VAL : lane->size * size;
    const double change = SAFETY / sqrt(sqrt(sqrt(error)));
    if (error < 1.0 && at->sums[2 * L + k] == 0.0) {
        const double most = lane->fresh ? GROW : 1.0;
        lane->size *= vcg_many_smaller(change, most);
        if (lane->fresh && change >= GROW) { /* too small an error to say more than that the step was cut short */
            lane->size = vcg_many_larger(lane->size, lane->wanted);
        }
        return VCG_DONE;
    }
    if (lane->size <= least) {
        return vcg_many_end(at, k, error);
    }
    lane->size = vcg_many_larger(least, lane->size * vcg_many_larger(change, SHRINK));
    return TRY_AGAIN;
}

/* The interpolant is s (f0 + r (f1 + s (f2 + r (f3 + ...)))) with r = 1 - s. */
static void weights(double h, double s, double *result)
{
    double product = 1.0;
    (void)h;
    for (int term = 0; term < TERMS; ++term) {
        product *= term % 2 == 0 ? s : 1.0 - s;
        result[term] = product;
    }
}

const vcg_many_integrator vcg_many_dop853 = {.adaptive = 1,
                                         .stages = STAGES + 1,
                                         .all = ALL_STAGES,
                                         .columns = ALL_STAGES - 1,
                                         .fraction = 1.0,
                                         .a = A[0],
                                         .c = C,
                                         .errors = {E5, E3},
                                         .dense = D[0],
                                         .tries = 1,
                                         .begin = begin,
                                         .propose = propose,
                                         .measure = measure,
                                         .judge = judge,
                                         .weights = weights};
