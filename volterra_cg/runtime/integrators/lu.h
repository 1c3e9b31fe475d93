/* Small dense linear systems, matrices row by row; a complex number is two doubles. */
#ifndef VCG_LU_H
#define VCG_LU_H

/* Factorise in place with row pivoting; 1 if the matrix is singular or not finite. */
int vcg_lu_factor(int n, double *a, int *pivots);
void vcg_lu_solve(int n, const double *a, const int *pivots, double *b);

int vcg_lu_factor_complex(int n, double *a, int *pivots);
void vcg_lu_solve_complex(int n, const double *a, const int *pivots, double *b);

/* The shortest x with S x = b, S of `rows` by `n`: x = S^T (S S^T)^-1 b, dependent rows left out. `work` has
 * rows * (rows + 1) doubles, `order` rows ints. */
void vcg_least_norm(int rows, int most, int n, const double *s, const double *b, double *x, double *work, int *order);

#endif
