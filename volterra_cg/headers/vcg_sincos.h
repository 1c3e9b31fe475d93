/* Sine and cosine of a vector of angles, over the vector extension of GCC and Clang.
 *
 * Define VCG_WIDTH (1, 2, 4 or 8) and include this file, which takes the definition away again. Width 4 gives the types
 * vcg_doubles_4 and vcg_integers_4 and
 *
 *     void vcg_sincos_4(const vcg_doubles_4 *x, vcg_doubles_4 *sine, vcg_doubles_4 *cosine);
 *
 * which is inlined into its caller and takes the instructions of that: write __attribute__((target("avx2"))) there.
 * A lane's result depends on its angle alone, bit for bit: not on its neighbours, on the width, or on the instructions
 * (compile with -ffp-contract=off). The error is below 1.1 ulp up to |x| = VCG_SINCOS_MOST; larger angles and
 * infinities are given to the C library, lane by lane; NaN stays NaN. After vcg_fused.h, products and sums are fused: that
 * has other bits, and widths 4 and 8 are then for callers with the instructions of vcg_inline_4 and vcg_inline_8.
 *
 * The angle less the nearest multiple n of pi/2 is taken in three parts (Cody and Waite): the products of n with the
 * first two are exact, and the difference is kept as a sum of two doubles, which is good for the double nearest to any
 * multiple of pi/2 in the range. The polynomials are those of fdlibm (Sun Microsystems, 1993), good to 2^-57 on
 * [-pi/4, pi/4].
 */
#include <math.h>

#ifndef VCG_SINCOS_H
#define VCG_SINCOS_H
#define VCG_SINCOS_MOST 65536.0
#define VCG_JOINED(name, width) name##_##width
#define VCG_WIDE(name, width) VCG_JOINED(name, width)
#define VCG_INLINE static inline __attribute__((always_inline, unused))
#define VCG_SINCOS_ALL(number) ((number) - (VCG_DOUBLES){0})
#ifdef VCG_FUSED
#define VCG_SINCOS_INLINE VCG_WIDE(vcg_inline, VCG_WIDTH)
#define VCG_SINCOS_FMA(a, b, c) VCG_WIDE(vcg_fma, VCG_WIDTH)(a, b, c)
#define VCG_SINCOS_FNMA(a, b, c) VCG_WIDE(vcg_fnma, VCG_WIDTH)(a, b, c)
#else
#define VCG_SINCOS_INLINE VCG_INLINE
#define VCG_SINCOS_FMA(a, b, c) ((c) + (a) * (b))
#define VCG_SINCOS_FNMA(a, b, c) ((c) - (a) * (b))
#endif
#endif

#if (VCG_WIDTH == 1 && !defined(VCG_SINCOS_1)) || (VCG_WIDTH == 2 && !defined(VCG_SINCOS_2)) || \
    (VCG_WIDTH == 4 && !defined(VCG_SINCOS_4)) || (VCG_WIDTH == 8 && !defined(VCG_SINCOS_8))
#if VCG_WIDTH == 1
#define VCG_SINCOS_1
#elif VCG_WIDTH == 2
#define VCG_SINCOS_2
#elif VCG_WIDTH == 4
#define VCG_SINCOS_4
#else
#define VCG_SINCOS_8
#endif

#define VCG_DOUBLES VCG_WIDE(vcg_doubles, VCG_WIDTH)
#define VCG_INTEGERS VCG_WIDE(vcg_integers, VCG_WIDTH)

typedef double VCG_DOUBLES __attribute__((vector_size(8 * VCG_WIDTH), may_alias));
typedef unsigned long long VCG_INTEGERS __attribute__((vector_size(8 * VCG_WIDTH), may_alias));

/* Angles out of range, by the C library; kept out of line, and out of the caller's registers. */
static __attribute__((noinline, cold, unused)) void VCG_WIDE(vcg_sincos_far, VCG_WIDTH)(const double *x, double *sine,
                                                                                      double *cosine)
{
    for (int i = 0; i < VCG_WIDTH; ++i) {
        if (fabs(x[i]) > VCG_SINCOS_MOST) {
            sine[i] = sin(x[i]);
            cosine[i] = cos(x[i]);
        }
    }
}

/* The turns n = x / (pi/2), rounded, in the low bits of `turns`, and the rest of the angle as high - rest. */
VCG_SINCOS_INLINE void VCG_WIDE(vcg_reduced, VCG_WIDTH)(const VCG_DOUBLES *x, VCG_INTEGERS *turns, VCG_DOUBLES *high,
                                               VCG_DOUBLES *rest)
{
    const VCG_DOUBLES shifted = VCG_SINCOS_FMA(*x, VCG_SINCOS_ALL(0x1.45f306dc9c883p-1), VCG_SINCOS_ALL(0x1.8p52));
    const VCG_DOUBLES n = shifted - 0x1.8p52;
    const VCG_DOUBLES first = VCG_SINCOS_FNMA(n, VCG_SINCOS_ALL(0x1.921fb54440000p+0), *x); /* exact product */
    const VCG_DOUBLES second = VCG_SINCOS_ALL(0x1.68c234c4c0000p-39);                       /* exact product with n */
    *turns = (VCG_INTEGERS)shifted;
    *high = VCG_SINCOS_FNMA(n, second, first);
    *rest = VCG_SINCOS_FMA(n, VCG_SINCOS_ALL(0x1.98a2e03707345p-77), -VCG_SINCOS_FNMA(n, second, first - *high));
}

/* Sine and cosine of high - rest, at most pi/4. */
VCG_SINCOS_INLINE void VCG_WIDE(vcg_sincos_rest, VCG_WIDTH)(const VCG_DOUBLES *high, const VCG_DOUBLES *low, VCG_DOUBLES *sine,
                                                    VCG_DOUBLES *cosine)
{
    const VCG_DOUBLES r = *high, rest = *low, z = r * r;
    VCG_DOUBLES s = VCG_SINCOS_FMA(z, VCG_SINCOS_ALL(1.58969099521155010221e-10), VCG_SINCOS_ALL(-2.50507602534068634195e-08));
    VCG_DOUBLES c = VCG_SINCOS_FMA(z, VCG_SINCOS_ALL(-1.13596475577881948265e-11), VCG_SINCOS_ALL(2.08757232129817482790e-09));
    c = VCG_SINCOS_FMA(z, c, VCG_SINCOS_ALL(-2.75573143513906633035e-07));
    s = VCG_SINCOS_FMA(z, s, VCG_SINCOS_ALL(2.75573137070700676789e-06));
    c = VCG_SINCOS_FMA(z, c, VCG_SINCOS_ALL(2.48015872894767294178e-05));
    s = VCG_SINCOS_FMA(z, s, VCG_SINCOS_ALL(-1.98412698298579493134e-04));
    c = VCG_SINCOS_FMA(z, c, VCG_SINCOS_ALL(-1.38888888888741095749e-03));
    s = VCG_SINCOS_FMA(z, s, VCG_SINCOS_ALL(8.33333333332248946124e-03));
    c = VCG_SINCOS_FMA(z, c, VCG_SINCOS_ALL(4.16666666666666019037e-02));
    s = VCG_SINCOS_FMA(z, s, VCG_SINCOS_ALL(-1.66666666666666324348e-01));
    const VCG_DOUBLES more = VCG_SINCOS_FMA(z * z, c, r * rest);
    *sine = r - VCG_SINCOS_FNMA(z * r, s, rest); /* -0 stays -0 */
    *cosine = 1.0 - VCG_SINCOS_FMA(z, VCG_SINCOS_ALL(0.5), -more);
}

/* Sine and cosine of angles in range; the lanes of `far` whose angle is not get all bits set, and nothing of use. */
VCG_SINCOS_INLINE void VCG_WIDE(vcg_sincos_near, VCG_WIDTH)(const VCG_DOUBLES *x, VCG_DOUBLES *sine, VCG_DOUBLES *cosine,
                                                    VCG_INTEGERS *far)
{
    VCG_DOUBLES r, rest, near_sine, near_cosine;
    VCG_INTEGERS turns;
    const VCG_DOUBLES angle = *x;
    VCG_WIDE(vcg_reduced, VCG_WIDTH)(&angle, &turns, &r, &rest);
    VCG_WIDE(vcg_sincos_rest, VCG_WIDTH)(&r, &rest, &near_sine, &near_cosine);
    /* Odd turns swap the two; the second bit of n gives the sign of the sine, that of n + 1 the sign of the cosine. */
    const VCG_INTEGERS a = (VCG_INTEGERS)near_sine, b = (VCG_INTEGERS)near_cosine;
    const VCG_INTEGERS other = (a ^ b) & -(turns & 1);
    *far |= (VCG_INTEGERS)((VCG_DOUBLES)((VCG_INTEGERS)angle & 0x7fffffffffffffffULL) > VCG_SINCOS_MOST);
    *sine = (VCG_DOUBLES)(a ^ other ^ ((turns & 2) << 62));
    *cosine = (VCG_DOUBLES)(b ^ other ^ (((turns + 1) & 2) << 62));
}

/* Whether any lane has a bit set. */
VCG_SINCOS_INLINE int VCG_WIDE(vcg_any, VCG_WIDTH)(const VCG_INTEGERS *bits)
{
    unsigned long long any = 0;
    for (int i = 0; i < VCG_WIDTH; ++i) {
        any |= (*bits)[i];
    }
    return __builtin_expect(any != 0, 0);
}

VCG_SINCOS_INLINE void VCG_WIDE(vcg_sincos, VCG_WIDTH)(const VCG_DOUBLES *x, VCG_DOUBLES *sine, VCG_DOUBLES *cosine)
{
    VCG_INTEGERS far = {0};
    const VCG_DOUBLES angle = *x;
    VCG_WIDE(vcg_sincos_near, VCG_WIDTH)(&angle, sine, cosine, &far);
    if (VCG_WIDE(vcg_any, VCG_WIDTH)(&far)) {
        VCG_DOUBLES given = angle, first = *sine, second = *cosine; /* only these need an address */
        VCG_WIDE(vcg_sincos_far, VCG_WIDTH)((const double *)&given, (double *)&first, (double *)&second);
        *sine = first;
        *cosine = second;
    }
}

#undef VCG_DOUBLES
#undef VCG_INTEGERS
#endif
#undef VCG_WIDTH
