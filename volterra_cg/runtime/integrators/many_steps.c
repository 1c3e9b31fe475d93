/* One step in every lane: stages, judgement, and the results that lie in it. */
#include "many_lanes.h"

#include <string.h>

static void stages(vcg_ensemble *at, int first, int last)
{
    const vcg_many_integrator *integrator = at->integrator;
    for (int stage = first; stage < last; ++stage) {
        double *place = stage == integrator->stages - 1 ? at->ynew : at->inner;
        at->kernels->combine(at, at->rows + stage, place);
        for (int k = 0; k < L; ++k) {
            const vcg_step *step = &at->lane[k].step;
            at->time[k] = place == at->ynew ? step->tnew : step->t + integrator->c[stage] * at->h[k];
        }
        vcg_many_evaluate(at, place, at->k + (long)stage * at->n * L);
    }
}

/* The stages of a step. Where steps are not tried again, that the derivative at the result fails concerns the next one, unless
 * divisors are watched. */
static void try_step(vcg_ensemble *at)
{
    const int last = at->integrator->stages - 1;
    int failed[L];
    stages(at, 1, last);
    for (int k = 0; k < L; ++k) {
        failed[k] = at->lane[k].failed;
    }
    stages(at, last, last + 1);
    for (int k = 0; k < L && at->integrator->judge == NULL && at->model->divisors == 0; ++k) {
        at->lane[k].unknown = failed[k] ? VCG_DONE : at->lane[k].failed;
        at->lane[k].failed = failed[k];
    }
}

/* Put the interpolant of a lane into the block; says whether it is finite. */
static int gather_block(vcg_ensemble *at, int k)
{
    const double *terms = at->integrator->dense != NULL ? at->terms : at->k;
    const int count = at->integrator->all < MOST_TERMS ? at->integrator->all : MOST_TERMS;
    vcg_many_gather(at->n, at->y, k, at->block);
    for (int term = 0; term < count; ++term) {
        vcg_many_gather(at->n, terms + (long)term * at->n * L, k, at->block + (term + 1) * at->width);
    }
    return vcg_are_finite((1 + count) * at->width, 1, at->block);
}

/* Fill the results that lie in the step of a lane, up to its end. */
static int put(vcg_ensemble *at, int k)
{
    const vcg_many_task *task = at->task;
    vcg_lane *lane = at->lane + k;
    double *rows = task->results + lane->row * task->count * at->n;
    double *result = at->block + (1 + MOST_TERMS) * at->width;
    const double h = lane->step.tnew - lane->step.t;
    if (task->times[lane->next] < lane->step.tnew && !gather_block(at, k)) {
        return VCG_NOT_FINITE;
    }
    for (; lane->next < task->count && task->times[lane->next] < lane->step.tnew; ++lane->next) {
        at->integrator->interpolate(at->width, at->block, h, (task->times[lane->next] - lane->step.t) / h, result);
        memcpy(rows + (long)lane->next * at->n, result, (size_t)at->n * sizeof(double));
    }
    if (lane->next < task->count && task->times[lane->next] == lane->step.tnew) {
        vcg_many_gather(at->n, at->ynew, k, rows + (long)lane->next++ * at->n);
    }
    return VCG_DONE;
}

/* The interpolants of the lanes that are asked for something inside their steps. */
static void prepare(vcg_ensemble *at, const int *accepted)
{
    const vcg_many_task *task = at->task;
    const int more = at->integrator->all - at->integrator->stages;
    int any = 0;
    for (int k = 0; k < L; ++k) {
        vcg_lane *lane = at->lane + k;
        if (more > 0 && accepted[k] && task->times[lane->next] < lane->step.tnew) {
            lane->calls += more;
            any = 1;
        }
    }
    if (any) {
        for (int k = 0; k < L; ++k) {
            at->h[k] = accepted[k] ? at->lane[k].step.tnew - at->lane[k].step.t : 0.0;
        }
        vcg_many_guard(at, 0);
        stages(at, at->integrator->stages, at->integrator->all);
        vcg_many_guard(at, 1);
        at->kernels->prepare(at);
    }
}

/* What follows the accepted steps: results, the new state, the end. */
static void follow(vcg_ensemble *at, const int *accepted, const double *moves)
{
    int status[L];
    prepare(at, accepted);
    for (int k = 0; k < L; ++k) {
        vcg_lane *lane = at->lane + k;
        status[k] = VCG_DONE;
        if (accepted[k]) {
            const int inside = at->integrator->all > at->integrator->stages && at->task->times[lane->next] < lane->step.tnew;
            ++lane->steps;
            status[k] = inside && lane->failed ? lane->failed : put(at, k);
            lane->step.t = lane->step.tnew;
            lane->step.stop = vcg_many_stop(at, lane->step.t);
        }
    }
    at->kernels->move(at, moves);
    for (int k = 0; k < L; ++k) {
        vcg_lane *lane = at->lane + k;
        if (accepted[k] && (status[k] != VCG_DONE || lane->next == at->task->count)) {
            vcg_many_leave(at, k, status[k]);
        } else if (accepted[k] && lane->unknown) {
            vcg_many_leave(at, k, lane->unknown);
        }
    }
}

static double propose_fixed(vcg_ensemble *at, int k)
{
    vcg_lane *lane = at->lane + k;
    const double target = vcg_smaller(at->task->times[lane->next], lane->step.stop);
    return vcg_propose_fixed(&lane->step, target, at->task->settings.max_step);
}

static int judge_fixed(vcg_ensemble *at, int k)
{
    const vcg_lane *lane = at->lane + k;
    return vcg_judge_fixed(&lane->step, lane->failed, vcg_are_finite(at->n, L, at->ynew + k));
}

/* The divisors where the next steps begin; a lane in which one has touched zero is over. */
static void watch(vcg_ensemble *at, int *accepted, double *moves)
{
    const int any = at->kernels->watch(at, moves);
    for (int k = 0; any && k < L; ++k) {
        if (at->away[k] != 0 && vcg_many_follow_divisors(at, k) != VCG_DONE) {
            accepted[k] = 0;
            moves[k] = 0.0;
            vcg_many_leave(at, k, VCG_SINGULAR);
        }
    }
}

void vcg_many_step(vcg_ensemble *at)
{
    const vcg_many_integrator *integrator = at->integrator;
    int accepted[L] = {0};
    double moves[L] = {0.0};
    for (int k = 0; k < L; ++k) {
        vcg_lane *lane = at->lane + k;
        lane->failed = VCG_DONE;
        if (lane->row >= 0 && lane->steps + lane->rejections >= at->task->settings.max_steps) {
            vcg_many_leave(at, k, VCG_TOO_MANY_STEPS);
        }
        if (lane->row >= 0) {
            at->h[k] = integrator->propose != NULL ? integrator->propose(at, k) : propose_fixed(at, k);
        }
    }
    try_step(at);
    if (integrator->measure != NULL) {
        integrator->measure(at);
    }
    for (int k = 0; k < L; ++k) {
        vcg_lane *lane = at->lane + k;
        if (lane->row < 0) {
            continue;
        }
        const int status = integrator->judge != NULL ? integrator->judge(at, k) : judge_fixed(at, k);
        lane->calls += integrator->stages - 1;
        lane->rejections += status == VCG_TRY_AGAIN;
        moves[k] = accepted[k] = status == VCG_DONE;
        if (status > VCG_DONE) {
            vcg_many_leave(at, k, status == VCG_TOO_SMALL ? vcg_many_why_too_small(at, k) : status);
        }
    }
    if (at->model->divisors > 0) {
        watch(at, accepted, moves);
    }
    follow(at, accepted, moves);
}
