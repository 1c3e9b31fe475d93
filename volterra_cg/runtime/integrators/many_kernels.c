#include "many_lanes.h"

#define LANE_COUNT 4
#include "many_kernels.h"
#ifdef __x86_64__
#define LANE_COUNT 8
#include "many_kernels.h"
#endif

/* The kernels with the instructions of `target`; `width` lanes are taken at once. */
#define KERNELS(target, name, width)                                                                         \
    target static void name##_combine(const vcg_ensemble *at, const vcg_many_row *row, double *result)       \
    {                                                                                                        \
        for (int first = 0; first < L; first += width) {                                                     \
            combine_##width(at, row, result, first);                                                         \
        }                                                                                                    \
    }                                                                                                        \
    target static void name##_largest_error(const vcg_ensemble *at)                                          \
    {                                                                                                        \
        for (int first = 0; first < L; first += width) {                                                     \
            largest_error_##width(at, first);                                                                \
        }                                                                                                    \
    }                                                                                                        \
    target static void name##_square_errors(const vcg_ensemble *at)                                          \
    {                                                                                                        \
        for (int first = 0; first < L; first += width) {                                                     \
            square_errors_##width(at, first);                                                                \
        }                                                                                                    \
    }                                                                                                        \
    target static void name##_prepare(const vcg_ensemble *at)                                                \
    {                                                                                                        \
        for (int first = 0; first < L; first += width) {                                                     \
            prepare_##width(at, first);                                                                      \
        }                                                                                                    \
    }                                                                                                        \
    target static void name##_move(const vcg_ensemble *at, const double *moves)                              \
    {                                                                                                        \
        for (int first = 0; first < L; first += width) {                                                     \
            move_##width(at, moves, first);                                                                  \
        }                                                                                                    \
    }                                                                                                        \
    target static int name##_watch(const vcg_ensemble *at, const double *moves)                              \
    {                                                                                                        \
        const uint64_t *away = at->away;                                                                     \
        for (int first = 0; first < L; first += width) {                                                     \
            watch_##width(at, moves, first);                                                                 \
        }                                                                                                    \
        return (away[0] | away[1] | away[2] | away[3] | away[4] | away[5] | away[6] | away[7]) != 0;         \
    }                                                                                                        \
    static const vcg_kernels name = {name##_combine, name##_largest_error, name##_square_errors, name##_prepare, \
                                     name##_move, name##_watch};

KERNELS(, any, 4)

#ifdef __x86_64__
KERNELS(__attribute__((target("avx2"))), avx2, 4)
KERNELS(__attribute__((target("avx512f"))), avx512, 8)

#ifndef VCG_SUPPORTS /* tests choose for themselves */
#define VCG_SUPPORTS(instructions) __builtin_cpu_supports(instructions)
#endif

const vcg_kernels *vcg_best_kernels(void)
{
    return VCG_SUPPORTS("avx512f") ? &avx512 : VCG_SUPPORTS("avx2") ? &avx2 : &any;
}
#else
const vcg_kernels *vcg_best_kernels(void)
{
    return &any;
}
#endif
