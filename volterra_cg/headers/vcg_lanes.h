/* The vector form of a generated rhs: VCG_LANES states at once, over the vector extension of GCC and Clang.
 *
 * The model's text of the function, written in the words of vcg_lanes_words.h, is compiled for vectors of several widths;
 * this file, included after them, makes `rhs_lanes` of these, the member of the table. A lane's result depends on its own
 * inputs alone and has the same bits with any instructions: AVX-512 takes all lanes in one vector, others take
 * parts, and a processor without fused products takes one after the other where these are asked for. What is taken is chosen
 * at run time.
 */
#ifndef VCG_LANES_H
#define VCG_LANES_H

#include "vcg_model.h"

#define VCG_LANES_ARGUMENTS                                                                                \
    const double *t, const double *z, double *dz, const double *w, const double *g, const double *signals, \
        double *scratch, int *where

/* All lanes in parts of a width, with the instructions of `target`. */
#define VCG_RHS_IN_PARTS(target, name, width)                                                                          \
    target static __attribute__((noinline)) int name##_part(VCG_LANES_ARGUMENTS)                                       \
    {                                                                                                                  \
        return vcg_call_##width(t, z, dz, w, g, signals, scratch, where);                                              \
    }                                                                                                                  \
    target static int name(VCG_LANES_ARGUMENTS)                                                                        \
    {                                                                                                                  \
        int status = 0;                                                                                                \
        for (int k = 0; k < VCG_LANES; k += width) {                                                                   \
            status |= name##_part(t + k, z + k, dz + k, w + k, g + k, signals + k, scratch + k, where + k);            \
        }                                                                                                              \
        return status;                                                                                                 \
    }

#ifdef __x86_64__
#ifdef VCG_FUSED
static void vcg_take_lane(int count, const double *lanes, double *one)
{
    for (int i = 0; i < count; ++i) {
        one[i] = lanes[i * VCG_LANES];
    }
}

static void vcg_put_lane(int count, const double *one, double *lanes)
{
    for (int i = 0; i < count; ++i) {
        lanes[i * VCG_LANES] = one[i];
    }
}

/* One state after the other, by the form of rhs for any processor. Where fused products are calls of the C library, vectors
 * gain nothing, and one more of them in each model would take as long to compile as the others together. */
static int rhs_lanes_any(VCG_LANES_ARGUMENTS)
{
    double own_z[VCG_STATES + 1], own_dz[VCG_STATES + 1], own_w[VCG_PREPARED + 1], own_g[VCG_MOMENTA + 1];
    double own_signals[VCG_SIGNALS + 1], own_scratch[VCG_SCRATCH + 1];
    int status = 0;
    for (int k = 0; k < VCG_LANES; ++k) {
        vcg_take_lane(VCG_STATES, z + k, own_z);
        vcg_take_lane(VCG_PREPARED, w + k, own_w);
        vcg_take_lane(VCG_MOMENTA, g + k, own_g);
        vcg_take_lane(VCG_SIGNALS, signals + k, own_signals);
        where[k] = -1;
        if (rhs_any(t[k], own_z, own_dz, own_w, own_g, own_signals, own_scratch, where + k)) {
            status = 1;
            continue;
        }
        vcg_put_lane(VCG_STATES, own_dz, dz + k);
        vcg_put_lane(VCG_DIVISORS, own_scratch, scratch + k);
    }
    return status;
}
VCG_RHS_IN_PARTS(VCG_FAST, rhs_lanes_avx2, 4)
#else
#ifndef VCG_SUPPORTS /* tests choose for themselves */
#define VCG_SUPPORTS(instructions) __builtin_cpu_supports(instructions)
#endif
#define VCG_IS_FAST VCG_SUPPORTS("avx2")
VCG_RHS_IN_PARTS(, rhs_lanes_any, 4)
VCG_RHS_IN_PARTS(__attribute__((target("avx2"))), rhs_lanes_avx2, 4)
#endif

__attribute__((target("avx512f"))) static int rhs_lanes_avx512(VCG_LANES_ARGUMENTS)
{
    return vcg_call_8(t, z, dz, w, g, signals, scratch, where);
}

static int rhs_lanes(VCG_LANES_ARGUMENTS)
{
    if (VCG_SUPPORTS("avx512f")) {
        return rhs_lanes_avx512(t, z, dz, w, g, signals, scratch, where);
    }
    return VCG_IS_FAST ? rhs_lanes_avx2(t, z, dz, w, g, signals, scratch, where)
                       : rhs_lanes_any(t, z, dz, w, g, signals, scratch, where);
}
#elif defined(VCG_FUSED)
VCG_RHS_IN_PARTS(, rhs_lanes, 2)
#else
VCG_RHS_IN_PARTS(, rhs_lanes, 4)
#endif

#endif
