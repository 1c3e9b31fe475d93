/* Arithmetic over the stages of Gauss's method, a stage in each lane, in vectors of four. No operations are fused, so that
 * every instruction set gives the same bits. */
#include "gauss.h"
#include "gauss_table.h"

typedef double four __attribute__((vector_size(32), aligned(8), may_alias));

#define AT(values) (*(const four *)(values))
#define PUT(values) (*(four *)(values))
#define INLINE static inline __attribute__((always_inline))

/* Σ_j weights[j] * rows[j] of four rows */
INLINE void combined(const double *weights, const double rows[PAIRS][PAIRS], four *sum)
{
    *sum = (weights[0] * AT(rows[0]) + weights[1] * AT(rows[1])) + (weights[2] * AT(rows[2]) + weights[3] * AT(rows[3]));
}

/* Integrals of Legendre's polynomials from the end of a step, at 1, to the stages in four lanes of the next one. */
INLINE void integrals(double ratio, int first, four *rows)
{
    const four x = 1.0 + 2.0 * ratio * AT(C + first);
    four before = 1.0 - (four){0}, here = x;
    rows[0] = 0.5 * (x - 1.0);
    for (int k = 1; k < STAGES; ++k) {
        const four next = ((2.0 * k + 1.0) * x * here - (double)k * before) * (1.0 / (k + 1.0));
        rows[vcg_gauss_lane(k)] = (next - before) * (0.5 / (2.0 * k + 1.0));
        before = here;
        here = next;
    }
}

VCG_WIDE
void vcg_gauss_guess(int n, double ratio, const double *y, const double *low, const double *terms, double *z)
{
    for (int first = 0; first < STAGES; first += PAIRS) {
        four rows[STAGES];
        integrals(ratio, first, rows);
        for (int i = 0; i < n; ++i) {
            const double *w = terms + i * STAGES;
            const four even = (w[0] * rows[0] + w[1] * rows[1]) + (w[2] * rows[2] + w[3] * rows[3]);
            const four odd = (w[4] * rows[4] + w[5] * rows[5]) + (w[6] * rows[6] + w[7] * rows[7]);
            PUT(z + i * STAGES + first) = y[i] + (low[i] + (even + odd));
        }
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
    const four parts = h * AT(B);
    four squares = {0}, mirrored = {0};
    double largest = 0.0;
    for (int i = 0; i < n; ++i, f += STAGES, z += STAGES) {
        const four one = parts * AT(f), other = parts * AT(f + PAIRS);
        four even, odd;
        PUT(f) = one + other;
        PUT(f + PAIRS) = one - other;
        combined(f, SUMS, &even);
        combined(f + PAIRS, DIFFERENCES, &odd);
        const four whole = ((f[0] + f[1]) + (f[2] + f[3])) - (four){0};
        const four stage = y[i] + (low[i] + (odd + even)), mirror = y[i] + (low[i] + (odd + (whole - even)));
        const four change = (stage - AT(z)) * weight[i], changed = (mirror - AT(z + PAIRS)) * weight[i];
        squares += change * change;
        mirrored += changed * changed;
        PUT(z) = stage;
        PUT(z + PAIRS) = mirror;
    }
    for (int j = 0; j < PAIRS; ++j) {
        largest = squares[j] <= largest ? largest : squares[j]; /* NaN if any is */
        largest = mirrored[j] <= largest ? largest : mirrored[j];
    }
    return sqrt(largest / n);
}

VCG_WIDE
void vcg_gauss_terms(int n, const double *weight, const double *pairs, double *terms, double *sums)
{
    four even = {0}, odd = {0};
    for (int i = 0; i < n; ++i, pairs += STAGES, terms += STAGES) {
        four left, right;
        combined(pairs, EVEN, &left);
        combined(pairs + PAIRS, ODD, &right);
        PUT(terms) = left;
        PUT(terms + PAIRS) = right;
        even += (left * weight[i]) * (left * weight[i]);
        odd += (right * weight[i]) * (right * weight[i]);
    }
    PUT(sums) = even;
    PUT(sums + PAIRS) = odd;
}
