"""The loop in C, as Cython sees it."""

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
        int by_rows, leave, kinks, project, dense, rates, watched
        const double *start_rates
        const vcg_watch *watches
        int (*poll)(void *context) noexcept
    ctypedef struct vcg_statistics:
        long steps, rejections, calls, jacobians, factorisations, projections, iterations, held, in_a_row, charts
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
    enum: VCG_LEFT
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


cdef inline const vcg_integrator *integrator_of(str name) except NULL:
    cdef const vcg_integrator *found = vcg_integrator_of(name.encode())
    if found == NULL:
        raise ValueError(f"no integrator is called {name!r}")
    return found
