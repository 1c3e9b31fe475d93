"""A model bound to memory of its own, and what the loops in Cython share."""

from volterra_cg.runtime.handle cimport Handle
from volterra_cg.runtime.loop cimport vcg_bound, vcg_chart, vcg_results, vcg_samples, vcg_watch
from volterra_cg.runtime.vcg_model cimport vcg_model


cdef class Bound:
    cdef vcg_bound c
    cdef vcg_samples *samples
    cdef vcg_chart *sets
    cdef Handle handle
    cdef tuple sampled
    cdef dict functions
    cdef object controller, switches
    cdef int states
    cdef double now
    cdef readonly object error


cdef double *data_of(array) except? NULL
cdef object vector(values, Py_ssize_t size, str name)
cdef object copied(const double *values, int count)
cdef int poll(void *context) noexcept with gil
cdef vcg_watch *watches_of(const vcg_model *model, tuple watches) except NULL
cdef object happened_of(const vcg_results *results, int n)
cdef dict told_of(const vcg_results *results, int status, object error)
