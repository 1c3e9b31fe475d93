# The table of a model for Cython; the header says what its members mean.

cdef extern from "vcg_model.h" nogil:
    enum: VCG_ABI_VERSION
    enum: VCG_LANES
    ctypedef struct vcg_model:
        int abi_version
        int coordinates
        int speeds
        int states
        int momenta
        int parameters
        int prepared
        int signals
        int scratch
        int outputs
        int holonomic
        int redundant
        int events
        int divisors
        int charts
        int framed
        int drawn
        const int *divisor_checks
        const vcg_model *const *chart
        int (*prepare)(const double *p, double *w, int *where) noexcept nogil
        int (*initial)(const double *p, double *q, double *qd, int *where) noexcept nogil
        int (*start)(double t, const double *q, const double *qd, const double *w, double *z, double *g, int *where) noexcept nogil
        int (*rhs)(double t, const double *z, double *dz, const double *w, const double *g, const double *signals,
                   double *scratch, int *where) noexcept nogil
        int (*output)(double t, const double *z, double *y, const double *w, const double *g, const double *signals,
                      double *scratch, int *where) noexcept nogil
        int (*matrices)(double t, const double *z, double *mass, double *forcing, const double *w, const double *g,
                        const double *signals, double *scratch, int *where) noexcept nogil
        int (*gaps)(double t, const double *z, double *gap, double *slopes, const double *w, const double *g,
                    const double *signals, double *scratch, int *where) noexcept nogil
        int (*changes)(double t, const double *z, double *after, const double *w, const double *g,
                       const double *signals, double *scratch, int *where) noexcept nogil
        int (*scene)(double t, const double *x, const double *p, double *s, double *scratch, int *where) noexcept nogil
        int (*jacobian)(double t, const double *z, double *dfdz, const double *w, const double *g,
                        const double *signals, double *scratch, int *where) noexcept nogil
        int (*sensitivity)(double t, const double *z, double *dfdp, const double *w, const double *g,
                           const double *signals, double *scratch, int *where) noexcept nogil
        int (*start_sensitivity)(double t, const double *q, const double *qd, double *slopes, const double *w,
                                 int *where) noexcept nogil
        int (*frame)(double t, const double *z, double *rows, const double *w, const double *g,
                     const double *signals, double *scratch, int *where) noexcept nogil
        int (*rhs_lanes)(const double *t, const double *z, double *dz, const double *w, const double *g,
                         const double *signals, double *scratch, int *where) noexcept nogil
