# cython: language_level=3, binding=False, embedsignature=True, freethreading_compatible=True
"""The thin skin over many trajectories in C: contiguous arrays in, filled in place, without the interpreter in between.

Calls on different rows of the same arrays may run at the same time.
"""

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_IsValid

import numpy as np

from volterra_cg.runtime.vcg_model cimport VCG_ABI_VERSION, VCG_LANES, vcg_model

from volterra_cg.errors import InternalError

cdef extern from "integrators/many.h" nogil:
    ctypedef struct vcg_many_integrator:
        pass
    const vcg_many_integrator *vcg_many_integrator_of(const char *name)
    ctypedef struct vcg_samples:
        int signal
        int count
        const double *times
        const double *values
    ctypedef struct vcg_many_settings:
        double rtol
        const double *atol
        double max_step
        long max_steps
        int kinks
    ctypedef struct vcg_many_task:
        const vcg_model *model
        vcg_many_settings settings
        int count
        const double *times
        int sampled
        const vcg_samples *samples
        const double *parameters
        const double *signals
        const double *momenta
        double *results
        int *status
        int *where
        int *reached
        double *ended
        long *steps
        long *rejections
        long *calls
        const int *stop
    int vcg_many(const vcg_many_integrator *integrator, const vcg_many_task *task, long first, long last)
    ctypedef struct vcg_many_start_task:
        const vcg_model *model
        double t
        const double *parameters
        const double *signals
        const unsigned char *given_q
        const unsigned char *given_qd
        double *q
        double *qd
        long stride
        double *results
        double *momenta
        int rates
        int residuals[2]
        int sizes[2]
        double tolerance
        int *status
        int *where
        double *residual
    int vcg_many_start(const vcg_many_start_task *task, long first, long last)

LANES = VCG_LANES


cdef const vcg_model *_model(table) except NULL:
    if not PyCapsule_IsValid(table, "vcg_model"):
        raise TypeError("table must be a capsule named vcg_model")
    cdef const vcg_model *model = <const vcg_model *>PyCapsule_GetPointer(table, "vcg_model")
    if model.abi_version != VCG_ABI_VERSION:
        raise InternalError(f"the model speaks interface {model.abi_version}, this runtime {VCG_ABI_VERSION}")
    return model


cdef void *_data(array, dtype, tuple shape) except? NULL:
    """The address of a contiguous array that has to have a type and a shape."""
    if array.dtype != dtype or array.shape != shape or not array.flags.c_contiguous:
        raise ValueError(f"expected contiguous {np.dtype(dtype)} of shape {shape}, not {array.dtype} {array.shape}")
    return <void *><size_t>array.ctypes.data


cdef const vcg_many_integrator *_integrator(str name) except NULL:
    cdef const vcg_many_integrator *found = vcg_many_integrator_of(name.encode())
    if found == NULL:
        raise ValueError(f"no integrator is called {name!r} in lanes")
    return found


def has_lanes(table):
    """Whether a model has a vector form of its derivative."""
    return _model(table).rhs_lanes != NULL


def start_rows(table, double t, parameters, signals, given, q, qd, z, momenta, tuple layout, double tolerance,
               status, where, residual, long first, long last):
    """Fill the first states z[:, 0], momenta, and a status for the rows from `first` to before `last`.

    `given` are two arrays of flags, for q and qd; `layout` is where rates, residuals of velocities and of positions
    stand in the outputs: (rates, offset, size, offset, size).
    """
    cdef vcg_many_start_task task
    cdef long n = len(parameters)
    cdef long count = z.shape[1]
    cdef int code
    task.model = _model(table)
    cdef int m = task.model.coordinates
    if not 0 <= first <= last <= n:
        raise ValueError("rows out of range")
    task.t = t
    task.parameters = <const double *>_data(parameters, np.float64, (n, task.model.parameters))
    task.signals = <const double *>_data(signals, np.float64, (n, task.model.signals))
    task.given_q = <const unsigned char *>_data(given[0], np.bool_, (m,))
    task.given_qd = <const unsigned char *>_data(given[1], np.bool_, (m,))
    task.q = <double *>_data(q, np.float64, (n, m))
    task.qd = <double *>_data(qd, np.float64, (n, m))
    task.stride = count * task.model.states
    task.results = <double *>_data(z, np.float64, (n, count, task.model.states))
    task.momenta = <double *>_data(momenta, np.float64, (n, task.model.momenta))
    task.rates = layout[0]
    task.residuals[0] = layout[1]
    task.sizes[0] = layout[2]
    task.residuals[1] = layout[3]
    task.sizes[1] = layout[4]
    task.tolerance = tolerance
    task.status = <int *>_data(status, np.intc, (n,))
    task.where = <int *>_data(where, np.intc, (n,))
    task.residual = <double *>_data(residual, np.float64, (n,))
    with nogil:
        code = vcg_many_start(&task, first, last)
    if code != 0:
        raise MemoryError()


def run_rows(table, str integrator, tuple settings, times, samples, parameters, signals, momenta, z, status, where, reached,
             ended, counts, stop, long first, long last):
    """Integrate the rows from `first` to before `last`, from z[:, 0] on.

    `settings` are (rtol, atol of each state, max_step, max_steps, kinks); `samples` a list of (number of the signal, times, values); `counts`
    are rows of steps, rejections and calls; `stop[0]` may be set from another thread.
    """
    cdef vcg_many_task task
    cdef const vcg_many_integrator *chosen = _integrator(integrator)
    cdef long n = len(parameters)
    cdef const double *atol
    cdef int code = 0
    task.model = _model(table)
    if not 0 <= first <= last <= n:
        raise ValueError("rows out of range")
    atol = <const double *>_data(settings[1], np.float64, (task.model.states,))
    task.settings = vcg_many_settings(settings[0], atol, settings[2], settings[3], settings[4])
    task.count = len(times)
    task.times = <const double *>_data(times, np.float64, (task.count,))
    task.parameters = <const double *>_data(parameters, np.float64, (n, task.model.parameters))
    task.signals = <const double *>_data(signals, np.float64, (n, task.model.signals))
    task.momenta = <const double *>_data(momenta, np.float64, (n, task.model.momenta))
    task.results = <double *>_data(z, np.float64, (n, task.count, task.model.states))
    task.status = <int *>_data(status, np.intc, (n,))
    task.where = <int *>_data(where, np.intc, (n,))
    task.reached = <int *>_data(reached, np.intc, (n,))
    task.ended = <double *>_data(ended, np.float64, (n,))
    task.steps = <long *>_data(counts, np.dtype("l"), (3, n))
    task.rejections = task.steps + n
    task.calls = task.steps + 2 * n
    task.stop = <const int *>_data(stop, np.intc, (1,))
    task.sampled = len(samples)
    cdef vcg_samples *sampled = <vcg_samples *>PyMem_Malloc((task.sampled + 1) * sizeof(vcg_samples))
    if sampled == NULL:
        raise MemoryError()
    try:
        for number, (signal, places, values) in enumerate(samples):
            if not 0 <= signal < task.model.signals:
                raise ValueError("no such signal")
            sampled[number].signal = signal
            sampled[number].count = len(places)
            sampled[number].times = <const double *>_data(places, np.float64, (len(places),))
            sampled[number].values = <const double *>_data(values, np.float64, (len(places),))
        task.samples = sampled
        with nogil:
            code = vcg_many(chosen, &task, first, last)
    finally:
        PyMem_Free(sampled)
    if code != 0:
        raise MemoryError()
