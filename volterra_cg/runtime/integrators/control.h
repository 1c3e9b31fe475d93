/* Step control, for single trajectories and lanes alike: how long a step is, when it is rejected, how long the next one is.
 *
 * A trial is proposed, made and judged; `vcg_accept` and `vcg_reject` are how a judgement ends. What is particular to an
 * integrator stands in its own file.
 */
#ifndef VCG_CONTROL_H
#define VCG_CONTROL_H

#include "status.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The step of a trajectory on its way. */
typedef struct vcg_step {
    double t, tnew; /* it goes from t to tnew */
    double size;    /* of the trial, or of the step to try next */
    double stop;    /* no step goes beyond: the end, or the next corner of a signal */
    double wanted;  /* the size before it was cut short there */
    double least;   /* no shorter step is tried */
    int rejected;   /* whether a longer trial of this step was */
    int last;       /* whether it ends at `stop` */
    double origin;  /* of the interval that steps of one size divide */
    long part, parts;
} vcg_step;

enum { VCG_TRY_AGAIN = -1 }; /* beside the statuses: the trial was rejected, and a smaller one is to follow */

static inline double vcg_larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double vcg_smaller(double a, double b)
{
    return a < b ? a : b;
}

/* The distance from |t| to the next larger double. */
static inline double vcg_spacing(double t)
{
    const double size = fabs(t);
    return nextafter(size, DBL_MAX) - size;
}

/* Whether every entry is a finite number; `stride` is the distance between entries, 1 or the number of lanes. */
static inline int vcg_are_finite(int n, int stride, const double *values)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i) {
        sum += 0.0 * values[i * stride]; /* NaN where a value is not finite */
    }
    return sum == 0.0;
}

/* --- trials -------------------------------------------------------------------------------------------------------- */

/* The longest step that is allowed unless told: all of the span, or a fraction of it. */
static inline double vcg_largest(double max_step, double span, double fraction)
{
    return max_step > 0.0 ? vcg_smaller(max_step, span) : fraction > 0.0 ? fraction * span : span;
}

/* A step, or what is left of the way if it is no longer or only by rounding. */
static inline double vcg_up_to(double h, double left)
{
    return h < left * (1.0 - 1e-10) ? h : left;
}

/* The size of the next trial, for which tnew is set. */
static inline double vcg_propose(vcg_step *step, double largest)
{
    const double left = step->stop - step->t;
    if (!step->rejected) {
        step->least = 10.0 * vcg_spacing(step->t);
        step->wanted = vcg_larger(vcg_smaller(step->size, largest), step->least);
    }
    step->size = step->rejected ? vcg_smaller(step->size, left) : vcg_up_to(step->wanted, left);
    step->tnew = step->size == left ? step->stop : step->t + step->size;
    return step->size;
}

/* The trial is good: the size of the next step. */
static inline int vcg_accept(vcg_step *step, double size)
{
    step->size = size;
    step->rejected = 0;
    return VCG_DONE;
}

/* The trial is not good: a smaller one, by a factor, or the end if it is as small as time resolves. `failed` is the status of
 * the model in it. */
static inline int vcg_reject(vcg_step *step, double factor, int failed, double error)
{
    if (step->size <= step->least) {
        return failed != VCG_DONE ? failed : isfinite(error) ? VCG_TOO_SMALL : VCG_NOT_FINITE;
    }
    step->size = vcg_larger(step->least, step->size * factor);
    step->rejected = 1;
    step->last = 0;
    return VCG_TRY_AGAIN;
}

/* The step after one that may grow by a factor, `most` at most. Where the step before was cut short at a corner of a signal
 * and its error is too small to say more, the size that was wanted there is good again. */
static inline double vcg_next_size(const vcg_step *step, double factor, double most)
{
    return factor < most ? step->size * factor : vcg_larger(step->size * most, step->wanted);
}

/* --- divisors --------------------------------------------------------------------------------------------------------
 *
 * Where a divisor of rhs changes its sign, the motion has crossed a singular configuration. Within a step its bounds in w are
 * therefore widened: a stage fails that meets the other sign; next to nothing of the largest size so far, where the
 * tolerances no longer tell a motion through zero from one that turns back; or a small part of the size at the beginning
 * of the step. Near a zero without a change of sign, trials then become shorter than the way to it. Steps of one size
 * cannot; there a parabola through the last three divisors tells whether they have touched zero.
 */

/* A divisor where a step begins, a step before, where its bounds followed it, its largest size then, the model's own bounds of
 * what is zero, and the bits of the numbers near where it was followed: the least of them, and how many come after it. */
typedef struct vcg_divisor {
    double begin, before, followed, largest, low, high;
    uint64_t least, near;
} vcg_divisor;

/* What a divisor must keep in a step that can be tried smaller, or in one of a fixed size. */
typedef struct vcg_guard {
    int adaptive;
    double part;    /* of the size at the beginning */
    double nothing; /* the part of the largest size that counts as nothing */
} vcg_guard;

/* A linkage that misses its loop by a little goes round a bifurcation, on another branch, at a distance of the root of that. */
static inline vcg_guard vcg_guard_of(int adaptive, double rtol, int holonomic)
{
    const double nothing = !adaptive || rtol > 1e-5 ? 1e-4 : rtol < 1e-9 ? 1e-8 : 10.0 * rtol;
    const double root = adaptive && holonomic > 0 ? vcg_smaller(sqrt(rtol), 1e-3) : 0.0;
    return (vcg_guard){.adaptive = adaptive, .part = adaptive ? 0.2 : 0.02, .nothing = vcg_larger(nothing, root)};
}

/* Bounds follow a divisor that has left this range about its size. */
static const double VCG_NEAR[2] = {0.6, 2.3};

/* Numbers of one sign are ordered, by size, as these are. */
static inline uint64_t vcg_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

/* The next step begins with a divisor that is still near; 0 if it is not, and `vcg_keep_divisor` is to follow. */
static inline int vcg_stays_near(vcg_divisor *divisor, double value)
{
    const int near = vcg_bits(value) - divisor->least <= divisor->near;
    if (near) {
        divisor->begin = value;
    }
    return near;
}

/* The next step begins with a divisor. */
static inline void vcg_keep_divisor(vcg_divisor *divisor, double value)
{
    const double low = VCG_NEAR[0] * value, high = VCG_NEAR[1] * value;
    divisor->before = divisor->begin;
    divisor->begin = divisor->followed = value;
    divisor->largest = vcg_larger(divisor->largest, fabs(value));
    divisor->least = vcg_bits(low);
    divisor->near = vcg_bits(high) - vcg_bits(low);
    if (!(vcg_bits(divisor->before) - divisor->least <= divisor->near)) {
        divisor->least = vcg_bits(NAN);
        divisor->near = 0;
    }
}

/* The first step after a change of the state begins with a divisor; `bounds` are those of the model. */
static inline void vcg_meet_divisor(vcg_divisor *divisor, double value, const double *bounds, int stride)
{
    *divisor = (vcg_divisor){.begin = value, .low = bounds[0], .high = bounds[stride]};
    vcg_keep_divisor(divisor, value);
}

/* Widen the bounds of a divisor for a step. */
static inline void vcg_widen(const vcg_divisor *divisor, const vcg_guard *guard, double *bounds, int stride)
{
    const double least = vcg_larger(guard->part * fabs(divisor->followed), guard->nothing * divisor->largest);
    bounds[0] = divisor->followed > 0.0 ? -INFINITY : -vcg_larger(least, -divisor->low);
    bounds[stride] = divisor->followed > 0.0 ? vcg_larger(least, divisor->high) : INFINITY;
}

static inline void vcg_restore(const vcg_divisor *divisor, double *bounds, int stride)
{
    bounds[0] = divisor->low;
    bounds[stride] = divisor->high;
}

/* The divisor that has kept the least of its largest size, of those that have lost half of it: its number, or -1. Why steps
 * become too small: VCG_SINGULAR if next to nothing is left, else VCG_TOO_SMALL. */
static inline int vcg_smallest_divisor(const vcg_divisor *divisors, int count, int stride, int *number)
{
    double least = 0.5;
    *number = -1;
    for (int i = 0; i < count; ++i) {
        const double size = fabs(divisors[i * stride].begin);
        if (size < least * divisors[i * stride].largest) {
            least = size / divisors[i * stride].largest;
            *number = i;
        }
    }
    return least < 1e-3 ? VCG_SINGULAR : VCG_TOO_SMALL;
}

/* Whether a divisor has touched zero within a step of the same size as the one before, by its value at the end. Then it fell
 * to a quarter in the step before, or to less. */
static inline int vcg_has_touched(const vcg_divisor *divisor, double end)
{
    const double before = divisor->before, begin = divisor->begin;
    const double slope = 0.5 * (end - before), bend = before - 2.0 * begin + end;
    const double place = -slope / bend; /* of the least value of the parabola */
    return divisor->near == 0 && before * begin > 0.0 && place > 0.0 && place < 1.0 &&
           (begin + 0.5 * slope * place) * begin < 0.01 * begin * (fabs(begin) < fabs(end) ? begin : end);
}

/* Whether two steps are of one size but for rounding. */
static inline int vcg_same_size(double a, double b)
{
    return fabs(a - b) <= 1e-6 * fabs(b);
}

/* --- steps of one size --------------------------------------------------------------------------------------------- */

/* The size of a step that divides the way to the target into equal parts no longer than max_step. */
static inline double vcg_propose_fixed(vcg_step *step, double target, double max_step)
{
    if (step->part == step->parts) {
        const double span = target - step->t, ratio = max_step > 0.0 ? span / max_step : 1.0;
        step->origin = step->t;
        step->part = 0;
        step->parts = ratio > 1.0 ? (long)ceil(vcg_smaller(ratio, 1e18) * (1.0 - 1e-12)) : 1;
        step->size = span / (double)step->parts;
    }
    ++step->part;
    step->tnew = step->part == step->parts ? target : step->origin + (double)step->part * step->size;
    return step->size;
}

/* A step of one size is accepted or ends the run. */
static inline int vcg_judge_fixed(const vcg_step *step, int failed, int finite)
{
    return failed != VCG_DONE ? failed : !finite ? VCG_NOT_FINITE : step->tnew > step->t ? VCG_DONE : VCG_TOO_SMALL;
}

/* --- the first step, after Hairer ---------------------------------------------------------------------------------- */

/* The root mean square of values, less others, beside the tolerance at y. */
static inline double vcg_norm(int n, int stride, const double *y, double rtol, const double *atol, const double *values,
                              const double *less)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i) {
        const double scale = atol[i] + rtol * fabs(y[i * stride]);
        const double ratio = (values[i * stride] - (less != NULL ? less[i * stride] : 0.0)) / scale;
        sum += ratio * ratio;
    }
    return sqrt(sum / n);
}

/* A small step to see how the derivative changes, from the norms of the state and of its derivative. */
static inline double vcg_first_trial(double state, double rate, double longest)
{
    return vcg_smaller(state < 1e-5 || rate < 1e-5 ? 1e-6 : 0.01 * state / rate, longest);
}

/* The first step, from the norm of that change; the trial where it met what is not finite. */
static inline double vcg_first_size(double trial, double rate, double change, double order, double longest)
{
    const double steepest = vcg_larger(rate, change / trial);
    const double bound = steepest <= 1e-15 ? vcg_larger(1e-6, 1e-3 * trial) : pow(0.01 / steepest, 1.0 / order);
    const double size = vcg_smaller(vcg_smaller(100.0 * trial, bound), longest);
    return size > 0.0 ? size : trial;
}

#endif
