# cython: language_level=3, binding=False, embedsignature=True, freethreading_compatible=True
"""The thin skin over the integrators in C: a model's table in, rows of states out, without the interpreter in between."""

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_IsValid
from libc.time cimport CLOCKS_PER_SEC, clock, clock_t

import numpy as np

from volterra_cg.runtime.vcg_model cimport VCG_ABI_VERSION, vcg_model

from volterra_cg.errors import InternalError

cdef extern from "integrators/integrator.h" nogil:
    ctypedef struct vcg_bound:
        const vcg_model *model
        const double *w
        const double *g
        const double *signals
        double *scratch
    ctypedef struct vcg_settings:
        double rtol
        double atol
        double max_step
    ctypedef struct vcg_statistics:
        long steps
        long failures
        long calls
        int reached
        double t
        int where
    ctypedef int vcg_integrator(const vcg_bound *, const vcg_settings *, int, const double *, double *,
                                vcg_statistics *)
    vcg_integrator vcg_ode45, vcg_dop853, vcg_rk4
    int vcg_repeat(const vcg_bound *bound, int count, const double *times, const double *states, double *dz,
                   long loops)

STATUSES = ("done", "singular", "too small", "not finite", "fatal", "no memory")


cdef object _vector(values, Py_ssize_t size, str name):
    array = np.ascontiguousarray(values, dtype=np.float64)
    if array.shape != (size,):
        raise ValueError(f"{name} must have shape ({size},), not {array.shape}")
    return array


cdef const double *_data(array):
    return <const double *><size_t>array.ctypes.data


cdef class Bound:
    """A model's table with parameters, signals and momenta bound to it; threads may not share one."""

    cdef vcg_bound bound
    cdef object kept
    cdef double *scratch

    def __cinit__(self, table, parameters, signals, momenta):
        cdef int where = -1
        if not PyCapsule_IsValid(table, "vcg_model"):
            raise TypeError("table must be a capsule named vcg_model")
        cdef const vcg_model *model = <const vcg_model *>PyCapsule_GetPointer(table, "vcg_model")
        if model.abi_version != VCG_ABI_VERSION:
            raise InternalError(f"the model speaks interface {model.abi_version}, this runtime {VCG_ABI_VERSION}")
        p = _vector(parameters, model.parameters, "parameters")
        s = _vector(signals, model.signals, "signals")
        g = _vector(momenta, model.momenta, "momenta")
        w = np.empty(model.prepared)
        self.kept = (table, w, s, g)
        self.scratch = <double *>PyMem_Malloc((model.scratch + 1) * sizeof(double))
        if self.scratch == NULL:
            raise MemoryError()
        self.bound = vcg_bound(model, _data(w), _data(g), _data(s), self.scratch)
        if model.prepare(_data(p), <double *>_data(w), &where) != 0:
            raise ValueError("these parameters make the model singular")

    def __dealloc__(self):
        PyMem_Free(self.scratch)

    def integrate(self, str method, z0, times, double rtol, double atol, double max_step):
        """States at the times, shape (times, states), and what it took; rows past `reached` hold nothing."""
        cdef vcg_statistics statistics = vcg_statistics(0, 0, 0, 1, 0.0, -1)
        cdef vcg_settings settings = vcg_settings(rtol, atol, max_step)
        cdef vcg_integrator *integrator = _integrator(method)
        cdef int count = len(times), status = 0
        at = _vector(times, count, "times")
        results = np.empty((count, self.bound.model.states))
        results[0] = _vector(z0, self.bound.model.states, "z0")
        cdef const double *asked = _data(at)
        cdef double *rows = <double *>_data(results)
        statistics.t = asked[0]
        cdef clock_t begin = clock()
        if count > 1:
            with nogil:
                status = integrator(&self.bound, &settings, count, asked, rows, &statistics)
        seconds = (clock() - begin) / <double>CLOCKS_PER_SEC
        return results, {
            "status": STATUSES[status], "steps": statistics.steps, "failures": statistics.failures,
            "calls": statistics.calls, "reached": statistics.reached, "t": statistics.t, "where": statistics.where,
            "seconds": seconds,
        }

    def repeat(self, times, states, long loops):
        """Processor seconds that `loops` evaluations of the derivative take, over rows of states, in C."""
        cdef int count = len(times)
        at = _vector(times, count, "times")
        rows = np.ascontiguousarray(states, dtype=np.float64)
        if rows.shape != (count, self.bound.model.states):
            raise ValueError(f"states must have shape ({count}, {self.bound.model.states}), not {rows.shape}")
        result = np.empty(self.bound.model.states)
        cdef const double *asked = _data(at)
        cdef const double *given = _data(rows)
        cdef double *dz = <double *>_data(result)
        cdef clock_t begin = clock()
        with nogil:
            vcg_repeat(&self.bound, count, asked, given, dz, loops)
        return (clock() - begin) / <double>CLOCKS_PER_SEC


cdef vcg_integrator *_integrator(str method) except NULL:
    if method == "ode45":
        return vcg_ode45
    if method == "dop853":
        return vcg_dop853
    if method == "rk4":
        return vcg_rk4
    raise ValueError(f"no integrator is called {method!r}")
