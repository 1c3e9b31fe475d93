/* Dormand and Prince's pair in lanes: with MATLAB's control of steps (ode45), and with steps of one size (dopri5). */
#include "many_lanes.h"
#include "ode45_table.h"

static void measure(const vcg_ensemble *at)
{
    at->kernels->largest_error(at);
}

/* The first step: as far as results are apart, unless the derivative asks for less. */
static void begin(vcg_ensemble *at, int k, int tried)
{
    const vcg_many_task *task = at->task;
    const double rtol = task->settings.rtol, *atol = task->settings.atol;
    vcg_lane *lane = at->lane + k;
    double rate = 0.0;
    (void)tried;
    for (int i = 0; i < at->n; ++i) {
        const double size = vcg_many_larger(fabs(at->y[i * L + k]), atol[i] / rtol);
        rate = vcg_many_larger(fabs(at->k[i * L + k]) / size, rate);
    }
    rate /= 0.8 * pow(rtol, 0.2);
    const double h = vcg_many_smaller(at->largest, task->times[1] - task->times[0]);
    lane->size = vcg_many_larger(h * rate > 1.0 ? 1.0 / rate : h, 16.0 * vcg_many_spacing(lane->t));
}

static void propose(vcg_ensemble *at, int k)
{
    vcg_lane *lane = at->lane + k;
    const double left = lane->stop - lane->t;
    if (lane->fresh) {
        lane->size = vcg_many_smaller(at->largest, vcg_many_larger(16.0 * vcg_many_spacing(lane->t), lane->size));
        lane->wanted = lane->size;
        lane->last = 1.1 * lane->size >= left;
        lane->size = lane->last ? left : lane->size;
    }
    at->h[k] = vcg_many_smaller(lane->size, left);
    lane->tnew = lane->last ? lane->stop : lane->t + lane->size;
}

static int judge(vcg_ensemble *at, int k)
{
    const double rtol = at->task->settings.rtol;
    vcg_lane *lane = at->lane + k;
    const double error = lane->failed ? HUGE_VAL : lane->size * at->sums[k];
    if (error <= rtol && at->sums[2 * L + k] == 0.0) {
        const double shrink = lane->fresh ? 1.25 * pow(error / rtol, 0.2) : 1.0;
        lane->size = shrink > 0.2 ? lane->size / shrink : vcg_many_larger(lane->size / 0.2, lane->wanted);
        return VCG_DONE;
    }
    const double least = 16.0 * vcg_many_spacing(lane->t);
    if (lane->size <= least) {
        return vcg_many_end(at, k, error);
    }
    const double factor = lane->fresh ? vcg_many_larger(0.8 * pow(rtol / error, 0.2), 0.1) : 0.5;
    lane->size = vcg_many_larger(least, lane->size * factor);
    lane->last = 0;
    return TRY_AGAIN;
}

static void weights(double h, double s, double *result)
{
    for (int j = 0; j < STAGES; ++j) {
        result[j] = h * s * (B[j][0] + s * (B[j][1] + s * (B[j][2] + s * B[j][3])));
    }
}

const vcg_many_integrator vcg_many_ode45 = {.adaptive = 1,
                                        .stages = STAGES,
                                        .all = STAGES,
                                        .columns = STAGES - 1,
                                        .fraction = 0.1,
                                        .a = A[0],
                                        .c = C,
                                        .errors = {E},
                                        .begin = begin,
                                        .propose = propose,
                                        .measure = measure,
                                        .judge = judge,
                                        .weights = weights};

const vcg_many_integrator vcg_many_dopri5 = {.stages = STAGES,
                                         .all = STAGES,
                                         .columns = STAGES - 1,
                                         .fraction = 1.0,
                                         .a = A[0],
                                         .c = C,
                                         .propose = vcg_many_propose_fixed,
                                         .judge = vcg_many_judge_fixed};
