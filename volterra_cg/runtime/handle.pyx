# cython: language_level=3, binding=False, embedsignature=True, embedsignature.format=clinic, freethreading_compatible=True
"""The thin skin over a model's C table: arrays in, arrays out, statuses turned into exceptions.

A handle never changes once made and every call uses memory of its own, so threads may share one.
"""

cimport cython
from cpython.buffer cimport PyBUF_FORMAT, PyBUF_ND, PyBUF_RECORDS, PyBuffer_Release, PyObject_GetBuffer
from cpython.float cimport PyFloat_AS_DOUBLE, PyFloat_CheckExact
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_IsValid, PyCapsule_New
from libc.string cimport memcpy

import numpy as np

from volterra_cg.runtime.vcg_model cimport VCG_ABI_VERSION, vcg_model

from volterra_cg.runtime.arguments import number, numbers
from volterra_cg.errors import ImpossibleParameters, IntegrationError, InternalError, OptionError, SingularConfiguration

VANISHED = 1e-13  # the part of the longest row that a row has of rounding alone; integrators/charts.c has it too

cdef extern from *:
    """
    enum { VCG_STACK = 512 };
    """
    enum: VCG_STACK  # doubles of scratch kept on the stack; more than that is allocated

cdef extern from *:
    """
    #include <numpy/arrayobject.h>

    /* The numbers of a plain array of `size` doubles, or NULL: numpy's buffers would cost as much as a small model. */
    static inline double *vcg_direct(PyObject *object, Py_ssize_t size, int flags)
    {
        PyArrayObject *array = (PyArrayObject *)object;
        const int plain = PyArray_CheckExact(object) && PyArray_NDIM(array) == 1 && PyArray_DIM(array, 0) == size &&
                          PyArray_TYPE(array) == NPY_DOUBLE && PyArray_ISNOTSWAPPED(array) &&
                          PyArray_CHKFLAGS(array, flags);
        return plain ? (double *)PyArray_DATA(array) : NULL;
    }
    """
    double *vcg_direct(object array, Py_ssize_t size, int flags) noexcept
    int _import_array() except -1
    enum: NPY_ARRAY_CARRAY  # contiguous, aligned, writable
    enum: NPY_ARRAY_CARRAY_RO

_import_array()

cdef object _empty = np.empty
cdef object _masked = np.ma.MaskedArray


cdef inline bint _is_double(const Py_buffer *view) noexcept:
    return view.itemsize == 8 and view.format != NULL and view.format[0] == c"d" and view.format[1] == 0


cdef object _converted(object values, Py_ssize_t size, str name):
    """A contiguous float64 copy of `size` real numbers."""
    array = numbers(name, values)
    if array.shape != (size,):
        raise ValueError(f"{name} must have shape ({size},), not {array.shape}")
    return np.ascontiguousarray(array)


cdef inline double _time(object t) except? -1.0:
    return PyFloat_AS_DOUBLE(t) if PyFloat_CheckExact(t) else number("t", t)


cdef int _read(object values, Py_ssize_t size, str name, Py_buffer *view) except -1:
    """A view of `size` contiguous doubles: of `values` itself where it is that already, else of a copy."""
    if isinstance(values, _masked):  # whose buffer knows nothing of the mask
        values = _converted(values, size, name)
    try:
        PyObject_GetBuffer(values, view, PyBUF_ND | PyBUF_FORMAT)
    except (TypeError, ValueError, BufferError):
        PyObject_GetBuffer(_converted(values, size, name), view, PyBUF_ND | PyBUF_FORMAT)
        return 0
    if view.ndim == 1 and view.shape[0] == size and _is_double(view):
        return 0
    PyBuffer_Release(view)
    PyObject_GetBuffer(_converted(values, size, name), view, PyBUF_ND | PyBUF_FORMAT)
    return 0


cdef int _write(object out, Py_ssize_t size, Py_buffer *view) except -1:
    """A writable view, of any stride, of `size` doubles."""
    try:
        PyObject_GetBuffer(out, view, PyBUF_RECORDS)
    except (ValueError, BufferError):
        raise ValueError("out must be writable") from None
    except TypeError:
        raise TypeError(f"out must be a float64 array, not {type(out).__name__}") from None
    if view.ndim == 1 and view.shape[0] == size and _is_double(view):
        return 0
    double, ndim = _is_double(view), view.ndim
    shape = tuple([view.shape[i] for i in range(ndim)])
    PyBuffer_Release(view)
    if not double:
        raise TypeError("out must be a float64 array")
    raise ValueError(f"out must have shape ({size},), not {shape}")


cdef void _copy(const double *source, Py_buffer *view) noexcept:
    cdef Py_ssize_t i
    cdef char *target = <char *>view.buf
    if view.strides[0] == sizeof(double):
        memcpy(target, source, view.shape[0] * sizeof(double))
        return
    for i in range(view.shape[0]):
        (<double *>(target + i * view.strides[0]))[0] = source[i]


cdef double *_doubles(Py_ssize_t count) except NULL:
    cdef double *memory = <double *>PyMem_Malloc((count + 1) * sizeof(double))
    if memory == NULL:
        raise MemoryError()
    return memory


cdef int _fill(object values, Py_ssize_t size, str name, double *target) except -1:
    cdef Py_buffer view
    _read(values, size, name, &view)
    memcpy(target, view.buf, size * sizeof(double))
    PyBuffer_Release(&view)
    return 0


cdef int _built(bint present) except -1:
    if not present:
        raise OptionError("this model was built without derivatives; build it with --jacobian, or compile(jacobian=True)")
    return 0


cdef object _vector(const double *values, Py_ssize_t size):
    cdef Py_buffer view
    array = _empty(size)
    PyObject_GetBuffer(array, &view, PyBUF_RECORDS)
    memcpy(view.buf, values, size * sizeof(double))
    PyBuffer_Release(&view)
    return array


@cython.final
cdef class Handle:
    """A model's table with parameters, signals and, once known, momenta bound to it.

    `table` is a capsule named "vcg_model"; `checks` names the divisors that the model tests. Without `momenta` only
    `initial` and `start` can be called, unless the model has none. `limits` are called with the parameters that break them,
    for the words to refuse them with. `chart_checks` name the divisors of further charts.
    """

    def __cinit__(self, table, checks, parameters, signals=(), momenta=None, limits=(), chart_checks=()):
        if not PyCapsule_IsValid(table, "vcg_model"):
            raise TypeError("table must be a capsule named vcg_model")
        self.model = <const vcg_model *>PyCapsule_GetPointer(table, "vcg_model")
        if self.model.abi_version != VCG_ABI_VERSION:
            raise InternalError(
                f"the model was built for interface {self.model.abi_version}, this runtime speaks {VCG_ABI_VERSION};"
                " build the model again"
            )
        self.table = table
        self.checks = tuple(checks)
        self.chart_checks = tuple(chart_checks)
        self.p = _doubles(self.model.parameters)
        self.w = _doubles(self.model.prepared)
        self.g = _doubles(self.model.momenta)
        self.signals = _doubles(self.model.signals)
        _fill(parameters, self.model.parameters, "parameters", self.p)
        _fill(signals, self.model.signals, "signals", self.signals)
        self.bound = momenta is not None or self.model.momenta == 0
        if momenta is not None:
            _fill(momenta, self.model.momenta, "momenta", self.g)
        self._prepare(limits)

    def __dealloc__(self):
        PyMem_Free(self.p)
        PyMem_Free(self.w)
        PyMem_Free(self.g)
        PyMem_Free(self.signals)

    cdef int _prepare(self, limits) except -1:
        cdef int where = -1
        cdef int status = self.model.prepare(self.p, self.w, &where)
        if status == 2:
            values = _vector(self.p, self.model.parameters)
            known = 0 <= where < len(limits)
            raise ImpossibleParameters(limits[where](values) if known else f"limit {where} does not hold")
        if status != 0:
            self._fail(status, where, None)
        return 0

    cdef int _fail(self, int status, int where, object time) except -1:
        """Name the divisor that vanished."""
        block = self.checks[where] if 0 <= where < len(self.checks) else f"check {where} failed"
        at = "for these parameters" if time is None else f"at t = {time:.9g}"
        if status > 0:
            raise SingularConfiguration(f"singular configuration {at}: {block}", block, time)
        raise IntegrationError(f"the model cannot be evaluated {at}: {block}", float("nan") if time is None else time)

    cdef int _ready(self) except -1:
        if not self.bound:
            raise ValueError("no momenta are bound to this handle; give the momenta that start returned")
        return 0

    @property
    def sizes(self):
        """The lengths of the table's vectors by name."""
        return {
            "coordinates": self.model.coordinates, "speeds": self.model.speeds, "states": self.model.states,
            "momenta": self.model.momenta, "parameters": self.model.parameters, "prepared": self.model.prepared,
            "signals": self.model.signals, "scratch": self.model.scratch, "outputs": self.model.outputs,
            "events": self.model.events, "divisors": self.model.divisors,
            "holonomic": self.model.holonomic, "redundant": self.model.redundant, "charts": self.model.charts,
        }

    def chart(self, int number):
        """A handle of one of the charts with the same values bound to it; 0 is this one."""
        if not 0 <= number <= self.model.charts:
            raise ValueError(f"the model has no chart {number}")
        if number == 0:
            return self
        table = PyCapsule_New(<void *>self.model.chart[number - 1], "vcg_model", NULL)
        momenta = _vector(self.g, self.model.momenta) if self.bound else None
        checks = self.chart_checks[number - 1] if number <= len(self.chart_checks) else ()
        cdef Handle found = Handle(table, checks, _vector(self.p, self.model.parameters),
                                   _vector(self.signals, self.model.signals), momenta)
        found.table = self.table  # which keeps the code of all charts alive
        return found

    def best_chart(self, t, z):
        """The handle of the chart whose rows are most independent at the coordinates of a state of any chart."""
        charts = [self.chart(number) for number in range(self.model.charts + 1)]
        return max(charts, key=lambda chart: chart.volume(t, z)) if self.model.charts else self

    def outputs_of_rates(self, t, z, qd, signals=None):
        """The outputs at a state and its rates, which the state itself may not determine: in the best chart."""
        if not self.model.charts:
            return self.outputs(t, z, signals)
        values = numbers("z", z)
        chart = self.best_chart(t, values)
        own, _ = chart.start(t, values[:self.model.coordinates], qd)
        kept = self.model.coordinates + self.model.speeds
        own[kept:] = values[kept:]
        return chart.outputs(t, own, signals)

    def volume(self, t, z):
        """The volume that the rows of the frame span, each taken with length 1; 0 where all of a row but rounding vanishes."""
        cdef Py_ssize_t m = self.model.coordinates, count = self.model.framed
        rows = self._evaluated(self.model.frame, NULL, count * m, 0, t, z, None).reshape(count, m)
        sizes = np.linalg.norm(rows, axis=1, keepdims=True)
        if not sizes.min(initial=np.inf) > VANISHED * sizes.max(initial=0.0):
            return 0.0
        return float(np.prod(np.linalg.svd(rows / sizes, compute_uv=False)))

    @property
    def has_lanes(self):
        """Whether the model has a vector form of its derivative."""
        return self.model.rhs_lanes != NULL

    @property
    def has_jacobian(self):
        """Whether the model was built with its derivatives."""
        return self.model.jacobian != NULL

    @property
    def momenta(self):
        """The bound momenta."""
        self._ready()
        return _vector(self.g, self.model.momenta)

    def initial(self):
        """The spec's start values (q, qd) for the bound parameters."""
        cdef int where = -1, status
        cdef Py_ssize_t m = self.model.coordinates
        cdef double *memory = _doubles(2 * m)
        try:
            status = self.model.initial(self.p, memory, memory + m, &where)
            if status != 0:
                self._fail(status, where, None)
            return _vector(memory, m), _vector(memory + m, m)
        finally:
            PyMem_Free(memory)

    def start(self, t, q, qd):
        """States and momenta (z, g) of coordinates and rates."""
        cdef int where = -1, status
        cdef double time = _time(t)
        cdef Py_ssize_t m = self.model.coordinates, n = self.model.states, s = self.model.momenta
        cdef double *memory = _doubles(2 * m + n + s)
        cdef double *z = memory + 2 * m
        try:
            _fill(q, m, "q", memory)
            _fill(qd, m, "qd", memory + m)
            status = self.model.start(time, memory, memory + m, self.w, z, z + n, &where)
            if status != 0:
                self._fail(status, where, time)
            return _vector(z, n), _vector(z + n, s)
        finally:
            PyMem_Free(memory)

    def rhs(self, t, z, out=None, signals=None):
        """The derivative of z, shape (states,); written to `out` if given, and only when all went well.

        `signals` stand in for the bound ones in this call.
        """
        cdef Py_buffer source, target
        cdef double stack[VCG_STACK]
        cdef double *memory = stack
        cdef int where = -1, status
        cdef double time = _time(t)
        cdef Py_ssize_t n = self.model.states, need = n + self.model.scratch + self.model.signals
        cdef double *inputs = self.signals
        cdef const double *given
        cdef double *wanted
        if not self.bound:
            self._ready()
        if out is None:
            out = _empty(n)
        if signals is None and need <= VCG_STACK:
            given = vcg_direct(z, n, NPY_ARRAY_CARRAY_RO)
            wanted = vcg_direct(out, n, NPY_ARRAY_CARRAY)
            if given != NULL and wanted != NULL:
                status = self.model.rhs(time, given, memory, self.w, self.g, inputs, memory + n, &where)
                if status != 0:
                    self._fail(status, where, time)
                memcpy(wanted, memory, n * sizeof(double))
                return out
        _read(z, n, "z", &source)
        try:
            _write(out, n, &target)
            try:
                if need > VCG_STACK:
                    memory = _doubles(need)
                if signals is not None:
                    inputs = memory + n + self.model.scratch
                    _fill(signals, self.model.signals, "signals", inputs)
                status = self.model.rhs(time, <const double *>source.buf, memory, self.w, self.g, inputs, memory + n,
                                        &where)
                if status == 0:
                    _copy(memory, &target)
            finally:
                PyBuffer_Release(&target)
                if memory != stack:
                    PyMem_Free(memory)
        finally:
            PyBuffer_Release(&source)
        if status != 0:
            self._fail(status, where, time)
        return out

    def outputs(self, t, z, signals=None):
        """Everything the model can tell about a state, shape (outputs,)."""
        return self._evaluated(self.model.output, NULL, self.model.outputs, 0, t, z, signals)

    def outputs_along(self, t, z, signals=None):
        """The outputs at times, shape (T,), and states, shape (T, states), as (T, outputs); NaN where they do not exist.

        `signals`, shape (T, signals), stand in for the bound ones.
        """
        cdef Py_ssize_t k, count = len(t), n = self.model.states, m = self.model.outputs, s = self.model.signals
        cdef int where = -1
        self._ready()
        times, rows = np.ascontiguousarray(numbers("t", t)), np.ascontiguousarray(numbers("z", z))
        inputs = np.ascontiguousarray(numbers("signals", np.empty((count, 0)) if signals is None else signals))
        if rows.shape != (count, n) or (signals is not None and inputs.shape != (count, s)):
            raise ValueError(f"expected {count} rows of {n} states and {s} signals, not {rows.shape}, {inputs.shape}")
        results, scratch = np.full((count, m), np.nan), _empty(self.model.scratch + 1)
        cdef const double *at = <const double *><size_t>times.ctypes.data
        cdef const double *states = <const double *><size_t>rows.ctypes.data
        cdef const double *given = <const double *><size_t>inputs.ctypes.data
        cdef double *y = <double *><size_t>results.ctypes.data
        cdef double *work = <double *><size_t>scratch.ctypes.data
        cdef bint own = signals is None
        cdef double nan = float("nan")
        cdef Py_ssize_t i
        with nogil:
            for k in range(count):
                if self.model.output(at[k], states + k * n, y + k * m, self.w, self.g,
                                     self.signals if own else given + k * s, work, &where) != 0:
                    for i in range(m):
                        y[k * m + i] = nan
        return results

    def scene_along(self, t, x):
        """What a picture shows at times, shape (T,), and x = [q, qd, signals], as (T, numbers of the scene)."""
        cdef Py_ssize_t k, count = len(t), n = 2 * self.model.coordinates + self.model.signals, m = self.model.drawn
        cdef int where = -1
        if self.model.scene == NULL:
            raise OptionError("this model says nothing about where its bodies are, so that it cannot be drawn")
        times, rows = np.ascontiguousarray(numbers("t", t)), np.ascontiguousarray(numbers("x", x))
        if rows.shape != (count, n):
            raise ValueError(f"expected {count} rows of {n} coordinates, rates and signals, not {rows.shape}")
        results, scratch = np.full((count, m), np.nan), _empty(self.model.scratch + 1)
        cdef const double *at = <const double *><size_t>times.ctypes.data
        cdef const double *states = <const double *><size_t>rows.ctypes.data
        cdef double *s = <double *><size_t>results.ctypes.data
        cdef double *work = <double *><size_t>scratch.ctypes.data
        with nogil:
            for k in range(count):
                self.model.scene(at[k], states + k * n, self.p, s + k * m, work, &where)
        return results

    def changes(self, t, z, signals=None):
        """What each event of the spec makes of a state: q, qd, p after it, shape (events, 2 coordinates + parameters)."""
        cdef Py_ssize_t rows = self.model.events, columns = 2 * self.model.coordinates + self.model.parameters
        if self.model.changes == NULL:
            raise ValueError("no event of this model changes anything")
        return self._evaluated(self.model.changes, NULL, rows * columns, 0, t, z, signals).reshape(rows, columns)

    def jacobian(self, t, z, signals=None):
        """The derivatives of rhs by z, shape (states, states)."""
        cdef Py_ssize_t n = self.model.states
        _built(self.model.jacobian != NULL)
        return self._evaluated(self.model.jacobian, NULL, n * n, 0, t, z, signals).reshape(n, n)

    def sensitivity(self, t, z, signals=None):
        """The derivatives of rhs by parameters, momenta and signals, side by side."""
        cdef Py_ssize_t n = self.model.states
        cdef Py_ssize_t columns = self.model.parameters + self.model.momenta + self.model.signals
        _built(self.model.sensitivity != NULL)
        return self._evaluated(self.model.sensitivity, NULL, n * columns, 0, t, z, signals).reshape(n, columns)

    def matrices(self, t, z, signals=None):
        """The reduced mass matrix, shape (speeds, speeds), and the forcing, shape (speeds,)."""
        cdef Py_ssize_t n = self.model.speeds
        both = self._evaluated(NULL, self.model.matrices, n * n, n, t, z, signals)
        return both[:n * n].reshape(n, n), both[n * n:]

    def gaps(self, t, z):
        """What the holonomic constraints miss zero by, and their derivatives by q, shape (holonomic, coordinates)."""
        cdef Py_ssize_t n = self.model.holonomic, m = self.model.coordinates
        if self.model.gaps == NULL:
            return _empty(0), _empty((0, m))
        both = self._evaluated(NULL, self.model.gaps, n, n * m, t, z, None)
        return both[:n], both[n:].reshape(n, m)

    cdef object _evaluated(self, state_function function, pair_function pair, Py_ssize_t first, Py_ssize_t second,
                           object t, object z, object signals):
        """The result of a function of the state, or the two results, one after the other, of one of a pair."""
        cdef double *inputs = self.signals
        cdef Py_buffer source
        cdef int where = -1, status
        cdef double time = _time(t)
        cdef Py_ssize_t size = first + second
        cdef double *memory
        self._ready()
        _read(z, self.model.states, "z", &source)
        try:
            memory = _doubles(size + self.model.scratch + self.model.signals)
            try:
                if signals is not None:
                    inputs = memory + size + self.model.scratch
                    _fill(signals, self.model.signals, "signals", inputs)
                if function != NULL:
                    status = function(time, <const double *>source.buf, memory, self.w, self.g, inputs, memory + size,
                                      &where)
                else:
                    status = pair(time, <const double *>source.buf, memory, memory + first, self.w, self.g, inputs,
                                  memory + size, &where)
                if status != 0:
                    self._fail(status, where, time)
                return _vector(memory, size)
            finally:
                PyMem_Free(memory)
        finally:
            PyBuffer_Release(&source)

    def start_sensitivity(self, t, q, qd):
        """The derivatives of states and momenta (rows) by q, qd and parameters (columns)."""
        cdef int where = -1, status
        cdef double time = _time(t)
        cdef Py_ssize_t m = self.model.coordinates, rows = self.model.states + self.model.momenta
        cdef Py_ssize_t columns = 2 * m + self.model.parameters
        cdef double *memory
        _built(self.model.start_sensitivity != NULL)
        memory = _doubles(2 * m + rows * columns)
        try:
            _fill(q, m, "q", memory)
            _fill(qd, m, "qd", memory + m)
            status = self.model.start_sensitivity(time, memory, memory + m, memory + 2 * m, self.w, &where)
            if status != 0:
                self._fail(status, where, time)
            return _vector(memory + 2 * m, rows * columns).reshape(rows, columns)
        finally:
            PyMem_Free(memory)
