# cython: language_level=3, binding=False, embedsignature=True, freethreading_compatible=True
"""The thin skin over the loop in C: a handle in, rows of states out, without the interpreter in between."""

from libc.stdlib cimport free
from libc.string cimport memcpy, memset
from posix.time cimport CLOCK_THREAD_CPUTIME_ID, clock_gettime, timespec

import numpy as np

from volterra_cg.integrators import IMPLICIT
from volterra_cg.runtime.arguments import numbers
from volterra_cg.runtime.bound cimport Bound, data_of, happened_of, poll, told_of, vector, watches_of
from volterra_cg.runtime.handle cimport Handle
from volterra_cg.runtime.loop cimport (
    VCG_LEFT,
    integrator_of,
    vcg_dense,
    vcg_dense_at,
    vcg_integrator,
    vcg_repeat,
    vcg_results,
    vcg_run,
    vcg_settings,
    vcg_watch,
)
from volterra_cg.runtime.vcg_model cimport vcg_model

cdef object _empty = np.empty


cdef double _seconds() noexcept nogil:
    """Processor time of this thread."""
    cdef timespec time
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec + 1e-9 * time.tv_nsec


cdef class Dense:
    """A motion as a function of time, by the interpolants of the integrator that found it."""

    cdef vcg_dense dense
    cdef const vcg_integrator *integrator
    cdef int states

    def __dealloc__(self):
        free(self.dense.data)

    @property
    def pieces(self):
        """How many interpolants there are."""
        return self.dense.count

    def __call__(self, t):
        """The states at a time, shape (states,), or at times, their shape + (states,)."""
        asked = np.ascontiguousarray(numbers("t", t))
        cdef Py_ssize_t count = asked.size, i
        cdef int n = self.states, width = (n + 3) // 4 * 4, failed = -1
        found = _empty((count, width))
        cdef const double *times = data_of(asked)
        cdef double *rows = data_of(found)
        with nogil:
            for i in range(count):
                if vcg_dense_at(self.integrator, &self.dense, n, times[i], rows + i * width) != 0:
                    failed = 1
                    break
        if failed >= 0:
            raise ValueError(f"t = {asked.flat[i]:.9g} is not within the run")
        return np.ascontiguousarray(found[:, :n]).reshape((*np.shape(t), n))


def integrate(Handle handle, str integrator, z0, times, *, double rtol, atol, double max_step=0.0, double first_step=0.0,
              long max_steps=100_000_000, bint by_rows=True, int leave=0, bint kinks=True, bint project=False, bint dense=False, int rates=0, tuple watches=(),
              tuple samples=(), dict functions={}, controller=None, switches=None, bint outputs=True, start_rates=None):
    """Integrate over increasing times from the state z0 at the first of them.

    Returns times, states and outputs reached, the dense output or None, the events as rows of (watch, t, before,
    after), the last state, and a dict of numbers about the run. `watches` are tuples (output, direction, terminal,
    change, rate), `samples` tuples (signal, times, values), `functions` a dict from signals to pairs (name, function). A
    `controller` takes t, z, the signals and a function that gives the outputs for others of these, and returns pairs (signal,
    value); it is asked at each stage, or at the times `switches`.
    """
    cdef const vcg_integrator *chosen = integrator_of(integrator)
    cdef const vcg_model *model = handle.model
    cdef int n = model.states, count = len(times), status = 0
    cdef vcg_watch *watched = NULL
    cdef vcg_settings settings
    cdef vcg_results results
    cdef double begin
    cdef Bound bound = Bound(handle, samples, functions, controller, switches)
    cdef Dense kept = Dense()
    limits = vector(atol, n, "atol")
    at = numbers("times", times)
    rows = _empty((count, n))
    rows[0] = vector(z0, n, "z0")
    y = _empty((count, model.outputs)) if outputs else None
    last = _empty(n)
    memset(&settings, 0, sizeof(settings))
    memset(&results, 0, sizeof(results))
    if integrator in IMPLICIT and model.jacobian == NULL:
        raise ValueError("the model has no jacobian")
    if project and (model.gaps == NULL or model.holonomic == 0):
        raise ValueError("the model has no holonomic constraints")
    settings.rtol, settings.atol = rtol, data_of(limits)
    settings.max_step, settings.first_step, settings.max_steps = max_step, first_step, max_steps
    settings.kinks, settings.project, settings.dense, settings.rates = kinks, project, dense, rates
    settings.by_rows, settings.leave = by_rows, leave
    given = None if start_rates is None else vector(start_rates, model.coordinates, "start_rates")
    settings.start_rates = NULL if given is None else data_of(given)
    settings.poll = poll
    results.count, results.times, results.rows, results.last = count, data_of(at), data_of(rows), data_of(last)
    results.outputs = data_of(y) if outputs else NULL
    results.where = results.output = results.watch = results.closed = -1
    results.t = results.times[0]
    memcpy(results.last, results.rows, n * sizeof(double))
    watched = watches_of(model, watches)
    try:
        settings.watched, settings.watches = len(watches), watched
        with nogil:
            begin = _seconds()
            status = vcg_run(chosen, &bound.c, &settings, &results)
            begin = _seconds() - begin
        kept.dense, kept.integrator, kept.states = results.dense, chosen, n
        happened = happened_of(&results, n)
    finally:
        free(results.happened.data)
        free(watched)
    told = told_of(&results, status, bound.error) | {"seconds": begin, "left": status == VCG_LEFT}
    if results.reached < count:
        at, rows, y = at[:results.reached], rows[:results.reached], y[:results.reached] if outputs else None
    return at, rows, y, kept if dense else None, happened, last, told


def repeat(Handle handle, times, states, long loops):
    """Processor seconds that `loops` evaluations of the derivative take, over rows of states, in C."""
    cdef Bound bound = Bound(handle, (), {})
    cdef int count = len(times), n = handle.model.states
    at = vector(times, count, "times")
    rows = np.ascontiguousarray(numbers("states", states))
    if rows.shape != (count, n):
        raise ValueError(f"states must have shape ({count}, {n}), not {rows.shape}")
    result = _empty(n)
    cdef const double *asked = data_of(at)
    cdef const double *given = data_of(rows)
    cdef double *dz = data_of(result)
    cdef double begin
    with nogil:
        begin = _seconds()
        vcg_repeat(&bound.c, count, asked, given, dz, loops)
        begin = _seconds() - begin
    return begin
