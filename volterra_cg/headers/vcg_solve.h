/* Linear systems that a model solves at run time; copied beside every model.
 *
 * Who includes it defines VCG_TINY, below which a pivot counts as zero beside the size of its row, and for each kind of
 * matrix that it has the size of the largest: VCG_LU_SIZE of general ones, VCG_LDL_SIZE of positive definite ones. Matrices
 * are stored row by row. A model may name a kind that none of its functions has in the end: what is inline is not missed.
 */
#ifndef VCG_SOLVE_H
#define VCG_SOLVE_H

#include <math.h>

#ifdef VCG_LU_SIZE
/* Factorise a matrix in place with row pivoting; 1 if it is singular. A pivot is measured by the first size of its row, which
 * may be in other units than the rest, but a row that is nothing beside the others counts as one of zeros. */
static inline int lu_factor(int n, double *a, int *rows)
{
    double size[VCG_LU_SIZE], all = 0.0;
    for (int i = 0; i < n; ++i) {
        rows[i] = i;
        size[i] = 0.0;
        for (int j = 0; j < n; ++j) {
            size[i] = fmax(size[i], fabs(a[i * n + j]));
        }
        all = fmax(all, size[i]);
    }
    for (int i = 0; i < n; ++i) {
        size[i] = fmax(size[i], 1e-3 * all);
    }
    for (int k = 0; k < n; ++k) {
        int best = k;
        double largest = -1.0;
        for (int i = k; i < n; ++i) {
            const double ratio = size[rows[i]] > 0.0 ? fabs(a[rows[i] * n + k]) / size[rows[i]] : 0.0;
            if (ratio > largest) {
                largest = ratio;
                best = i;
            }
        }
        const int row = rows[best];
        rows[best] = rows[k];
        rows[k] = row;
        if (fabs(a[row * n + k]) <= VCG_TINY * size[row]) {
            return 1;
        }
        for (int i = k + 1; i < n; ++i) {
            double *lower = a + rows[i] * n;
            lower[k] /= a[row * n + k];
            for (int j = k + 1; j < n; ++j) {
                lower[j] -= lower[k] * a[row * n + j];
            }
        }
    }
    return 0;
}

/* The sign of the determinant of a factorised matrix. */
static inline double lu_sign(int n, const double *a, const int *rows)
{
    int odd = 0;
    for (int i = 0; i < n; ++i) {
        odd ^= a[rows[i] * n + i] < 0.0;
        for (int j = 0; j < i; ++j) {
            odd ^= rows[j] > rows[i];
        }
    }
    return odd ? -1.0 : 1.0;
}

/* Solve with a factorised matrix, in place. */
static inline void lu_back(int n, const double *a, const int *rows, double *b)
{
    double x[VCG_LU_SIZE];
    for (int i = 0; i < n; ++i) {
        x[i] = b[rows[i]];
        for (int j = 0; j < i; ++j) {
            x[i] -= a[rows[i] * n + j] * x[j];
        }
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int j = i + 1; j < n; ++j) {
            x[i] -= a[rows[i] * n + j] * x[j];
        }
        x[i] /= a[rows[i] * n + i];
    }
    for (int i = 0; i < n; ++i) {
        b[i] = x[i];
    }
}
#endif

#ifdef VCG_LDL_SIZE
/* Factorise a positive definite matrix in place, L D L^T: L below the diagonal, 1/D in `inverse`; 1 if it is not definite. */
static inline int ldl_factor(int n, double *a, double *inverse)
{
    double size[VCG_LDL_SIZE];
    for (int i = 0; i < n; ++i) {
        size[i] = fabs(a[i * n + i]);
    }
    for (int k = 0; k < n; ++k) {
        const double *row = a + k * n;
        if (row[k] <= VCG_TINY * size[k]) {
            return 1;
        }
        inverse[k] = 1.0 / row[k];
        for (int i = k + 1; i < n; ++i) {
            const double lower = row[i] * inverse[k];
            double *below = a + i * n;
            for (int j = i; j < n; ++j) {
                below[j] -= lower * row[j];
            }
            below[k] = lower;
        }
    }
    return 0;
}

/* Solve with a factorised matrix, in place. */
static inline void ldl_back(int n, const double *a, const double *inverse, double *b)
{
    for (int i = 1; i < n; ++i) {
        for (int j = 0; j < i; ++j) {
            b[i] -= a[i * n + j] * b[j];
        }
    }
    for (int i = n - 1; i >= 0; --i) {
        b[i] *= inverse[i];
        for (int j = i + 1; j < n; ++j) {
            b[i] -= a[j * n + i] * b[j];
        }
    }
}
#endif

#endif
