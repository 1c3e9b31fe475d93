/* three_bodies: reduced-volterra equations of motion, written by volterra_cg 0.1.0.
 *
 * spec cf450277e6134f8f
 * 8 coordinates, 5 equations, 13 states, 3 embedded momenta
 * z[0] psi
 * z[1] theta
 * z[2] phi
 * z[3] gamma1
 * z[4] gamma2
 * z[5] X
 * z[6] Y
 * z[7] Z
 * z[8] wx
 * z[9] wy
 * z[10] wz
 * z[11] gamma1_rate
 * z[12] gamma2_rate
 * g[0] momentum of X
 * g[1] momentum of Y
 * g[2] momentum of Z
 * p[0] m_s
 * p[1] m_p
 * p[2] a
 * p[3] b
 * p[4] c
 * p[5] I_xx
 * p[6] I_yy
 * p[7] I_zz
 * p[8] I_xy
 * p[9] I_xz
 * p[10] I_yz
 */
#include "three_bodies.h"

#include <math.h>

/* A divisor this small beside its terms is taken for zero; a NaN is not, and shows in the results. */
#define VCG_TINY 1e-14

#include "vcg_fused.h"

/* Whether bodies of these parameters exist; `where` counts the limits of the report.
 * 88 operations: 33 additions, 55 multiplications, 0 divisions, 0 functions. */
static int limits(const double *p, int *where)
{
    const double p_m_s = p[0];
    const double p_I_xx = p[5];
    const double p_I_yy = p[6];
    const double p_I_zz = p[7];
    const double p_I_xy = p[8];
    const double p_I_xz = p[9];
    const double p_I_yz = p[10];
    const double p_m_p = p[1];
    const double p_c = p[4];
    const double p_a = p[2];
    const double x0 = p_I_xx + p_I_yy + p_I_zz;
    const double x1 = x0*x0;
    const double x2 = p_I_xx - p_I_yy + p_I_zz;
    const double x3 = p_I_xx - p_I_yy - p_I_zz;
    const double x4 = p_I_xx + p_I_yy - p_I_zz;
    const double x5 = p_I_yz*p_I_yz;
    const double x6 = x2*x4;
    const double x7 = 1.25e-10*x0*x0*x0 + p_I_xz*(p_I_xy*p_I_yz - 0.5*p_I_xz*x2) + 0.5*x3*(x5 - 0.25*x6) - p_I_xy*(0.5*p_I_xy*x4 - p_I_xz*p_I_yz);
    const double x8 = p_m_p*p_c*p_c;
    const double x9 = p_m_p*(p_c*p_c + p_a*p_a);
    const double x10 = p_m_p*p_a*p_a;
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
    if (!(p_m_p > 0.0)) { *where = 5; return 2; }
    if (!(0.08333333333333333*x8 >= 0.0)) { *where = 6; return 2; }
    if (!(0.08333333333333333*x9 >= 0.0)) { *where = 7; return 2; }
    if (!(0.08333333333333333*x10 >= 0.0)) { *where = 8; return 2; }
    if (!(-(0.041666666625*x8 - 0.041666666708333334*x10 - 0.041666666708333334*x9) >= 0.0)) { *where = 9; return 2; }
    if (!(0.041666666708333334*x8 + 0.041666666708333334*x10 - 0.041666666625*x9 >= 0.0)) { *where = 9; return 2; }
    if (!(0.041666666708333334*x8 - 0.041666666625*x10 + 0.041666666708333334*x9 >= 0.0)) { *where = 9; return 2; }
    return 0;
}

/* All that depends on parameters alone.
 * 158 operations: 55 additions, 79 multiplications, 2 divisions, 22 functions. */
static int prepare(const double *p, double *w, int *where)
{
    if (limits(p, where)) {
        return 2;
    }
    const double p_m_s = p[0];
    const double p_m_p = p[1];
    const double p_a = p[2];
    const double p_b = p[3];
    const double p_c = p[4];
    const double p_I_xx = p[5];
    const double p_I_yy = p[6];
    const double p_I_zz = p[7];
    const double p_I_xy = p[8];
    const double p_I_xz = p[9];
    const double p_I_yz = p[10];
    const double x0 = (0.5*p_a);
    const double x1 = (0.5*p_b);
    const double x2 = (0.08333333333333333*p_m_p*p_c*p_c);
    const double x3 = (0.08333333333333333*p_m_p*(p_c*p_c + p_a*p_a));
    const double x4 = (0.08333333333333333*p_m_p*p_a*p_a);
    const double x5 = p_m_s + 2.0*p_m_p;
    if (x5 <= VCG_TINY*(fabs(p_m_s) + 2.0*fabs(p_m_p))) { *where = 4; return 1; }
    const double x6 = 1.0/x5;
    const double x7 = p_m_p*x0;
    const double x8 = x0*x7;
    const double x9 = x8 + x3;
    const double x10 = p_m_p*x1;
    const double x11 = x4 + x8;
    const double x12 = 2.0*x7;
    const double x13 = x12;
    const double x14 = x11 + (p_I_zz + x11);
    const double x15 = p_m_p*x0*x6;
    const double x16 = p_m_p*x0*x1;
    const double x17 = p_m_p*p_m_p*x0*x0*x6;
    const double x18 = p_I_yy + 2.0*x9;
    const double x19 = p_I_xx + 2.0*x2;
    const double x20 = x11 - x17;
    if (x20 <= VCG_TINY*(fabs(x11) + fabs(x17))) { *where = 12; return 1; }
    const double x21 = 1.0/x20;
    const double x22 = (1.5*x17);
    const double x23 = x17*x17*x21;
    const double x24 = fabs(p_m_p);
    const double x25 = fabs(x0);
    const double x26 = x24*x25;
    const double x27 = fabs(x6);
    const double x28 = x26*(x26*x27);
    const double x29 = x25*x26;
    const double x30 = fabs(x4);
    const double x31 = x29 + (x30 + x29);
    const double x32 = fabs(x7);
    const double x33 = x26 + x32;
    const double x34 = x33*(x33*x27);
    const double x35 = x25*(x26 + x33);
    const double x36 = fabs(x1);
    const double x37 = fabs(x10);
    const double x38 = x26 + x37;
    const double x39 = x36*(x26 + x38);
    const double x40 = fabs(p_I_zz);
    const double x41 = x38*(x38*x27);
    const double x42 = fabs(x9);
    const double x43 = x31 + x42;
    const double x44 = fabs(p_I_yy);
    const double x45 = fabs(x2);
    const double x46 = x45 + x31;
    const double x47 = fabs(p_I_xx);
    const double x48 = fabs(x20);
    const double x49 = fabs(x23);
    const double x50 = fabs(x14);
    const double x51 = x32 + x37;
    const double x52 = 2.0*x36*(x32 + x51) + 4.0*x51*x51*x27;
    const double x53 = 6.0*x25*x32 + 16.0*x32*(x32*x27);
    const double x54 = fabs(x11);
    const double x55 = fabs(x16);
    const double x56 = fabs(x15);
    const double x57 = fabs(x8);
    const double x58 = x54 + (x55 + 2.0*x51*x56) + (x57 + 4.0*x32*x56);
    const double x59 = fabs(x21);
    const double x60 = fabs(x18);
    const double x61 = fabs(x19);
    w[47] = -1e-14;
    w[48] = 1e-14;
    w[0] = p_m_s;
    w[1] = p_m_p;
    w[2] = p_I_xx;
    w[3] = p_I_yy;
    w[4] = p_I_zz;
    w[5] = p_I_xy;
    w[6] = p_I_xz;
    w[7] = p_I_yz;
    w[8] = x0;
    w[9] = x1;
    w[10] = -p_I_xz;
    w[11] = -p_I_yz;
    w[12] = x2;
    w[13] = x3;
    w[14] = x4;
    w[15] = x5;
    w[16] = x6;
    w[17] = x7;
    w[18] = x8;
    w[19] = x9;
    w[20] = x10;
    w[21] = x11;
    w[22] = x12;
    w[23] = x13;
    w[24] = x14;
    w[25] = x15;
    w[26] = x16;
    w[27] = x17;
    w[28] = p_I_xz*p_I_yz;
    w[29] = p_I_yz*p_I_yz;
    w[30] = p_I_xz*p_I_xz;
    w[31] = x18;
    w[32] = x19;
    w[33] = x20;
    w[34] = x21;
    w[35] = x22;
    w[36] = x17*x21;
    w[37] = x23;
    w[38] = 1e-14*(x28 + (x31 + x28));
    w[39] = 1e-14*(4.0*x34 + (4.0*x41 + (x35 + (x39 + (x31 + (x35 + (x39 + (x40 + x31))))))));
    w[40] = 1e-14*(4.0*x34 + (x35 + (x43 + (x35 + (x44 + x43)))));
    w[41] = 1e-14*(4.0*x41 + (x39 + (x46 + (x39 + (x47 + x46)))));
    w[42] = 1e-14*(x48 + 4.0*x49);
    w[43] = 1e-14*((x50 + x52 + x53) + x58*(x59*x58));
    w[44] = 1e-14*(2.0*x54 + x60 + x53);
    w[45] = 1e-14*(2.0*x54 + x61 + x52);
    w[46] = 2.0*p_m_p;
    return 0;
}

/* The start values of the spec.
 * 2 operations: 0 additions, 2 multiplications, 0 divisions, 0 functions. */
static int initial(const double *p, double *q, double *qd, int *where)
{
    (void)p;
    (void)where;
    const double x0 = 3.141592653589793;
    q[0] = 0.1*x0;
    q[1] = 0.16666666666666666*x0;
    q[2] = 0.03;
    q[3] = 0.0;
    q[4] = 0.0;
    q[5] = 3.0;
    q[6] = 3.0;
    q[7] = 9.0;
    qd[0] = 0.3;
    qd[1] = 0.0;
    qd[2] = -0.3;
    qd[3] = 0.0;
    qd[4] = 0.2;
    qd[5] = 0.1;
    qd[6] = -0.3;
    qd[7] = -0.4;
    return 0;
}

/* States and conserved momenta, Eqs. (42) and (26), from coordinates and rates.
 * 78 operations: 24 additions, 44 multiplications, 0 divisions, 10 functions. */
static int start(double t, const double *q, const double *qd, const double *w, double *z, double *g, int *where)
{
    (void)t;
    (void)where;
    const double q_psi = q[0];
    const double q_theta = q[1];
    const double q_phi = q[2];
    const double q_gamma1 = q[3];
    const double q_gamma2 = q[4];
    const double q_X = q[5];
    const double q_Y = q[6];
    const double q_Z = q[7];
    const double qd_psi = qd[0];
    const double qd_theta = qd[1];
    const double qd_phi = qd[2];
    const double qd_gamma1 = qd[3];
    const double qd_gamma2 = qd[4];
    const double qd_X = qd[5];
    const double qd_Y = qd[6];
    const double qd_Z = qd[7];
    const double p_m_p = w[1];
    const double sin_theta = sin(q_theta);
    const double x0 = qd_phi - qd_psi*sin_theta;
    const double cos_theta = cos(q_theta);
    const double sin_phi = sin(q_phi);
    const double cos_phi = cos(q_phi);
    const double x1 = qd_theta*cos_phi + qd_psi*(cos_theta*sin_phi);
    const double x2 = qd_psi*(cos_theta*cos_phi) - qd_theta*sin_phi;
    const double cos_psi = cos(q_psi);
    const double sin_gamma1 = sin(q_gamma1);
    const double x3 = p_m_p*(w[8]*(qd_gamma1 + x2));
    const double sin_gamma2 = sin(q_gamma2);
    const double x4 = p_m_p*(w[8]*(qd_gamma2 - x2));
    const double x5 = sin_gamma1*x3 + sin_gamma2*x4;
    const double cos_gamma2 = cos(q_gamma2);
    const double cos_gamma1 = cos(q_gamma1);
    const double x6 = w[9]*x0;
    const double x7 = w[8]*x1;
    const double x8 = p_m_p*(w[8]*(sin_gamma2*x0 + cos_gamma2*x1)) - (p_m_p*(w[8]*(sin_gamma1*x0 - cos_gamma1*x1)) + (p_m_p*(x6 + x7) - p_m_p*(x6 - x7)));
    const double x9 = cos_gamma2*x4 + (w[46]*(w[8]*x2) - cos_gamma1*x3);
    const double x10 = cos_phi*x8 + sin_phi*x9;
    const double x11 = cos_theta*x5 + sin_theta*x10;
    const double sin_psi = sin(q_psi);
    const double x12 = sin_phi*x8 - cos_phi*x9;
    z[0] = q_psi;
    z[1] = q_theta;
    z[2] = q_phi;
    z[3] = q_gamma1;
    z[4] = q_gamma2;
    z[5] = q_X;
    z[6] = q_Y;
    z[7] = q_Z;
    z[8] = x0;
    z[9] = x1;
    z[10] = x2;
    z[11] = qd_gamma1;
    z[12] = qd_gamma2;
    g[0] = qd_X*w[15] + (sin_psi*x12 + cos_psi*x11);
    g[1] = qd_Y*w[15] + (sin_psi*x11 - cos_psi*x12);
    g[2] = qd_Z*w[15] - (sin_theta*x5 - cos_theta*x10);
    return 0;
}

/* The derivative of the state, Eq. (67).
 * 289 operations: 116 additions, 158 multiplications, 5 divisions, 10 functions; 196 instructions, since 93 products are fused with sums. */
VCG_TEXT int rhs_text_1(double t, const double *z, double *dz, const double *w, const double *g, const double *signals, double *scratch, int *where, const double *sines, const double *cosines)
{
    (void)t;
    (void)signals;
    const double u_wx = z[8];
    const double u_wy = z[9];
    const double u_wz = z[10];
    const double u_gamma1_rate = z[11];
    const double u_gamma2_rate = z[12];
    const double g_X = g[0];
    const double g_Y = g[1];
    const double g_Z = g[2];
    const double p_I_xy = w[5];
    const double p_I_xz = w[6];
    const double p_I_yz = w[7];
    const double cos_theta = cosines[0];
    const double sin_phi = sines[1];
    const double cos_phi = cosines[1];
    const double sin_theta = sines[0];
    const double cos_psi = cosines[2];
    const double sin_gamma1 = sines[3];
    const double sin_gamma2 = sines[4];
    const double cos_gamma1 = cosines[3];
    const double cos_gamma2 = cosines[4];
    const double sin_psi = sines[2];
    /* q' = W u + X, Eq. (43) */
    scratch[0] = cos_theta;
    if (cos_theta <= w[48] && cos_theta >= w[47]) { *where = 0; return 1; }
    const double x0 = fma(u_wz, cos_phi, u_wy*sin_phi)/cos_theta;
    const double x1 = u_wz + u_gamma1_rate;
    const double x2 = u_wz - u_gamma2_rate;
    const double x3 = w[17]*fma(-x2, sin_gamma2, x1*sin_gamma1);
    const double x4 = fma(-w[17], fma(x2, cos_gamma2, x1*cos_gamma1), u_wz*w[23]);
    const double x5 = cos_gamma1 + cos_gamma2;
    const double x6 = fma(w[17], fma(-u_wy, x5, u_wx*(sin_gamma1 - sin_gamma2)), u_wy*w[23]);
    const double x7 = fma(-cos_phi, x6, sin_phi*x4);
    const double x8 = fma(sin_theta, x7, cos_theta*x3);
    const double x9 = fma(sin_phi, x6, cos_phi*x4);
    /* u' = M_NI^-1 L_NI, Eq. (67) */
    const double x10 = fma(sin_gamma2, sin_gamma2, sin_gamma1*sin_gamma1);
    const double x11 = fma(w[17], sin_gamma2, w[20]);
    const double x12 = fma(w[17], sin_gamma1, w[20]);
    const double x13 = x11 - x12;
    const double x14 = fma(-w[9], fma(w[17], (sin_gamma1 + sin_gamma2), x11 + x12), w[16]*x13*x13);
    const double x15 = fma(w[21], x10, w[32]) - x14;
    const double x16 = fma(-w[17], x5, w[22]);
    const double x17 = w[16]*x16;
    const double x18 = fma(w[8], fma(w[17], x5, -x16), x16*x17);
    const double x19 = w[24] - x14 - x18;
    const double x20 = fma(w[25], x13, w[26]);
    const double x21 = fma(-w[25], x16, w[18]);
    const double x22 = fma(-cos_gamma1, x21, fma(sin_gamma1, x20, w[21]));
    const double x23 = fma(sin_gamma1, cos_gamma2, cos_gamma1*sin_gamma2);
    const double x24 = w[27]*x23;
    const double x25 = u_wz*x23;
    const double x26 = w[21]*sin_gamma2;
    const double x27 = fma(-w[25], x13, w[26]);
    const double x28 = x26 + x27;
    const double x29 = fma(-cos_gamma2, fma(w[21], cos_gamma2, -x21), sin_gamma2*x28);
    const double x30 = fma(u_wx, x29, 2.0*u_wy*fma(-sin_gamma2, x21, cos_gamma2*x26));
    const double x31 = fma(-u_wy, x29, 2.0*u_wx*cos_gamma2*x28);
    const double x32 = fma(sin_gamma2, x21, cos_gamma2*x27);
    const double x33 = fma(2.0*u_wz, x32, u_gamma1_rate*x24);
    const double x34 = fma(-0.5, fma(-u_wz, x33, fma(-u_wx, x31, u_wy*x30)), u_gamma1_rate*fma(w[35], x25, u_gamma1_rate*x24));
    const double x35 = w[21]*sin_gamma1;
    const double x36 = fma(x13, (w[8] - x17), fma(w[26], (cos_gamma1 - cos_gamma2), fma(-cos_gamma2, x26, fma(cos_gamma1, x35, p_I_xy))));
    const double x37 = fma(w[21], x10, -w[31]) + x18;
    const double x38 = fma(u_wy, x37, fma(u_wx, x36, p_I_yz*u_wz));
    const double x39 = fma(-cos_gamma2, x21, fma(sin_gamma2, x27, w[21]));
    const double x40 = fma(-u_wz, x19, fma(u_gamma2_rate, x39, fma(-u_gamma1_rate, x22, fma(p_I_yz, u_wy, p_I_xz*u_wx))));
    const double x41 = x35 + x20;
    const double x42 = fma(-cos_gamma1, fma(w[21], cos_gamma1, -x21), sin_gamma1*x41);
    const double x43 = fma(u_wy, x42, 2.0*u_wx*cos_gamma1*x41);
    const double x44 = fma(u_wy, x36, fma(-u_wx, x15, p_I_xz*u_wz));
    const double x45 = fma(sin_gamma1, x21, cos_gamma1*x20);
    const double x46 = fma(-2.0*u_wz, x45, u_gamma2_rate*x24);
    const double x47 = w[34]*x39;
    const double x48 = fma(-u_wx, x42, 2.0*u_wy*fma(-sin_gamma1, x21, cos_gamma1*x35));
    const double x49 = fma(-sin_gamma1, sin_gamma2, cos_gamma1*cos_gamma2);
    const double x50 = w[36]*x49;
    const double x51 = fma(-x50, x34, fma(-0.5, fma(u_wz, x46, fma(-u_wx, x43, u_wy*x48)), u_gamma2_rate*fma(-w[35], x25, u_gamma2_rate*x24)));
    const double x52 = fma(-w[37]*x49, x49, w[33]);
    if (x52 <= w[42]) { *where = 13; return 1; }
    const double x53 = 1.0/x52;
    const double x54 = fma(x50, x39, x22);
    const double x55 = x53*x54;
    const double x56 = fma(-x55, x51, fma(x47, x34, fma(u_gamma1_rate, fma(-u_gamma1_rate, x45, x46), fma(-u_gamma2_rate, fma(-u_gamma2_rate, x32, x33), fma(-u_wy, x44, u_wx*x38)))));
    const double x57 = fma(-x54, x55, fma(-x39, x47, x19));
    if (x57 <= w[43]) { *where = 14; return 1; }
    const double x58 = 1.0/x57;
    const double x59 = x58*x56;
    const double x60 = fma(p_I_yz, x59, fma(-u_wx, x40, fma(u_gamma2_rate, x30, fma(u_gamma1_rate, x48, u_wz*x44))));
    const double x61 = fma(w[28], x58, x36);
    const double x62 = fma(w[29], x58, x37);
    if (x62 >= -w[44]) { *where = 15; return 1; }
    const double x63 = 1.0/x62;
    const double x64 = x61*x63;
    const double x65 = fma(x60, x64, fma(-p_I_xz, x59, fma(-u_wy, x40, fma(u_gamma2_rate, x31, fma(u_gamma1_rate, x43, u_wz*x38)))));
    const double x66 = fma(x61, x64, fma(-w[30], x58, x15));
    if (x66 <= w[45]) { *where = 16; return 1; }
    const double x67 = x65/x66;
    const double x68 = fma(-x64, x67, x60*x63);
    const double x69 = x58*fma(-p_I_yz, x68, fma(-p_I_xz, x67, x56));
    const double x70 = fma(-x55, x69, x53*x51);
    /* results */
    dz[0] = x0;
    dz[1] = fma(-u_wz, sin_phi, u_wy*cos_phi);
    dz[2] = fma(sin_theta, x0, u_wx);
    dz[3] = u_gamma1_rate;
    dz[4] = u_gamma2_rate;
    dz[5] = w[16]*fma(-cos_psi, x8, fma(sin_psi, x9, g_X));
    dz[6] = w[16]*fma(-sin_psi, x8, fma(-cos_psi, x9, g_Y));
    dz[7] = w[16]*fma(-cos_theta, x7, fma(sin_theta, x3, g_Z));
    dz[8] = -x67;
    dz[9] = -x68;
    dz[10] = x69;
    dz[11] = x70;
    dz[12] = fma(-x50, x70, fma(x47, x69, w[34]*x34));
    return 0;
}

#ifdef VCG_FAST
VCG_FAST VCG_FORM int rhs_fast(double t, const double *z, double *dz, const double *w, const double *g, const double *signals, double *scratch, int *where)
{
    const double angles[8] = {z[1], z[2], z[0], z[3], z[4]};
    double sines[8], cosines[8];
    vcg_waves_4(8, angles, sines, cosines);
    return rhs_text_1(t, z, dz, w, g, signals, scratch, where, sines, cosines);
}

#endif
VCG_FORM int rhs_any(double t, const double *z, double *dz, const double *w, const double *g, const double *signals, double *scratch, int *where)
{
    const double angles[8] = {z[1], z[2], z[0], z[3], z[4]};
    double sines[8], cosines[8];
    vcg_waves_2(8, angles, sines, cosines);
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
 * 533 operations: 227 additions, 290 multiplications, 6 divisions, 10 functions. */
static int motion(double t, const double *z, double *y, const double *w, const double *g, const double *signals, double *scratch, int *where)
{
    (void)t;
    (void)signals;
    (void)scratch;
    const double q_psi = z[0];
    const double q_theta = z[1];
    const double q_phi = z[2];
    const double q_gamma1 = z[3];
    const double q_gamma2 = z[4];
    const double u_wx = z[8];
    const double u_wy = z[9];
    const double u_wz = z[10];
    const double u_gamma1_rate = z[11];
    const double u_gamma2_rate = z[12];
    const double g_X = g[0];
    const double g_Y = g[1];
    const double g_Z = g[2];
    const double p_m_p = w[1];
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
    const double sin_gamma1 = sin(q_gamma1);
    const double x6 = u_wz + u_gamma1_rate;
    const double x7 = w[8]*x6;
    const double x8 = p_m_p*x7;
    const double sin_gamma2 = sin(q_gamma2);
    const double x9 = u_wz - u_gamma2_rate;
    const double x10 = w[8]*x9;
    const double x11 = p_m_p*x10;
    const double x12 = x8*sin_gamma1 - x11*sin_gamma2;
    const double cos_gamma2 = cos(q_gamma2);
    const double x13 = u_wx*sin_gamma2 + u_wy*cos_gamma2;
    const double x14 = w[8]*x13;
    const double cos_gamma1 = cos(q_gamma1);
    const double x15 = u_wx*sin_gamma1 - u_wy*cos_gamma1;
    const double x16 = w[8]*x15;
    const double x17 = w[9]*u_wx;
    const double x18 = w[8]*u_wy;
    const double x19 = x17 + x18;
    const double x20 = x17 - x18;
    const double x21 = p_m_p*x14 - ((p_m_p*x19 - p_m_p*x20) + p_m_p*x16);
    const double x22 = w[8]*u_wz;
    const double x23 = x11*cos_gamma2 - (w[46]*x22 - x8*cos_gamma1);
    const double x24 = cos_phi*x21 - sin_phi*x23;
    const double x25 = cos_theta*x12 + sin_theta*x24;
    const double sin_psi = sin(q_psi);
    const double x26 = cos_phi*x23 + sin_phi*x21;
    const double x27 = sin_theta*x4;
    const double x28 = cos_phi*x5;
    const double x29 = sin_phi*x5;
    const double x30 = x4*x29 + x3*(sin_phi*x27 - cos_theta*x28);
    const double x31 = x4*x28 + x3*(cos_phi*x27 + cos_theta*x29);
    const double x32 = x1*x30 + x2*x31;
    const double x33 = w[8]*sin_gamma2;
    const double x34 = p_m_p*x33;
    const double x35 = w[20] + x34;
    const double x36 = w[17]*sin_gamma1;
    const double x37 = w[20] + x36;
    const double x38 = x35 - x37;
    const double x39 = w[16]*x38;
    const double x40 = x38*x39;
    const double x41 = w[9]*(x36 + x37);
    const double x42 = w[9]*(x34 + x35);
    const double x43 = w[8]*cos_gamma2;
    const double x44 = p_m_p*x43;
    const double x45 = x43*x44 + (w[14] + x33*x34);
    const double x46 = sin_gamma2*x45;
    const double x47 = sin_gamma2*x46;
    const double x48 = sin_gamma1*x45;
    const double x49 = sin_gamma1*x48;
    const double x50 = x40 - (x41 + ((w[12] + x49) + (x42 + (p_I_xx + (w[12] + x47)))));
    const double x51 = w[17]*cos_gamma1;
    const double x52 = w[9]*x51;
    const double x53 = w[9]*x44;
    const double x54 = cos_gamma2*x46;
    const double x55 = cos_gamma1*x48;
    const double x56 = x44 - w[17];
    const double x57 = w[17] - x51;
    const double x58 = x56 - x57;
    const double x59 = w[16]*x58;
    const double x60 = (w[8]*x37 - (x52 - (((x53 - (p_I_xy - x54)) - w[8]*x35) - x55))) - x38*x59;
    const double x61 = p_I_xz*u_wz + u_wx*x50 - u_wy*x60;
    const double x62 = x58*x59;
    const double x63 = w[8]*(x51 - x57);
    const double x64 = w[8]*(x44 + x56);
    const double x65 = x62 + (x40 + (x63 - (x41 + (x45 + ((x42 + (p_I_zz + x45)) - x64)))));
    const double x66 = w[16]*x51;
    const double x67 = x66*x58;
    const double x68 = w[8]*x51;
    const double x69 = w[9]*x36;
    const double x70 = w[16]*x36;
    const double x71 = x70*x38;
    const double x72 = x67 + ((x68 - (x69 + x45)) - x71);
    const double x73 = w[16]*x44;
    const double x74 = x73*x58;
    const double x75 = w[9]*x34;
    const double x76 = w[8]*x44;
    const double x77 = w[16]*x34;
    const double x78 = x77*x38;
    const double x79 = x74 - (((x75 + x45) - x76) - x78);
    const double x80 = p_I_xz*u_wx + p_I_yz*u_wy + u_gamma1_rate*x72 - u_gamma2_rate*x79 + u_wz*x65;
    const double x81 = (x67 + x71) + (x68 + (x69 + (x49 - cos_gamma1*(cos_gamma1*x45))));
    const double x82 = x36*x59;
    const double x83 = w[8]*x36;
    const double x84 = 2.0*u_wy*(x82 + (x83 - x55)) + u_wx*x81;
    const double x85 = (x74 - x78) + (x76 + (x75 + (x47 - cos_gamma2*(cos_gamma2*x45))));
    const double x86 = w[8]*x34;
    const double x87 = x34*x59;
    const double x88 = u_wx*x85 - 2.0*u_wy*(x87 + (x86 - x54));
    const double x89 = x62 + (x63 + ((x64 - (p_I_yy + (w[19] - x47))) - (w[19] - x49)));
    const double x90 = p_I_yz*u_wz + u_wy*x89 - u_wx*x60;
    const double x91 = x52 + x83;
    const double x92 = x51*x39;
    const double x93 = x36*x66;
    const double x94 = (x93 + x82) + (x91 + (x92 - x93));
    const double x95 = x36*x73 + x51*x77;
    const double x96 = u_gamma2_rate*x95;
    const double x97 = 2.0*u_wz*(x82 + (x91 + x92)) - x96 + u_gamma1_rate*x94;
    const double x98 = x53 + x86;
    const double x99 = x44*x39;
    const double x100 = u_gamma1_rate*x95;
    const double x101 = x34*x73;
    const double x102 = (x101 + x87) + (x98 - (x101 + x99));
    const double x103 = x100 + 2.0*u_wz*(x87 + (x98 - x99)) - u_gamma2_rate*x102;
    const double x104 = u_gamma2_rate*(x100 + u_wz*x102);
    const double x105 = u_wz*x95;
    const double x106 = x100 + x105;
    const double x107 = 2.0*u_wx*((x53 + x54) - x99) - u_wy*x85;
    const double x108 = x96 - x105;
    const double x109 = x104 + (u_gamma1_rate*x106 - 0.5*(u_gamma1_rate*x108 + x104 - u_wz*x103 - u_wx*x107 + u_wy*x88));
    const double x110 = x44*x73 - (x45 - x34*x77);
    if (x110 >= -w[38]) { *where = 7; return 1; }
    const double x111 = 1.0/x110;
    const double x112 = x79*x111;
    const double x113 = u_gamma1_rate*(x96 - u_wz*x94);
    const double x114 = 2.0*u_wx*(x92 + (x52 + x55)) + u_wy*x81;
    const double x115 = x51*x73 - x36*x77;
    const double x116 = x115*x111;
    const double x117 = (u_gamma2_rate*x108 + (x113 - 0.5*(u_gamma2_rate*x106 + x113 - u_wz*x97 - u_wx*x114 - u_wy*x84))) + x116*x109;
    const double x118 = x72 - x79*x116;
    const double x119 = x110 - x115*x116;
    if (x119 >= -w[38]) { *where = 8; return 1; }
    const double x120 = 1.0/x119;
    const double x121 = x118*x120;
    const double x122 = ((((u_wx*x90 - u_wy*x61) - u_gamma1_rate*x97) - u_gamma2_rate*x103) + x112*x109) - x121*x117;
    const double x123 = (x65 - x79*x112) - x118*x121;
    if (x123 >= -w[39]) { *where = 9; return 1; }
    const double x124 = 1.0/x123;
    const double x125 = p_I_yz*x124;
    const double x126 = (u_gamma2_rate*x88 + ((u_wz*x61 - u_wx*x80) - u_gamma1_rate*x84)) - x122*x125;
    const double x127 = x89 - p_I_yz*x125;
    if (x127 >= -w[40]) { *where = 10; return 1; }
    const double x128 = 1.0/x127;
    const double x129 = x60 + p_I_xz*x125;
    const double x130 = x129*x128;
    const double x131 = p_I_xz*x124;
    const double x132 = (x50 - p_I_xz*x131) - x129*x130;
    if (x132 >= -w[41]) { *where = 11; return 1; }
    const double x133 = (((((u_wy*x80 - u_wz*x90) - u_gamma1_rate*x114) - u_gamma2_rate*x107) - x122*x131) + x126*x130)/x132;
    const double x134 = x126*x128 + x130*x133;
    const double x135 = x122*x124 - x131*x133 - x125*x134;
    const double x136 = x120*x117 - x121*x135;
    const double x137 = x111*x109 + x112*x135 + x116*x136;
    const double x138 = u_wz*x22;
    const double x139 = x9*x10 + x13*x14;
    const double x140 = u_wx*cos_gamma2 - u_wy*sin_gamma2;
    const double x141 = x140*x14;
    const double x142 = x6*x7 + x15*x16;
    const double x143 = u_wx*cos_gamma1 + u_wy*sin_gamma1;
    const double x144 = x143*x16;
    const double x145 = p_m_p*((x138 - u_wy*x20) - (cos_gamma2*x139 - sin_gamma2*x141)) + p_m_p*((x138 + u_wy*x19) - (cos_gamma1*x142 - sin_gamma1*x144));
    const double x146 = w[16]*x145 - x39*x135 + x70*x136 + x77*x137;
    const double x147 = cos_psi*sin_theta;
    const double x148 = w[9]*u_wz;
    const double x149 = u_wz*x148;
    const double x150 = p_m_p*((x149 + u_wx*x20) + (cos_gamma2*x141 + sin_gamma2*x139)) - p_m_p*((x149 + u_wx*x19) + (cos_gamma1*x144 + sin_gamma1*x142));
    const double x151 = w[16]*x150 - x59*x135 - x66*x136 + x73*x137;
    const double x152 = u_wx*x22;
    const double x153 = u_wy*x148;
    const double x154 = p_m_p*((x152 + x153) - (x10*x140 - w[8]*(u_gamma2_rate*x140))) + p_m_p*((x152 - x153) - (x7*x143 + w[8]*(u_gamma1_rate*x143)));
    const double x155 = w[16]*x154 - x39*x133 - x59*x134;
    const double x156 = (cos_psi*cos_theta)*x146 - (sin_psi*sin_phi + cos_phi*x147)*x155 - (sin_psi*cos_phi - sin_phi*x147)*x151;
    const double x157 = sin_psi*sin_theta;
    const double x158 = (cos_psi*sin_phi - cos_phi*x157)*x155 + (sin_psi*cos_theta)*x146 + (cos_psi*cos_phi + sin_phi*x157)*x151;
    y[0] = x3;
    y[1] = x4;
    y[2] = x5;
    y[3] = u_gamma1_rate;
    y[4] = u_gamma2_rate;
    y[5] = w[16]*(g_X - (sin_psi*x26 + cos_psi*x25));
    y[6] = w[16]*(g_Y - (sin_psi*x25 - cos_psi*x26));
    y[7] = w[16]*(g_Z + (sin_theta*x12 - cos_theta*x24));
    y[8] = x32 - x1*x134 - x2*x135;
    y[9] = (cos_phi*x30 - sin_phi*x31) - cos_phi*x134 + sin_phi*x135;
    y[10] = ((cos_theta*x4)*x3 + sin_theta*x32) - x133 - (sin_theta*x1)*x134 - (sin_theta*x2)*x135;
    y[11] = -x136;
    y[12] = -x137;
    y[13] = x156;
    y[14] = x158;
    y[15] = -((cos_theta*cos_phi)*x155 + sin_theta*x146 - (cos_theta*sin_phi)*x151);
    return 0;
}

/* Energies, momenta, residuals of the constraints and the outputs of the spec.
 * 184 operations: 68 additions, 106 multiplications, 0 divisions, 10 functions. */
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
    const double q_gamma1 = z[3];
    const double q_gamma2 = z[4];
    const double qd_psi = y[0];
    const double qd_theta = y[1];
    const double qd_phi = y[2];
    const double qd_gamma1 = y[3];
    const double qd_gamma2 = y[4];
    const double qd_X = y[5];
    const double qd_Y = y[6];
    const double qd_Z = y[7];
    const double p_m_s = w[0];
    const double p_m_p = w[1];
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
    const double cos_gamma1 = cos(q_gamma1);
    const double x4 = w[9]*x2;
    const double cos_psi = cos(q_psi);
    const double sin_psi = sin(q_psi);
    const double x5 = qd_X*cos_psi + qd_Y*sin_psi;
    const double x6 = cos_theta*x5 - qd_Z*sin_theta;
    const double x7 = x4 + x6;
    const double sin_gamma1 = sin(q_gamma1);
    const double x8 = w[8]*x2;
    const double x9 = qd_X*sin_psi - qd_Y*cos_psi;
    const double x10 = qd_Z*cos_theta + sin_theta*x5;
    const double x11 = x8 - (cos_phi*x9 - sin_phi*x10);
    const double x12 = cos_gamma1*x7 + sin_gamma1*x11;
    const double x13 = qd_gamma1 + x2;
    const double x14 = w[8]*x13;
    const double x15 = x14 + (sin_gamma1*x7 - cos_gamma1*x11);
    const double x16 = sin_gamma1*x0 - cos_gamma1*x1;
    const double x17 = w[8]*x16;
    const double x18 = w[9]*x0;
    const double x19 = w[8]*x1;
    const double x20 = x18 + x19;
    const double x21 = sin_phi*x9 + cos_phi*x10;
    const double x22 = x17 + (x20 - x21);
    const double x23 = cos_gamma1*x0 + sin_gamma1*x1;
    const double cos_gamma2 = cos(q_gamma2);
    const double x24 = x4 - x6;
    const double sin_gamma2 = sin(q_gamma2);
    const double x25 = cos_gamma2*x24 + sin_gamma2*x11;
    const double x26 = qd_gamma2 - x2;
    const double x27 = w[8]*x26;
    const double x28 = x27 - (sin_gamma2*x24 - cos_gamma2*x11);
    const double x29 = sin_gamma2*x0 + cos_gamma2*x1;
    const double x30 = w[8]*x29;
    const double x31 = x18 - x19;
    const double x32 = x30 + (x31 + x21);
    const double x33 = cos_gamma2*x0 - sin_gamma2*x1;
    const double x34 = (p_m_s*(qd_X*qd_X + qd_Y*qd_Y + qd_Z*qd_Z) + x3) + ((x13*(w[14]*x13) + x23*(w[12]*x23) + x16*(w[13]*x16)) + p_m_p*(x22*x22 + x12*x12 + x15*x15)) + ((x26*(w[14]*x26) + x33*(w[12]*x33) + x29*(w[13]*x29)) + p_m_p*(x32*x32 + x25*x25 + x28*x28));
    const double x35 = 0.5*x34;
    const double x36 = p_m_p*x14;
    const double x37 = p_m_p*x27;
    const double x38 = sin_gamma1*x36 + sin_gamma2*x37;
    const double x39 = p_m_p*x30 - (p_m_p*x17 + (p_m_p*x20 - p_m_p*x31));
    const double x40 = cos_gamma2*x37 + (w[46]*x8 - cos_gamma1*x36);
    const double x41 = cos_phi*x39 + sin_phi*x40;
    const double x42 = cos_theta*x38 + sin_theta*x41;
    const double x43 = sin_phi*x39 - cos_phi*x40;
    y[16] = x35;
    y[17] = 0.0;
    y[18] = qd_X*w[15] + (sin_psi*x43 + cos_psi*x42);
    y[19] = qd_Y*w[15] + (sin_psi*x42 - cos_psi*x43);
    y[20] = qd_Z*w[15] - (sin_theta*x38 - cos_theta*x41);
    y[21] = x35;
    return 0;
}

/* M_NI and L_NI of Eq. (64).
 * 247 operations: 126 additions, 117 multiplications, 0 divisions, 4 functions. */
static int matrices(double t, const double *z, double *mass, double *forcing, const double *w, const double *g, const double *signals, double *scratch, int *where)
{
    (void)t;
    (void)g;
    (void)signals;
    (void)scratch;
    (void)where;
    const double q_gamma1 = z[3];
    const double q_gamma2 = z[4];
    const double u_wx = z[8];
    const double u_wy = z[9];
    const double u_wz = z[10];
    const double u_gamma1_rate = z[11];
    const double u_gamma2_rate = z[12];
    const double p_m_p = w[1];
    const double p_I_xx = w[2];
    const double p_I_yy = w[3];
    const double p_I_zz = w[4];
    const double p_I_xy = w[5];
    const double p_I_xz = w[6];
    const double p_I_yz = w[7];
    const double sin_gamma2 = sin(q_gamma2);
    const double x0 = w[8]*sin_gamma2;
    const double x1 = p_m_p*x0;
    const double x2 = w[20] + x1;
    const double sin_gamma1 = sin(q_gamma1);
    const double x3 = w[17]*sin_gamma1;
    const double x4 = w[20] + x3;
    const double x5 = x2 - x4;
    const double x6 = w[16]*x5;
    const double x7 = x5*x6;
    const double x8 = w[9]*(x3 + x4);
    const double x9 = w[9]*(x1 + x2);
    const double cos_gamma2 = cos(q_gamma2);
    const double x10 = w[8]*cos_gamma2;
    const double x11 = p_m_p*x10;
    const double x12 = x10*x11 + (w[14] + x0*x1);
    const double x13 = sin_gamma2*x12;
    const double x14 = sin_gamma2*x13;
    const double x15 = sin_gamma1*x12;
    const double x16 = sin_gamma1*x15;
    const double x17 = x7 - (x8 + ((w[12] + x16) + (x9 + (p_I_xx + (w[12] + x14)))));
    const double cos_gamma1 = cos(q_gamma1);
    const double x18 = w[17]*cos_gamma1;
    const double x19 = w[9]*x18;
    const double x20 = w[9]*x11;
    const double x21 = cos_gamma2*x13;
    const double x22 = cos_gamma1*x15;
    const double x23 = x11 - w[17];
    const double x24 = w[17] - x18;
    const double x25 = x23 - x24;
    const double x26 = w[16]*x25;
    const double x27 = (w[8]*x4 - (x19 - (((x20 - (p_I_xy - x21)) - w[8]*x2) - x22))) - x5*x26;
    const double x28 = x25*x26;
    const double x29 = w[8]*(x18 - x24);
    const double x30 = w[8]*(x11 + x23);
    const double x31 = x28 + (x29 + ((x30 - (p_I_yy + (w[19] - x14))) - (w[19] - x16)));
    const double x32 = x28 + (x7 + (x29 - (x8 + (x12 + ((x9 + (p_I_zz + x12)) - x30)))));
    const double x33 = w[16]*x18;
    const double x34 = x33*x25;
    const double x35 = w[8]*x18;
    const double x36 = w[9]*x3;
    const double x37 = (w[16]*x3)*x5;
    const double x38 = x34 + ((x35 - (x36 + x12)) - x37);
    const double x39 = -x38;
    const double x40 = w[16]*x11;
    const double x41 = x40*x25;
    const double x42 = w[9]*x1;
    const double x43 = w[8]*x11;
    const double x44 = w[16]*x1;
    const double x45 = x44*x5;
    const double x46 = x41 - (((x42 + x12) - x43) - x45);
    const double x47 = -(x11*x40 - (x12 - x1*x44));
    const double x48 = x18*x40 - x3*x44;
    const double x49 = p_I_xz*u_wx + p_I_yz*u_wy + u_gamma1_rate*x38 - u_gamma2_rate*x46 + u_wz*x32;
    const double x50 = p_I_yz*u_wz + u_wy*x31 - u_wx*x27;
    const double x51 = x18*x6;
    const double x52 = (x34 + x37) + (x35 + (x36 + (x16 - cos_gamma1*(cos_gamma1*x12))));
    const double x53 = 2.0*u_wx*(x51 + (x19 + x22)) + u_wy*x52;
    const double x54 = x11*x6;
    const double x55 = (x41 - x45) + (x43 + (x42 + (x14 - cos_gamma2*(cos_gamma2*x12))));
    const double x56 = 2.0*u_wx*((x20 + x21) - x54) - u_wy*x55;
    const double x57 = p_I_xz*u_wz + u_wx*x17 - u_wy*x27;
    const double x58 = x3*x26;
    const double x59 = w[8]*x3;
    const double x60 = 2.0*u_wy*(x58 + (x59 - x22)) + u_wx*x52;
    const double x61 = w[8]*x1;
    const double x62 = x1*x26;
    const double x63 = u_wx*x55 - 2.0*u_wy*(x62 + (x61 - x21));
    const double x64 = x19 + x59;
    const double x65 = x3*x33;
    const double x66 = (x65 + x58) + (x64 + (x51 - x65));
    const double x67 = x3*x40 + x18*x44;
    const double x68 = u_gamma2_rate*x67;
    const double x69 = 2.0*u_wz*(x58 + (x64 + x51)) - x68 + u_gamma1_rate*x66;
    const double x70 = x20 + x61;
    const double x71 = u_gamma1_rate*x67;
    const double x72 = x1*x40;
    const double x73 = (x72 + x62) + (x70 - (x72 + x54));
    const double x74 = x71 + 2.0*u_wz*(x62 + (x70 - x54)) - u_gamma2_rate*x73;
    const double x75 = u_gamma1_rate*(x68 - u_wz*x66);
    const double x76 = u_wz*x67;
    const double x77 = x71 + x76;
    const double x78 = x68 - x76;
    const double x79 = u_gamma2_rate*(x71 + u_wz*x73);
    mass[0] = -x17;
    mass[1] = x27;
    mass[2] = w[10];
    mass[3] = 0.0;
    mass[4] = 0.0;
    mass[5] = x27;
    mass[6] = -x31;
    mass[7] = w[11];
    mass[8] = 0.0;
    mass[9] = 0.0;
    mass[10] = w[10];
    mass[11] = w[11];
    mass[12] = -x32;
    mass[13] = x39;
    mass[14] = x46;
    mass[15] = 0.0;
    mass[16] = 0.0;
    mass[17] = x39;
    mass[18] = x47;
    mass[19] = x48;
    mass[20] = 0.0;
    mass[21] = 0.0;
    mass[22] = x46;
    mass[23] = x48;
    mass[24] = x47;
    forcing[0] = ((u_wy*x49 - u_wz*x50) - u_gamma1_rate*x53) - u_gamma2_rate*x56;
    forcing[1] = u_gamma2_rate*x63 + ((u_wz*x57 - u_wx*x49) - u_gamma1_rate*x60);
    forcing[2] = ((u_wx*x50 - u_wy*x57) - u_gamma1_rate*x69) - u_gamma2_rate*x74;
    forcing[3] = u_gamma2_rate*x78 + (x75 - 0.5*(u_gamma2_rate*x77 + x75 - u_wz*x69 - u_wx*x53 - u_wy*x60));
    forcing[4] = x79 + (u_gamma1_rate*x77 - 0.5*(u_gamma1_rate*x78 + x79 - u_wz*x74 - u_wx*x56 + u_wy*x63));
    return 0;
}

/* Where everything is that a picture shows.
 * 117 operations: 35 additions, 72 multiplications, 0 divisions, 10 functions. */
static int scene(double t, const double *x, const double *p, double *s, double *scratch, int *where)
{
    (void)t;
    (void)scratch;
    (void)where;
    const double q_psi = x[0];
    const double q_theta = x[1];
    const double q_phi = x[2];
    const double q_gamma1 = x[3];
    const double q_gamma2 = x[4];
    const double q_X = x[5];
    const double q_Y = x[6];
    const double q_Z = x[7];
    const double p_m_s = p[0];
    const double p_m_p = p[1];
    const double p_a = p[2];
    const double p_b = p[3];
    const double p_c = p[4];
    const double p_I_xx = p[5];
    const double p_I_yy = p[6];
    const double p_I_zz = p[7];
    const double p_I_xy = p[8];
    const double p_I_xz = p[9];
    const double p_I_yz = p[10];
    const double cos_psi = cos(q_psi);
    const double cos_theta = cos(q_theta);
    const double x0 = cos_psi*cos_theta;
    const double sin_psi = sin(q_psi);
    const double cos_phi = cos(q_phi);
    const double sin_theta = sin(q_theta);
    const double x1 = cos_psi*sin_theta;
    const double sin_phi = sin(q_phi);
    const double x2 = sin_psi*cos_phi - sin_phi*x1;
    const double x3 = sin_psi*sin_phi + cos_phi*x1;
    const double x4 = sin_psi*cos_theta;
    const double x5 = sin_psi*sin_theta;
    const double x6 = cos_psi*cos_phi + sin_phi*x5;
    const double x7 = -(cos_psi*sin_phi - cos_phi*x5);
    const double x8 = cos_theta*sin_phi;
    const double x9 = cos_theta*cos_phi;
    const double x10 = -p_I_xy;
    const double x11 = -p_I_xz;
    const double x12 = -p_I_yz;
    const double x13 = p_a*x0;
    const double x14 = p_b*x2;
    const double x15 = q_X + 0.5*(x13 + x14);
    const double cos_gamma1 = cos(q_gamma1);
    const double sin_gamma1 = sin(q_gamma1);
    const double x16 = cos_gamma1*x0 - sin_gamma1*x2;
    const double x17 = p_a*x4;
    const double x18 = p_b*x6;
    const double x19 = q_Y + 0.5*(x17 - x18);
    const double x20 = cos_gamma1*x4 + sin_gamma1*x6;
    const double x21 = p_a*sin_theta;
    const double x22 = p_b*x8;
    const double x23 = q_Z - 0.5*(x21 + x22);
    const double x24 = sin_theta*cos_gamma1 - sin_gamma1*x8;
    const double x25 = 0.08333333333333333*p_m_p*p_c*p_c;
    const double x26 = 0.08333333333333333*p_m_p*(p_c*p_c + p_a*p_a);
    const double x27 = 0.08333333333333333*p_m_p*p_a*p_a;
    const double x28 = q_X + 0.5*(x13 - x14);
    const double cos_gamma2 = cos(q_gamma2);
    const double sin_gamma2 = sin(q_gamma2);
    const double x29 = cos_gamma2*x0 + sin_gamma2*x2;
    const double x30 = q_Y + 0.5*(x17 + x18);
    const double x31 = cos_gamma2*x4 - sin_gamma2*x6;
    const double x32 = q_Z - 0.5*(x21 - x22);
    const double x33 = sin_theta*cos_gamma2 + sin_gamma2*x8;
    s[0] = q_X;
    s[1] = q_Y;
    s[2] = q_Z;
    s[3] = p_m_s;
    s[4] = x0;
    s[5] = -x2;
    s[6] = x3;
    s[7] = x4;
    s[8] = x6;
    s[9] = x7;
    s[10] = -sin_theta;
    s[11] = x8;
    s[12] = x9;
    s[13] = p_I_xx;
    s[14] = x10;
    s[15] = x11;
    s[16] = x10;
    s[17] = p_I_yy;
    s[18] = x12;
    s[19] = x11;
    s[20] = x12;
    s[21] = p_I_zz;
    s[22] = x15 - 0.5*p_a*x16;
    s[23] = x19 - 0.5*p_a*x20;
    s[24] = 0.5*p_a*x24 + x23;
    s[25] = p_m_p;
    s[26] = x16;
    s[27] = -(sin_gamma1*x0 + cos_gamma1*x2);
    s[28] = x3;
    s[29] = x20;
    s[30] = -(sin_gamma1*x4 - cos_gamma1*x6);
    s[31] = x7;
    s[32] = -x24;
    s[33] = sin_theta*sin_gamma1 + cos_gamma1*x8;
    s[34] = x9;
    s[35] = x25;
    s[36] = 0.0;
    s[37] = 0.0;
    s[38] = 0.0;
    s[39] = x26;
    s[40] = 0.0;
    s[41] = 0.0;
    s[42] = 0.0;
    s[43] = x27;
    s[44] = x28 - 0.5*p_a*x29;
    s[45] = x30 - 0.5*p_a*x31;
    s[46] = 0.5*p_a*x33 + x32;
    s[47] = p_m_p;
    s[48] = x29;
    s[49] = sin_gamma2*x0 - cos_gamma2*x2;
    s[50] = x3;
    s[51] = x31;
    s[52] = sin_gamma2*x4 + cos_gamma2*x6;
    s[53] = x7;
    s[54] = -x33;
    s[55] = -(sin_theta*sin_gamma2 - cos_gamma2*x8);
    s[56] = x9;
    s[57] = x25;
    s[58] = 0.0;
    s[59] = 0.0;
    s[60] = 0.0;
    s[61] = x26;
    s[62] = 0.0;
    s[63] = 0.0;
    s[64] = 0.0;
    s[65] = x27;
    s[66] = x15;
    s[67] = x19;
    s[68] = x23;
    s[69] = x28;
    s[70] = x30;
    s[71] = x32;
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
#define VCG_LANES_CHECKS 0, 13, 14, 15, 16
#ifdef __x86_64__
#define VCG_STATES 13
#define VCG_PREPARED 49
#define VCG_MOMENTA 3
#define VCG_SIGNALS 0
#define VCG_SCRATCH 1
#define VCG_DIVISORS 1
#define LANE_COUNT 4
#include "vcg_lanes_words.h"
#include "three_bodies_lanes.h"
#undef LANE_COUNT
#define LANE_COUNT 8
#include "vcg_lanes_words.h"
#include "three_bodies_lanes.h"
#undef LANE_COUNT
#else
#define LANE_COUNT 2
#include "vcg_lanes_words.h"
#include "three_bodies_lanes.h"
#undef LANE_COUNT
#endif
#include "vcg_lanes.h"
#endif

static const int divisor_checks[] = {0};

const vcg_model vcg_model_three_bodies = {
    .abi_version = VCG_ABI_VERSION,
    .coordinates = 8,
    .speeds = 5,
    .states = 13,
    .momenta = 3,
    .parameters = 11,
    .prepared = 49,
    .signals = 0,
    .scratch = 1,
    .outputs = 22,
    .holonomic = 0,
    .events = 0,
    .divisors = 1,
    .drawn = 72,
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
