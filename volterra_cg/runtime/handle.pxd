# What other compiled parts of the runtime may see of a handle.

cimport cython

from volterra_cg.runtime.vcg_model cimport vcg_model


ctypedef int (*state_function)(double t, const double *z, double *values, const double *w, const double *g,
                               const double *signals, double *scratch, int *where) noexcept nogil
ctypedef int (*pair_function)(double t, const double *z, double *first, double *second, const double *w,
                             const double *g, const double *signals, double *scratch, int *where) noexcept nogil


@cython.final
cdef class Handle:
    cdef const vcg_model *model
    cdef object table
    cdef tuple checks
    cdef tuple chart_checks
    cdef double *p
    cdef double *w
    cdef double *g
    cdef double *signals
    cdef bint bound

    cdef int _prepare(self, limits) except -1
    cdef int _fail(self, int status, int where, object time) except -1
    cdef int _ready(self) except -1
    cdef object _evaluated(self, state_function function, pair_function pair, Py_ssize_t first, Py_ssize_t second,
                           object t, object z, object signals)
