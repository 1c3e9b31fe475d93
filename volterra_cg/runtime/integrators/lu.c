#include "lu.h"

#include <math.h>

static void swap(double *a, double *b, int count)
{
    for (int i = 0; i < count; ++i) {
        const double kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

int vcg_lu_factor(int n, double *a, int *pivots)
{
    for (int k = 0; k < n; ++k) {
        int best = k;
        for (int i = k + 1; i < n; ++i) {
            best = fabs(a[i * n + k]) > fabs(a[best * n + k]) ? i : best;
        }
        pivots[k] = best;
        if (best != k) {
            swap(a + best * n, a + k * n, n);
        }
        const double pivot = a[k * n + k];
        if (!(fabs(pivot) > 0.0) || !isfinite(pivot)) {
            return 1;
        }
        for (int i = k + 1; i < n; ++i) {
            const double factor = a[i * n + k] /= pivot;
            for (int j = k + 1; j < n && factor != 0.0; ++j) {
                a[i * n + j] -= factor * a[k * n + j];
            }
        }
    }
    return 0;
}

void vcg_lu_solve(int n, const double *a, const int *pivots, double *b)
{
    for (int i = 0; i < n; ++i) {
        swap(b + i, b + pivots[i], pivots[i] != i);
    }
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < i; ++j) {
            b[i] -= a[i * n + j] * b[j];
        }
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int j = i + 1; j < n; ++j) {
            b[i] -= a[i * n + j] * b[j];
        }
        b[i] /= a[i * n + i];
    }
}

/* z -= x * y */
static inline void subtract(double *z, const double *x, const double *y)
{
    z[0] -= x[0] * y[0] - x[1] * y[1];
    z[1] -= x[0] * y[1] + x[1] * y[0];
}

/* z /= x; the numbers here are far from overflow */
static inline void divide(double *z, const double *x)
{
    const double size = 1.0 / (x[0] * x[0] + x[1] * x[1]);
    const double real = (z[0] * x[0] + z[1] * x[1]) * size;
    z[1] = (z[1] * x[0] - z[0] * x[1]) * size;
    z[0] = real;
}

static inline double magnitude(const double *x)
{
    return fabs(x[0]) + fabs(x[1]);
}

int vcg_lu_factor_complex(int n, double *a, int *pivots)
{
    const int row = 2 * n;
    for (int k = 0; k < n; ++k) {
        int best = k;
        for (int i = k + 1; i < n; ++i) {
            best = magnitude(a + i * row + 2 * k) > magnitude(a + best * row + 2 * k) ? i : best;
        }
        pivots[k] = best;
        if (best != k) {
            swap(a + best * row, a + k * row, row);
        }
        const double *upper = a + k * row, *pivot = upper + 2 * k;
        if (!(magnitude(pivot) > 0.0) || !isfinite(magnitude(pivot))) {
            return 1;
        }
        for (int i = k + 1; i < n; ++i) {
            double *lower = a + i * row, *factor = lower + 2 * k;
            divide(factor, pivot);
            for (int j = k + 1; j < n && magnitude(factor) != 0.0; ++j) {
                subtract(lower + 2 * j, factor, upper + 2 * j);
            }
        }
    }
    return 0;
}

void vcg_lu_solve_complex(int n, const double *a, const int *pivots, double *b)
{
    const int row = 2 * n;
    for (int i = 0; i < n; ++i) {
        swap(b + 2 * i, b + 2 * pivots[i], pivots[i] != i ? 2 : 0);
    }
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < i; ++j) {
            subtract(b + 2 * i, a + i * row + 2 * j, b + 2 * j);
        }
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int j = i + 1; j < n; ++j) {
            subtract(b + 2 * i, a + i * row + 2 * j, b + 2 * j);
        }
        divide(b + 2 * i, a + i * row + 2 * i);
    }
}

/* Cholesky's factor of a symmetric matrix in place, largest pivots first; returns the rank, `most` at most. */
static int factor_symmetric(int n, int most, double *a, int *order)
{
    double largest = 0.0;
    for (int k = 0; k < most; ++k) {
        int best = k;
        for (int i = k + 1; i < n; ++i) {
            best = a[i * n + i] > a[best * n + best] ? i : best;
        }
        const int kept = order[k];
        order[k] = order[best];
        order[best] = kept;
        swap(a + best * n, a + k * n, n);
        for (int i = 0; i < n; ++i) {
            swap(a + i * n + best, a + i * n + k, 1);
        }
        largest = k == 0 ? a[0] : largest;
        if (!(a[k * n + k] > 1e-13 * largest)) {
            return k;
        }
        const double pivot = sqrt(a[k * n + k]);
        for (int i = k; i < n; ++i) {
            a[i * n + k] /= pivot;
        }
        for (int i = k + 1; i < n; ++i) {
            for (int j = k + 1; j <= i; ++j) {
                a[i * n + j] -= a[i * n + k] * a[j * n + k];
                a[j * n + i] = a[i * n + j];
            }
        }
    }
    return most;
}

void vcg_least_norm(int rows, int most, int n, const double *s, const double *b, double *x, double *work, int *order)
{
    double *a = work, *v = work + rows * rows;
    for (int i = 0; i < rows; ++i) {
        order[i] = i;
        for (int j = 0; j < rows; ++j) {
            double sum = 0.0;
            for (int k = 0; k < n; ++k) {
                sum += s[i * n + k] * s[j * n + k];
            }
            a[i * rows + j] = sum;
        }
    }
    const int rank = factor_symmetric(rows, most, a, order);
    for (int i = 0; i < rank; ++i) {
        v[i] = b[order[i]];
        for (int j = 0; j < i; ++j) {
            v[i] -= a[i * rows + j] * v[j];
        }
        v[i] /= a[i * rows + i];
    }
    for (int i = rank - 1; i >= 0; --i) {
        for (int j = i + 1; j < rank; ++j) {
            v[i] -= a[j * rows + i] * v[j];
        }
        v[i] /= a[i * rows + i];
    }
    for (int k = 0; k < n; ++k) {
        x[k] = 0.0;
        for (int i = 0; i < rank; ++i) {
            x[k] += s[order[i] * n + k] * v[i];
        }
    }
}
