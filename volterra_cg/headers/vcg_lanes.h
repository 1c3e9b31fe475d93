/* The vector form of a generated rhs: VCG_LANES states at once, over the vector extension of GCC and Clang.
 *
 * The model's text of the function, written in the words of vcg_lanes_words.h, is compiled for vectors of 4 and of 8
 * doubles; this file, included after them, makes `rhs_lanes` of these, the member of the table. A lane's result depends
 * on its own inputs alone and has the same bits with any instructions: AVX-512 takes all lanes in one vector, the others
 * take two halves. What is taken is chosen at run time.
 */
#ifndef VCG_LANES_H
#define VCG_LANES_H

#include "vcg_model.h"

#define VCG_LANES_ARGUMENTS                                                                                \
    const double *t, const double *z, double *dz, const double *w, const double *g, const double *signals, \
        double *scratch, int *where

/* All lanes in two halves, with the instructions of `target`. */
#define VCG_RHS_IN_HALVES(target, name)                                                                      \
    target static __attribute__((noinline)) int name##_half(VCG_LANES_ARGUMENTS)                             \
    {                                                                                                        \
        return vcg_call_4(t, z, dz, w, g, signals, scratch, where);                                          \
    }                                                                                                        \
    target static int name(VCG_LANES_ARGUMENTS)                                                              \
    {                                                                                                        \
        const int status = name##_half(t, z, dz, w, g, signals, scratch, where);                             \
        return name##_half(t + 4, z + 4, dz + 4, w + 4, g + 4, signals + 4, scratch + 4, where + 4) ||       \
               status;                                                                                       \
    }

#ifdef __x86_64__
#ifndef VCG_SUPPORTS /* tests choose for themselves */
#define VCG_SUPPORTS(instructions) __builtin_cpu_supports(instructions)
#endif

VCG_RHS_IN_HALVES(, rhs_lanes_any)
VCG_RHS_IN_HALVES(__attribute__((target("avx2"))), rhs_lanes_avx2)

__attribute__((target("avx512f"))) static int rhs_lanes_avx512(VCG_LANES_ARGUMENTS)
{
    return vcg_call_8(t, z, dz, w, g, signals, scratch, where);
}

static int rhs_lanes(VCG_LANES_ARGUMENTS)
{
    if (VCG_SUPPORTS("avx512f")) {
        return rhs_lanes_avx512(t, z, dz, w, g, signals, scratch, where);
    }
    return VCG_SUPPORTS("avx2") ? rhs_lanes_avx2(t, z, dz, w, g, signals, scratch, where)
                                          : rhs_lanes_any(t, z, dz, w, g, signals, scratch, where);
}
#else
VCG_RHS_IN_HALVES(, rhs_lanes)
#endif

#endif
