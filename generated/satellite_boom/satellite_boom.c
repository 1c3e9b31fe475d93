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

/* All that depends on parameters alone.
 * 41 operations: 12 additions, 20 multiplications, 1 divisions, 8 functions. */
static int prepare(const double *p, double *w, int *where)
{
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
    const double x0 = p_m_s + p_m;
    if (fabs(x0) <= VCG_TINY*(fabs(p_m_s) + fabs(p_m))) { *where = 1; return 1; }
    const double x1 = 1.0/x0;
    const double x2 = fabs(p_I_xx);
    const double x3 = fabs(p_m);
    const double x4 = fabs(p_l);
    const double x5 = fabs(p_a);
    const double x6 = 0.5*x4 + x5;
    const double x7 = x3*x6*x6;
    const double x8 = x3*x6;
    const double x9 = fabs(x1);
    const double x10 = x8*(x8*x9);
    const double x11 = fabs(p_I_yy);
    const double x12 = fabs(p_I_yz);
    const double x13 = fabs(p_I_zz);
    const double x14 = p_m*x1;
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
    w[13] = 1e-14*((x2 + x7) + 9.0*x10);
    w[14] = 1e-14*(3.0*x10 + (x7 + ((x11 + x12) + (x12 + x13))));
    w[15] = 1e-14*x13;
    w[16] = 1e-14*(x3 + 9.0*x3*(x3*x9));
    w[17] = 0.5*p_l + p_a;
    w[18] = x14;
    w[19] = p_m*x14;
    w[20] = p_I_xy*p_I_xz;
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
 * 59 operations: 17 additions, 36 multiplications, 0 divisions, 6 functions. */
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
    const double x1 = cos_theta*sin_phi;
    const double cos_phi = cos(q_phi);
    const double x2 = qd_psi*x1 + qd_theta*cos_phi;
    const double x3 = cos_theta*cos_phi;
    const double sin_psi = sin(q_psi);
    const double cos_psi = cos(q_psi);
    const double x4 = cos_psi*sin_theta;
    const double x5 = qd_rho*p_m;
    const double x6 = q_rho + w[17];
    const double x7 = p_m*(x2*x6);
    const double x8 = p_m*(x0*x6);
    const double x9 = qd_X*w[11] + ((sin_psi*sin_phi + x4*cos_phi)*x5 + (cos_psi*cos_theta)*x7 + (sin_psi*cos_phi - x4*sin_phi)*x8);
    const double x10 = sin_psi*sin_theta;
    const double x11 = qd_Y*w[11] - ((cos_psi*sin_phi - x10*cos_phi)*x5 + (cos_psi*cos_phi + x10*sin_phi)*x8 - (sin_psi*cos_theta)*x7);
    z[0] = q_psi;
    z[1] = q_theta;
    z[2] = q_phi;
    z[3] = q_rho;
    z[4] = q_X;
    z[5] = q_Y;
    z[6] = q_Z;
    z[7] = x0;
    z[8] = x2;
    z[9] = qd_psi*x3 - qd_theta*sin_phi;
    z[10] = qd_rho;
    z[11] = 0.0;
    g[0] = x9;
    g[1] = x11;
    g[2] = qd_Z*w[11] + (x3*x5 - sin_theta*x7 - x1*x8);
    return 0;
}

/* The derivative of the state, Eq. (67).
 * 437 operations: 148 additions, 276 multiplications, 5 divisions, 8 functions. */
static int rhs(double t, const double *z, double *dz, const double *w, const double *g, const double *signals, double *scratch, int *where)
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
    /* q' = W u + X, Eq. (43) */
    const double sin_phi = sin(q_phi);
    const double cos_theta = cos(q_theta);
    if (fabs(cos_theta) <= VCG_TINY) { *where = 0; return 1; }
    const double x0 = 1.0/cos_theta;
    const double x1 = sin_phi*x0;
    const double cos_phi = cos(q_phi);
    const double x2 = cos_phi*x0;
    const double x3 = u_wy*x1 + u_wz*x2;
    const double x4 = cos_phi*u_wy - sin_phi*u_wz;
    const double sin_theta = sin(q_theta);
    const double x5 = u_wx + sin_theta*x3;
    const double sin_psi = sin(q_psi);
    const double cos_psi = cos(q_psi);
    const double x6 = cos_psi*sin_theta;
    const double x7 = sin_psi*sin_phi + x6*cos_phi;
    const double x8 = p_m*x7;
    const double x9 = cos_psi*cos_theta;
    const double x10 = cos_theta*sin_phi;
    const double x11 = q_rho + w[17];
    const double x12 = x10*x11;
    const double x13 = sin_psi*cos_phi - x6*sin_phi;
    const double x14 = sin_theta*x11;
    const double x15 = x9*x12 - x13*x14;
    const double x16 = p_m*x15;
    const double x17 = cos_phi*x11;
    const double x18 = x9*x17;
    const double x19 = p_m*x18;
    const double x20 = x13*x11;
    const double x21 = p_m*x20;
    const double x22 = sin_psi*sin_theta;
    const double x23 = cos_psi*sin_phi - x22*cos_phi;
    const double x24 = p_m*x23;
    const double x25 = sin_psi*cos_theta;
    const double x26 = cos_psi*cos_phi + x22*sin_phi;
    const double x27 = x25*x12 + x26*x14;
    const double x28 = p_m*x27;
    const double x29 = x25*x17;
    const double x30 = p_m*x29;
    const double x31 = x26*x11;
    const double x32 = p_m*x31;
    const double x33 = cos_theta*cos_phi;
    const double x34 = p_m*x33;
    const double x35 = sin_theta*x17;
    const double x36 = p_m*x35;
    const double x37 = p_m*x12;
    /* M_NI = W^T M W, Eq. (47) */
    const double x38 = p_I_xx + p_m*x11*x11;
    const double x39 = x38 - x20*x20*w[19] - x31*x31*w[19] - x12*x12*w[19];
    if (fabs(x39) <= w[13]) { *where = 4; return 1; }
    const double x40 = sin_theta*x1;
    const double x41 = p_I_xx*sin_theta + p_I_xy*x10 + p_I_xz*x33;
    const double x42 = sin_theta*x41 + x10*(p_I_xy*sin_theta + p_I_yy*x10 - p_I_yz*x33) + x33*(p_I_xz*sin_theta + p_I_zz*x33 - p_I_yz*x10);
    const double x43 = x42 + p_m*(x12*x12 + x14*x14);
    const double x44 = p_I_xy*cos_phi - p_I_xz*sin_phi;
    const double x45 = p_I_yy*cos_phi + p_I_yz*sin_phi;
    const double x46 = p_I_yz*cos_phi + p_I_zz*sin_phi;
    const double x47 = (sin_theta*x44 + x10*x45 - x33*x46) + p_m*(x12*x17);
    const double x48 = x41 + p_m*(x11*x14);
    const double x49 = x1*x16 + cos_phi*x19 + x40*x21;
    const double x50 = x1*x28 + cos_phi*x30 - x40*x32;
    const double x51 = (cos_phi*x45 + sin_phi*x46) + p_m*x17*x17;
    const double x52 = x44*x40 + x18*w[18]*x49 + x29*w[18]*x50 + x35*w[18]*(cos_phi*x36 + x40*x37) - x1*x47 - cos_phi*x51;
    const double x53 = p_m - x8*(x8*w[12]) - x24*(x24*w[12]) - x34*(x34*w[12]);
    if (fabs(x53) <= w[16]) { *where = 7; return 1; }
    /* L_NI, Eq. (65) */
    const double x54 = x3*(cos_theta*x4);
    const double x55 = sin_theta*x4;
    const double x56 = cos_phi*x5;
    const double x57 = sin_phi*x5;
    const double x58 = x3*(sin_phi*x55 - cos_theta*x56) + x4*x57;
    const double x59 = x3*(cos_phi*x55 + cos_theta*x57) + x4*x56;
    const double x60 = p_I_xz*u_wx + p_I_yz*u_wy - p_I_zz*u_wz;
    const double x61 = p_I_xy*u_wx + p_I_yz*u_wz - p_I_yy*u_wy;
    const double x62 = (p_I_xx*x54 - p_I_xy*x58 - p_I_xz*x59) + (u_wy*x60 - u_wz*x61);
    const double x63 = u_wy*x11;
    const double x64 = (2.0*u_wx*u_rho_rate - u_wz*x63) - x54*x11;
    const double x65 = cos_phi*x58 - sin_phi*x59;
    const double x66 = x1*x58 + x2*x59;
    const double x67 = x54 + sin_theta*x66;
    const double x68 = u_wx*x11;
    const double x69 = (2.0*u_wy*u_rho_rate + u_wz*x68) - x58*x11;
    const double x70 = u_wx*x68 + u_wy*x63;
    const double x71 = p_m*(x9*x69 + x13*x64 - x7*x70) + (x66*x16 + x65*x19 + x67*x21);
    const double x72 = p_m*(x25*x69 + x23*x70 - x26*x64) + (x66*x28 + x65*x30 - x67*x32);
    const double x73 = p_m*(sin_theta*x69 + x10*x64 + x33*x70) + (x65*x36 + x67*x37);
    const double x74 = (x62 - p_m*(x11*x64)) + (x44*x65 + x66*x48 + x20*w[18]*x71 + x12*w[18]*x73 - x67*x38 - x31*w[18]*x72);
    const double x75 = p_I_xx*u_wx - p_I_xy*u_wy - p_I_xz*u_wz;
    const double x76 = (p_I_xy*x54 + p_I_yz*x59 - p_I_yy*x58) + (u_wz*x75 + u_wx*x60);
    const double x77 = u_wx*x61 + u_wy*x75;
    const double x78 = (p_I_xz*x54 + p_I_yz*x58 - p_I_zz*x59) - x77;
    const double x79 = ((sin_theta*x62 + x10*x76 + x33*x78) + p_m*(x12*x69 - x14*x64)) + (x66*x43 + x65*x47 - x67*x48 - x15*w[18]*x71 - x27*w[18]*x72);
    const double x80 = ((cos_phi*x76 - sin_phi*x78) + p_m*(x17*x69)) - (x44*x67 + x18*w[18]*x71 + x29*w[18]*x72 + x35*w[18]*x73 - x66*x47 - x65*x51);
    const double x81 = sin(0.089*t);
    const double x82 = cos(0.0485*t);
    const double x83 = 0.018*x81 - 0.012*x82;
    /* u' = M_NI^-1 L_NI, Eq. (67) */
    const double x84 = 1.0/x39;
    const double x85 = p_I_xy*x84;
    const double x86 = (p_I_xy*x40 + cos_phi*x52 - x1*(x1*x43 + cos_phi*x47 - x40*x48 - x15*w[18]*x49 - x27*w[18]*x50)) + p_I_xy*p_I_xy*x84;
    const double x87 = 1.0/x86;
    const double x88 = (x1*x79 + cos_phi*x80 - x40*x74) - x74*x85;
    const double x89 = p_I_yz + x84*w[20];
    const double x90 = x87*x89;
    const double x91 = p_I_zz - (p_I_xz*p_I_xz*x84 - x89*x90);
    if (fabs(x91) <= w[15]) { *where = 6; return 1; }
    const double x92 = p_I_xz*x84;
    const double x93 = (x77 + (x74*x92 + x88*x90))/x91;
    const double x94 = x87*x88 - x90*x93;
    /* results */
    dz[0] = x3;
    dz[1] = x4;
    dz[2] = x5;
    dz[3] = u_rho_rate;
    dz[4] = w[12]*(g_X - (x8*u_rho_rate + x3*x16 + x4*x19 + x5*x21));
    dz[5] = w[12]*(g_Y + (x24*u_rho_rate + x5*x32 - x3*x28 - x4*x30));
    dz[6] = w[12]*(g_Z - (x34*u_rho_rate - x4*x36 - x5*x37));
    dz[7] = x84*x74 + (x85*x94 + x92*x93);
    dz[8] = x94;
    dz[9] = x93;
    dz[10] = -((x83 - p_m*x70) - (x8*(w[12]*x71) - x24*(w[12]*x72) - x34*(w[12]*x73)))/x53;
    dz[11] = -x83*u_rho_rate;
    return 0;
}

/* Rates and accelerations of all coordinates.
 * 474 operations: 164 additions, 297 multiplications, 5 divisions, 8 functions. */
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
    if (fabs(cos_theta) <= VCG_TINY) { *where = 0; return 1; }
    const double x0 = 1.0/cos_theta;
    const double x1 = sin_phi*x0;
    const double cos_phi = cos(q_phi);
    const double x2 = cos_phi*x0;
    const double x3 = u_wy*x1 + u_wz*x2;
    const double x4 = cos_phi*u_wy - sin_phi*u_wz;
    const double sin_theta = sin(q_theta);
    const double x5 = u_wx + sin_theta*x3;
    const double sin_psi = sin(q_psi);
    const double cos_psi = cos(q_psi);
    const double x6 = cos_psi*sin_theta;
    const double x7 = sin_psi*sin_phi + x6*cos_phi;
    const double x8 = p_m*x7;
    const double x9 = cos_psi*cos_theta;
    const double x10 = cos_theta*sin_phi;
    const double x11 = q_rho + w[17];
    const double x12 = x10*x11;
    const double x13 = sin_psi*cos_phi - x6*sin_phi;
    const double x14 = sin_theta*x11;
    const double x15 = x9*x12 - x13*x14;
    const double x16 = p_m*x15;
    const double x17 = cos_phi*x11;
    const double x18 = x9*x17;
    const double x19 = p_m*x18;
    const double x20 = x13*x11;
    const double x21 = p_m*x20;
    const double x22 = sin_psi*sin_theta;
    const double x23 = cos_psi*sin_phi - x22*cos_phi;
    const double x24 = p_m*x23;
    const double x25 = sin_psi*cos_theta;
    const double x26 = cos_psi*cos_phi + x22*sin_phi;
    const double x27 = x25*x12 + x26*x14;
    const double x28 = p_m*x27;
    const double x29 = x25*x17;
    const double x30 = p_m*x29;
    const double x31 = x26*x11;
    const double x32 = p_m*x31;
    const double x33 = cos_theta*cos_phi;
    const double x34 = p_m*x33;
    const double x35 = sin_theta*x17;
    const double x36 = p_m*x35;
    const double x37 = p_m*x12;
    const double x38 = sin_theta*x4;
    const double x39 = cos_phi*x5;
    const double x40 = sin_phi*x5;
    const double x41 = x3*(sin_phi*x38 - cos_theta*x39) + x4*x40;
    const double x42 = x3*(cos_phi*x38 + cos_theta*x40) + x4*x39;
    const double x43 = x1*x41 + x2*x42;
    const double x44 = sin_theta*x1;
    const double x45 = p_I_xx*sin_theta + p_I_xy*x10 + p_I_xz*x33;
    const double x46 = sin_theta*x45 + x10*(p_I_xy*sin_theta + p_I_yy*x10 - p_I_yz*x33) + x33*(p_I_xz*sin_theta + p_I_zz*x33 - p_I_yz*x10);
    const double x47 = x46 + p_m*(x12*x12 + x14*x14);
    const double x48 = p_I_xy*cos_phi - p_I_xz*sin_phi;
    const double x49 = p_I_yy*cos_phi + p_I_yz*sin_phi;
    const double x50 = p_I_yz*cos_phi + p_I_zz*sin_phi;
    const double x51 = (sin_theta*x48 + x10*x49 - x33*x50) + p_m*(x12*x17);
    const double x52 = x45 + p_m*(x11*x14);
    const double x53 = x1*x16 + cos_phi*x19 + x44*x21;
    const double x54 = x1*x28 + cos_phi*x30 - x44*x32;
    const double x55 = (cos_phi*x49 + sin_phi*x50) + p_m*x17*x17;
    const double x56 = cos_phi*x36 + x44*x37;
    const double x57 = p_I_xy*x44 + cos_phi*(x48*x44 + x18*w[18]*x53 + x29*w[18]*x54 + x35*w[18]*x56 - x1*x51 - cos_phi*x55) - x1*(x1*x47 + cos_phi*x51 - x44*x52 - x15*w[18]*x53 - x27*w[18]*x54);
    const double x58 = p_I_xx + p_m*x11*x11;
    const double x59 = x58 - x20*x20*w[19] - x31*x31*w[19] - x12*x12*w[19];
    if (fabs(x59) <= w[13]) { *where = 4; return 1; }
    const double x60 = 1.0/x59;
    const double x61 = 1.0/(x57 + p_I_xy*p_I_xy*x60);
    const double x62 = x3*(cos_theta*x4);
    const double x63 = p_I_xz*u_wx + p_I_yz*u_wy - p_I_zz*u_wz;
    const double x64 = p_I_xy*u_wx + p_I_yz*u_wz - p_I_yy*u_wy;
    const double x65 = (p_I_xx*x62 - p_I_xy*x41 - p_I_xz*x42) + (u_wy*x63 - u_wz*x64);
    const double x66 = p_I_xx*u_wx - p_I_xy*u_wy - p_I_xz*u_wz;
    const double x67 = (p_I_xy*x62 + p_I_yz*x42 - p_I_yy*x41) + (u_wz*x66 + u_wx*x63);
    const double x68 = u_wx*x64 + u_wy*x66;
    const double x69 = (p_I_xz*x62 + p_I_yz*x41 - p_I_zz*x42) - x68;
    const double x70 = u_wx*x11;
    const double x71 = (2.0*u_wy*u_rho_rate + u_wz*x70) - x41*x11;
    const double x72 = u_wy*x11;
    const double x73 = (2.0*u_wx*u_rho_rate - u_wz*x72) - x62*x11;
    const double x74 = cos_phi*x41 - sin_phi*x42;
    const double x75 = x62 + sin_theta*x43;
    const double x76 = u_wx*x70 + u_wy*x72;
    const double x77 = p_m*(x9*x71 + x13*x73 - x7*x76) + (x43*x16 + x74*x19 + x75*x21);
    const double x78 = p_m*(x25*x71 + x23*x76 - x26*x73) + (x43*x28 + x74*x30 - x75*x32);
    const double x79 = ((sin_theta*x65 + x10*x67 + x33*x69) + p_m*(x12*x71 - x14*x73)) + (x43*x47 + x74*x51 - x75*x52 - x15*w[18]*x77 - x27*w[18]*x78);
    const double x80 = p_m*(sin_theta*x71 + x10*x73 + x33*x76) + (x74*x36 + x75*x37);
    const double x81 = ((cos_phi*x67 - sin_phi*x69) + p_m*(x17*x71)) - (x48*x75 + x18*w[18]*x77 + x29*w[18]*x78 + x35*w[18]*x80 - x43*x51 - x74*x55);
    const double x82 = (x65 - p_m*(x11*x73)) + (x48*x74 + x43*x52 + x20*w[18]*x77 + x12*w[18]*x80 - x75*x58 - x31*w[18]*x78);
    const double x83 = p_I_xy*x60;
    const double x84 = (x1*x79 + cos_phi*x81 - x44*x82) - x82*x83;
    const double x85 = p_I_yz + x60*w[20];
    const double x86 = x61*x85;
    const double x87 = p_I_zz - (p_I_xz*p_I_xz*x60 - x85*x86);
    if (fabs(x87) <= w[15]) { *where = 6; return 1; }
    const double x88 = p_I_xz*x60;
    const double x89 = (x68 + (x82*x88 + x84*x86))/x87;
    const double x90 = x61*x84 - x86*x89;
    const double x91 = x60*x82 + (x83*x90 + x88*x89);
    const double x92 = x8*w[12];
    const double x93 = x24*w[12];
    const double x94 = x34*w[12];
    const double x95 = p_m - x8*x92 - x24*x93 - x34*x94;
    if (fabs(x95) <= w[16]) { *where = 7; return 1; }
    const double x96 = sin(0.089*t);
    const double x97 = cos(0.0485*t);
    const double x98 = w[12]*x77;
    const double x99 = w[12]*x78;
    const double x100 = w[12]*x80;
    const double x101 = (((0.018*x96 - 0.012*x97) - p_m*x76) - (x8*x98 - x24*x99 - x34*x100))/x95;
    y[0] = x3;
    y[1] = x4;
    y[2] = x5;
    y[3] = u_rho_rate;
    y[4] = w[12]*(g_X - (x8*u_rho_rate + x3*x16 + x4*x19 + x5*x21));
    y[5] = w[12]*(g_Y + (x24*u_rho_rate + x5*x32 - x3*x28 - x4*x30));
    y[6] = w[12]*(g_Z - (x34*u_rho_rate - x4*x36 - x5*x37));
    y[7] = x43 + x1*x90 + x2*x89;
    y[8] = x74 + cos_phi*x90 - sin_phi*x89;
    y[9] = x75 + x91 + x44*x90 + (sin_theta*x2)*x89;
    y[10] = -x101;
    y[11] = -(x98 + (x20*w[18])*x91 + (w[12]*x53)*x90 - x92*x101);
    y[12] = -(x99 + (w[12]*x54)*x90 + x93*x101 - (x31*w[18])*x91);
    y[13] = x100 + (x12*w[18])*x91 + (w[12]*x56)*x90 + x94*x101;
    return 0;
}

/* Energies, momenta, residuals of the constraints and the outputs of the spec.
 * 114 operations: 41 additions, 67 multiplications, 0 divisions, 6 functions. */
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
    const double x1 = cos_theta*sin_phi;
    const double cos_phi = cos(q_phi);
    const double x2 = qd_psi*x1 + qd_theta*cos_phi;
    const double x3 = cos_theta*cos_phi;
    const double x4 = qd_psi*x3 - qd_theta*sin_phi;
    const double x5 = x0*(p_I_xx*x0 - p_I_xy*x2 - p_I_xz*x4) - x2*(p_I_xy*x0 + p_I_yz*x4 - p_I_yy*x2) - x4*(p_I_xz*x0 + p_I_yz*x2 - p_I_zz*x4);
    const double sin_psi = sin(q_psi);
    const double cos_psi = cos(q_psi);
    const double x6 = cos_psi*sin_theta;
    const double x7 = sin_psi*sin_phi + x6*cos_phi;
    const double x8 = cos_psi*cos_theta;
    const double x9 = q_rho + w[17];
    const double x10 = x2*x9;
    const double x11 = sin_psi*cos_phi - x6*sin_phi;
    const double x12 = x0*x9;
    const double x13 = qd_X + (qd_rho*x7 + x8*x10 + x11*x12);
    const double x14 = sin_psi*sin_theta;
    const double x15 = cos_psi*sin_phi - x14*cos_phi;
    const double x16 = sin_psi*cos_theta;
    const double x17 = cos_psi*cos_phi + x14*sin_phi;
    const double x18 = qd_Y - (qd_rho*x15 + x17*x12 - x16*x10);
    const double x19 = qd_Z + (qd_rho*x3 - sin_theta*x10 - x1*x12);
    const double x20 = (p_m_s*(qd_X*qd_X + qd_Y*qd_Y + qd_Z*qd_Z) + x5) + p_m*(x13*x13 + x18*x18 + x19*x19);
    const double x21 = qd_rho*p_m;
    const double x22 = p_m*x10;
    const double x23 = p_m*x12;
    y[14] = 0.5*x20;
    y[15] = 0.0;
    y[16] = qd_X*w[11] + (x7*x21 + x8*x22 + x11*x23);
    y[17] = qd_Y*w[11] - (x15*x21 + x17*x23 - x16*x22);
    y[18] = qd_Z*w[11] + (x3*x21 - sin_theta*x22 - x1*x23);
    y[19] = -(work_work - 0.5*x20);
    return 0;
}

/* M_NI and L_NI of Eq. (64).
 * 380 operations: 127 additions, 244 multiplications, 1 divisions, 8 functions. */
static int matrices(double t, const double *z, double *mass, double *forcing, const double *w, const double *g, const double *signals, double *scratch, int *where)
{
    (void)g;
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
    const double p_m = w[1];
    const double p_I_xx = w[2];
    const double p_I_yy = w[3];
    const double p_I_zz = w[4];
    const double p_I_xy = w[5];
    const double p_I_xz = w[6];
    const double p_I_yz = w[7];
    const double x0 = q_rho + w[17];
    const double x1 = p_I_xx + p_m*x0*x0;
    const double sin_psi = sin(q_psi);
    const double cos_phi = cos(q_phi);
    const double cos_psi = cos(q_psi);
    const double sin_theta = sin(q_theta);
    const double x2 = cos_psi*sin_theta;
    const double sin_phi = sin(q_phi);
    const double x3 = sin_psi*cos_phi - x2*sin_phi;
    const double x4 = x3*x0;
    const double x5 = sin_psi*sin_theta;
    const double x6 = cos_psi*cos_phi + x5*sin_phi;
    const double x7 = x6*x0;
    const double cos_theta = cos(q_theta);
    if (fabs(cos_theta) <= VCG_TINY) { *where = 0; return 1; }
    const double x8 = cos_theta*sin_phi;
    const double x9 = x8*x0;
    const double x10 = 1.0/cos_theta;
    const double x11 = sin_phi*x10;
    const double x12 = sin_theta*x11;
    const double x13 = cos_theta*cos_phi;
    const double x14 = p_I_xx*sin_theta + p_I_xy*x8 + p_I_xz*x13;
    const double x15 = sin_theta*x14 + x8*(p_I_xy*sin_theta + p_I_yy*x8 - p_I_yz*x13) + x13*(p_I_xz*sin_theta + p_I_zz*x13 - p_I_yz*x8);
    const double x16 = sin_theta*x0;
    const double x17 = x15 + p_m*(x9*x9 + x16*x16);
    const double x18 = p_I_xy*cos_phi - p_I_xz*sin_phi;
    const double x19 = p_I_yy*cos_phi + p_I_yz*sin_phi;
    const double x20 = p_I_yz*cos_phi + p_I_zz*sin_phi;
    const double x21 = cos_phi*x0;
    const double x22 = (sin_theta*x18 + x8*x19 - x13*x20) + p_m*(x9*x21);
    const double x23 = x14 + p_m*(x0*x16);
    const double x24 = cos_psi*cos_theta;
    const double x25 = x24*x9 - x3*x16;
    const double x26 = p_m*x25;
    const double x27 = x24*x21;
    const double x28 = p_m*x27;
    const double x29 = p_m*x4;
    const double x30 = x11*x26 + cos_phi*x28 + x12*x29;
    const double x31 = sin_psi*cos_theta;
    const double x32 = x31*x9 + x6*x16;
    const double x33 = p_m*x32;
    const double x34 = x31*x21;
    const double x35 = p_m*x34;
    const double x36 = p_m*x7;
    const double x37 = x11*x33 + cos_phi*x35 - x12*x36;
    const double x38 = (cos_phi*x19 + sin_phi*x20) + p_m*x21*x21;
    const double x39 = sin_theta*x21;
    const double x40 = p_m*x39;
    const double x41 = p_m*x9;
    const double x42 = x18*x12 + x27*w[18]*x30 + x34*w[18]*x37 + x39*w[18]*(cos_phi*x40 + x12*x41) - x11*x22 - cos_phi*x38;
    const double x43 = -(p_I_xy*x12 + cos_phi*x42 - x11*(x11*x17 + cos_phi*x22 - x12*x23 - x25*w[18]*x30 - x32*w[18]*x37));
    const double x44 = sin_psi*sin_phi + x2*cos_phi;
    const double x45 = p_m*x44;
    const double x46 = cos_psi*sin_phi - x5*cos_phi;
    const double x47 = p_m*x46;
    const double x48 = p_m*x13;
    const double x49 = cos_phi*x10;
    const double x50 = u_wy*x11 + u_wz*x49;
    const double x51 = cos_phi*u_wy - sin_phi*u_wz;
    const double x52 = x50*(cos_theta*x51);
    const double x53 = sin_theta*x51;
    const double x54 = u_wx + sin_theta*x50;
    const double x55 = cos_phi*x54;
    const double x56 = sin_phi*x54;
    const double x57 = x50*(sin_phi*x53 - cos_theta*x55) + x51*x56;
    const double x58 = x50*(cos_phi*x53 + cos_theta*x56) + x51*x55;
    const double x59 = p_I_xz*u_wx + p_I_yz*u_wy - p_I_zz*u_wz;
    const double x60 = p_I_xy*u_wx + p_I_yz*u_wz - p_I_yy*u_wy;
    const double x61 = (p_I_xx*x52 - p_I_xy*x57 - p_I_xz*x58) + (u_wy*x59 - u_wz*x60);
    const double x62 = u_wy*x0;
    const double x63 = (2.0*u_wx*u_rho_rate - u_wz*x62) - x52*x0;
    const double x64 = cos_phi*x57 - sin_phi*x58;
    const double x65 = x11*x57 + x49*x58;
    const double x66 = x52 + sin_theta*x65;
    const double x67 = u_wx*x0;
    const double x68 = (2.0*u_wy*u_rho_rate + u_wz*x67) - x57*x0;
    const double x69 = u_wx*x67 + u_wy*x62;
    const double x70 = p_m*(x24*x68 + x3*x63 - x44*x69) + (x65*x26 + x64*x28 + x66*x29);
    const double x71 = p_m*(x31*x68 + x46*x69 - x6*x63) + (x65*x33 + x64*x35 - x66*x36);
    const double x72 = p_m*(sin_theta*x68 + x8*x63 + x13*x69) + (x64*x40 + x66*x41);
    const double x73 = (x61 - p_m*(x0*x63)) + (x18*x64 + x65*x23 + x4*w[18]*x70 + x9*w[18]*x72 - x66*x1 - x7*w[18]*x71);
    const double x74 = p_I_xx*u_wx - p_I_xy*u_wy - p_I_xz*u_wz;
    const double x75 = (p_I_xy*x52 + p_I_yz*x58 - p_I_yy*x57) + (u_wz*x74 + u_wx*x59);
    const double x76 = u_wx*x60 + u_wy*x74;
    const double x77 = (p_I_xz*x52 + p_I_yz*x57 - p_I_zz*x58) - x76;
    const double x78 = ((sin_theta*x61 + x8*x75 + x13*x77) + p_m*(x9*x68 - x16*x63)) + (x65*x17 + x64*x22 - x66*x23 - x25*w[18]*x70 - x32*w[18]*x71);
    const double x79 = ((cos_phi*x75 - sin_phi*x77) + p_m*(x21*x68)) - (x18*x66 + x27*w[18]*x70 + x34*w[18]*x71 + x39*w[18]*x72 - x65*x22 - x64*x38);
    const double x80 = sin(0.089*t);
    const double x81 = cos(0.0485*t);
    mass[0] = x1 - x4*x4*w[19] - x7*x7*w[19] - x9*x9*w[19];
    mass[1] = w[8];
    mass[2] = w[9];
    mass[3] = 0.0;
    mass[4] = w[8];
    mass[5] = x43;
    mass[6] = w[10];
    mass[7] = 0.0;
    mass[8] = w[9];
    mass[9] = w[10];
    mass[10] = p_I_zz;
    mass[11] = 0.0;
    mass[12] = 0.0;
    mass[13] = 0.0;
    mass[14] = 0.0;
    mass[15] = p_m - x45*(x45*w[12]) - x47*(x47*w[12]) - x48*(x48*w[12]);
    forcing[0] = x73;
    forcing[1] = -(x11*x78 + cos_phi*x79 - x12*x73);
    forcing[2] = x76;
    forcing[3] = -(((0.018*x80 - 0.012*x81) - p_m*x69) - (x45*(w[12]*x70) - x47*(w[12]*x71) - x48*(w[12]*x72)));
    return 0;
}

/* All about a state: first the motion, then what is measured on it. */
static int output(double t, const double *z, double *y, const double *w, const double *g, const double *signals, double *scratch, int *where)
{
    const int status = motion(t, z, y, w, g, signals, scratch, where);
    return status ? status : measure(t, z, y, w, g, signals, scratch, where);
}

const vcg_model vcg_satellite_boom = {
    .abi_version = VCG_ABI_VERSION,
    .coordinates = 7,
    .speeds = 4,
    .states = 12,
    .momenta = 3,
    .parameters = 10,
    .prepared = 21,
    .signals = 0,
    .scratch = 0,
    .outputs = 20,
    .prepare = prepare,
    .initial = initial,
    .start = start,
    .rhs = rhs,
    .output = output,
    .matrices = matrices,
};
