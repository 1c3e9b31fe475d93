/* Arithmetic over the stages of Gauss's method, a stage in each lane. No operations are fused, so that every instruction set
 * gives the same bits. */
#include "gauss.h"
#include "gauss_table.h"

typedef double eight __attribute__((vector_size(64), aligned(8), may_alias));

#define AT(values) (*(const eight *)(values))
#define PUT(values) (*(eight *)(values))
#define INLINE static inline __attribute__((always_inline))

/* Σ_j weights[j] * rows[j] of eight rows, which stay in registers over many sums */
#define COMBINED(w, rows)                                                                                              \
    ((((w)[0] * (rows)[0] + (w)[1] * (rows)[1]) + ((w)[2] * (rows)[2] + (w)[3] * (rows)[3])) +                         \
     (((w)[4] * (rows)[4] + (w)[5] * (rows)[5]) + ((w)[6] * (rows)[6] + (w)[7] * (rows)[7])))

INLINE void load(const double table[STAGES][STAGES], eight *rows)
{
    for (int j = 0; j < STAGES; ++j) {
        rows[j] = AT(table[j]);
    }
}

/* Integrals of Legendre's polynomials from the end of a step, at 1, to the stages of the next one. */
INLINE void integrals(double ratio, eight *rows)
{
    const eight x = 1.0 + 2.0 * ratio * AT(C);
    eight before = 1.0 - (eight){0}, here = x;
    rows[0] = 0.5 * (x - 1.0);
    for (int k = 1; k < STAGES; ++k) {
        const eight next = ((2.0 * k + 1.0) * x * here - (double)k * before) * (1.0 / (k + 1.0));
        rows[vcg_gauss_lane(k)] = (next - before) * (0.5 / (2.0 * k + 1.0));
        before = here;
        here = next;
    }
}

VCG_WIDE
void vcg_gauss_guess(int n, double ratio, const double *y, const double *low, const double *terms, double *z)
{
    eight rows[STAGES];
    integrals(ratio, rows);
    for (int i = 0; i < n; ++i, terms += STAGES, z += STAGES) {
        PUT(z) = y[i] + (low[i] + COMBINED(terms, rows));
    }
}

void vcg_gauss_first_guess(int n, double h, const double *y, const double *f, double *z)
{
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < STAGES; ++j) {
            z[i * STAGES + j] = y[i] + h * f[i] * C[j];
        }
    }
}

VCG_WIDE
double vcg_gauss_sweep(int n, double h, const double *y, const double *low, const double *weight, double *f, double *z)
{
    const eight parts = h * AT(B);
    eight squares = {0}, rows[STAGES];
    load(M, rows);
    for (int i = 0; i < n; ++i) {
        PUT(f + i * STAGES) *= parts;
    }
    for (int i = 0; i < n; ++i, f += STAGES, z += STAGES) {
        const eight stage = y[i] + (low[i] + COMBINED(f, rows)), change = (stage - AT(z)) * weight[i];
        squares += change * change;
        PUT(z) = stage;
    }
    return 0.5 * sqrt(((squares[0] + squares[1]) + (squares[2] + squares[3])) +
                      ((squares[4] + squares[5]) + (squares[6] + squares[7])));
}

VCG_WIDE
void vcg_gauss_terms(int n, const double *weight, const double *parts, double *terms, double *sums)
{
    eight squares = {0}, rows[STAGES];
    load(LEGENDRE, rows);
    for (int i = 0; i < n; ++i, parts += STAGES, terms += STAGES) {
        const eight made = COMBINED(parts, rows), size = made * weight[i];
        squares += size * size;
        PUT(terms) = made;
    }
    PUT(sums) = squares;
}
