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
 * 158 operations: 56 additions, 77 multiplications, 2 divisions, 23 functions. */
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
    const double x10 = x2 - x9;
    const double x11 = p_m_p*x1;
    const double x12 = p_I_zz - x10;
    const double x13 = x1*x7;
    const double x14 = 2.0*x7;
    const double x15 = x14;
    const double x16 = p_m_p*x0*x6;
    const double x17 = p_m_p*p_m_p*x0*x0*x6;
    const double x18 = x10 - x12;
    const double x19 = x9 + (p_I_yy + x9);
    const double x20 = x2 + (p_I_xx + x2);
    const double x21 = x10 + x17;
    if (x21 >= -VCG_TINY*(fabs(x10) + fabs(x17))) { *where = 12; return 1; }
    const double x22 = 1.0/x21;
    const double x23 = fabs(x10);
    const double x24 = fabs(p_m_p);
    const double x25 = fabs(x0);
    const double x26 = x24*x25;
    const double x27 = fabs(x6);
    const double x28 = fabs(x7);
    const double x29 = x28*(x28*x27);
    const double x30 = fabs(x11);
    const double x31 = x28 + x30;
    const double x32 = x31*(x31*x27);
    const double x33 = x28 + x26;
    const double x34 = x25*(x26 + x33);
    const double x35 = fabs(x1);
    const double x36 = x35*(x28 + x31);
    const double x37 = fabs(x12);
    const double x38 = x33*(x33*x27);
    const double x39 = fabs(x9);
    const double x40 = x39 + x23;
    const double x41 = fabs(p_I_yy);
    const double x42 = fabs(x2);
    const double x43 = x42 + x23;
    const double x44 = fabs(p_I_xx);
    const double x45 = fabs(x21);
    const double x46 = fabs(x17);
    const double x47 = fabs(x22);
    const double x48 = fabs(x18);
    const double x49 = x28*x28*x27;
    const double x50 = fabs(x8);
    const double x51 = fabs(x16);
    const double x52 = x28*x51;
    const double x53 = fabs(x13);
    const double x54 = x23 + (x50 + 4.0*x52) + (x53 + 2.0*x52);
    const double x55 = fabs(p_b);
    const double x56 = x55*(2.0*x28 + x30);
    const double x57 = fabs(p_a);
    const double x58 = x57*x28;
    const double x59 = fabs(x19);
    const double x60 = fabs(x20);
    w[50] = -1e-14;
    w[51] = 1e-14;
    w[0] = p_m_s;
    w[1] = p_m_p;
    w[2] = p_a;
    w[3] = p_b;
    w[4] = p_I_xx;
    w[5] = p_I_yy;
    w[6] = p_I_zz;
    w[7] = p_I_xy;
    w[8] = p_I_xz;
    w[9] = p_I_yz;
    w[10] = x0;
    w[11] = x1;
    w[12] = -p_I_xz;
    w[13] = -p_I_yz;
    w[14] = x2;
    w[15] = x3;
    w[16] = x4;
    w[17] = x5;
    w[18] = x6;
    w[19] = x7;
    w[20] = x8;
    w[21] = x9;
    w[22] = x10;
    w[23] = x11;
    w[24] = x12;
    w[25] = x13;
    w[26] = x14;
    w[27] = x15;
    w[28] = x16;
    w[29] = x17;
    w[30] = x18;
    w[31] = p_I_xz*p_I_yz;
    w[32] = x19;
    w[33] = p_I_yz*p_I_yz;
    w[34] = x20;
    w[35] = p_I_xz*p_I_xz;
    w[36] = x2 - x4;
    w[37] = p_m_p*x6;
    w[38] = x21;
    w[39] = x22;
    w[40] = p_m_p*x16;
    w[41] = 1e-14*(x29 + (x23 + x26*(x26*x27)));
    w[42] = 1e-14*(4.0*x32 + (4.0*x38 + (x34 + (x36 + (x23 + (x34 + (x36 + x37)))))));
    w[43] = 1e-14*(4.0*x38 + (x34 + (x40 + (x34 + (x41 + x40)))));
    w[44] = 1e-14*(4.0*x32 + (x36 + (x43 + (x36 + (x44 + x43)))));
    w[45] = 1e-14*(x45 + 4.0*x46*(x46*x47));
    w[46] = 1e-14*(3.0*x58 + x56 + 4.0*x49 + 16.0*x29 + x48 + x54*(x47*x54));
    w[47] = 1e-14*(3.0*x58 + 2.0*x23 + x59 + 16.0*x29);
    w[48] = 1e-14*(x56 + x60 + 2.0*x23 + 4.0*x49);
    w[49] = 2.0*p_m_p;
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
    const double x3 = p_m_p*(w[10]*(qd_gamma1 + x2));
    const double sin_gamma2 = sin(q_gamma2);
    const double x4 = p_m_p*(w[10]*(qd_gamma2 - x2));
    const double x5 = sin_gamma1*x3 + sin_gamma2*x4;
    const double cos_gamma2 = cos(q_gamma2);
    const double cos_gamma1 = cos(q_gamma1);
    const double x6 = w[11]*x0;
    const double x7 = w[10]*x1;
    const double x8 = p_m_p*(w[10]*(sin_gamma2*x0 + cos_gamma2*x1)) - (p_m_p*(w[10]*(sin_gamma1*x0 - cos_gamma1*x1)) + (p_m_p*(x6 + x7) - p_m_p*(x6 - x7)));
    const double x9 = cos_gamma2*x4 + (w[49]*(w[10]*x2) - cos_gamma1*x3);
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
    g[0] = qd_X*w[17] + (sin_psi*x12 + cos_psi*x11);
    g[1] = qd_Y*w[17] + (sin_psi*x11 - cos_psi*x12);
    g[2] = qd_Z*w[17] - (sin_theta*x5 - cos_theta*x10);
    return 0;
}

/* The derivative of the state, Eq. (67).
 * 333 operations: 141 additions, 177 multiplications, 5 divisions, 10 functions. */
static int rhs(double t, const double *z, double *dz, const double *w, const double *g, const double *signals, double *scratch, int *where)
{
    (void)t;
    (void)signals;
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
    const double p_a = w[2];
    const double p_b = w[3];
    const double p_I_xx = w[4];
    const double p_I_yy = w[5];
    const double p_I_zz = w[6];
    const double p_I_xy = w[7];
    const double p_I_xz = w[8];
    const double p_I_yz = w[9];
    /* q' = W u + X, Eq. (43) */
    const double cos_theta = cos(q_theta);
    scratch[0] = cos_theta;
    if (cos_theta >= w[50] && cos_theta <= w[51]) { *where = 0; return 1; }
    const double sin_phi = sin(q_phi);
    const double cos_phi = cos(q_phi);
    const double x0 = (u_wy*sin_phi + u_wz*cos_phi)/cos_theta;
    const double sin_theta = sin(q_theta);
    const double cos_psi = cos(q_psi);
    const double sin_gamma1 = sin(q_gamma1);
    const double x1 = w[19]*sin_gamma1;
    const double x2 = u_wz + u_gamma1_rate;
    const double sin_gamma2 = sin(q_gamma2);
    const double x3 = w[19]*sin_gamma2;
    const double x4 = u_wz - u_gamma2_rate;
    const double x5 = x2*x1 - x4*x3;
    const double cos_gamma1 = cos(q_gamma1);
    const double x6 = w[19]*cos_gamma1;
    const double cos_gamma2 = cos(q_gamma2);
    const double x7 = w[19]*cos_gamma2;
    const double x8 = u_wz*w[27] - x2*x6 - x4*x7;
    const double x9 = u_wx*sin_gamma2 + u_wy*cos_gamma2;
    const double x10 = u_wx*sin_gamma1 - u_wy*cos_gamma1;
    const double x11 = w[11]*u_wx;
    const double x12 = w[10]*u_wy;
    const double x13 = x11 + x12;
    const double x14 = x11 - x12;
    const double x15 = w[19]*(x9 - x10) - p_m_p*(x13 - x14);
    const double x16 = sin_phi*x8 + cos_phi*x15;
    const double x17 = cos_theta*x5 + sin_theta*x16;
    const double sin_psi = sin(q_psi);
    const double x18 = cos_phi*x8 - sin_phi*x15;
    /* u' = M_NI^-1 L_NI, Eq. (67) */
    const double x19 = x3 - x1;
    const double x20 = w[28]*x19;
    const double x21 = w[26] - x7 - x6;
    const double x22 = w[20] - w[28]*x21;
    const double x23 = w[22] - sin_gamma2*(w[25] - x20) + cos_gamma2*x22;
    const double x24 = p_I_xz*u_wx + p_I_yz*u_wy - p_I_zz*u_wz;
    const double x25 = p_I_xy*u_wx - p_I_yy*u_wy + p_I_yz*u_wz;
    const double x26 = u_wx*cos_gamma2 - u_wy*sin_gamma2;
    const double x27 = w[10]*u_wz;
    const double x28 = u_wx*x27;
    const double x29 = w[11]*u_wz;
    const double x30 = u_wy*x29;
    const double x31 = u_wx*cos_gamma1 + u_wy*sin_gamma1;
    const double x32 = p_I_xx*u_wx - p_I_xy*u_wy - p_I_xz*u_wz;
    const double x33 = u_wz*x27;
    const double x34 = u_wz*x29;
    const double x35 = w[10]*(x4*x4 + x9*x9);
    const double x36 = w[10]*x26;
    const double x37 = sin_gamma2*x9;
    const double x38 = x33 - u_wy*x14 + x36*x37 - cos_gamma2*x35;
    const double x39 = cos_gamma2*x9;
    const double x40 = x34 + u_wx*x14 + x36*x39 + sin_gamma2*x35;
    const double x41 = w[16]*x9*x26 + x3*x38 + x7*x40;
    const double x42 = w[10]*(x2*x2 + x10*x10);
    const double x43 = w[10]*x31;
    const double x44 = sin_gamma1*x10;
    const double x45 = x33 + u_wy*x13 + x43*x44 - cos_gamma1*x42;
    const double x46 = x38 + x45;
    const double x47 = cos_gamma1*x10;
    const double x48 = x34 + u_wx*x13 + x43*x47 + sin_gamma1*x42;
    const double x49 = x40 - x48;
    const double x50 = x41 - w[40]*(sin_gamma2*x46 + cos_gamma2*x49);
    const double x51 = w[22]*(sin_gamma2*sin_gamma2 + sin_gamma1*sin_gamma1);
    const double x52 = w[18]*x19*x19;
    const double x53 = p_b*(w[23] + x3 + x1);
    const double x54 = p_a*(w[19] - x7 - x6);
    const double x55 = w[18]*x21;
    const double x56 = x21*x55;
    const double x57 = w[39]*x23;
    const double x58 = w[29]*(sin_gamma1*sin_gamma2 - cos_gamma1*cos_gamma2);
    const double x59 = w[22] - sin_gamma1*(w[25] + x20) + cos_gamma1*x22 + x58*x57;
    const double x60 = w[39]*x58;
    const double x61 = w[38] - x58*x60;
    if (x61 >= -w[45]) { *where = 13; return 1; }
    const double x62 = 1.0/x61;
    const double x63 = x62*x59;
    const double x64 = w[30] + x52 - x53 - x54 + x56 - x23*x57 - x59*x63;
    if (x64 >= -w[46]) { *where = 14; return 1; }
    const double x65 = 1.0/x64;
    const double x66 = p_I_xy + w[25]*(cos_gamma1 - cos_gamma2) - w[22]*(sin_gamma1*cos_gamma1 - sin_gamma2*cos_gamma2) + x19*(w[10] - x55) - w[31]*x65;
    const double x67 = w[32] + x51 + x54 - x56 + w[33]*x65;
    if (x67 <= w[47]) { *where = 15; return 1; }
    const double x68 = 1.0/x67;
    const double x69 = x66*x68;
    const double x70 = w[34] - x51 - x52 + x53 + w[35]*x65 - x66*x69;
    if (x70 <= w[48]) { *where = 16; return 1; }
    const double x71 = x28 + x30 + (u_gamma2_rate - x4)*x36;
    const double x72 = (w[15]*u_gamma2_rate + w[36]*x4)*x26 + w[19]*x71;
    const double x73 = x28 - x30 - (u_gamma1_rate + x2)*x43;
    const double x74 = (w[15]*u_gamma1_rate - w[36]*x2)*x31 - w[19]*x73;
    const double x75 = w[14]*u_wz;
    const double x76 = x71 + x73;
    const double x77 = w[37]*x19;
    const double x78 = w[16]*x10*x31 + x1*x45 + x6*x48;
    const double x79 = w[19] - w[37]*x21;
    const double x80 = x78 - w[40]*(sin_gamma1*x46 - cos_gamma1*x49) - x60*x50;
    const double x81 = (u_wx*x25 + u_wy*x32 - w[23]*(x38 - x45) + x77*x46 + x79*x49 - x41 + x78 + x57*x50 - x63*x80)*x65;
    const double x82 = u_wz*x32 + u_wx*x24 + x75*(x44 + x37) - x79*x76 + cos_gamma2*x72 - cos_gamma1*x74 + p_I_yz*x81;
    const double x83 = u_wy*x24 - u_wz*x25 + x75*(x39 - x47) - w[23]*(x71 - x73) + x77*x76 - sin_gamma2*x72 - sin_gamma1*x74 - p_I_xz*x81 - x82*x69;
    const double x84 = x83/x70;
    const double x85 = x82*x68 - x69*x84;
    const double x86 = x81 + x65*(p_I_xz*x84 - p_I_yz*x85);
    const double x87 = x62*x80 - x63*x86;
    /* results */
    dz[0] = x0;
    dz[1] = u_wy*cos_phi - u_wz*sin_phi;
    dz[2] = u_wx + sin_theta*x0;
    dz[3] = u_gamma1_rate;
    dz[4] = u_gamma2_rate;
    dz[5] = w[18]*(g_X + sin_psi*x18 - cos_psi*x17);
    dz[6] = w[18]*(g_Y - cos_psi*x18 - sin_psi*x17);
    dz[7] = w[18]*(g_Z + sin_theta*x5 - cos_theta*x16);
    dz[8] = x84;
    dz[9] = -x85;
    dz[10] = -x86;
    dz[11] = -x87;
    dz[12] = -(w[39]*x50 + x57*x86 - x60*x87);
    return 0;
}

/* Rates and accelerations of all coordinates.
 * 500 operations: 201 additions, 283 multiplications, 6 divisions, 10 functions. */
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
    const double p_I_xx = w[4];
    const double p_I_yy = w[5];
    const double p_I_zz = w[6];
    const double p_I_xy = w[7];
    const double p_I_xz = w[8];
    const double p_I_yz = w[9];
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
    const double x7 = w[10]*x6;
    const double x8 = p_m_p*x7;
    const double sin_gamma2 = sin(q_gamma2);
    const double x9 = u_wz - u_gamma2_rate;
    const double x10 = w[10]*x9;
    const double x11 = p_m_p*x10;
    const double x12 = x8*sin_gamma1 - x11*sin_gamma2;
    const double cos_gamma2 = cos(q_gamma2);
    const double x13 = u_wx*sin_gamma2 + u_wy*cos_gamma2;
    const double x14 = w[10]*x13;
    const double cos_gamma1 = cos(q_gamma1);
    const double x15 = u_wx*sin_gamma1 - u_wy*cos_gamma1;
    const double x16 = w[10]*x15;
    const double x17 = w[11]*u_wx;
    const double x18 = w[10]*u_wy;
    const double x19 = x17 + x18;
    const double x20 = x17 - x18;
    const double x21 = p_m_p*x14 - ((p_m_p*x19 - p_m_p*x20) + p_m_p*x16);
    const double x22 = w[10]*u_wz;
    const double x23 = x11*cos_gamma2 - (w[49]*x22 - x8*cos_gamma1);
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
    const double x33 = w[10]*cos_gamma2;
    const double x34 = p_m_p*x33;
    const double x35 = x34 - w[19];
    const double x36 = w[10]*cos_gamma1;
    const double x37 = p_m_p*x36;
    const double x38 = w[19] - x37;
    const double x39 = x35 - x38;
    const double x40 = w[18]*x39;
    const double x41 = x39*x40;
    const double x42 = w[10]*(x37 - x38);
    const double x43 = w[22]*sin_gamma1;
    const double x44 = sin_gamma1*x43;
    const double x45 = w[22]*sin_gamma2;
    const double x46 = sin_gamma2*x45;
    const double x47 = w[10]*(x34 + x35);
    const double x48 = w[19]*sin_gamma2;
    const double x49 = w[23] + x48;
    const double x50 = w[19]*sin_gamma1;
    const double x51 = w[23] + x50;
    const double x52 = x49 - x51;
    const double x53 = w[18]*x52;
    const double x54 = x52*x53;
    const double x55 = w[11]*(x50 + x51);
    const double x56 = w[11]*(x48 + x49);
    const double x57 = w[18]*x34;
    const double x58 = w[18]*x48;
    const double x59 = x58*x52 + ((w[10]*x34 + (w[22] - w[11]*x48)) + x57*x39);
    const double x60 = x48*x58 + (w[22] + x34*x57);
    if (x60 >= -w[41]) { *where = 7; return 1; }
    const double x61 = 1.0/x60;
    const double x62 = x59*x61;
    const double x63 = w[18]*x37;
    const double x64 = w[18]*x50;
    const double x65 = x37*x57 - x50*x58;
    const double x66 = x65*x61;
    const double x67 = (((w[10]*x37 + (w[22] - w[11]*x50)) + x63*x39) - x64*x52) - x59*x66;
    const double x68 = x60 - x65*x66;
    if (x68 >= -w[41]) { *where = 8; return 1; }
    const double x69 = 1.0/x68;
    const double x70 = x67*x69;
    const double x71 = ((x54 + (x41 + (x42 - (x55 - (w[22] + (x47 - (w[24] + x56))))))) - x59*x62) - x67*x70;
    if (x71 >= -w[42]) { *where = 9; return 1; }
    const double x72 = 1.0/x71;
    const double x73 = p_I_yz*x72;
    const double x74 = (x41 + (x42 - ((w[21] + x44) + ((p_I_yy + (w[21] + x46)) - x47)))) - p_I_yz*x73;
    if (x74 >= -w[43]) { *where = 10; return 1; }
    const double x75 = 1.0/x74;
    const double x76 = u_wx*x22;
    const double x77 = w[11]*u_wz;
    const double x78 = u_wy*x77;
    const double x79 = u_wx*cos_gamma1 + u_wy*sin_gamma1;
    const double x80 = u_gamma1_rate*x79;
    const double x81 = p_m_p*((x76 - x78) - (x7*x79 + w[10]*x80));
    const double x82 = w[10]*x81;
    const double x83 = u_wx*cos_gamma2 - u_wy*sin_gamma2;
    const double x84 = u_gamma2_rate*x83;
    const double x85 = p_m_p*((x76 + x78) - (x10*x83 - w[10]*x84));
    const double x86 = w[10]*x85;
    const double x87 = p_I_xx*u_wx - p_I_xy*u_wy - p_I_xz*u_wz;
    const double x88 = p_I_xz*u_wx + p_I_yz*u_wy - p_I_zz*u_wz;
    const double x89 = w[16]*x9;
    const double x90 = w[15]*x13;
    const double x91 = w[14]*(u_gamma2_rate*x13) - (x89*x13 - x9*x90);
    const double x92 = w[14]*x83;
    const double x93 = (w[15]*x84 + (x9*x92 - x89*x83)) + x86;
    const double x94 = w[16]*x6;
    const double x95 = w[15]*x15;
    const double x96 = w[14]*(u_gamma1_rate*x15) + (x94*x15 - x6*x95);
    const double x97 = w[14]*x79;
    const double x98 = (w[15]*x80 - (x6*x97 - x94*x79)) - x82;
    const double x99 = (sin_gamma1*x96 + cos_gamma1*x98) + (x86 - ((u_wz*x87 + u_wx*x88) + (sin_gamma2*x91 + cos_gamma2*x93)));
    const double x100 = x85 + x81;
    const double x101 = p_I_xy*u_wx - p_I_yy*u_wy + p_I_yz*u_wz;
    const double x102 = u_wz*x22;
    const double x103 = x9*x10 + x13*x14;
    const double x104 = x83*x14;
    const double x105 = p_m_p*((x102 - u_wy*x20) - (cos_gamma2*x103 - sin_gamma2*x104));
    const double x106 = u_wz*x77;
    const double x107 = p_m_p*((x106 + u_wx*x20) + (cos_gamma2*x104 + sin_gamma2*x103));
    const double x108 = x33*x107 + ((x83*x90 - x13*x92) + (w[10]*sin_gamma2)*x105);
    const double x109 = x6*x7 + x15*x16;
    const double x110 = x79*x16;
    const double x111 = p_m_p*((x102 + u_wy*x19) - (cos_gamma1*x109 - sin_gamma1*x110));
    const double x112 = p_m_p*((x106 + u_wx*x19) + (cos_gamma1*x110 + sin_gamma1*x109));
    const double x113 = x36*x112 + ((x79*x95 - x15*x97) + (w[10]*sin_gamma1)*x111);
    const double x114 = (w[11]*x111 + (x113 + (w[10]*x107 + (((u_wx*x101 + u_wy*x87) - x108) - w[11]*x105)))) - w[10]*x112;
    const double x115 = x107 - x112;
    const double x116 = x105 + x111;
    const double x117 = (x108 - x57*x115) - x58*x116;
    const double x118 = ((x63*x115 + x113) - x64*x116) + x66*x117;
    const double x119 = (x62*x117 + (x53*x116 + (x40*x115 + x114))) - x118*x70;
    const double x120 = (x40*x100 + (x82 + x99)) - x119*x73;
    const double x121 = w[10]*x51 + ((cos_gamma1*x43 - (w[10]*x49 + ((p_I_xy + cos_gamma2*x45) - w[11]*x34))) - w[11]*x37);
    const double x122 = (x121 - x52*x40) + p_I_xz*x73;
    const double x123 = x122*x75;
    const double x124 = p_I_xz*x72;
    const double x125 = (((x55 + ((w[14] - x44) + ((p_I_xx + (w[14] - x46)) + x56))) - x54) + p_I_xz*x124) + x122*x123;
    if (x125 <= w[44]) { *where = 11; return 1; }
    const double x126 = (cos_gamma1*x96 - sin_gamma1*x98) + (((u_wy*x88 - u_wz*x101) + (cos_gamma2*x91 - sin_gamma2*x93)) - w[11]*x85);
    const double x127 = (((x53*x100 + (w[11]*x81 + x126)) - x119*x124) + x120*x123)/x125;
    const double x128 = x120*x75 - x123*x127;
    const double x129 = x119*x72 + x124*x127 - x73*x128;
    const double x130 = x69*x118 - x70*x129;
    const double x131 = x61*x117 + x62*x129 + x66*x130;
    const double x132 = w[18]*x116 - x53*x129 + x64*x130 + x58*x131;
    const double x133 = cos_psi*sin_theta;
    const double x134 = w[18]*x115 - x40*x129 - x63*x130 + x57*x131;
    const double x135 = w[18]*x100 + x53*x127 - x40*x128;
    const double x136 = (cos_psi*cos_theta)*x132 - (sin_psi*sin_phi + cos_phi*x133)*x135 - (sin_psi*cos_phi - sin_phi*x133)*x134;
    const double x137 = sin_psi*sin_theta;
    const double x138 = (cos_psi*sin_phi - cos_phi*x137)*x135 + (sin_psi*cos_theta)*x132 + (cos_psi*cos_phi + sin_phi*x137)*x134;
    y[0] = x3;
    y[1] = x4;
    y[2] = x5;
    y[3] = u_gamma1_rate;
    y[4] = u_gamma2_rate;
    y[5] = w[18]*(g_X - (sin_psi*x26 + cos_psi*x25));
    y[6] = w[18]*(g_Y - (sin_psi*x25 - cos_psi*x26));
    y[7] = w[18]*(g_Z + (sin_theta*x12 - cos_theta*x24));
    y[8] = x32 - x1*x128 - x2*x129;
    y[9] = (cos_phi*x30 - sin_phi*x31) - cos_phi*x128 + sin_phi*x129;
    y[10] = ((cos_theta*x4)*x3 + sin_theta*x32) + x127 - (sin_theta*x1)*x128 - (sin_theta*x2)*x129;
    y[11] = -x130;
    y[12] = -x131;
    y[13] = x136;
    y[14] = x138;
    y[15] = -((cos_theta*cos_phi)*x135 + sin_theta*x132 - (cos_theta*sin_phi)*x134);
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
    const double p_I_xx = w[4];
    const double p_I_yy = w[5];
    const double p_I_zz = w[6];
    const double p_I_xy = w[7];
    const double p_I_xz = w[8];
    const double p_I_yz = w[9];
    const double sin_theta = sin(q_theta);
    const double x0 = qd_phi - qd_psi*sin_theta;
    const double cos_theta = cos(q_theta);
    const double sin_phi = sin(q_phi);
    const double cos_phi = cos(q_phi);
    const double x1 = qd_theta*cos_phi + qd_psi*(cos_theta*sin_phi);
    const double x2 = qd_psi*(cos_theta*cos_phi) - qd_theta*sin_phi;
    const double x3 = x0*(p_I_xx*x0 - p_I_xy*x1 - p_I_xz*x2) - x1*(p_I_xy*x0 - p_I_yy*x1 + p_I_yz*x2) - x2*(p_I_xz*x0 + p_I_yz*x1 - p_I_zz*x2);
    const double cos_gamma1 = cos(q_gamma1);
    const double x4 = w[11]*x2;
    const double cos_psi = cos(q_psi);
    const double sin_psi = sin(q_psi);
    const double x5 = qd_X*cos_psi + qd_Y*sin_psi;
    const double x6 = cos_theta*x5 - qd_Z*sin_theta;
    const double x7 = x4 + x6;
    const double sin_gamma1 = sin(q_gamma1);
    const double x8 = w[10]*x2;
    const double x9 = qd_X*sin_psi - qd_Y*cos_psi;
    const double x10 = qd_Z*cos_theta + sin_theta*x5;
    const double x11 = x8 - (cos_phi*x9 - sin_phi*x10);
    const double x12 = cos_gamma1*x7 + sin_gamma1*x11;
    const double x13 = qd_gamma1 + x2;
    const double x14 = w[10]*x13;
    const double x15 = x14 + (sin_gamma1*x7 - cos_gamma1*x11);
    const double x16 = sin_gamma1*x0 - cos_gamma1*x1;
    const double x17 = w[10]*x16;
    const double x18 = w[11]*x0;
    const double x19 = w[10]*x1;
    const double x20 = x18 + x19;
    const double x21 = sin_phi*x9 + cos_phi*x10;
    const double x22 = x17 + (x20 - x21);
    const double x23 = cos_gamma1*x0 + sin_gamma1*x1;
    const double cos_gamma2 = cos(q_gamma2);
    const double x24 = x4 - x6;
    const double sin_gamma2 = sin(q_gamma2);
    const double x25 = cos_gamma2*x24 + sin_gamma2*x11;
    const double x26 = qd_gamma2 - x2;
    const double x27 = w[10]*x26;
    const double x28 = x27 - (sin_gamma2*x24 - cos_gamma2*x11);
    const double x29 = sin_gamma2*x0 + cos_gamma2*x1;
    const double x30 = w[10]*x29;
    const double x31 = x18 - x19;
    const double x32 = x30 + (x31 + x21);
    const double x33 = cos_gamma2*x0 - sin_gamma2*x1;
    const double x34 = (p_m_s*(qd_X*qd_X + qd_Y*qd_Y + qd_Z*qd_Z) + x3) + ((x13*(w[16]*x13) + x23*(w[14]*x23) + x16*(w[15]*x16)) + p_m_p*(x22*x22 + x12*x12 + x15*x15)) + ((x26*(w[16]*x26) + x33*(w[14]*x33) + x29*(w[15]*x29)) + p_m_p*(x32*x32 + x25*x25 + x28*x28));
    const double x35 = 0.5*x34;
    const double x36 = p_m_p*x14;
    const double x37 = p_m_p*x27;
    const double x38 = sin_gamma1*x36 + sin_gamma2*x37;
    const double x39 = p_m_p*x30 - (p_m_p*x17 + (p_m_p*x20 - p_m_p*x31));
    const double x40 = cos_gamma2*x37 + (w[49]*x8 - cos_gamma1*x36);
    const double x41 = cos_phi*x39 + sin_phi*x40;
    const double x42 = cos_theta*x38 + sin_theta*x41;
    const double x43 = sin_phi*x39 - cos_phi*x40;
    y[16] = x35;
    y[17] = 0.0;
    y[18] = qd_X*w[17] + (sin_psi*x43 + cos_psi*x42);
    y[19] = qd_Y*w[17] + (sin_psi*x42 - cos_psi*x43);
    y[20] = qd_Z*w[17] - (sin_theta*x38 - cos_theta*x41);
    y[21] = x35;
    return 0;
}

/* M_NI and L_NI of Eq. (64).
 * 295 operations: 131 additions, 160 multiplications, 0 divisions, 4 functions. */
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
    const double p_I_xx = w[4];
    const double p_I_yy = w[5];
    const double p_I_zz = w[6];
    const double p_I_xy = w[7];
    const double p_I_xz = w[8];
    const double p_I_yz = w[9];
    const double sin_gamma2 = sin(q_gamma2);
    const double x0 = w[22]*sin_gamma2;
    const double x1 = sin_gamma2*x0;
    const double x2 = w[19]*sin_gamma2;
    const double x3 = w[23] + x2;
    const double x4 = w[11]*(x2 + x3);
    const double sin_gamma1 = sin(q_gamma1);
    const double x5 = w[22]*sin_gamma1;
    const double x6 = sin_gamma1*x5;
    const double x7 = w[19]*sin_gamma1;
    const double x8 = w[23] + x7;
    const double x9 = w[11]*(x7 + x8);
    const double x10 = x3 - x8;
    const double x11 = w[18]*x10;
    const double x12 = x10*x11;
    const double cos_gamma1 = cos(q_gamma1);
    const double cos_gamma2 = cos(q_gamma2);
    const double x13 = w[10]*cos_gamma2;
    const double x14 = p_m_p*x13;
    const double x15 = w[10]*cos_gamma1;
    const double x16 = p_m_p*x15;
    const double x17 = x14 - w[19];
    const double x18 = w[19] - x16;
    const double x19 = x17 - x18;
    const double x20 = w[18]*x19;
    const double x21 = (w[10]*x8 + ((cos_gamma1*x5 - (w[10]*x3 + ((p_I_xy + cos_gamma2*x0) - w[11]*x14))) - w[11]*x16)) - x10*x20;
    const double x22 = x19*x20;
    const double x23 = w[10]*(x16 - x18);
    const double x24 = w[10]*(x14 + x17);
    const double x25 = w[18]*x16;
    const double x26 = w[18]*x7;
    const double x27 = -(((w[10]*x16 + (w[22] - w[11]*x7)) + x25*x19) - x26*x10);
    const double x28 = w[18]*x14;
    const double x29 = w[18]*x2;
    const double x30 = x29*x10 + ((w[10]*x14 + (w[22] - w[11]*x2)) + x28*x19);
    const double x31 = -(x2*x29 + (w[22] + x14*x28));
    const double x32 = x16*x28 - x7*x29;
    const double x33 = p_I_xz*u_wx + p_I_yz*u_wy - p_I_zz*u_wz;
    const double x34 = p_I_xy*u_wx - p_I_yy*u_wy + p_I_yz*u_wz;
    const double x35 = u_wx*sin_gamma2 + u_wy*cos_gamma2;
    const double x36 = u_wz - u_gamma2_rate;
    const double x37 = w[16]*x36;
    const double x38 = w[15]*x35;
    const double x39 = w[14]*(u_gamma2_rate*x35) - (x37*x35 - x36*x38);
    const double x40 = u_wx*cos_gamma2 - u_wy*sin_gamma2;
    const double x41 = u_gamma2_rate*x40;
    const double x42 = w[14]*x40;
    const double x43 = w[10]*u_wz;
    const double x44 = u_wx*x43;
    const double x45 = w[11]*u_wz;
    const double x46 = u_wy*x45;
    const double x47 = w[10]*x36;
    const double x48 = p_m_p*((x44 + x46) - (x47*x40 - w[10]*x41));
    const double x49 = w[10]*x48;
    const double x50 = (w[15]*x41 + (x36*x42 - x37*x40)) + x49;
    const double x51 = u_wx*sin_gamma1 - u_wy*cos_gamma1;
    const double x52 = u_wz + u_gamma1_rate;
    const double x53 = w[16]*x52;
    const double x54 = w[15]*x51;
    const double x55 = w[14]*(u_gamma1_rate*x51) + (x53*x51 - x52*x54);
    const double x56 = u_wx*cos_gamma1 + u_wy*sin_gamma1;
    const double x57 = u_gamma1_rate*x56;
    const double x58 = w[14]*x56;
    const double x59 = w[10]*x52;
    const double x60 = p_m_p*((x44 - x46) - (x59*x56 + w[10]*x57));
    const double x61 = w[10]*x60;
    const double x62 = (w[15]*x57 - (x52*x58 - x53*x56)) - x61;
    const double x63 = (cos_gamma1*x55 - sin_gamma1*x62) + (((u_wy*x33 - u_wz*x34) + (cos_gamma2*x39 - sin_gamma2*x50)) - w[11]*x48);
    const double x64 = x48 + x60;
    const double x65 = p_I_xx*u_wx - p_I_xy*u_wy - p_I_xz*u_wz;
    const double x66 = (sin_gamma1*x55 + cos_gamma1*x62) + (x49 - ((u_wz*x65 + u_wx*x33) + (sin_gamma2*x39 + cos_gamma2*x50)));
    const double x67 = u_wz*x43;
    const double x68 = w[11]*u_wx;
    const double x69 = w[10]*u_wy;
    const double x70 = x68 - x69;
    const double x71 = w[10]*x35;
    const double x72 = x36*x47 + x35*x71;
    const double x73 = x40*x71;
    const double x74 = p_m_p*((x67 - u_wy*x70) - (cos_gamma2*x72 - sin_gamma2*x73));
    const double x75 = u_wz*x45;
    const double x76 = p_m_p*((x75 + u_wx*x70) + (cos_gamma2*x73 + sin_gamma2*x72));
    const double x77 = x13*x76 + ((x40*x38 - x35*x42) + (w[10]*sin_gamma2)*x74);
    const double x78 = x68 + x69;
    const double x79 = w[10]*x51;
    const double x80 = x52*x59 + x51*x79;
    const double x81 = x56*x79;
    const double x82 = p_m_p*((x67 + u_wy*x78) - (cos_gamma1*x80 - sin_gamma1*x81));
    const double x83 = p_m_p*((x75 + u_wx*x78) + (cos_gamma1*x81 + sin_gamma1*x80));
    const double x84 = x15*x83 + ((x56*x54 - x51*x58) + (w[10]*sin_gamma1)*x82);
    const double x85 = x76 - x83;
    const double x86 = x20*x85 + ((w[11]*x82 + (x84 + (w[10]*x76 + (((u_wx*x34 + u_wy*x65) - x77) - w[11]*x74)))) - w[10]*x83);
    const double x87 = x74 + x82;
    mass[0] = (x9 + ((w[14] - x6) + ((p_I_xx + (w[14] - x1)) + x4))) - x12;
    mass[1] = x21;
    mass[2] = w[12];
    mass[3] = 0.0;
    mass[4] = 0.0;
    mass[5] = x21;
    mass[6] = -(x22 + (x23 - ((w[21] + x6) + ((p_I_yy + (w[21] + x1)) - x24))));
    mass[7] = w[13];
    mass[8] = 0.0;
    mass[9] = 0.0;
    mass[10] = w[12];
    mass[11] = w[13];
    mass[12] = -(x12 + (x22 + (x23 - (x9 - (w[22] + (x24 - (w[24] + x4)))))));
    mass[13] = x27;
    mass[14] = x30;
    mass[15] = 0.0;
    mass[16] = 0.0;
    mass[17] = x27;
    mass[18] = x31;
    mass[19] = x32;
    mass[20] = 0.0;
    mass[21] = 0.0;
    mass[22] = x30;
    mass[23] = x32;
    mass[24] = x31;
    forcing[0] = x11*x64 + (w[11]*x60 + x63);
    forcing[1] = x20*x64 + (x61 + x66);
    forcing[2] = x11*x87 + x86;
    forcing[3] = (x25*x85 + x84) - x26*x87;
    forcing[4] = (x77 - x28*x85) - x29*x87;
    return 0;
}

/* Where everything is that a picture shows.
 * 117 operations: 35 additions, 72 multiplications, 0 divisions, 10 functions. */
static int scene(double t, const double *q, const double *p, double *s, double *scratch, int *where)
{
    (void)t;
    (void)scratch;
    (void)where;
    const double q_psi = q[0];
    const double q_theta = q[1];
    const double q_phi = q[2];
    const double q_gamma1 = q[3];
    const double q_gamma2 = q[4];
    const double q_X = q[5];
    const double q_Y = q[6];
    const double q_Z = q[7];
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
#define LANE_COUNT 4
#include "vcg_lanes_words.h"
#include "three_bodies_lanes.h"
#undef LANE_COUNT
#ifdef __x86_64__
#define LANE_COUNT 8
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
    .prepared = 52,
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
