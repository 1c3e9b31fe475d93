# cython: language_level=3, binding=False, embedsignature=True, freethreading_compatible=True
"""A model bound to memory of its own for one run, with the signals, controllers and interrupts that reach into Python."""

from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.exc cimport PyErr_CheckSignals
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from contextvars import ContextVar

import numpy as np

from volterra_cg.errors import SingularConfiguration
from volterra_cg.runtime.arguments import number, numbers
from volterra_cg.runtime.handle cimport Handle
from volterra_cg.runtime.loop cimport vcg_chart, vcg_hold, vcg_results, vcg_samples, vcg_watch
from volterra_cg.runtime.vcg_model cimport vcg_model

cdef object _empty = np.empty


cdef double *data_of(array) except? NULL:
    """Where the numbers of a contiguous array are; whoever calls keeps it alive."""
    cdef Py_buffer view
    PyObject_GetBuffer(array, &view, PyBUF_SIMPLE)
    cdef double *data = <double *>view.buf
    PyBuffer_Release(&view)
    return data


cdef object vector(values, Py_ssize_t size, str name):
    array = np.ascontiguousarray(numbers(name, values))
    if array.shape != (size,):
        raise ValueError(f"{name} must have shape ({size},), not {array.shape}")
    return array


cdef class Bound:
    """A handle's model with memory of its own for one run: parameters and momenta that events may change."""

    def __cinit__(self, Handle handle, tuple samples, dict functions, controller=None, switches=None):
        cdef const vcg_model *model = handle.model
        cdef Py_ssize_t scratch = model.scratch, others = 0, total
        cdef int i, where = -1
        for i in range(model.charts):
            scratch = max(scratch, model.chart[i].scratch)
            others += model.chart[i].prepared
        total = model.parameters + model.prepared + model.momenta + model.signals + scratch
        total += others + 2 * model.states + model.momenta
        handle._ready()
        self.handle, self.sampled, self.functions, self.states = handle, samples, functions, model.states
        self.c.model = model
        self.c.p = <double *>malloc((total + 1) * sizeof(double))
        self.samples = <vcg_samples *>malloc((len(samples) + 1) * sizeof(vcg_samples))
        self.sets = <vcg_chart *>malloc((model.charts + 1) * sizeof(vcg_chart))
        if self.c.p == NULL or self.samples == NULL or self.sets == NULL:
            raise MemoryError()
        self.c.w = self.c.p + model.parameters
        self.c.g = self.c.w + model.prepared
        self.c.signals = self.c.g + model.momenta
        self.c.scratch = self.c.signals + model.signals
        memcpy(self.c.p, handle.p, model.parameters * sizeof(double))
        memcpy(self.c.w, handle.w, model.prepared * sizeof(double))
        memcpy(self.c.g, handle.g, model.momenta * sizeof(double))
        memcpy(self.c.signals, handle.signals, model.signals * sizeof(double))
        self.c.converted = self.c.scratch + scratch
        self.sets[0] = vcg_chart(model, self.c.w)
        for i in range(model.charts):
            self.sets[i + 1].model = model.chart[i]
            self.sets[i + 1].w = self.c.converted + 2 * model.states + model.momenta
            if i > 0:
                self.sets[i + 1].w = self.sets[i].w + model.chart[i - 1].prepared
            if model.chart[i].prepare(self.c.p, self.sets[i + 1].w, &where) != 0:
                raise SingularConfiguration(f"chart {i + 2} cannot be prepared for these parameters", "", None)
        self.c.sets, self.c.charts = self.sets, model.charts
        for i, (place, times, values) in enumerate(samples):
            self.samples[i] = vcg_samples(place, len(times), data_of(times), data_of(values))
        self.c.samples, self.c.sampled = self.samples, len(samples)
        self.c.context = <void *>self
        self.controller, self.switches = controller, switches
        if switches is not None:
            self.c.hold = vcg_hold(len(switches), 0, data_of(switches), _control)
        elif controller is not None:
            self.c.ask = _ask_both
        elif functions:
            self.c.ask = _ask

    def measured(self, given):
        """The outputs at the state that a controller is asked about, with given values of all signals."""
        cdef const vcg_model *model = self.c.model
        cdef int where = -1
        signals, y, scratch = vector(given, model.signals, "signals"), _empty(model.outputs), _empty(model.scratch + 1)
        if model.output(self.now, self.c.present, data_of(y), self.c.w, self.c.g, data_of(signals), data_of(scratch), &where) != 0:
            raise SingularConfiguration(f"the outputs cannot be evaluated at t = {self.now:.9g}", "", self.now)
        return y

    def __dealloc__(self):
        free(self.c.p)
        free(self.samples)
        free(self.sets)


cdef object copied(const double *values, int count):
    copy = _empty(count)
    memcpy(data_of(copy), values, count * sizeof(double))
    return copy


cdef int _failed(Bound bound, error, str where, double t):
    """Keep what was raised, until the loop in C has ended."""
    error.add_note(f"in {where} at t = {t:.9g}")
    bound.error = error
    return 1


cdef int _ask(void *context, double t, const double *z, double *signals) noexcept with gil:
    """The signals that are Python functions; 1, and the exception kept, if one fails."""
    cdef Bound bound = <Bound>context
    name = None
    try:
        state = copied(z, bound.states)
        for place, (name, function) in bound.functions.items():
            given = function(t, state)
            signals[<int>place] = given if isinstance(given, float) else number(f"the signal {name}", given)
        return 0
    except BaseException as error:
        return _failed(bound, error, f"the signal {name}", t)


cdef int _control(void *context, double t, const double *z, double *signals) noexcept with gil:
    """The signals that a controller sets; 1, and the exception kept, if it fails."""
    cdef Bound bound = <Bound>context
    bound.now = t
    try:
        before = copied(signals, bound.c.model.signals).tolist()
        for place, value in bound.controller(t, copied(z, bound.states), before, bound.measured):
            signals[<int>place] = value
        return 0
    except BaseException as error:
        return _failed(bound, error, "the controller", t)


cdef int _ask_both(void *context, double t, const double *z, double *signals) noexcept with gil:
    return _ask(context, t, z, signals) or _control(context, t, z, signals)


# An event that ends the runs of a thread: signals of the system come to the main thread alone.
stop = ContextVar("stop", default=None)


cdef int poll(void *context) noexcept with gil:
    """Let Python handle signals of the system; 1, and the exception kept, if it raises one or the run is to stop."""
    try:
        PyErr_CheckSignals()
        told = stop.get()
        if told is not None and told.is_set():
            raise KeyboardInterrupt
        return 0
    except BaseException as error:
        (<Bound>context).error = error
        return 1


cdef vcg_watch *watches_of(const vcg_model *model, tuple watches) except NULL:
    """What the loop is to watch, to be freed by the caller."""
    cdef int i
    for output, _, _, change, rate in watches:
        if not 0 <= output < model.outputs or rate >= model.outputs or (change >= 0 and (model.changes == NULL or change >= model.events)):
            raise ValueError(f"the model has no output {output} or no event {change}")
    cdef vcg_watch *watched = <vcg_watch *>malloc((len(watches) + 1) * sizeof(vcg_watch))
    if watched == NULL:
        raise MemoryError()
    for i, (output, direction, terminal, change, rate) in enumerate(watches):
        watched[i] = vcg_watch(output, direction, terminal, change, rate)
    return watched


cdef object happened_of(const vcg_results *results, int n):
    """The events as rows of (watch, t, before, after)."""
    happened = _empty((results.happened.count, 2 + 2 * n))
    if results.happened.count:
        memcpy(data_of(happened), results.happened.data, happened.nbytes)
    return happened


cdef dict told_of(const vcg_results *results, int status, object error):
    """What is said about a run."""
    return {
        "status": status, "t": results.t, "where": results.where, "chart": results.chart, "output": results.output, "watch": results.watch, "closed": results.closed,
        "steps": results.statistics.steps, "rejections": results.statistics.rejections,
        "rhs_calls": results.statistics.calls, "jacobians": results.statistics.jacobians,
        "factorisations": results.statistics.factorisations, "iterations": results.statistics.iterations,
        "held": results.statistics.held, "projections": results.statistics.projections, "chart_changes": results.statistics.charts,
        "largest_correction": results.statistics.correction, "error": error,
    }
