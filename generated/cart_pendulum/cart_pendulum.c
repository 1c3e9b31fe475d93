/* cart_pendulum: reduced-volterra equations of motion, written by volterra_cg 0.1.0.
 *
 * spec 2c7fc2bbfb8677aa
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

/* All that depends on parameters alone.
 * 22 operations: 2 additions, 18 multiplications, 1 divisions, 1 functions. */
static int prepare(const double *p, double *w, int *where)
{
    const double p_m1 = p[0];
    const double p_m2 = p[1];
    const double p_l = p[2];
    const double p_g = p[3];
    const double x0 = p_m2*p_l*p_l;
    const double x1 = p_m1 + 2.0*p_m2;
    if (fabs(x1) <= VCG_TINY*(fabs(p_m1) + 2.0*fabs(p_m2))) { *where = 1; return 1; }
    const double x2 = 1.0/x1;
    const double x3 = fabs(p_l);
    const double x4 = p_m2*p_g;
    w[0] = p_m2;
    w[1] = p_l;
    w[2] = 0.5*p_l;
    w[3] = 0.5*p_m1;
    w[4] = x0;
    w[5] = 0.5*p_m2;
    w[6] = x1;
    w[7] = x2;
    w[8] = 1.3333333333333333*x0;
    w[9] = 0.3333333333333333*x0;
    w[10] = 3e-14*x3;
    w[11] = 1.5*p_m2;
    w[12] = x4;
    w[13] = 1.5*x4;
    w[14] = 0.5*p_m2*p_l;
    w[15] = 0.1*p_m1*p_g;
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
 * 14 operations: 3 additions, 9 multiplications, 0 divisions, 2 functions. */
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
    const double p_m2 = w[0];
    const double p_l = w[1];
    const double cos_theta1 = cos(q_theta1);
    const double cos_theta2 = cos(q_theta2);
    z[0] = q_theta1;
    z[1] = q_theta2;
    z[2] = q_x;
    z[3] = -(qd_theta1 - qd_theta2);
    g[0] = (qd_x*w[6] + 1.5*cos_theta1*(p_m2*(qd_theta1*p_l))) + 0.5*cos_theta2*(p_m2*(qd_theta2*p_l));
    return 0;
}

/* The derivative of the state, Eq. (67).
 * 111 operations: 30 additions, 75 multiplications, 2 divisions, 4 functions. */
static int rhs(double t, const double *z, double *dz, const double *w, const double *g, const double *signals, double *scratch, int *where)
{
    (void)t;
    (void)signals;
    (void)scratch;
    const double q_theta1 = z[0];
    const double q_theta2 = z[1];
    const double u_u = z[3];
    const double g_x = g[0];
    const double p_m2 = w[0];
    const double p_l = w[1];
    /* q' = W u + X, Eq. (43) */
    const double cos_theta2 = cos(q_theta2);
    const double cos_theta1 = cos(q_theta1);
    const double x0 = p_l*cos_theta1;
    const double sin_theta2 = sin(q_theta2);
    const double sin_theta1 = sin(q_theta1);
    const double x1 = p_l*sin_theta1;
    const double x2 = cos_theta2*x0 + sin_theta2*x1;
    const double x3 = p_l + x2;
    if (fabs(x3) <= w[10]) { *where = 0; return 1; }
    const double x4 = 1.0/x3;
    const double x5 = x4*(x2*u_u);
    const double x6 = u_u - x5;
    const double x7 = p_m2*x0;
    const double x8 = x0*w[11];
    const double x9 = p_l*cos_theta2;
    const double x10 = x8 + w[5]*x9;
    /* M_NI = W^T M W, Eq. (47) */
    const double x11 = x2*x4;
    const double x12 = x11 - 1.0;
    const double x13 = p_l*sin_theta2;
    const double x14 = p_m2*(x0*x9 + x1*x13);
    const double x15 = w[7]*(x8 - x11*x10);
    const double x16 = x12*(0.5*x11*x14 + 1.5*x7*x15 + x12*w[8]);
    const double x17 = p_m2*x9;
    const double x18 = x11*(0.16666666666666666*x12*x14 + 0.5*x17*x15);
    const double x19 = x16 + x18;
    if (fabs(x19) <= VCG_TINY*(fabs(x16) + fabs(x18))) { *where = 2; return 1; }
    /* L_NI, Eq. (65) */
    const double x20 = x5*(p_l*x5);
    const double x21 = sin_theta2*x20;
    const double x22 = p_l*x6;
    const double x23 = x22*(sin_theta1*x6);
    const double x24 = ((cos_theta1*x22)*(sin_theta2*x5) - cos_theta2*x23) - ((sin_theta1*x22)*(cos_theta2*x5) - sin_theta2*(x22*(cos_theta1*x6)));
    const double x25 = x4*x24;
    const double x26 = x14*x25;
    const double x27 = w[7]*(x25*x10 + (p_m2*(0.5*x21 + x23) + w[5]*x23));
    const double x28 = (x1*w[13] - (cos_theta1*x21 - sin_theta1*(cos_theta2*x20))*w[14]) - (0.5*x26 + w[8]*x25 - 1.5*x7*x27);
    /* u' = M_NI^-1 L_NI, Eq. (67) */
    /* results */
    dz[0] = -x6;
    dz[1] = x5;
    dz[2] = w[7]*((g_x + 1.5*x7*u_u) - x5*x10);
    dz[3] = -(x12*x28 + x11*(0.5*(w[4]*x25 + x13*w[12]) - (0.5*x26 + w[9]*x25 - 0.5*x17*x27)))/x19;
    return 0;
}

/* Rates and accelerations of all coordinates.
 * 117 operations: 33 additions, 78 multiplications, 2 divisions, 4 functions. */
static int motion(double t, const double *z, double *y, const double *w, const double *g, const double *signals, double *scratch, int *where)
{
    (void)t;
    (void)signals;
    (void)scratch;
    const double q_theta1 = z[0];
    const double q_theta2 = z[1];
    const double u_u = z[3];
    const double g_x = g[0];
    const double p_m2 = w[0];
    const double p_l = w[1];
    const double cos_theta2 = cos(q_theta2);
    const double cos_theta1 = cos(q_theta1);
    const double x0 = p_l*cos_theta1;
    const double sin_theta2 = sin(q_theta2);
    const double sin_theta1 = sin(q_theta1);
    const double x1 = p_l*sin_theta1;
    const double x2 = cos_theta2*x0 + sin_theta2*x1;
    const double x3 = p_l + x2;
    if (fabs(x3) <= w[10]) { *where = 0; return 1; }
    const double x4 = 1.0/x3;
    const double x5 = x4*(x2*u_u);
    const double x6 = u_u - x5;
    const double x7 = p_m2*x0;
    const double x8 = x0*w[11];
    const double x9 = p_l*cos_theta2;
    const double x10 = x8 + w[5]*x9;
    const double x11 = p_l*x6;
    const double x12 = x11*(sin_theta1*x6);
    const double x13 = ((cos_theta1*x11)*(sin_theta2*x5) - cos_theta2*x12) - ((sin_theta1*x11)*(cos_theta2*x5) - sin_theta2*(x11*(cos_theta1*x6)));
    const double x14 = x4*x13;
    const double x15 = x2*x4;
    const double x16 = x15 - 1.0;
    const double x17 = p_l*sin_theta2;
    const double x18 = p_m2*(x0*x9 + x1*x17);
    const double x19 = w[7]*(x8 - x15*x10);
    const double x20 = x16*(0.5*x15*x18 + 1.5*x7*x19 + x16*w[8]);
    const double x21 = p_m2*x9;
    const double x22 = x15*(0.16666666666666666*x16*x18 + 0.5*x21*x19);
    const double x23 = x20 + x22;
    if (fabs(x23) <= VCG_TINY*(fabs(x20) + fabs(x22))) { *where = 2; return 1; }
    const double x24 = x5*(p_l*x5);
    const double x25 = sin_theta2*x24;
    const double x26 = x18*x14;
    const double x27 = w[7]*(x14*x10 + (p_m2*(0.5*x25 + x12) + w[5]*x12));
    const double x28 = (x1*w[13] - (cos_theta1*x25 - sin_theta1*(cos_theta2*x24))*w[14]) - (0.5*x26 + w[8]*x14 - 1.5*x7*x27);
    const double x29 = (x16*x28 + x15*(0.5*(w[4]*x14 + x17*w[12]) - (0.5*x26 + w[9]*x14 - 0.5*x21*x27)))/x23;
    y[0] = -x6;
    y[1] = x5;
    y[2] = w[7]*((g_x + 1.5*x7*u_u) - x5*x10);
    y[3] = -(x14 + x16*x29);
    y[4] = -(x14 + x15*x29);
    y[5] = x27 - x19*x29;
    return 0;
}

/* Energies, momenta, residuals of the constraints and the outputs of the spec.
 * 62 operations: 20 additions, 38 multiplications, 0 divisions, 4 functions. */
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
    const double p_m2 = w[0];
    const double p_l = w[1];
    const double cos_theta1 = cos(q_theta1);
    const double x0 = qd_theta1*p_l;
    const double x1 = cos_theta1*x0;
    const double x2 = qd_x + 0.5*x1;
    const double sin_theta1 = sin(q_theta1);
    const double x3 = sin_theta1*x0;
    const double cos_theta2 = cos(q_theta2);
    const double x4 = qd_theta2*p_l;
    const double x5 = (qd_x + x1) + 0.5*cos_theta2*x4;
    const double sin_theta2 = sin(q_theta2);
    const double x6 = x3 + 0.5*sin_theta2*x4;
    const double x7 = (0.041666666666666664*qd_theta1*(qd_theta1*w[4]) + w[5]*(x2*x2 + 0.25*x3*x3)) + (0.041666666666666664*qd_theta2*(qd_theta2*w[4]) + w[5]*(x5*x5 + x6*x6)) + qd_x*qd_x*w[3];
    const double x8 = w[12]*(cos_theta1*w[2] + 0.1) + w[12]*((p_l*cos_theta1 + 0.1) + cos_theta2*w[2]) + w[15];
    y[6] = x7;
    y[7] = -x8;
    y[8] = (qd_x*w[6] + 1.5*cos_theta1*(p_m2*x0)) + 0.5*cos_theta2*(p_m2*x4);
    y[9] = x4 + (cos_theta2*x1 + sin_theta2*x3);
    y[10] = x7 - x8;
    return 0;
}

/* M_NI and L_NI of Eq. (64).
 * 102 operations: 27 additions, 70 multiplications, 1 divisions, 4 functions. */
static int matrices(double t, const double *z, double *mass, double *forcing, const double *w, const double *g, const double *signals, double *scratch, int *where)
{
    (void)t;
    (void)g;
    (void)signals;
    (void)scratch;
    const double q_theta1 = z[0];
    const double q_theta2 = z[1];
    const double u_u = z[3];
    const double p_m2 = w[0];
    const double p_l = w[1];
    const double cos_theta2 = cos(q_theta2);
    const double cos_theta1 = cos(q_theta1);
    const double x0 = p_l*cos_theta1;
    const double sin_theta2 = sin(q_theta2);
    const double sin_theta1 = sin(q_theta1);
    const double x1 = p_l*sin_theta1;
    const double x2 = cos_theta2*x0 + sin_theta2*x1;
    const double x3 = p_l + x2;
    if (fabs(x3) <= w[10]) { *where = 0; return 1; }
    const double x4 = 1.0/x3;
    const double x5 = x2*x4;
    const double x6 = x5 - 1.0;
    const double x7 = p_l*cos_theta2;
    const double x8 = p_l*sin_theta2;
    const double x9 = p_m2*(x0*x7 + x1*x8);
    const double x10 = p_m2*x0;
    const double x11 = x0*w[11];
    const double x12 = x11 + w[5]*x7;
    const double x13 = w[7]*(x11 - x5*x12);
    const double x14 = p_m2*x7;
    const double x15 = x4*(x2*u_u);
    const double x16 = x15*(p_l*x15);
    const double x17 = sin_theta2*x16;
    const double x18 = u_u - x15;
    const double x19 = p_l*x18;
    const double x20 = x19*(sin_theta1*x18);
    const double x21 = ((cos_theta1*x19)*(sin_theta2*x15) - cos_theta2*x20) - ((sin_theta1*x19)*(cos_theta2*x15) - sin_theta2*(x19*(cos_theta1*x18)));
    const double x22 = x4*x21;
    const double x23 = x9*x22;
    const double x24 = w[7]*(x22*x12 + (p_m2*(0.5*x17 + x20) + w[5]*x20));
    const double x25 = (x1*w[13] - (cos_theta1*x17 - sin_theta1*(cos_theta2*x16))*w[14]) - (0.5*x23 + w[8]*x22 - 1.5*x10*x24);
    mass[0] = x6*(0.5*x5*x9 + 1.5*x10*x13 + x6*w[8]) + x5*(0.16666666666666666*x6*x9 + 0.5*x14*x13);
    forcing[0] = -(x6*x25 + x5*(0.5*(w[4]*x22 + x8*w[12]) - (0.5*x23 + w[9]*x22 - 0.5*x14*x24)));
    return 0;
}

/* All about a state: first the motion, then what is measured on it. */
static int output(double t, const double *z, double *y, const double *w, const double *g, const double *signals, double *scratch, int *where)
{
    const int status = motion(t, z, y, w, g, signals, scratch, where);
    return status ? status : measure(t, z, y, w, g, signals, scratch, where);
}

const vcg_model vcg_cart_pendulum = {
    .abi_version = VCG_ABI_VERSION,
    .coordinates = 3,
    .speeds = 1,
    .states = 4,
    .momenta = 1,
    .parameters = 4,
    .prepared = 16,
    .signals = 0,
    .scratch = 0,
    .outputs = 11,
    .prepare = prepare,
    .initial = initial,
    .start = start,
    .rhs = rhs,
    .output = output,
    .matrices = matrices,
};
