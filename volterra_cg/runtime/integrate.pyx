# cython: language_level=3, binding=False, embedsignature=True, freethreading_compatible=True
"""The thin skin over the loop in C: a handle in, rows of states out, without the interpreter in between."""

from cpython.buffer cimport PyBUF_RECORDS_RO, PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.exc cimport PyErr_CheckSignals
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset
from posix.time cimport CLOCK_THREAD_CPUTIME_ID, clock_gettime, timespec

from contextvars import ContextVar

import numpy as np

from volterra_cg.errors import OptionError, SingularConfiguration
from volterra_cg.integrators import IMPLICIT
from volterra_cg.runtime.arguments import number, numbers
from volterra_cg.runtime.handle cimport Handle
from volterra_cg.runtime.vcg_model cimport vcg_model

cdef extern from "integrators/loop.h" nogil:
    ctypedef struct vcg_samples:
        int signal, count
        const double *times
        const double *values
    ctypedef struct vcg_chart:
        const vcg_model *model
        double *w
    ctypedef int (*vcg_ask)(void *context, double t, const double *z, double *signals) noexcept
    ctypedef struct vcg_hold:
        int count, next
        const double *times
        vcg_ask ask
    ctypedef struct vcg_bound:
        const vcg_model *model
        double *p
        double *w
        double *g
        double *signals
        double *scratch
        int sampled
        const vcg_samples *samples
        vcg_ask ask
        vcg_hold hold
        void *context
        const double *present
        int charts, chart
        const vcg_chart *sets
        double *converted
    ctypedef struct vcg_watch:
        int output, direction, terminal, change, rate
    ctypedef struct vcg_settings:
        double rtol
        const double *atol
        double max_step, first_step
        long max_steps
        int kinks, project, dense, rates, watched
        const double *start_rates
        const vcg_watch *watches
        int (*poll)(void *context) noexcept
    ctypedef struct vcg_statistics:
        long steps, rejections, calls, jacobians, factorisations, projections, iterations, held, charts
        double correction
    ctypedef struct vcg_dense:
        long count, room
        int size
        double *data
    ctypedef struct vcg_happened:
        long count, room
        int size
        double *data
    ctypedef struct vcg_results:
        int count
        double *times
        double *rows
        double *outputs
        int reached
        double t
        double *last
        int where, chart, output, watch, closed
        vcg_statistics statistics
        vcg_dense dense
        vcg_happened happened
    ctypedef struct vcg_integrator:
        pass
    const vcg_integrator *vcg_integrator_of(const char *name)
    int vcg_run(const vcg_integrator *integrator, vcg_bound *bound, const vcg_settings *settings, vcg_results *results)
    ctypedef struct vcg_loop:
        pass
    vcg_loop *vcg_open(const vcg_integrator *integrator, vcg_bound *bound, const vcg_settings *settings, vcg_results *results)
    void vcg_close(vcg_loop *run)
    int vcg_reset(vcg_loop *run)
    int vcg_go_on(vcg_loop *run, double dt)
    const double *vcg_present(const vcg_loop *run)
    int vcg_signals_at(vcg_bound *bound, double t, const double *z)
    size_t vcg_kept(const vcg_loop *run)
    void vcg_save(const vcg_loop *run, double *kept)
    int vcg_resume(vcg_loop *run, const double *kept)
    int vcg_dense_at(const vcg_integrator *integrator, const vcg_dense *dense, int n, double t, double *z)
    int vcg_repeat(vcg_bound *bound, int count, const double *times, const double *states, double *dz, long loops)

cdef object _empty = np.empty
cdef object _array = np.ndarray


cdef double *_data(array) except? NULL:
    """Where the numbers of a contiguous array are; whoever calls keeps it alive."""
    cdef Py_buffer view
    PyObject_GetBuffer(array, &view, PyBUF_SIMPLE)
    cdef double *data = <double *>view.buf
    PyBuffer_Release(&view)
    return data


cdef object _vector(values, Py_ssize_t size, str name):
    array = np.ascontiguousarray(numbers(name, values))
    if array.shape != (size,):
        raise ValueError(f"{name} must have shape ({size},), not {array.shape}")
    return array


cdef double _seconds() noexcept nogil:
    """Processor time of this thread."""
    cdef timespec time
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec + 1e-9 * time.tv_nsec


cdef const vcg_integrator *_integrator(str name) except NULL:
    cdef const vcg_integrator *found = vcg_integrator_of(name.encode())
    if found == NULL:
        raise ValueError(f"no integrator is called {name!r}")
    return found


cdef class _Bound:
    """A handle's model with memory of its own for one run: parameters and momenta that events may change."""

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
            self.samples[i] = vcg_samples(place, len(times), _data(times), _data(values))
        self.c.samples, self.c.sampled = self.samples, len(samples)
        self.c.context = <void *>self
        self.controller, self.switches = controller, switches
        if switches is not None:
            self.c.hold = vcg_hold(len(switches), 0, _data(switches), _control)
        elif controller is not None:
            self.c.ask = _ask_both
        elif functions:
            self.c.ask = _ask

    def measured(self, given):
        """The outputs at the state that a controller is asked about, with given values of all signals."""
        cdef const vcg_model *model = self.c.model
        cdef int where = -1
        signals, y, scratch = _vector(given, model.signals, "signals"), _empty(model.outputs), _empty(model.scratch + 1)
        if model.output(self.now, self.c.present, _data(y), self.c.w, self.c.g, _data(signals), _data(scratch), &where) != 0:
            raise SingularConfiguration(f"the outputs cannot be evaluated at t = {self.now:.9g}", "", self.now)
        return y

    def __dealloc__(self):
        free(self.c.p)
        free(self.samples)
        free(self.sets)


cdef object _copied(const double *values, int count):
    copy = _empty(count)
    memcpy(_data(copy), values, count * sizeof(double))
    return copy


cdef int _ask(void *context, double t, const double *z, double *signals) noexcept with gil:
    """The signals that are Python functions; 1, and the exception kept, if one fails."""
    cdef _Bound bound = <_Bound>context
    name = None
    try:
        state = _copied(z, bound.states)
        for place, (name, function) in bound.functions.items():
            given = function(t, state)
            signals[<int>place] = given if isinstance(given, float) else number(f"the signal {name}", given)
        return 0
    except BaseException as error:
        error.add_note(f"in the signal {name} at t = {t:.9g}")
        bound.error = error
        return 1


cdef int _control(void *context, double t, const double *z, double *signals) noexcept with gil:
    """The signals that a controller sets; 1, and the exception kept, if it fails."""
    cdef _Bound bound = <_Bound>context
    bound.now = t
    try:
        before = _copied(signals, bound.c.model.signals).tolist()
        for place, value in bound.controller(t, _copied(z, bound.states), before, bound.measured):
            signals[<int>place] = value
        return 0
    except BaseException as error:
        error.add_note(f"in the controller at t = {t:.9g}")
        bound.error = error
        return 1


cdef int _ask_both(void *context, double t, const double *z, double *signals) noexcept with gil:
    return _ask(context, t, z, signals) or _control(context, t, z, signals)


# An event that ends the runs of a thread: signals of the system come to the main thread alone.
stop = ContextVar("stop", default=None)


cdef int _poll(void *context) noexcept with gil:
    """Let Python handle signals of the system; 1, and the exception kept, if it raises one or the run is to stop."""
    try:
        PyErr_CheckSignals()
        told = stop.get()
        if told is not None and told.is_set():
            raise KeyboardInterrupt
        return 0
    except BaseException as error:
        (<_Bound>context).error = error
        return 1


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
        cdef const double *times = _data(asked)
        cdef double *rows = _data(found)
        with nogil:
            for i in range(count):
                if vcg_dense_at(self.integrator, &self.dense, n, times[i], rows + i * width) != 0:
                    failed = 1
                    break
        if failed >= 0:
            raise ValueError(f"t = {asked.flat[i]:.9g} is not within the run")
        return np.ascontiguousarray(found[:, :n]).reshape((*np.shape(t), n))


cdef vcg_watch *_watches(const vcg_model *model, tuple watches) except NULL:
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


cdef object _happened(const vcg_results *results, int n):
    """The events as rows of (watch, t, before, after)."""
    happened = _empty((results.happened.count, 2 + 2 * n))
    if results.happened.count:
        memcpy(_data(happened), results.happened.data, happened.nbytes)
    return happened


cdef dict _told(const vcg_results *results, int status, object error):
    """What is said about a run."""
    return {
        "status": status, "t": results.t, "where": results.where, "chart": results.chart, "output": results.output, "watch": results.watch, "closed": results.closed,
        "steps": results.statistics.steps, "rejections": results.statistics.rejections,
        "rhs_calls": results.statistics.calls, "jacobians": results.statistics.jacobians,
        "factorisations": results.statistics.factorisations, "iterations": results.statistics.iterations,
        "held": results.statistics.held, "projections": results.statistics.projections, "chart_changes": results.statistics.charts,
        "largest_correction": results.statistics.correction, "error": error,
    }


def integrate(Handle handle, str integrator, z0, times, *, double rtol, atol, double max_step=0.0, double first_step=0.0,
              long max_steps=100_000_000, bint kinks=True, bint project=False, bint dense=False, int rates=0, tuple watches=(),
              tuple samples=(), dict functions={}, controller=None, switches=None, bint outputs=True, start_rates=None):
    """Integrate over increasing times from the state z0 at the first of them.

    Returns times, states and outputs reached, the dense output or None, the events as rows of (watch, t, before,
    after), the last state, and a dict of numbers about the run. `watches` are tuples (output, direction, terminal,
    change, rate), `samples` tuples (signal, times, values), `functions` a dict from signals to pairs (name, function). A
    `controller` takes t, z, the signals and a function that gives the outputs for others of these, and returns pairs (signal,
    value); it is asked at each stage, or at the times `switches`.
    """
    cdef const vcg_integrator *chosen = _integrator(integrator)
    cdef const vcg_model *model = handle.model
    cdef int n = model.states, count = len(times), status = 0
    cdef vcg_watch *watched = NULL
    cdef vcg_settings settings
    cdef vcg_results results
    cdef double begin
    cdef _Bound bound = _Bound(handle, samples, functions, controller, switches)
    cdef Dense kept = Dense()
    limits = _vector(atol, n, "atol")
    at = numbers("times", times)
    rows = _empty((count, n))
    rows[0] = _vector(z0, n, "z0")
    y = _empty((count, model.outputs)) if outputs else None
    last = _empty(n)
    memset(&settings, 0, sizeof(settings))
    memset(&results, 0, sizeof(results))
    if integrator in IMPLICIT and model.jacobian == NULL:
        raise ValueError("the model has no jacobian")
    if project and (model.gaps == NULL or model.holonomic == 0):
        raise ValueError("the model has no holonomic constraints")
    settings.rtol, settings.atol = rtol, _data(limits)
    settings.max_step, settings.first_step, settings.max_steps = max_step, first_step, max_steps
    settings.kinks, settings.project, settings.dense, settings.rates = kinks, project, dense, rates
    given = None if start_rates is None else _vector(start_rates, model.coordinates, "start_rates")
    settings.start_rates = NULL if given is None else _data(given)
    settings.poll = _poll
    results.count, results.times, results.rows, results.last = count, _data(at), _data(rows), _data(last)
    results.outputs = _data(y) if outputs else NULL
    results.where = results.output = results.watch = results.closed = -1
    results.t = results.times[0]
    memcpy(results.last, results.rows, n * sizeof(double))
    watched = _watches(model, watches)
    try:
        settings.watched, settings.watches = len(watches), watched
        with nogil:
            begin = _seconds()
            status = vcg_run(chosen, &bound.c, &settings, &results)
            begin = _seconds() - begin
        kept.dense, kept.integrator, kept.states = results.dense, chosen, n
        happened = _happened(&results, n)
    finally:
        free(results.happened.data)
        free(watched)
    told = _told(&results, status, bound.error) | {"seconds": begin}
    if results.reached < count:
        at, rows, y = at[:results.reached], rows[:results.reached], y[:results.reached] if outputs else None
    return at, rows, y, kept if dense else None, happened, last, told


def repeat(Handle handle, times, states, long loops):
    """Processor seconds that `loops` evaluations of the derivative take, over rows of states, in C."""
    cdef _Bound bound = _Bound(handle, (), {})
    cdef int count = len(times), n = handle.model.states
    at = _vector(times, count, "times")
    rows = np.ascontiguousarray(numbers("states", states))
    if rows.shape != (count, n):
        raise ValueError(f"states must have shape ({count}, {n}), not {rows.shape}")
    result = _empty(n)
    cdef const double *asked = _data(at)
    cdef const double *given = _data(rows)
    cdef double *dz = _data(result)
    cdef double begin
    with nogil:
        begin = _seconds()
        vcg_repeat(&bound.c, count, asked, given, dz, loops)
        begin = _seconds() - begin
    return begin


cdef class Steps:
    """A run by calls, in memory that is taken once; `z` is its state, shape (states,), which every call changes.

    `places` are the numbers of the signals by name. `inputs` is whether all of them may be set, because none changes by itself.
    """

    cdef _Bound bound
    cdef vcg_loop *loop
    cdef vcg_settings settings
    cdef vcg_results results
    cdef object limits, first, rates
    cdef dict places
    cdef double t0
    cdef bint inputs, ended
    cdef readonly object z

    def _open(self, Handle handle, str integrator, dict places, double t0, z0, *, double rtol, atol, double max_step=0.0, double first_step=0.0,
              long max_steps=100_000_000, bint kinks=True, bint project=False, int rates=0, tuple watches=(), tuple samples=(),
              dict functions={}, start_rates=None):
        """Take the memory, once."""
        cdef const vcg_model *model = handle.model
        self.bound = _Bound(handle, samples, functions)
        self.places, self.t0, self.inputs = places, t0, not (samples or functions)
        self.limits, self.first, self.z = _vector(atol, model.states, "atol"), _vector(z0, model.states, "z0"), _empty(model.states)
        self.rates = None if start_rates is None else _vector(start_rates, model.coordinates, "start_rates")
        self.settings.rtol, self.settings.atol = rtol, _data(self.limits)
        self.settings.max_step, self.settings.first_step = max_step, first_step
        self.settings.max_steps, self.settings.kinks, self.settings.project = max_steps, kinks, project
        self.settings.rates, self.settings.poll = rates, _poll
        self.settings.start_rates = NULL if self.rates is None else _data(self.rates)
        self.settings.watches, self.settings.watched = _watches(model, watches), len(watches)
        self.results.times, self.results.rows, self.results.last = &self.t0, _data(self.first), _data(self.z)
        self.z.flags.writeable = False
        self.loop = vcg_open(_integrator(integrator), &self.bound.c, &self.settings, &self.results)
        if self.loop == NULL:
            raise MemoryError()

    def __cinit__(self, *_, **__):
        self.ended = True  # until it is opened and reset

    def __dealloc__(self):
        vcg_close(self.loop)
        free(self.results.happened.data)
        free(<void *>self.settings.watches)

    @property
    def t(self):
        """The time."""
        return self.results.t

    @property
    def signals(self):
        """The values of the signals, a copy."""
        return _copied(self.bound.c.signals, self.bound.handle.model.signals)

    def step(self, dt, inputs=None):
        """Go on for a time dt with inputs, a dict by name or an array of all signals; what is not given stays as it is.

        Returns `z`. A motion that cannot go on raises IntegrationError and stays where it stopped; after a terminal event, `status`
        says so.
        """
        cdef double time = dt
        cdef int status
        if self.ended:
            self._refuse()
        if not 0.0 < time < 1e300:
            raise OptionError(f"dt must be positive and finite, not {time:g}")
        if inputs is not None and not (self.inputs and self._quickly(inputs)):
            self._set(self._chosen(inputs))
        with nogil:
            status = vcg_go_on(self.loop, time)
        if status != 0:
            self.ended = True
            self._end(_told(&self.results, status, self.bound.error))
        return self.z

    cdef bint _quickly(self, inputs) except -1:
        """Whether inputs are as most are, an array or a dict of floats, and right; then they are set."""
        if type(inputs) is not dict:
            return type(inputs) is _array and self._set(inputs)
        for name, given in (<dict>inputs).items():
            if name not in self.places or type(given) is not float or 0.0 * <double>given != 0.0:
                return False
        for name, given in (<dict>inputs).items():
            self.bound.c.signals[<int>self.places[name]] = <double>given
        return True

    cdef bint _set(self, inputs) except -1:
        """Whether an array holds the signals, one finite double each; then they are set."""
        cdef Py_buffer view
        cdef Py_ssize_t i, count = self.bound.handle.model.signals
        cdef double sum = 0.0
        PyObject_GetBuffer(inputs, &view, PyBUF_RECORDS_RO)
        cdef bint fits = (view.ndim == 1 and view.shape[0] == count and view.itemsize == 8 and view.format[0] == c"d"
                          and (count < 2 or view.strides[0] == 8))
        for i in range(count if fits else 0):
            sum += 0.0 * (<double *>view.buf)[i]
        fits = fits and sum == 0.0
        if fits:
            memcpy(self.bound.c.signals, view.buf, count * sizeof(double))
        PyBuffer_Release(&view)
        return fits

    def reset(self):
        """Go back to the start, its signals included; returns `z`."""
        cdef Handle handle = self.bound.handle
        memcpy(self.bound.c.p, handle.p, handle.model.parameters * sizeof(double))
        memcpy(self.bound.c.g, handle.g, handle.model.momenta * sizeof(double))
        memcpy(self.bound.c.signals, handle.signals, handle.model.signals * sizeof(double))
        self._began(vcg_reset(self.loop))
        return self.z

    cdef _began(self, int status):
        self.ended, self.bound.error = status != 0, None
        self._end(_told(&self.results, status, None))

    def _kept(self):
        kept = _empty(vcg_kept(self.loop))
        vcg_save(self.loop, _data(kept))
        return kept

    def _restore(self, kept):
        values = _vector(kept, vcg_kept(self.loop), "the checkpoint")
        self._began(vcg_resume(self.loop, _data(values)))

    def _measured(self):
        """The outputs at the state, in the chart that the run is in."""
        self.bound.now, self.bound.c.present = self.results.t, vcg_present(self.loop)
        if vcg_signals_at(&self.bound.c, self.results.t, self.bound.c.present) != 0:
            error, self.bound.error = self.bound.error, None
            raise error if error is not None else SingularConfiguration("a signal has no value here", "", self.results.t)
        return self.bound.measured(_copied(self.bound.c.signals, self.bound.c.model.signals))

    def _happened(self):
        return _happened(&self.results, self.bound.states)
