# What other compiled parts of the runtime may see of a handle.

cimport cython

from volterra_cg.runtime.vcg_model cimport vcg_model


@cython.final
cdef class Handle:
    cdef const vcg_model *model
    cdef object table
    cdef tuple checks
    cdef double *p
    cdef double *w
    cdef double *g
    cdef double *signals
    cdef bint bound

    cdef int _prepare(self) except -1
    cdef int _fail(self, int status, int where, object time) except -1
    cdef int _ready(self) except -1
