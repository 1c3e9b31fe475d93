/* satellite_boom: the derivative of several states at once, written by volterra_cg 0.1.0. vcg_lanes_words.h has the words. */
VCG_INLINE void LANES_BODY(const LANE_ENTRY *t, const LANE_ENTRY *z, LANE_ENTRY *dz, const LANE_ENTRY *w, const LANE_ENTRY *g, const LANE_ENTRY *signals, LANE_BITS *failed)
{
    (void)signals;
    const LANES t_t = t[0].x;
    const LANES q_psi = z[0].x;
    const LANES q_theta = z[1].x;
    const LANES q_phi = z[2].x;
    const LANES q_rho = z[3].x;
    const LANES u_wx = z[7].x;
    const LANES u_wy = z[8].x;
    const LANES u_wz = z[9].x;
    const LANES u_rho_rate = z[10].x;
    const LANES g_X = g[0].x;
    const LANES g_Y = g[1].x;
    const LANES g_Z = g[2].x;
    const LANES p_m = w[1].x;
    const LANES p_I_xx = w[2].x;
    const LANES p_I_yy = w[3].x;
    const LANES p_I_zz = w[4].x;
    const LANES p_I_xy = w[5].x;
    const LANES p_I_xz = w[6].x;
    const LANES p_I_yz = w[7].x;
    const LANES angles[3] = {q_theta, q_phi, q_psi};
    LANES sines[3], cosines[3];
    lanes_sincos_of(3, angles, sines, cosines);
    const LANES cos_theta = cosines[0];
    const LANES sin_phi = sines[1];
    const LANES cos_phi = cosines[1];
    const LANES sin_theta = sines[0];
    const LANES cos_psi = cosines[2];
    const LANES sin_psi = sines[2];
    /* q' = W u + X, Eq. (43) */
    failed[0] = (LANE_BITS)(LANES_ABS(cos_theta) <= 1e-14);
    const LANES x0 = (u_wy*sin_phi + u_wz*cos_phi)/cos_theta;
    const LANES x1 = q_rho + w[23].x;
    const LANES x2 = u_wy*x1;
    const LANES x3 = u_wx*x1;
    const LANES x4 = u_rho_rate*cos_phi - x3*sin_phi;
    const LANES x5 = x2*cos_theta + sin_theta*x4;
    const LANES x6 = u_rho_rate*sin_phi + x3*cos_phi;
    /* M_NI = W^T M W, Eq. (47) */
    const LANES x7 = p_m*x1*x1;
    const LANES x8 = w[24].x*x1*x1;
    /* L_NI, Eq. (65) */
    const LANES x9 = p_I_xz*u_wx + p_I_yz*u_wy - p_I_zz*u_wz;
    const LANES x10 = p_I_xy*u_wx - p_I_yy*u_wy + p_I_yz*u_wz;
    const LANES x11 = p_I_xx*u_wx - p_I_xy*u_wy - p_I_xz*u_wz;
    const LANES x12 = u_wx*x10 + u_wy*x11;
    const LANES x13 = 0.089*t_t;
    LANES x14, x15;
    lanes_sincos(&x13, &x14, &x15);
    const LANES x16 = 0.0485*t_t;
    LANES x18, x17;
    lanes_sincos(&x16, &x18, &x17);
    const LANES x19 = 0.018*x14 - 0.012*x17;
    /* u' = M_NI^-1 L_NI, Eq. (67) */
    const LANES x20 = w[26].x + x7 - x8;
    failed[1] = (LANE_BITS)(LANES_ABS(x20) <= w[32].x);
    const LANES x21 = 1.0/x20;
    const LANES x22 = u_wz*x11 + u_wx*x9 + w[28].x*x1*(2.0*u_wy*u_rho_rate + u_wz*x3) - w[15].x*x12;
    const LANES x23 = u_wy*x9 - u_wz*x10 - w[28].x*x1*(2.0*u_wx*u_rho_rate - u_wz*x2) + w[14].x*x12 - w[22].x*x22*x21;
    const LANES x24 = w[25].x + x7 - x8 - w[27].x*x21;
    failed[2] = (LANE_BITS)(LANES_ABS(x24) <= w[33].x);
    const LANES x25 = 1.0/x24;
    const LANES x26 = x23*x25;
    const LANES x27 = x22 - w[22].x*x26;
    /* results */
    dz[0].x = x0;
    dz[1].x = u_wy*cos_phi - u_wz*sin_phi;
    dz[2].x = u_wx + sin_theta*x0;
    dz[3].x = u_rho_rate;
    dz[4].x = w[12].x*(g_X - p_m*(sin_psi*x6 + cos_psi*x5));
    dz[5].x = w[12].x*(g_Y - p_m*(sin_psi*x5 - cos_psi*x6));
    dz[6].x = w[12].x*(g_Z + p_m*(x2*sin_theta - cos_theta*x4));
    dz[7].x = x26;
    dz[8].x = -x21*x27;
    dz[9].x = x12/p_I_zz + w[14].x*x23*x25 - w[15].x*x21*x27;
    dz[10].x = -(x19 - w[28].x*(u_wx*x3 + u_wy*x2))/w[28].x;
    dz[11].x = -u_rho_rate*x19;
}
