/* cart_pendulum: reduced-volterra equations of motion, written by volterra_cg 0.1.0.
 *
 * spec 8b26a3392a0788e2
 * 3 coordinates, 1 equations, 4 states, 1 embedded momenta
 * z[0] theta1
 * z[1] theta2
 * z[2] x
 * z[3] u
 * g[0] momentum of x
 * p[0] m1
 * p[1] m2
 * p[2] l
 * p[3] g
 */
#include "cart_pendulum.h"

#include <math.h>

/* A divisor this small beside its terms is taken for zero; a NaN is not, and shows in the results. */
#define VCG_TINY 1e-14

#include "vcg_fused.h"

/* Whether bodies of these parameters exist; `where` counts the limits of the report.
 * 3 operations: 0 additions, 3 multiplications, 0 divisions, 0 functions. */
static int limits(const double *p, int *where)
{
    const double p_m1 = p[0];
    const double p_m2 = p[1];
    const double p_l = p[2];
    if (!(p_m1 > 0.0)) { *where = 0; return 2; }
    if (!(p_m2 > 0.0)) { *where = 1; return 2; }
    if (!(0.08333333333333333*p_m2*p_l*p_l >= 0.0)) { *where = 2; return 2; }
    return 0;
}

/* All that depends on parameters alone.
 * 76 operations: 19 additions, 45 multiplications, 2 divisions, 10 functions. */
static int prepare(const double *p, double *w, int *where)
{
    if (limits(p, where)) {
        return 2;
    }
    const double p_m1 = p[0];
    const double p_m2 = p[1];
    const double p_l = p[2];
    if (fabs(p_l) <= VCG_TINY*(fabs(p_l))) { *where = 1; return 1; }
    const double p_g = p[3];
    const double x0 = (0.5*p_l);
    const double x1 = p_m2*p_l*p_l;
    const double x2 = (0.08333333333333333*x1);
    const double x3 = p_m1 + 2.0*p_m2;
    if (fabs(x3) <= VCG_TINY*(fabs(p_m1) + 2.0*fabs(p_m2))) { *where = 2; return 1; }
    const double x4 = 1.0/x3;
    const double x5 = p_m2*x0*x0;
    const double x6 = x1 + x2 + x5;
    const double x7 = x2 + x5;
    const double x8 = p_m2*x0;
    const double x9 = p_m2*p_l;
    const double x10 = x9 + x8;
    const double x11 = 1.0/p_l;
    const double x12 = p_m2*p_g*x0;
    const double x13 = p_m2*(p_l*x0);
    const double x14 = x7 - x13;
    const double x15 = p_l*(x8 - x11*x14);
    const double x16 = fabs(p_l);
    const double x17 = fabs(x11);
    const double x18 = x16*x17;
    const double x19 = fabs(x6);
    const double x20 = fabs(p_m2);
    const double x21 = fabs(x0);
    const double x22 = x20*(x16*x21);
    const double x23 = fabs(x7);
    const double x24 = x20*x21;
    const double x25 = (x16*x20 + x24) + 2.0*x24*x18;
    const double x26 = fabs(x4);
    const double x27 = fabs(x8);
    const double x28 = fabs(x10);
    const double x29 = 2.0*x27 + x28;
    const double x30 = fabs(x15);
    w[24] = -3e-14;
    w[25] = 3e-14;
    w[0] = p_m1;
    w[1] = p_m2;
    w[2] = p_l;
    w[3] = p_g;
    w[4] = x0;
    w[5] = x2;
    w[6] = x3;
    w[7] = x4;
    w[8] = x6;
    w[9] = x7;
    w[10] = x8;
    w[11] = x9;
    w[12] = x10;
    w[13] = x11;
    w[14] = x12;
    w[15] = x12 + p_m2*p_l*p_g;
    w[16] = p_m2*p_g;
    w[17] = x13;
    w[18] = x14;
    w[19] = x15;
    w[20] = 1e-14*(1.0 + 2.0*x18);
    w[21] = 1e-14*(((x19 + 4.0*x22*x18) + 4.0*x18*(x22 + x23*x18)) + x25*(x26*x25));
    w[22] = 1e-14*(x19 + x29*(x29*x26) + 4.0*x30);
    w[23] = 0.1*p_m1*p_g;
    return 0;
}

/* The start values of the spec.
 * 1 operations: 0 additions, 1 multiplications, 0 divisions, 0 functions. */
static int initial(const double *p, double *q, double *qd, int *where)
{
    (void)p;
    (void)where;
    const double x0 = 3.141592653589793;
    const double x1 = 0.5*x0;
    q[0] = x1;
    q[1] = x1;
    q[2] = 4.0;
    qd[0] = 1.0;
    qd[1] = -1.0;
    qd[2] = 3.0;
    return 0;
}

/* States and conserved momenta, Eqs. (42) and (26), from coordinates and rates.
 * 15 operations: 4 additions, 9 multiplications, 0 divisions, 2 functions. */
static int start(double t, const double *q, const double *qd, const double *w, double *z, double *g, int *where)
{
    (void)t;
    (void)where;
    const double q_theta1 = q[0];
    const double q_theta2 = q[1];
    const double q_x = q[2];
    const double qd_theta1 = qd[0];
    const double qd_theta2 = qd[1];
    const double qd_x = qd[2];
    const double p_m2 = w[1];
    const double p_l = w[2];
    const double cos_theta1 = cos(q_theta1);
    const double cos_theta2 = cos(q_theta2);
    const double x0 = (p_m2*(qd_theta2*w[4]))*cos_theta2 + (qd_x*w[6] + (p_m2*(qd_theta1*w[4]) + p_m2*(qd_theta1*p_l))*cos_theta1);
    z[0] = q_theta1;
    z[1] = q_theta2;
    z[2] = q_x;
    z[3] = -(qd_theta1 - qd_theta2);
    g[0] = x0;
    return 0;
}

/* The derivative of the state, Eq. (67).
 * 55 operations: 15 additions, 34 multiplications, 2 divisions, 4 functions; 42 instructions, since 13 products are fused with sums. */
VCG_TEXT int rhs_text_1(double t, const double *z, double *dz, const double *w, const double *g, const double *signals, double *scratch, int *where, const double *sines, const double *cosines)
{
    (void)t;
    (void)signals;
    const double u_u = z[3];
    const double g_x = g[0];
    const double p_m2 = w[1];
    const double p_l = w[2];
    const double cos_theta1 = cosines[0];
    const double cos_theta2 = cosines[1];
    const double sin_theta1 = sines[0];
    const double sin_theta2 = sines[1];
    /* q' = W u + X, Eq. (43) */
    const double x0 = fma(sin_theta1, sin_theta2, cos_theta1*cos_theta2);
    const double x1 = 1.0 + x0;
    scratch[0] = x1;
    if (x1 <= w[25] && x1 >= w[24]) { *where = 4; return 1; }
    const double x2 = u_u/x1;
    const double x3 = fma(-w[10]*cos_theta2, x0, w[12]*cos_theta1);
    /* u' = M_NI^-1 L_NI, Eq. (67) */
    const double x4 = fma(-cos_theta1, sin_theta2, sin_theta1*cos_theta2)*x2;
    const double x5 = u_u*x4;
    const double x6 = w[7]*x3;
    const double x7 = x0*x0;
    const double x8 = fma(-x3, x6, fma(-w[19], x7, w[8]));
    if (x8 <= w[22]) { *where = 5; return 1; }
    const double x9 = fma(-w[10]*cos_theta2, x5, fma(p_m2, fma((w[4]*sin_theta2), x7, p_l*sin_theta1), w[10]*sin_theta1)*x2*x2);
    const double x10 = x1*fma(-x0, fma(w[18], x5, fma(-w[17]*x1*x2, x4, w[14]*sin_theta2)), fma(x6, x9, w[15]*sin_theta1))/x8;
    /* results */
    dz[0] = -x2;
    dz[1] = x0*x2;
    dz[2] = w[7]*fma(x3, x2, g_x);
    dz[3] = x5 + x10;
    return 0;
}

#ifdef VCG_FAST
VCG_FAST VCG_FORM int rhs_fast(double t, const double *z, double *dz, const double *w, const double *g, const double *signals, double *scratch, int *where)
{
    const double angles[4] = {z[0], z[1]};
    double sines[4], cosines[4];
    vcg_waves_4(4, angles, sines, cosines);
    return rhs_text_1(t, z, dz, w, g, signals, scratch, where, sines, cosines);
}

#endif
VCG_FORM int rhs_any(double t, const double *z, double *dz, const double *w, const double *g, const double *signals, double *scratch, int *where)
{
    const double angles[4] = {z[0], z[1]};
    double sines[4], cosines[4];
    vcg_waves_2(4, angles, sines, cosines);
    return rhs_text_1(t, z, dz, w, g, signals, scratch, where, sines, cosines);
}

static int rhs(double t, const double *z, double *dz, const double *w, const double *g, const double *signals, double *scratch, int *where)
{
#ifdef VCG_FAST
    if (VCG_IS_FAST) {
        return rhs_fast(t, z, dz, w, g, signals, scratch, where);
    }
#endif
    return rhs_any(t, z, dz, w, g, signals, scratch, where);
}

/* Rates and accelerations of all coordinates.
 * 98 operations: 28 additions, 64 multiplications, 2 divisions, 4 functions. */
static int motion(double t, const double *z, double *y, const double *w, const double *g, const double *signals, double *scratch, int *where)
{
    (void)t;
    (void)signals;
    (void)scratch;
    const double q_theta1 = z[0];
    const double q_theta2 = z[1];
    const double u_u = z[3];
    const double g_x = g[0];
    const double p_m2 = w[1];
    const double p_l = w[2];
    const double cos_theta2 = cos(q_theta2);
    const double cos_theta1 = cos(q_theta1);
    const double x0 = p_l*cos_theta1;
    const double sin_theta2 = sin(q_theta2);
    const double sin_theta1 = sin(q_theta1);
    const double x1 = p_l*sin_theta1;
    const double x2 = cos_theta2*x0 + sin_theta2*x1;
    const double x3 = w[13]*x2;
    const double x4 = 1.0 + x3;
    if (fabs(x4) <= w[20]) { *where = 0; return 1; }
    const double x5 = u_u/x4;
    const double x6 = w[13]*(x2*x5);
    const double x7 = p_m2*(w[4]*cos_theta1) + p_m2*x0;
    const double x8 = w[4]*cos_theta2;
    const double x9 = p_m2*x8;
    const double x10 = w[4]*sin_theta2;
    const double x11 = p_m2*(x0*x8 + x1*x10);
    const double x12 = x7 - x9*x3;
    const double x13 = w[7]*x12;
    const double x14 = ((w[8] - x11*x3) - x3*(x11 - w[9]*x3)) - x12*x13;
    if (x14 <= w[21]) { *where = 3; return 1; }
    const double x15 = p_l*x5;
    const double x16 = x15*(sin_theta1*x5);
    const double x17 = cos_theta2*x16;
    const double x18 = sin_theta2*(x15*(cos_theta1*x5));
    const double x19 = w[13]*(((cos_theta1*x15)*(sin_theta2*x6) - x17) - ((sin_theta1*x15)*(cos_theta2*x6) - x18));
    const double x20 = x6*(w[4]*x6);
    const double x21 = sin_theta2*x20;
    const double x22 = x9*x19 + (p_m2*(sin_theta1*(x5*(w[4]*x5))) + p_m2*(x16 + x21));
    const double x23 = x11*x19 - ((w[16]*(w[4]*sin_theta1) + w[16]*x1) - w[11]*(cos_theta1*x21 - sin_theta1*(cos_theta2*x20)));
    const double x24 = (x13*x22 - (x23 - x3*(w[9]*x19 - (w[16]*x10 - w[10]*(x17 - x18)))))/x14;
    y[0] = -x5;
    y[1] = x6;
    y[2] = w[7]*(g_x + (x7*x5 - x9*x6));
    y[3] = -x24;
    y[4] = -(x19 - x3*x24);
    y[5] = w[7]*x22 + x13*x24;
    return 0;
}

/* Energies, momenta, residuals of the constraints and the outputs of the spec.
 * 62 operations: 21 additions, 37 multiplications, 0 divisions, 4 functions. */
static int measure(double t, const double *z, double *y, const double *w, const double *g, const double *signals, double *scratch, int *where)
{
    (void)t;
    (void)g;
    (void)signals;
    (void)scratch;
    (void)where;
    const double q_theta1 = z[0];
    const double q_theta2 = z[1];
    const double qd_theta1 = y[0];
    const double qd_theta2 = y[1];
    const double qd_x = y[2];
    const double p_m1 = w[0];
    const double p_m2 = w[1];
    const double p_l = w[2];
    const double cos_theta1 = cos(q_theta1);
    const double x0 = qd_theta1*w[4];
    const double x1 = qd_x + x0*cos_theta1;
    const double sin_theta1 = sin(q_theta1);
    const double x2 = x0*sin_theta1;
    const double x3 = qd_theta1*p_l;
    const double x4 = x3*cos_theta1;
    const double cos_theta2 = cos(q_theta2);
    const double x5 = qd_theta2*w[4];
    const double x6 = x5*cos_theta2 + (qd_x + x4);
    const double x7 = x3*sin_theta1;
    const double sin_theta2 = sin(q_theta2);
    const double x8 = x7 + x5*sin_theta2;
    const double x9 = qd_x*qd_x*p_m1 + (qd_theta1*(qd_theta1*w[5]) + p_m2*(x2*x2 + x1*x1)) + (qd_theta2*(qd_theta2*w[5]) + p_m2*(x8*x8 + x6*x6));
    const double x10 = w[23] + w[16]*(0.1 + w[4]*cos_theta1) + w[16]*(w[4]*cos_theta2 + (0.1 + p_l*cos_theta1));
    y[6] = 0.5*x9;
    y[7] = -x10;
    y[8] = (p_m2*x5)*cos_theta2 + (qd_x*w[6] + (p_m2*x0 + p_m2*x3)*cos_theta1);
    y[9] = qd_theta2*p_l + (cos_theta2*x4 + sin_theta2*x7);
    y[10] = 0.5*x9 - x10;
    return 0;
}

/* M_NI and L_NI of Eq. (64).
 * 124 operations: 37 additions, 81 multiplications, 2 divisions, 4 functions. */
static int matrices(double t, const double *z, double *mass, double *forcing, const double *w, const double *g, const double *signals, double *scratch, int *where)
{
    (void)t;
    (void)g;
    (void)signals;
    (void)scratch;
    const double q_theta1 = z[0];
    const double q_theta2 = z[1];
    const double u_u = z[3];
    const double p_m2 = w[1];
    const double p_l = w[2];
    const double p_g = w[3];
    const double cos_theta2 = cos(q_theta2);
    const double cos_theta1 = cos(q_theta1);
    const double x0 = p_l*cos_theta1;
    const double sin_theta2 = sin(q_theta2);
    const double sin_theta1 = sin(q_theta1);
    const double x1 = cos_theta2*x0 + sin_theta2*(p_l*sin_theta1);
    const double x2 = 1.0/(p_l + x1);
    const double x3 = x1*x2;
    const double x4 = x3 - 1.0;
    const double x5 = w[4]*cos_theta2;
    const double x6 = w[4]*sin_theta2;
    const double x7 = cos_theta1*x5 + sin_theta1*x6;
    const double x8 = (p_m2*x7)*x3;
    const double x9 = p_l*x8;
    const double x10 = sin_theta1*x5 - cos_theta1*x6;
    const double x11 = w[4]*cos_theta1;
    const double x12 = (p_m2*x11 + p_m2*x0)*x4 + (cos_theta1*x8 + sin_theta1*((p_m2*x10)*x3));
    const double x13 = w[7]*x12;
    const double x14 = 1.0 + w[13]*x1;
    if (fabs(x14) <= w[20]) { *where = 0; return 1; }
    const double x15 = u_u/x14;
    const double x16 = p_l*x15;
    const double x17 = w[13]*(x1*x15);
    const double x18 = x17*(w[4]*x17);
    const double x19 = cos_theta2*(x16*(sin_theta1*x15));
    const double x20 = sin_theta2*(x16*(cos_theta1*x15));
    const double x21 = x2*(((cos_theta1*x16)*(sin_theta2*x17) - x19) - ((sin_theta1*x16)*(cos_theta2*x17) - x20));
    const double x22 = w[4]*x21;
    const double x23 = sin_theta2*x18 + cos_theta2*x22;
    const double x24 = cos_theta2*x18 - sin_theta2*x22;
    const double x25 = p_m2*((p_g*cos_theta1 + x15*x16) + (sin_theta1*x23 + cos_theta1*x24));
    const double x26 = w[5]*x21;
    const double x27 = p_m2*((cos_theta1*x23 - sin_theta1*x24) - (p_g*sin_theta1 + (x19 - x20)));
    const double x28 = x15*(w[4]*x15);
    const double x29 = p_m2*(sin_theta1*x28 + cos_theta1*x22);
    const double x30 = x4*((w[4]*sin_theta1)*(p_m2*(p_g + (cos_theta1*x28 - sin_theta1*x22))) - (x11*x29 + (x26 + p_l*x27)));
    mass[0] = (x3*(w[9]*x3) + x4*(x9 + (w[8]*x4 + x9))) - x12*x13;
    forcing[0] = (x3*(x10*x25 + (x26 + x7*x27)) - x30) - x13*(x29 + (sin_theta1*x25 + cos_theta1*x27));
    return 0;
}

/* Where everything is that a picture shows.
 * 23 operations: 8 additions, 11 multiplications, 0 divisions, 4 functions. */
static int scene(double t, const double *x, const double *p, double *s, double *scratch, int *where)
{
    (void)t;
    (void)scratch;
    (void)where;
    const double q_theta1 = x[0];
    const double q_theta2 = x[1];
    const double q_x = x[2];
    const double p_m1 = p[0];
    const double p_m2 = p[1];
    const double p_l = p[2];
    const double p_g = p[3];
    const double sin_theta1 = sin(q_theta1);
    const double x0 = p_l*sin_theta1;
    const double cos_theta1 = cos(q_theta1);
    const double x1 = p_l*cos_theta1;
    const double x2 = 0.08333333333333333*p_m2*p_l*p_l;
    const double x3 = q_x + x0;
    const double sin_theta2 = sin(q_theta2);
    const double x4 = p_l*sin_theta2;
    const double x5 = 0.1 + x1;
    const double cos_theta2 = cos(q_theta2);
    const double x6 = p_l*cos_theta2;
    s[0] = q_x;
    s[1] = -0.1;
    s[2] = 0.0;
    s[3] = p_m1;
    s[4] = 1.0;
    s[5] = 0.0;
    s[6] = 0.0;
    s[7] = 0.0;
    s[8] = 1.0;
    s[9] = 0.0;
    s[10] = 0.0;
    s[11] = 0.0;
    s[12] = 1.0;
    s[13] = 0.12;
    s[14] = 0.04;
    s[15] = 0.06;
    s[16] = 0.0;
    s[17] = 0.0;
    s[18] = 0.0;
    s[19] = 1.0;
    s[20] = 0.0;
    s[21] = 0.0;
    s[22] = 0.0;
    s[23] = 1.0;
    s[24] = 0.0;
    s[25] = 0.0;
    s[26] = 0.0;
    s[27] = 1.0;
    s[28] = q_x + 0.5*x0;
    s[29] = -(0.1 + 0.5*x1);
    s[30] = 0.0;
    s[31] = p_m2;
    s[32] = cos_theta1;
    s[33] = -sin_theta1;
    s[34] = 0.0;
    s[35] = sin_theta1;
    s[36] = cos_theta1;
    s[37] = 0.0;
    s[38] = 0.0;
    s[39] = 0.0;
    s[40] = 1.0;
    s[41] = 0.0;
    s[42] = 0.0;
    s[43] = 0.0;
    s[44] = 0.0;
    s[45] = 0.0;
    s[46] = 0.0;
    s[47] = 0.0;
    s[48] = 0.0;
    s[49] = x2;
    s[50] = 0.5*x4 + x3;
    s[51] = -(0.5*x6 + x5);
    s[52] = 0.0;
    s[53] = p_m2;
    s[54] = cos_theta2;
    s[55] = -sin_theta2;
    s[56] = 0.0;
    s[57] = sin_theta2;
    s[58] = cos_theta2;
    s[59] = 0.0;
    s[60] = 0.0;
    s[61] = 0.0;
    s[62] = 1.0;
    s[63] = 0.0;
    s[64] = 0.0;
    s[65] = 0.0;
    s[66] = 0.0;
    s[67] = 0.0;
    s[68] = 0.0;
    s[69] = 0.0;
    s[70] = 0.0;
    s[71] = x2;
    s[72] = x3;
    s[73] = -x5;
    s[74] = 0.0;
    s[75] = x4 + x3;
    s[76] = -(x6 + x5);
    s[77] = 0.0;
    s[78] = 0.0;
    s[79] = -p_g;
    s[80] = 0.0;
    return 0;
}

/* All about a state: first the motion, then what is measured on it. */
static int output(double t, const double *z, double *y, const double *w, const double *g, const double *signals, double *scratch, int *where)
{
    const int status = motion(t, z, y, w, g, signals, scratch, where);
    return status ? status : measure(t, z, y, w, g, signals, scratch, where);
}

#ifdef __GNUC__
/* rhs of several states at once */
#define VCG_LANES_CHECKS 4, 5
#ifdef __x86_64__
#define VCG_STATES 4
#define VCG_PREPARED 26
#define VCG_MOMENTA 1
#define VCG_SIGNALS 0
#define VCG_SCRATCH 1
#define VCG_DIVISORS 1
#define LANE_COUNT 4
#include "vcg_lanes_words.h"
#include "cart_pendulum_lanes.h"
#undef LANE_COUNT
#define LANE_COUNT 8
#include "vcg_lanes_words.h"
#include "cart_pendulum_lanes.h"
#undef LANE_COUNT
#else
#define LANE_COUNT 2
#include "vcg_lanes_words.h"
#include "cart_pendulum_lanes.h"
#undef LANE_COUNT
#endif
#include "vcg_lanes.h"
#endif

static const int divisor_checks[] = {4};

const vcg_model vcg_model_cart_pendulum = {
    .abi_version = VCG_ABI_VERSION,
    .coordinates = 3,
    .speeds = 1,
    .states = 4,
    .momenta = 1,
    .parameters = 4,
    .prepared = 26,
    .signals = 0,
    .scratch = 1,
    .outputs = 11,
    .holonomic = 0,
    .events = 0,
    .divisors = 1,
    .drawn = 81,
    .divisor_checks = divisor_checks,
    .prepare = prepare,
    .initial = initial,
    .start = start,
    .rhs = rhs,
    .matrices = matrices,
    .scene = scene,
    .output = output,
#ifdef __GNUC__
    .rhs_lanes = rhs_lanes,
#endif
};
