/* The words in which rhs over lanes is written, for vectors of LANE_COUNT doubles, 2, 4 or 8; included once for each.
 *
 * LANES        a vector, one double in each lane
 * LANE_BITS    the same of integers; a comparison gives all bits or none
 * LANE_ENTRY   an entry of z, w, ... in memory: VCG_LANES doubles, of which `x` are the lanes at hand
 */
#include "vcg_model.h"

#define VCG_WIDTH LANE_COUNT
#include "vcg_sincos.h"

#ifndef VCG_LANES_WORDS_H
#define VCG_LANES_WORDS_H
#define VCG_LANES_OF(name) VCG_WIDE(name, LANE_COUNT)
#define LANES VCG_LANES_OF(vcg_doubles)
#define LANE_BITS VCG_LANES_OF(vcg_integers)
#define LANE_ENTRY VCG_LANES_OF(vcg_entry)
#define LANES_BODY VCG_LANES_OF(vcg_body)
#define LANES_ALL(number) ((number) - (LANES){0})
#ifdef VCG_FUSED
#define LANES_INLINE VCG_LANES_OF(vcg_inline)
#define lanes_fma(a, b, c) VCG_LANES_OF(vcg_fma)(a, b, c)
#define lanes_fnma(a, b, c) VCG_LANES_OF(vcg_fnma)(a, b, c)
#else
#define LANES_INLINE VCG_INLINE
#endif
#define LANES_ABS(lanes) ((LANES)((LANE_BITS)(lanes)&0x7fffffffffffffffULL))
#define lanes_sincos VCG_LANES_OF(vcg_sincos)
#define lanes_sincos_of VCG_LANES_OF(vcg_sincos_of)
#define lanes_tan VCG_LANES_OF(vcg_tan)
#define lanes_asin VCG_LANES_OF(vcg_asin)
#define lanes_acos VCG_LANES_OF(vcg_acos)
#define lanes_atan VCG_LANES_OF(vcg_atan)
#define lanes_sinh VCG_LANES_OF(vcg_sinh)
#define lanes_cosh VCG_LANES_OF(vcg_cosh)
#define lanes_tanh VCG_LANES_OF(vcg_tanh)
#define lanes_exp VCG_LANES_OF(vcg_exp)
#define lanes_log VCG_LANES_OF(vcg_log)
#define lanes_sqrt VCG_LANES_OF(vcg_sqrt)
#define lanes_abs VCG_LANES_OF(vcg_abs)
#define lanes_sign VCG_LANES_OF(vcg_sign)
#define lanes_atan2 VCG_LANES_OF(vcg_atan2)
#define lanes_pow VCG_LANES_OF(vcg_pow)
#define lanes_split VCG_LANES_OF(vcg_split)
#define lanes_join VCG_LANES_OF(vcg_join)
#define lanes_lu_factor VCG_LANES_OF(vcg_lu_factor)
#define lanes_lu_sign VCG_LANES_OF(vcg_lu_sign)
#define lanes_lu_back VCG_LANES_OF(vcg_lu_back)
#define lanes_ldl_factor VCG_LANES_OF(vcg_ldl_factor)
#define lanes_ldl_back VCG_LANES_OF(vcg_ldl_back)

#define VCG_LANE_BY_LANE(name, value)                        \
    LANES_INLINE void name(const LANES *x, LANES *result)      \
    {                                                        \
        LANES y;                                             \
        for (int i = 0; i < LANE_COUNT; ++i) {                \
            const double at = (*x)[i];                       \
            y[i] = (value);                                  \
        }                                                    \
        *result = y;                                         \
    }
#define VCG_LANE_BY_LANE_OF_TWO(name, function)                              \
    LANES_INLINE void name(const LANES *a, const LANES *b, LANES *result)      \
    {                                                                        \
        LANES y;                                                             \
        for (int i = 0; i < LANE_COUNT; ++i) {                                \
            y[i] = function((*a)[i], (*b)[i]);                               \
        }                                                                    \
        *result = y;                                                         \
    }
#endif

typedef double VCG_LANES_OF(vcg_at) __attribute__((vector_size(8 * LANE_COUNT), aligned(8), may_alias));
typedef struct {
    VCG_LANES_OF(vcg_at) x;
#if LANE_COUNT < VCG_LANES
    double others[VCG_LANES - LANE_COUNT];
#endif
} LANE_ENTRY;

/* The sines and cosines of several angles. */
LANES_INLINE void lanes_sincos_of(int count, const LANES *angles, LANES *sines, LANES *cosines)
{
    LANE_BITS far = {0};
    for (int i = 0; i < count; ++i) {
        VCG_LANES_OF(vcg_sincos_near)(angles + i, sines + i, cosines + i, &far);
    }
    for (int i = 0; VCG_LANES_OF(vcg_any)(&far) && i < count; ++i) {
        VCG_LANES_OF(vcg_sincos_far)((const double *)(angles + i), (double *)(sines + i), (double *)(cosines + i));
    }
}

VCG_LANE_BY_LANE(lanes_tan, tan(at))
VCG_LANE_BY_LANE(lanes_asin, asin(at))
VCG_LANE_BY_LANE(lanes_acos, acos(at))
VCG_LANE_BY_LANE(lanes_atan, atan(at))
VCG_LANE_BY_LANE(lanes_sinh, sinh(at))
VCG_LANE_BY_LANE(lanes_cosh, cosh(at))
VCG_LANE_BY_LANE(lanes_tanh, tanh(at))
VCG_LANE_BY_LANE(lanes_exp, exp(at))
VCG_LANE_BY_LANE(lanes_log, log(at))
VCG_LANE_BY_LANE(lanes_sqrt, sqrt(at))
VCG_LANE_BY_LANE(lanes_abs, fabs(at))
VCG_LANE_BY_LANE(lanes_sign, (double)((at > 0.0) - (at < 0.0)))
VCG_LANE_BY_LANE_OF_TWO(lanes_atan2, atan2)
VCG_LANE_BY_LANE_OF_TWO(lanes_pow, pow)

/* Entry i of lane k of `count` vectors is put at [k * count + i], and back. */
LANES_INLINE void lanes_split(int count, const LANES *values, double *split)
{
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < LANE_COUNT; ++k) {
            split[k * count + i] = values[i][k];
        }
    }
}

LANES_INLINE void lanes_join(int count, const double *split, LANES *values)
{
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < LANE_COUNT; ++k) {
            values[i][k] = split[k * count + i];
        }
    }
}

/* The function itself, in the file of the model; `failed` gets a vector for every check. */
LANES_INLINE void LANES_BODY(const LANE_ENTRY *t, const LANE_ENTRY *z, LANE_ENTRY *dz, const LANE_ENTRY *w,
                           const LANE_ENTRY *g, const LANE_ENTRY *signals, LANE_ENTRY *scratch, LANE_BITS *failed);

/* The first check that each lane failed. */
static __attribute__((noinline, cold, unused)) int VCG_LANES_OF(vcg_where)(const LANE_BITS *failed, int *where)
{
    static const int numbers[] = {VCG_LANES_CHECKS};
    for (int check = (int)(sizeof numbers / sizeof numbers[0]) - 1; check >= 0; --check) {
        for (int k = 0; k < LANE_COUNT; ++k) {
            if (failed[check][k]) {
                where[k] = numbers[check];
            }
        }
    }
    return 1;
}

LANES_INLINE int VCG_LANES_OF(vcg_call)(const double *t, const double *z, double *dz, const double *w, const double *g,
                                      const double *signals, double *scratch, int *where)
{
    enum { CHECKS = sizeof((int[]){VCG_LANES_CHECKS}) / sizeof(int) };
    LANE_BITS failed[CHECKS], any = {0};
    unsigned long long bits = 0;
    LANES_BODY((const LANE_ENTRY *)t, (const LANE_ENTRY *)z, (LANE_ENTRY *)dz, (const LANE_ENTRY *)w,
               (const LANE_ENTRY *)g, (const LANE_ENTRY *)signals, (LANE_ENTRY *)scratch, failed);
    for (int check = 0; check < CHECKS; ++check) {
        any |= failed[check];
    }
    for (int k = 0; k < LANE_COUNT; ++k) {
        where[k] = -1;
        bits |= any[k];
    }
    return __builtin_expect(bits != 0, 0) ? VCG_LANES_OF(vcg_where)(failed, where) : 0;
}
