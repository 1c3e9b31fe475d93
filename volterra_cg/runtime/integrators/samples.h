/* Signals given by samples. */
#ifndef VCG_SAMPLES_H
#define VCG_SAMPLES_H

#include <math.h>

/* Straight lines between the samples, the end values outside. */
typedef struct vcg_samples {
    int signal, count;
    const double *times, *values;
} vcg_samples;

/* The last of the sampled times up to t, or -1. */
static inline int vcg_sample_before(const vcg_samples *of, double t)
{
    int low = -1, high = of->count; /* times[low] <= t < times[high] */
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        *(of->times[middle] <= t ? &low : &high) = middle;
    }
    return low;
}

static inline double vcg_sample(const vcg_samples *of, double t)
{
    if (!(t > of->times[0]) || t >= of->times[of->count - 1]) {
        return of->values[t > of->times[0] ? of->count - 1 : 0];
    }
    const int low = vcg_sample_before(of, t), high = low + 1;
    const double slope = (of->values[high] - of->values[low]) / (of->times[high] - of->times[low]);
    return of->values[low] + slope * (t - of->times[low]);
}

/* The first of the sampled times after t, or infinity. */
static inline double vcg_next_corner(const vcg_samples *of, double t)
{
    const int next = vcg_sample_before(of, t) + 1;
    return next < of->count ? of->times[next] : INFINITY;
}

#endif
