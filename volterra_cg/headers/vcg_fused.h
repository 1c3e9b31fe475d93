/* Fused arithmetic: a*b + c is rounded once, whatever compiles it and whatever runs it.
 *
 * A model says fma where it means that, and is compiled with -ffp-contract=off, so no compiler adds to it or takes away.
 * rhs is compiled twice: for processors that have the instruction, and for those that have not, where the C library does
 * the same slowly. Which of them is called is decided at run time; the bits are the same.
 *
 * vcg_fma_2, vcg_fma_4 and vcg_fma_8 take vectors, or numbers that stand for all lanes. On x86-64 the last two are for
 * functions with the instructions of vcg_inline_4 (AVX2 and FMA) and vcg_inline_8 (AVX-512).
 */
#ifndef VCG_FUSED_H
#define VCG_FUSED_H
#define VCG_FUSED

#include <math.h>

#ifdef __GNUC__
#define VCG_TEXT static inline __attribute__((always_inline))
#ifndef __clang__ /* a form of rhs keeps all arguments where they are, so that rhs just jumps to it */
#define VCG_FORM static __attribute__((noclone))
#endif
#define VCG_APART static __attribute__((noinline, unused))

#if defined(__FMA__) || defined(__FP_FAST_FMA) || defined(__aarch64__)
#define vcg_fma_2(a, b, c)                                                                        \
    (__extension__({                                                                              \
        const vcg_doubles_2 fma_a = (a), fma_b = (b), fma_c = (c);                                \
        (vcg_doubles_2){fma(fma_a[0], fma_b[0], fma_c[0]), fma(fma_a[1], fma_b[1], fma_c[1])};    \
    }))
#else
VCG_APART void vcg_fma_each(const double *a, const double *b, double *c)
{
    c[0] = fma(a[0], b[0], c[0]);
    c[1] = fma(a[1], b[1], c[1]);
}

#define vcg_fma_2(a, b, c)                                                                        \
    (__extension__({                                                                              \
        const vcg_doubles_2 fma_a = (a), fma_b = (b);                                             \
        vcg_doubles_2 fma_c = (c);                                                                \
        vcg_fma_each((const double *)&fma_a, (const double *)&fma_b, (double *)&fma_c);           \
        fma_c;                                                                                    \
    }))
#endif
#define vcg_fnma_2(a, b, c) vcg_fma_2(-(a), b, c)
#define vcg_inline_2 static inline __attribute__((always_inline, unused))
#define VCG_WIDTH 2
#include "vcg_sincos.h"

#define vcg_fma_1(a, b, c)                                                    \
    (__extension__({                                                          \
        const vcg_doubles_1 fma_a = (a), fma_b = (b), fma_c = (c);            \
        (vcg_doubles_1){fma(fma_a[0], fma_b[0], fma_c[0])};                   \
    }))
#define vcg_fnma_1(a, b, c) vcg_fma_1(-(a), b, c)
#define vcg_inline_1 static inline __attribute__((always_inline, unused))
#define VCG_WIDTH 1
#include "vcg_sincos.h"

#ifdef __x86_64__
#define VCG_FAST __attribute__((target("avx2,fma")))
#define vcg_inline_4 static inline __attribute__((always_inline, unused, target("avx2,fma")))
#define vcg_inline_8 static inline __attribute__((always_inline, unused, target("avx512f")))
#define VCG_AS_USUAL -1, 4 /* all lanes, rounded as the processor is told to */
#define vcg_fma_4(a, b, c) ((vcg_doubles_4)__builtin_ia32_vfmaddpd256(a, b, c))
#define vcg_fma_8(a, b, c) ((vcg_doubles_8)__builtin_ia32_vfmaddpd512_mask(a, b, c, VCG_AS_USUAL))
#ifdef __clang__ /* which takes a sign into the instruction by itself */
#define vcg_fnma_4(a, b, c) vcg_fma_4(-(a), b, c)
#define vcg_fnma_8(a, b, c) vcg_fma_8(-(a), b, c)
#else
#define vcg_fnma_4(a, b, c) ((vcg_doubles_4)__builtin_ia32_vfnmaddpd256(a, b, c))
#define vcg_fnma_8(a, b, c) ((vcg_doubles_8)__builtin_ia32_vfnmaddpd512_mask(a, b, c, VCG_AS_USUAL))
#endif
#define VCG_WIDTH 4
#include "vcg_sincos.h"
#ifndef VCG_SUPPORTS /* tests choose for themselves */
#define VCG_SUPPORTS(instructions) __builtin_cpu_supports(instructions)
#endif
#define VCG_IS_FAST (VCG_SUPPORTS("avx2") && VCG_SUPPORTS("fma"))
#endif

#if defined(__clang__) || __GNUC__ < 8 /* clang does so by itself */
#define VCG_UNROLLED
#else
#define VCG_UNROLLED _Pragma("GCC unroll 8")
#endif

/* The sine and the cosine of an angle below pi/4, which is its own rest: the bits of any width, sooner. */
vcg_inline_1 void vcg_small_wave(double angle, double *sine, double *cosine)
{
    const vcg_doubles_1 x = {angle}, rest = {0.0};
    vcg_doubles_1 y, z;
    vcg_sincos_rest_1(&x, &rest, &y, &z);
    *sine = y[0];
    *cosine = z[0];
}

/* Sines and cosines of several angles; `count` is a multiple of the width, or 1 with room for a vector. Angles are taken one by
 * one: the caller has just stored them so, and a load of all of them at once would wait until the stores are through. Unrolled,
 * none is stored at all. */
#define VCG_WAVES(width, ...)                                                                                       \
    vcg_inline_##width void vcg_waves_##width(int count, const double *angles, double *sines, double *cosines)      \
    {                                                                                                               \
        if (count == 1 && fabs(angles[0]) < 0.75) {                                                                 \
            vcg_small_wave(angles[0], sines, cosines);                                                              \
            return;                                                                                                 \
        }                                                                                                           \
        VCG_UNROLLED                                                                                                \
        for (int i = 0; i < count; i += width) {                                                                    \
            const double *const a = angles + i;                                                                     \
            vcg_doubles_##width x = {__VA_ARGS__}, sine, cosine;                                                    \
            vcg_sincos_##width(&x, &sine, &cosine);                                                                 \
            __builtin_memcpy(sines + i, &sine, sizeof x);                                                           \
            __builtin_memcpy(cosines + i, &cosine, sizeof x);                                                       \
        }                                                                                                           \
    }
VCG_WAVES(2, a[0], a[1])

#ifdef VCG_FAST
VCG_WAVES(4, a[0], a[1], a[2], a[3])

VCG_FAST VCG_APART void vcg_sincos_one_fast(double angle, double *sine, double *cosine)
{
    const double angles[4] = {angle};
    double sines[4], cosines[4];
    vcg_waves_4(1, angles, sines, cosines);
    *sine = sines[0];
    *cosine = cosines[0];
}
#endif

VCG_APART void vcg_sincos_one_any(double angle, double *sine, double *cosine)
{
    const double angles[2] = {angle};
    double sines[2], cosines[2];
    vcg_waves_2(1, angles, sines, cosines);
    *sine = sines[0];
    *cosine = cosines[0];
}

/* The sine and the cosine of one angle. */
VCG_APART void vcg_sincos_one(double angle, double *sine, double *cosine)
{
#ifdef VCG_FAST
    if (VCG_IS_FAST) {
        vcg_sincos_one_fast(angle, sine, cosine);
        return;
    }
#endif
    vcg_sincos_one_any(angle, sine, cosine);
}

#else /* a compiler without vectors: sines and cosines are those of the C library */
#define VCG_TEXT static inline
static inline void vcg_waves_2(int count, const double *angles, double *sines, double *cosines)
{
    for (int i = 0; i < count; ++i) {
        sines[i] = sin(angles[i]);
        cosines[i] = cos(angles[i]);
    }
}

static inline void vcg_sincos_one(double angle, double *sine, double *cosine)
{
    *sine = sin(angle);
    *cosine = cos(angle);
}
#endif

#ifndef VCG_FORM
#define VCG_FORM static
#endif

#endif
