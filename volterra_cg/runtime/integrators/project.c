/* Projection to the holonomic constraints by Newton's iteration with the shortest corrections of q. */
#include "lu.h"
#include "run.h"

enum { MOST = 12 };

static const double ROUNDING = 1e-14, ENOUGH = 1e-9; /* corrections beside q: none at all, and small enough */

static double size_of(int n, const double *values)
{
    double largest = 0.0;
    for (int i = 0; i < n; ++i) {
        largest = fabs(values[i]) <= largest ? largest : fabs(values[i]); /* NaN stays */
    }
    return largest;
}

int vcg_project(vcg_loop *run, double t, double *z, double *moved)
{
    vcg_bound *bound = run->bound;
    const vcg_model *model = bound->model;
    const int count = model->coordinates;
    double before = INFINITY;
    *moved = 0.0;
    if (vcg_signals_at(bound, t, z) != VCG_DONE) {
        return VCG_SIGNAL_ERROR;
    }
    for (int k = 0; k < MOST; ++k) {
        int where = -1;
        if (model->gaps(t, z, run->gap, run->slopes, bound->w, bound->g, bound->signals, bound->scratch, &where) != 0) {
            run->at.where = where;
            return VCG_SINGULAR;
        }
        vcg_least_norm(model->holonomic, model->holonomic - model->redundant, count, run->slopes, run->gap, run->shift, run->solve, run->order);
        const double size = size_of(count, run->shift), scale = 1.0 + size_of(count, z);
        if (size <= ROUNDING * scale) {
            return VCG_DONE;
        }
        if (!(size < before)) { /* as near as it gets, or not converging */
            return size <= ENOUGH * scale ? VCG_DONE : VCG_OFF_CONSTRAINTS;
        }
        for (int i = 0; i < count; ++i) {
            z[i] -= run->shift[i];
        }
        *moved += size;
        before = size;
    }
    return before <= ENOUGH * (1.0 + size_of(count, z)) ? VCG_DONE : VCG_OFF_CONSTRAINTS;
}
