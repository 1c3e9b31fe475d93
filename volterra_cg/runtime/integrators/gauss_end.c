/* The end of a step of Gauss's method: the polynomial over it, and whether it crosses a singular configuration. */
#include "gauss.h"
#include "gauss_table.h"

#include <string.h>

enum { L = VCG_LANES };

/* --- singular configurations --------------------------------------------------------------------------------------- */

/* A divisor at the end of the step, by the polynomial through its values at the stages. */
static double at_end(const vcg_gauss_work *own, int divisor)
{
    double sum = 0.0;
    for (int j = 0; j < L; ++j) {
        sum += END[j] * own->scratch[divisor * L + j];
    }
    return sum;
}

/* Whether a divisor vanishes at a stage or at the end, as rhs would tell with the bounds of other integrators' steps. Stages are judged when they are
 * found: guesses and earlier sweeps go where the motion does not. */
static int vanishes(const vcg_stepper *at, const vcg_gauss_work *own, int divisor)
{
    double bounds[2];
    vcg_widen(at->divisors + divisor, &at->guard, bounds, 1);
    for (int j = 0; j <= L; ++j) {
        const double value = j < L ? own->scratch[divisor * L + j] : at_end(own, divisor);
        if (value >= bounds[0] && value <= bounds[1]) {
            return 1;
        }
    }
    return 0;
}

/* Make sure that fnew holds the derivative at the end. */
static int know_end(vcg_stepper *at)
{
    const int status = at->fnew_known ? VCG_DONE : vcg_evaluate(at, at->step.tnew, at->ynew, at->fnew);
    at->fnew_known = status == VCG_DONE; /* the next step begins with it */
    return status;
}

int vcg_gauss_regular(vcg_stepper *at, const vcg_gauss_work *own)
{
    const vcg_model *model = at->bound->model;
    for (int i = 0; i < model->divisors; ++i) {
        if (vanishes(at, own, i)) {
            at->where = model->divisor_checks[i];
            return VCG_SINGULAR;
        }
    }
    return model->divisors > 0 ? VCG_DONE : know_end(at);
}

/* --- kinks --------------------------------------------------------------------------------------------------------- */

/* What the derivative of a state's polynomial misses at both ends of the step. */
static void miss(const double *terms, double *begin, double *end)
{
    double even = 0.0, odd = 0.0;
    for (int k = 0; k < L / 2; ++k) {
        even += terms[k];
        odd += terms[k + L / 2];
    }
    *begin -= even - odd;
    *end -= even + odd;
}

int vcg_gauss_ends(vcg_stepper *at, const vcg_gauss_work *own, double h, double *missed)
{
    double sum = 0.0;
    int status = vcg_know_f(at);
    status = status == VCG_DONE ? know_end(at) : status;
    for (int i = 0; i < at->n && status == VCG_DONE; ++i) {
        double begin = h * at->f[i], end = h * at->fnew[i];
        miss(own->terms + i * L, &begin, &end);
        const double size = (fabs(begin) + fabs(end)) * own->weight[i];
        sum += size * size;
    }
    *missed = sqrt(sum);
    return status;
}

/* The next step begins with the divisors at the end of this one. */
static void keep_divisors(vcg_stepper *at, const vcg_gauss_work *own)
{
    for (int i = 0; i < at->bound->model->divisors; ++i) {
        vcg_keep_divisor(at->divisors + i, at_end(own, i));
    }
}

/* --- the polynomial over a step ------------------------------------------------------------------------------------ */

void vcg_gauss_finish(vcg_stepper *at, const vcg_gauss_work *own, double *sums)
{
    vcg_gauss_terms(at->n, own->weight, own->f, own->terms, sums);
    for (int i = 0; i < at->n; ++i) {
        at->ynew[i] = at->y[i] + (own->low[i] + own->terms[i * L]);
    }
}

void vcg_gauss_keep(vcg_stepper *at, const vcg_gauss_work *own, double h)
{
    for (int i = 0; i < at->n; ++i) {
        own->low[i] = (at->y[i] - at->ynew[i]) + (own->low[i] + own->terms[i * L]);
    }
    keep_divisors(at, own);
    own->kept->turn = !own->kept->turn;
    own->kept->size = h;
    own->kept->usual = vcg_larger(vcg_smaller(own->kept->rate, GAUSS_USUAL), 0.2 * own->kept->usual);
}

/* The derivative at both ends adds a + b x times the polynomial that vanishes at the stages, Legendre's of degree 8, to that of the
 * polynomial. Its integral over the step is zero, so the end stays. */
int vcg_gauss_prepare(vcg_stepper *at)
{
    const vcg_gauss_work own = vcg_gauss_space(at);
    const double h = own.kept->size;
    double *terms = at->y + at->width;
    int status = vcg_know_f(at);
    status = status == VCG_DONE ? know_end(at) : status;
    for (int i = 0; i < at->n && status == VCG_DONE; ++i, terms += GAUSS_TERMS) {
        double begin = h * at->f[i], end = h * at->fnew[i];
        memcpy(terms, own.last + i * L, L * sizeof(double));
        miss(terms, &begin, &end);
        const double b = 0.5 * (end - begin);
        terms[vcg_gauss_lane(7)] += 8.0 / 17.0 * b; /* x times that of degree 8, as a sum of those of degrees 7 and 9 */
        terms[vcg_gauss_lane(8)] = 0.5 * (end + begin);
        terms[vcg_gauss_lane(9)] = 9.0 / 17.0 * b;
    }
    return status;
}

void vcg_gauss_interpolate(int width, const double *block, double h, double s, double *result)
{
    const double x = 2.0 * s - 1.0, *terms = block + width;
    double before = 0.0, here = 1.0, weights[GAUSS_TERMS] = {s}; /* derivatives of Legendre's polynomials of degrees k - 1 and k */
    (void)h;
    for (int k = 1; k < GAUSS_TERMS; ++k) {
        weights[vcg_gauss_lane(k)] = -2.0 * s * (1.0 - s) / (k * (k + 1.0)) * here; /* the integral, accurate next to 0 too */
        const double next = ((2.0 * k + 1.0) * x * here - (k + 1.0) * before) / k;
        before = here;
        here = next;
    }
    for (int i = 0; i < width; ++i) {
        double sum = 0.0;
        for (int k = GAUSS_TERMS - 1; k >= 0; --k) {
            sum += weights[k] * terms[i * GAUSS_TERMS + k];
        }
        result[i] = block[i] + sum;
    }
}
