/* satellite_boom: reduced-volterra equations of motion, written by volterra_cg 0.1.0.
 *
 * spec 89d8c3a1dca7b490
 * 7 coordinates, 4 equations, 12 states, 3 embedded momenta
 * z[0] psi
 * z[1] theta
 * z[2] phi
 * z[3] rho
 * z[4] X
 * z[5] Y
 * z[6] Z
 * z[7] wx
 * z[8] wy
 * z[9] wz
 * z[10] rho_rate
 * z[11] work
 * g[0] momentum of X
 * g[1] momentum of Y
 * g[2] momentum of Z
 * p[0] m_s
 * p[1] m
 * p[2] l
 * p[3] a
 * p[4] I_xx
 * p[5] I_yy
 * p[6] I_zz
 * p[7] I_xy
 * p[8] I_xz
 * p[9] I_yz
 */
#include "satellite_boom.h"

#include <math.h>

/* A divisor this small beside its terms is taken for zero; a NaN is not, and shows in the results. */
#define VCG_TINY 1e-14

#include "vcg_fused.h"

/* Whether bodies of these parameters exist; `where` counts the limits of the report.
 * 62 operations: 26 additions, 36 multiplications, 0 divisions, 0 functions. */
static int limits(const double *p, int *where)
{
    const double p_m_s = p[0];
    const double p_I_xx = p[4];
    const double p_I_yy = p[5];
    const double p_I_zz = p[6];
    const double p_I_xy = p[7];
    const double p_I_xz = p[8];
    const double p_I_yz = p[9];
    const double p_m = p[1];
    const double x0 = p_I_xx + p_I_yy + p_I_zz;
    const double x1 = x0*x0;
    const double x2 = p_I_xx - p_I_yy + p_I_zz;
    const double x3 = p_I_xx - p_I_yy - p_I_zz;
    const double x4 = p_I_xx + p_I_yy - p_I_zz;
    const double x5 = p_I_yz*p_I_yz;
    const double x6 = x2*x4;
    const double x7 = 1.25e-10*x0*x0*x0 + p_I_xz*(p_I_xy*p_I_yz - 0.5*p_I_xz*x2) + 0.5*x3*(x5 - 0.25*x6) - p_I_xy*(0.5*p_I_xy*x4 - p_I_xz*p_I_yz);
    if (!(p_m_s > 0.0)) { *where = 0; return 2; }
    if (!(p_I_xx >= 0.0)) { *where = 1; return 2; }
    if (!(p_I_yy >= 0.0)) { *where = 2; return 2; }
    if (!(p_I_zz >= 0.0)) { *where = 3; return 2; }
    if (!(-(0.4999999995*p_I_xx - 0.5000000005*p_I_yy - 0.5000000005*p_I_zz) >= 0.0)) { *where = 4; return 2; }
    if (!(0.5000000005*p_I_xx - 0.4999999995*p_I_yy + 0.5000000005*p_I_zz >= 0.0)) { *where = 4; return 2; }
    if (!(0.5000000005*p_I_xx + 0.5000000005*p_I_yy - 0.4999999995*p_I_zz >= 0.0)) { *where = 4; return 2; }
    if (!(-(p_I_xy*p_I_xy - 2.5e-10*x1 + 0.25*x2*x3) >= 0.0)) { *where = 4; return 2; }
    if (!(2.5e-10*x1 - p_I_xz*p_I_xz - 0.25*x3*x4 >= 0.0)) { *where = 4; return 2; }
    if (!(2.5e-10*x1 - x5 + 0.25*x6 >= 0.0)) { *where = 4; return 2; }
    if (!(x7 >= 0.0)) { *where = 4; return 2; }
    if (!(p_m > 0.0)) { *where = 5; return 2; }
    return 0;
}

/* All that depends on parameters alone.
 * 60 operations: 19 additions, 27 multiplications, 4 divisions, 10 functions. */
static int prepare(const double *p, double *w, int *where)
{
    if (limits(p, where)) {
        return 2;
    }
    const double p_m_s = p[0];
    const double p_m = p[1];
    const double p_l = p[2];
    const double p_a = p[3];
    const double p_I_xx = p[4];
    const double p_I_yy = p[5];
    const double p_I_zz = p[6];
    if (p_I_zz <= VCG_TINY*(fabs(p_I_zz))) { *where = 8; return 1; }
    const double p_I_xy = p[7];
    const double p_I_xz = p[8];
    const double p_I_yz = p[9];
    const double x0 = p_m_s + p_m;
    if (x0 <= VCG_TINY*(fabs(p_m_s) + fabs(p_m))) { *where = 4; return 1; }
    const double x1 = 1.0/x0;
    const double x2 = 1.0/p_I_zz;
    const double x3 = p_I_xz*x2;
    const double x4 = p_I_yz*x2;
    const double x5 = p_I_xz*x3;
    const double x6 = p_I_yz*x4;
    const double x7 = p_m*x1;
    const double x8 = p_m*x7;
    const double x9 = p_m - x8;
    if (x9 <= VCG_TINY*(fabs(p_m) + fabs(x8))) { *where = 7; return 1; }
    const double x10 = 1.0/x9;
    const double x11 = p_I_xy + p_I_xz*x4;
    const double x12 = 0.5*p_l + p_a;
    const double x13 = p_m*p_m*x1;
    const double x14 = p_m - x13;
    if (x14 <= VCG_TINY*(fabs(p_m) + fabs(x13))) { *where = 11; return 1; }
    const double x15 = 1.0/x14;
    const double x16 = (2.0*x14);
    const double x17 = fabs(x6);
    const double x18 = fabs(p_I_yy);
    const double x19 = fabs(x14);
    const double x20 = fabs(x12);
    const double x21 = x20*x20*x19;
    const double x22 = fabs(x5);
    const double x23 = fabs(p_I_xx);
    const double x24 = fabs(p_m);
    const double x25 = fabs(p_l);
    const double x26 = fabs(p_a);
    const double x27 = 0.5*x25 + x26;
    const double x28 = x24*x27;
    const double x29 = fabs(x1);
    const double x30 = x28*(x28*x29);
    const double x31 = x27*x28;
    w[31] = -1e-14;
    w[32] = 1e-14;
    w[0] = p_m_s;
    w[1] = p_m;
    w[2] = p_I_xx;
    w[3] = p_I_yy;
    w[4] = p_I_zz;
    w[5] = p_I_xy;
    w[6] = p_I_xz;
    w[7] = p_I_yz;
    w[8] = -p_I_xy;
    w[9] = -p_I_xz;
    w[10] = -p_I_yz;
    w[11] = x0;
    w[12] = x1;
    w[13] = x2;
    w[14] = x3;
    w[15] = x4;
    w[16] = x5;
    w[17] = x6;
    w[18] = x7;
    w[19] = x9;
    w[20] = x10;
    w[21] = x11;
    w[22] = x12;
    w[23] = x14;
    w[24] = x11*x11;
    w[25] = x15;
    w[26] = x16;
    w[27] = 1e-14*(x17 + (x18 + x21));
    w[28] = 1e-14*(x22 + (x23 + x21));
    w[29] = 1e-14*(x17 + ((x18 + x31) + x30));
    w[30] = 1e-14*(x22 + ((x23 + x31) + x30));
    return 0;
}

/* The start values of the spec.
 * 2 operations: 0 additions, 2 multiplications, 0 divisions, 0 functions. */
static int initial(const double *p, double *q, double *qd, int *where)
{
    (void)where;
    const double p_a = p[3];
    const double x0 = 3.141592653589793;
    q[0] = 0.125*x0;
    q[1] = 0.08333333333333333*x0;
    q[2] = 0.08;
    q[3] = p_a;
    q[4] = 0.0;
    q[5] = 0.0;
    q[6] = 0.0;
    qd[0] = -0.1;
    qd[1] = 0.05;
    qd[2] = -0.05;
    qd[3] = 0.0;
    qd[4] = 2.0;
    qd[5] = 1.0;
    qd[6] = 0.0;
    return 0;
}

/* States and conserved momenta, Eqs. (42) and (26), from coordinates and rates.
 * 46 operations: 13 additions, 27 multiplications, 0 divisions, 6 functions. */
static int start(double t, const double *q, const double *qd, const double *w, double *z, double *g, int *where)
{
    (void)t;
    (void)where;
    const double q_psi = q[0];
    const double q_theta = q[1];
    const double q_phi = q[2];
    const double q_rho = q[3];
    const double q_X = q[4];
    const double q_Y = q[5];
    const double q_Z = q[6];
    const double qd_psi = qd[0];
    const double qd_theta = qd[1];
    const double qd_phi = qd[2];
    const double qd_rho = qd[3];
    const double qd_X = qd[4];
    const double qd_Y = qd[5];
    const double qd_Z = qd[6];
    const double p_m = w[1];
    const double sin_theta = sin(q_theta);
    const double x0 = qd_phi - qd_psi*sin_theta;
    const double cos_theta = cos(q_theta);
    const double sin_phi = sin(q_phi);
    const double cos_phi = cos(q_phi);
    const double x1 = qd_theta*cos_phi + qd_psi*(cos_theta*sin_phi);
    const double cos_psi = cos(q_psi);
    const double x2 = q_rho + w[22];
    const double x3 = p_m*(x2*x1);
    const double x4 = qd_rho*p_m;
    const double x5 = p_m*(x2*x0);
    const double x6 = x4*cos_phi - sin_phi*x5;
    const double x7 = cos_theta*x3 + sin_theta*x6;
    const double sin_psi = sin(q_psi);
    const double x8 = x4*sin_phi + cos_phi*x5;
    z[0] = q_psi;
    z[1] = q_theta;
    z[2] = q_phi;
    z[3] = q_rho;
    z[4] = q_X;
    z[5] = q_Y;
    z[6] = q_Z;
    z[7] = x0;
    z[8] = x1;
    z[9] = qd_psi*(cos_theta*cos_phi) - qd_theta*sin_phi;
    z[10] = qd_rho;
    z[11] = 0.0;
    g[0] = qd_X*w[11] + (sin_psi*x8 + cos_psi*x7);
    g[1] = qd_Y*w[11] + (sin_psi*x7 - cos_psi*x8);
    g[2] = qd_Z*w[11] - (sin_theta*x3 - cos_theta*x6);
    return 0;
}

/* The derivative of the state, Eq. (67).
 * 113 operations: 38 additions, 64 multiplications, 3 divisions, 8 functions; 79 instructions, since 34 products are fused with sums. */
VCG_TEXT int rhs_text_1(double t, const double *z, double *dz, const double *w, const double *g, const double *signals, double *scratch, int *where, const double *sines, const double *cosines)
{
    (void)signals;
    const double q_rho = z[3];
    const double u_wx = z[7];
    const double u_wy = z[8];
    const double u_wz = z[9];
    const double u_rho_rate = z[10];
    const double g_X = g[0];
    const double g_Y = g[1];
    const double g_Z = g[2];
    const double p_m = w[1];
    const double p_I_xx = w[2];
    const double p_I_yy = w[3];
    const double p_I_zz = w[4];
    const double p_I_xy = w[5];
    const double p_I_xz = w[6];
    const double p_I_yz = w[7];
    const double cos_theta = cosines[0];
    const double sin_phi = sines[1];
    const double cos_phi = cosines[1];
    const double sin_theta = sines[0];
    const double sin_psi = sines[2];
    const double cos_psi = cosines[2];
    /* q' = W u + X, Eq. (43) */
    scratch[0] = cos_theta;
    if (cos_theta <= w[32] && cos_theta >= w[31]) { *where = 0; return 1; }
    const double x0 = fma(u_wz, cos_phi, u_wy*sin_phi)/cos_theta;
    const double x1 = q_rho + w[22];
    const double x2 = u_wx*x1;
    const double x3 = p_m*fma(x2, cos_phi, u_rho_rate*sin_phi);
    const double x4 = fma(-u_rho_rate, cos_phi, x2*sin_phi);
    const double x5 = u_wy*x1;
    const double x6 = p_m*fma(sin_theta, x4, -x5*cos_theta);
    /* M_NI = W^T M W, Eq. (47) */
    const double x7 = x1*x1;
    const double x8 = fma(w[23], x7, p_I_xx);
    const double x9 = fma(w[23], x7, p_I_yy);
    /* u' = M_NI^-1 L_NI, Eq. (67) */
    const double x10 = fma(-p_I_zz, u_wz, fma(p_I_yz, u_wy, p_I_xz*u_wx));
    const double x11 = fma(-u_wy, x9, fma(p_I_yz, u_wz, p_I_xy*u_wx));
    const double x12 = fma(-u_wx, x8, fma(p_I_xz, u_wz, p_I_xy*u_wy));
    const double x13 = fma(-u_wy, x12, u_wx*x11);
    double sine14, cosine15;
    vcg_sincos_one(0.089*t, &sine14, &cosine15);
    const double x16 = sine14;
    double sine17, cosine18;
    vcg_sincos_one(0.0485*t, &sine17, &cosine18);
    const double x19 = cosine18;
    const double x20 = fma(-0.012, x19, 0.018*x16);
    const double x21 = w[17] - x9;
    if (x21 >= -w[27]) { *where = 12; return 1; }
    const double x22 = 1.0/x21;
    const double x23 = fma(-w[24], x22, w[16] - x8);
    if (x23 >= -w[28]) { *where = 13; return 1; }
    const double x24 = u_rho_rate*w[26];
    const double x25 = fma(-w[15], x13, fma(-u_wz, x12, fma(u_wx, x10, x24*x5)));
    const double x26 = fma(w[21]*x22, x25, fma(w[14], x13, fma(-u_wz, x11, fma(u_wy, x10, -x24*x2))))/x23;
    const double x27 = x22*fma(w[21], x26, x25);
    /* results */
    dz[0] = x0;
    dz[1] = fma(-u_wz, sin_phi, u_wy*cos_phi);
    dz[2] = fma(sin_theta, x0, u_wx);
    dz[3] = u_rho_rate;
    dz[4] = w[12]*fma(cos_psi, x6, fma(-sin_psi, x3, g_X));
    dz[5] = w[12]*fma(sin_psi, x6, fma(cos_psi, x3, g_Y));
    dz[6] = w[12]*fma(p_m, fma(cos_theta, x4, x5*sin_theta), g_Z);
    dz[7] = -x26;
    dz[8] = x27;
    dz[9] = fma(w[15], x27, fma(-w[14], x26, w[13]*x13));
    dz[10] = -w[25]*fma(-w[23], fma(u_wy, x5, u_wx*x2), x20);
    dz[11] = -u_rho_rate*x20;
    return 0;
}

#ifdef VCG_FAST
VCG_FAST VCG_FORM int rhs_fast(double t, const double *z, double *dz, const double *w, const double *g, const double *signals, double *scratch, int *where)
{
    const double angles[4] = {z[1], z[2], z[0]};
    double sines[4], cosines[4];
    vcg_waves_4(4, angles, sines, cosines);
    return rhs_text_1(t, z, dz, w, g, signals, scratch, where, sines, cosines);
}

#endif
VCG_FORM int rhs_any(double t, const double *z, double *dz, const double *w, const double *g, const double *signals, double *scratch, int *where)
{
    const double angles[4] = {z[1], z[2], z[0]};
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
 * 244 operations: 77 additions, 156 multiplications, 3 divisions, 8 functions. */
static int motion(double t, const double *z, double *y, const double *w, const double *g, const double *signals, double *scratch, int *where)
{
    (void)signals;
    (void)scratch;
    const double q_psi = z[0];
    const double q_theta = z[1];
    const double q_phi = z[2];
    const double q_rho = z[3];
    const double u_wx = z[7];
    const double u_wy = z[8];
    const double u_wz = z[9];
    const double u_rho_rate = z[10];
    const double g_X = g[0];
    const double g_Y = g[1];
    const double g_Z = g[2];
    const double p_m = w[1];
    const double p_I_xx = w[2];
    const double p_I_yy = w[3];
    const double p_I_zz = w[4];
    const double p_I_xy = w[5];
    const double p_I_xz = w[6];
    const double p_I_yz = w[7];
    const double sin_phi = sin(q_phi);
    const double cos_theta = cos(q_theta);
    if (fabs(cos_theta) <= 1e-14) { *where = 0; return 1; }
    const double x0 = 1.0/cos_theta;
    const double x1 = sin_phi*x0;
    const double cos_phi = cos(q_phi);
    const double x2 = cos_phi*x0;
    const double x3 = u_wy*x1 + u_wz*x2;
    const double x4 = u_wy*cos_phi - u_wz*sin_phi;
    const double sin_theta = sin(q_theta);
    const double x5 = u_wx + sin_theta*x3;
    const double cos_psi = cos(q_psi);
    const double x6 = q_rho + w[22];
    const double x7 = u_wy*x6;
    const double x8 = p_m*x7;
    const double x9 = p_m*u_rho_rate;
    const double x10 = u_wx*x6;
    const double x11 = p_m*x10;
    const double x12 = x9*cos_phi - x11*sin_phi;
    const double x13 = x8*cos_theta + sin_theta*x12;
    const double sin_psi = sin(q_psi);
    const double x14 = x9*sin_phi + x11*cos_phi;
    const double x15 = sin_theta*x4;
    const double x16 = cos_phi*x5;
    const double x17 = sin_phi*x5;
    const double x18 = x4*x17 + x3*(sin_phi*x15 - cos_theta*x16);
    const double x19 = x4*x16 + x3*(cos_phi*x15 + cos_theta*x17);
    const double x20 = x1*x18 + x2*x19;
    const double x21 = p_m*x6;
    const double x22 = w[12]*x21;
    const double x23 = x21*x22;
    const double x24 = x6*x21;
    const double x25 = x23 - (p_I_yy + x24);
    const double x26 = w[17] + x25;
    if (x26 >= -w[29]) { *where = 9; return 1; }
    const double x27 = 1.0/x26;
    const double x28 = p_I_xy*u_wx + p_I_yz*u_wz + u_wy*x25;
    const double x29 = (p_I_xx + x24) - x23;
    const double x30 = p_I_xy*u_wy + p_I_xz*u_wz - u_wx*x29;
    const double x31 = u_wx*x28 - u_wy*x30;
    const double x32 = p_I_xz*u_wx + p_I_yz*u_wy - p_I_zz*u_wz;
    const double x33 = x21 - p_m*x22;
    const double x34 = u_wy*x33;
    const double x35 = w[15]*x31 - (2.0*u_rho_rate*x34 + (u_wx*x32 - u_wz*x30));
    const double x36 = w[21]*x27;
    const double x37 = (w[16] - x29) - w[21]*x36;
    if (x37 >= -w[30]) { *where = 10; return 1; }
    const double x38 = u_wx*x33;
    const double x39 = ((w[14]*x31 + ((u_wy*x32 - u_wz*x28) - 2.0*u_rho_rate*x38)) - x36*x35)/x37;
    const double x40 = x27*x35 - x36*x39;
    const double x41 = w[13]*x31 - w[14]*x39 - w[15]*x40;
    const double x42 = sin(0.089*t);
    const double x43 = cos(0.0485*t);
    const double x44 = w[20]*((0.018*x42 - 0.012*x43) - (u_wx*x38 + u_wy*x34));
    const double x45 = 2.0*u_wy*u_rho_rate + u_wz*x10;
    const double x46 = u_wx*x10 + u_wy*x7;
    const double x47 = 2.0*u_wx*u_rho_rate - u_wz*x7;
    const double x48 = x46*cos_phi + x47*sin_phi;
    const double x49 = x45*cos_theta - sin_theta*x48;
    const double x50 = x46*sin_phi - x47*cos_phi;
    const double x51 = x6*sin_phi;
    const double x52 = sin_theta*x51;
    const double x53 = x6*cos_phi;
    const double x54 = x6*cos_theta;
    const double x55 = w[18]*(cos_psi*x49 - sin_psi*x50) - w[18]*(sin_psi*sin_phi + cos_phi*(cos_psi*sin_theta))*x44 + w[18]*(cos_psi*x52 - sin_psi*x53)*x39 - w[18]*(cos_psi*x54)*x40;
    const double x56 = w[18]*(cos_psi*sin_phi - cos_phi*(sin_psi*sin_theta))*x44 + w[18]*(cos_psi*x50 + sin_psi*x49) + w[18]*(cos_psi*x53 + sin_psi*x52)*x39 - w[18]*(sin_psi*x54)*x40;
    const double x57 = w[18]*(x45*sin_theta + cos_theta*x48) + w[18]*(cos_theta*cos_phi)*x44 - w[18]*(cos_theta*x51)*x39 - w[18]*(x6*sin_theta)*x40;
    y[0] = x3;
    y[1] = x4;
    y[2] = x5;
    y[3] = u_rho_rate;
    y[4] = w[12]*(g_X - (sin_psi*x14 + cos_psi*x13));
    y[5] = w[12]*(g_Y - (sin_psi*x13 - cos_psi*x14));
    y[6] = w[12]*(g_Z + (x8*sin_theta - cos_theta*x12));
    y[7] = x2*x41 - x1*x40 + x20;
    y[8] = (cos_phi*x18 - sin_phi*x19) - cos_phi*x40 - sin_phi*x41;
    y[9] = (sin_theta*x2)*x41 - x39 - (sin_theta*x1)*x40 + ((cos_theta*x4)*x3 + sin_theta*x20);
    y[10] = -x44;
    y[11] = -x55;
    y[12] = -x56;
    y[13] = x57;
    return 0;
}

/* Energies, momenta, residuals of the constraints and the outputs of the spec.
 * 104 operations: 37 additions, 61 multiplications, 0 divisions, 6 functions. */
static int measure(double t, const double *z, double *y, const double *w, const double *g, const double *signals, double *scratch, int *where)
{
    (void)t;
    (void)g;
    (void)signals;
    (void)scratch;
    (void)where;
    const double q_psi = z[0];
    const double q_theta = z[1];
    const double q_phi = z[2];
    const double q_rho = z[3];
    const double qd_psi = y[0];
    const double qd_theta = y[1];
    const double qd_phi = y[2];
    const double qd_rho = y[3];
    const double qd_X = y[4];
    const double qd_Y = y[5];
    const double qd_Z = y[6];
    const double work_work = z[11];
    const double p_m_s = w[0];
    const double p_m = w[1];
    const double p_I_xx = w[2];
    const double p_I_yy = w[3];
    const double p_I_zz = w[4];
    const double p_I_xy = w[5];
    const double p_I_xz = w[6];
    const double p_I_yz = w[7];
    const double sin_theta = sin(q_theta);
    const double x0 = qd_phi - qd_psi*sin_theta;
    const double cos_theta = cos(q_theta);
    const double sin_phi = sin(q_phi);
    const double cos_phi = cos(q_phi);
    const double x1 = qd_theta*cos_phi + qd_psi*(cos_theta*sin_phi);
    const double x2 = qd_psi*(cos_theta*cos_phi) - qd_theta*sin_phi;
    const double x3 = x0*(p_I_xx*x0 - p_I_xy*x1 - p_I_xz*x2) - x1*(p_I_xy*x0 - p_I_yy*x1 + p_I_yz*x2) - x2*(p_I_xz*x0 + p_I_yz*x1 - p_I_zz*x2);
    const double cos_psi = cos(q_psi);
    const double x4 = q_rho + w[22];
    const double x5 = x4*x1;
    const double x6 = x4*x0;
    const double x7 = qd_rho*cos_phi - sin_phi*x6;
    const double x8 = cos_theta*x5 + sin_theta*x7;
    const double sin_psi = sin(q_psi);
    const double x9 = qd_rho*sin_phi + cos_phi*x6;
    const double x10 = qd_X + (sin_psi*x9 + cos_psi*x8);
    const double x11 = qd_Y + (sin_psi*x8 - cos_psi*x9);
    const double x12 = qd_Z - (sin_theta*x5 - cos_theta*x7);
    const double x13 = (p_m_s*(qd_X*qd_X + qd_Y*qd_Y + qd_Z*qd_Z) + x3) + p_m*(x12*x12 + x10*x10 + x11*x11);
    const double x14 = p_m*x5;
    const double x15 = qd_rho*p_m;
    const double x16 = p_m*x6;
    const double x17 = x15*cos_phi - sin_phi*x16;
    const double x18 = cos_theta*x14 + sin_theta*x17;
    const double x19 = x15*sin_phi + cos_phi*x16;
    y[14] = 0.5*x13;
    y[15] = 0.0;
    y[16] = qd_X*w[11] + (sin_psi*x19 + cos_psi*x18);
    y[17] = qd_Y*w[11] + (sin_psi*x18 - cos_psi*x19);
    y[18] = qd_Z*w[11] - (sin_theta*x14 - cos_theta*x17);
    y[19] = -(work_work - 0.5*x13);
    return 0;
}

/* M_NI and L_NI of Eq. (64).
 * 60 operations: 24 additions, 34 multiplications, 0 divisions, 2 functions. */
static int matrices(double t, const double *z, double *mass, double *forcing, const double *w, const double *g, const double *signals, double *scratch, int *where)
{
    (void)g;
    (void)signals;
    (void)scratch;
    (void)where;
    const double q_rho = z[3];
    const double u_wx = z[7];
    const double u_wy = z[8];
    const double u_wz = z[9];
    const double u_rho_rate = z[10];
    const double p_m = w[1];
    const double p_I_xx = w[2];
    const double p_I_yy = w[3];
    const double p_I_zz = w[4];
    const double p_I_xy = w[5];
    const double p_I_xz = w[6];
    const double p_I_yz = w[7];
    const double x0 = q_rho + w[22];
    const double x1 = p_m*x0;
    const double x2 = x0*x1;
    const double x3 = w[12]*x1;
    const double x4 = x1*x3;
    const double x5 = (p_I_xx + x2) - x4;
    const double x6 = x4 - (p_I_yy + x2);
    const double x7 = p_I_xz*u_wx + p_I_yz*u_wy - p_I_zz*u_wz;
    const double x8 = p_I_xy*u_wx;
    const double x9 = p_I_yz*u_wz;
    const double x10 = x1 - p_m*x3;
    const double x11 = u_wx*x10;
    const double x12 = p_I_xy*u_wy;
    const double x13 = p_I_xz*u_wz;
    const double x14 = u_wy*x10;
    const double x15 = sin(0.089*t);
    const double x16 = cos(0.0485*t);
    mass[0] = x5;
    mass[1] = w[8];
    mass[2] = w[9];
    mass[3] = 0.0;
    mass[4] = w[8];
    mass[5] = -x6;
    mass[6] = w[10];
    mass[7] = 0.0;
    mass[8] = w[9];
    mass[9] = w[10];
    mass[10] = p_I_zz;
    mass[11] = 0.0;
    mass[12] = 0.0;
    mass[13] = 0.0;
    mass[14] = 0.0;
    mass[15] = w[19];
    forcing[0] = (u_wy*x7 - u_wz*(x8 + x9 + u_wy*x6)) - 2.0*u_rho_rate*x11;
    forcing[1] = -(2.0*u_rho_rate*x14 + (u_wx*x7 - u_wz*(x12 + x13 - u_wx*x5)));
    forcing[2] = u_wx*(x8 + x9 - p_I_yy*u_wy) - u_wy*(x12 + x13 - p_I_xx*u_wx);
    forcing[3] = -((0.018*x15 - 0.012*x16) - (u_wx*x11 + u_wy*x14));
    return 0;
}

/* Where everything is that a picture shows.
 * 33 operations: 9 additions, 18 multiplications, 0 divisions, 6 functions. */
static int scene(double t, const double *x, const double *p, double *s, double *scratch, int *where)
{
    (void)t;
    (void)scratch;
    (void)where;
    const double q_psi = x[0];
    const double q_theta = x[1];
    const double q_phi = x[2];
    const double q_rho = x[3];
    const double q_X = x[4];
    const double q_Y = x[5];
    const double q_Z = x[6];
    const double p_m_s = p[0];
    const double p_m = p[1];
    const double p_l = p[2];
    const double p_a = p[3];
    const double p_I_xx = p[4];
    const double p_I_yy = p[5];
    const double p_I_zz = p[6];
    const double p_I_xy = p[7];
    const double p_I_xz = p[8];
    const double p_I_yz = p[9];
    const double cos_psi = cos(q_psi);
    const double cos_theta = cos(q_theta);
    const double sin_psi = sin(q_psi);
    const double cos_phi = cos(q_phi);
    const double sin_theta = sin(q_theta);
    const double x0 = cos_psi*sin_theta;
    const double sin_phi = sin(q_phi);
    const double x1 = sin_psi*sin_phi + cos_phi*x0;
    const double x2 = sin_psi*sin_theta;
    const double x3 = cos_psi*sin_phi - cos_phi*x2;
    const double x4 = cos_theta*cos_phi;
    const double x5 = -p_I_xy;
    const double x6 = -p_I_xz;
    const double x7 = -p_I_yz;
    const double x8 = q_rho + 0.5*p_l + p_a;
    s[0] = q_X;
    s[1] = q_Y;
    s[2] = q_Z;
    s[3] = p_m_s;
    s[4] = cos_psi*cos_theta;
    s[5] = -(sin_psi*cos_phi - sin_phi*x0);
    s[6] = x1;
    s[7] = sin_psi*cos_theta;
    s[8] = cos_psi*cos_phi + sin_phi*x2;
    s[9] = -x3;
    s[10] = -sin_theta;
    s[11] = cos_theta*sin_phi;
    s[12] = x4;
    s[13] = p_I_xx;
    s[14] = x5;
    s[15] = x6;
    s[16] = x5;
    s[17] = p_I_yy;
    s[18] = x7;
    s[19] = x6;
    s[20] = x7;
    s[21] = p_I_zz;
    s[22] = q_X + x8*x1;
    s[23] = q_Y - x8*x3;
    s[24] = q_Z + x8*x4;
    s[25] = p_m;
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
#define VCG_LANES_CHECKS 0, 12, 13
#ifdef __x86_64__
#define VCG_STATES 12
#define VCG_PREPARED 33
#define VCG_MOMENTA 3
#define VCG_SIGNALS 0
#define VCG_SCRATCH 1
#define VCG_DIVISORS 1
#define LANE_COUNT 4
#include "vcg_lanes_words.h"
#include "satellite_boom_lanes.h"
#undef LANE_COUNT
#define LANE_COUNT 8
#include "vcg_lanes_words.h"
#include "satellite_boom_lanes.h"
#undef LANE_COUNT
#else
#define LANE_COUNT 2
#include "vcg_lanes_words.h"
#include "satellite_boom_lanes.h"
#undef LANE_COUNT
#endif
#include "vcg_lanes.h"
#endif

static const int divisor_checks[] = {0};

const vcg_model vcg_model_satellite_boom = {
    .abi_version = VCG_ABI_VERSION,
    .coordinates = 7,
    .speeds = 4,
    .states = 12,
    .momenta = 3,
    .parameters = 10,
    .prepared = 33,
    .signals = 0,
    .scratch = 1,
    .outputs = 20,
    .holonomic = 0,
    .events = 0,
    .divisors = 1,
    .drawn = 26,
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
