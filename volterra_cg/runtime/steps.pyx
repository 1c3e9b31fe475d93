# cython: language_level=3, binding=False, embedsignature=True, embedsignature.format=clinic, freethreading_compatible=True
"""A run by calls over the loop in C, in memory that is taken once."""

from cpython.buffer cimport PyBUF_RECORDS_RO, PyBuffer_Release, PyObject_GetBuffer
from cpython.float cimport PyFloat_AS_DOUBLE, PyFloat_CheckExact
from libc.stdlib cimport free
from libc.string cimport memcpy

import numpy as np

from volterra_cg.errors import OptionError, SingularConfiguration
from volterra_cg.runtime.arguments import number
from volterra_cg.runtime.bound cimport Bound, copied, data_of, happened_of, poll, told_of, vector, watches_of
from volterra_cg.runtime.handle cimport Handle
from volterra_cg.runtime.loop cimport (
    integrator_of,
    vcg_close,
    vcg_go_on,
    vcg_kept,
    vcg_loop,
    vcg_open,
    vcg_present,
    vcg_reset,
    vcg_results,
    vcg_resume,
    vcg_save,
    vcg_settings,
    vcg_signals_at,
)
from volterra_cg.runtime.vcg_model cimport vcg_model

cdef extern from *:
    """
    /* Whether a flag was down, and is up now; other threads see the same. */
    static inline int vcg_take(int *flag)
    {
        return __atomic_exchange_n(flag, 1, __ATOMIC_ACQUIRE) == 0;
    }

    static inline void vcg_give(int *flag)
    {
        __atomic_store_n(flag, 0, __ATOMIC_RELEASE);
    }
    """
    bint vcg_take(int *flag) noexcept
    void vcg_give(int *flag) noexcept

cdef object _empty = np.empty
cdef object _array = np.ndarray
cdef object _double = np.dtype(np.float64)


cdef class Steps:
    """A run by calls, in memory that is taken once; `z` is its state, shape (states,), which every call changes.

    `places` are the numbers of the signals by name. `inputs` is whether all of them may be set, because none changes by itself.
    `taken` is up while a call uses the memory: others are refused then, from signals that are functions and from other threads.
    """

    cdef Bound bound
    cdef vcg_loop *loop
    cdef vcg_settings settings
    cdef vcg_results results
    cdef object limits, first, rates
    cdef dict places
    cdef double t0
    cdef bint inputs, ended
    cdef int taken
    cdef readonly object z

    def _open(self, Handle handle, str integrator, dict places, double t0, z0, *, double rtol, atol, double max_step=0.0, double first_step=0.0,
              long max_steps=100_000_000, bint kinks=True, bint project=False, int rates=0, tuple watches=(), tuple samples=(),
              dict functions={}, start_rates=None):
        """Take the memory, once."""
        cdef const vcg_model *model = handle.model
        if self.loop != NULL:
            raise TypeError("a stepper is made once; stepper() of a model or start makes another")
        self.bound = Bound(handle, samples, functions)
        self.places, self.t0, self.inputs = places, t0, not (samples or functions)
        self.limits, self.first, self.z = vector(atol, model.states, "atol"), vector(z0, model.states, "z0"), _empty(model.states)
        self.rates = None if start_rates is None else vector(start_rates, model.coordinates, "start_rates")
        self.settings.rtol, self.settings.atol = rtol, data_of(self.limits)
        self.settings.max_step, self.settings.first_step = max_step, first_step
        self.settings.max_steps, self.settings.kinks, self.settings.project = max_steps, kinks, project
        self.settings.rates, self.settings.poll, self.settings.by_rows = rates, poll, True
        self.settings.start_rates = NULL if self.rates is None else data_of(self.rates)
        self.settings.watches, self.settings.watched = watches_of(model, watches), len(watches)
        self.results.times, self.results.rows, self.results.last = &self.t0, data_of(self.first), data_of(self.z)
        self.z.flags.writeable = False
        self.loop = vcg_open(integrator_of(integrator), &self.bound.c, &self.settings, &self.results)
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
        self._made()
        return copied(self.bound.c.signals, self.bound.handle.model.signals)

    def step(self, dt, inputs=None):
        """Go on for a time dt with inputs, a dict by name or an array of all signals; what is not given stays as it is.

        Returns `z`. A motion that cannot go on raises IntegrationError and stays where it stopped; after a terminal event, `status`
        says so.
        """
        cdef double time = PyFloat_AS_DOUBLE(dt) if PyFloat_CheckExact(dt) else number("dt", dt)
        cdef int status
        self._take()
        try:
            if self.ended:
                self._refuse()
            if not 0.0 < time < 1e300:
                raise OptionError(f"dt must be positive and finite, not {time:g}")
            if not self.results.t + time > self.results.t:
                raise OptionError(f"dt = {time:g} is lost in rounding beside t = {self.results.t:.9g}: go on by more")
            if inputs is not None and not (self.inputs and self._quickly(inputs)):
                self._set(self._chosen(inputs))
            with nogil:
                status = vcg_go_on(self.loop, time)
            if status != 0:
                self.ended = True
                self._end(told_of(&self.results, status, self.bound.error))
        finally:
            vcg_give(&self.taken)
        return self.z

    cdef int _made(self) except -1:
        """Refuse a stepper without memory."""
        if self.loop == NULL:
            raise TypeError("a stepper is made by stepper() of a model or start")
        return 0

    cdef int _take(self) except -1:
        """Let nobody else use the memory until it is given back."""
        self._made()
        if not vcg_take(&self.taken):
            raise OptionError(
                "this stepper is in a call that has not ended: its own signals cannot call it, nor two threads at once;"
                " stepper() of the same start makes another"
            )
        return 0

    cdef bint _quickly(self, inputs) except -1:
        """Whether inputs are as most are, an array or a dict of floats, and right; then they are set."""
        if type(inputs) is not dict:
            return type(inputs) is _array and inputs.dtype == _double and self._set(inputs)
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
        cdef Handle handle
        self._take()
        try:
            handle = self.bound.handle
            memcpy(self.bound.c.p, handle.p, handle.model.parameters * sizeof(double))
            memcpy(self.bound.c.g, handle.g, handle.model.momenta * sizeof(double))
            memcpy(self.bound.c.signals, handle.signals, handle.model.signals * sizeof(double))
            self._began(vcg_reset(self.loop))
        finally:
            vcg_give(&self.taken)
        return self.z

    cdef _began(self, int status):
        self.ended, self.bound.error = status != 0, None
        self._end(told_of(&self.results, status, None))

    def _kept(self):
        self._take()
        try:
            kept = _empty(vcg_kept(self.loop))
            vcg_save(self.loop, data_of(kept))
        finally:
            vcg_give(&self.taken)
        return kept

    def _restore(self, kept):
        self._take()
        try:
            values = vector(kept, vcg_kept(self.loop), "the checkpoint")
            self._began(vcg_resume(self.loop, data_of(values)))
        finally:
            vcg_give(&self.taken)

    def _measured(self):
        """The outputs at the state, in the chart that the run is in."""
        self._take()
        try:
            self.bound.now, self.bound.c.present = self.results.t, vcg_present(self.loop)
            if vcg_signals_at(&self.bound.c, self.results.t, self.bound.c.present) != 0:
                error, self.bound.error = self.bound.error, None
                raise error if error is not None else SingularConfiguration("a signal has no value here", "", self.results.t)
            return self.bound.measured(copied(self.bound.c.signals, self.bound.c.model.signals))
        finally:
            vcg_give(&self.taken)

    def _happened(self):
        self._take()
        try:
            return happened_of(&self.results, self.bound.states)
        finally:
            vcg_give(&self.taken)
