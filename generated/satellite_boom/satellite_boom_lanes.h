/* satellite_boom: the derivative of several states at once, written by volterra_cg 0.1.0. vcg_lanes_words.h has the words. */
LANES_INLINE void LANES_BODY(const LANE_ENTRY *t, const LANE_ENTRY *z, LANE_ENTRY *dz, const LANE_ENTRY *w, const LANE_ENTRY *g, const LANE_ENTRY *signals, LANE_ENTRY *scratch, LANE_BITS *failed)
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
    const LANES sin_psi = sines[2];
    const LANES cos_psi = cosines[2];
    /* q' = W u + X, Eq. (43) */
    scratch[0].x = cos_theta;
    failed[0] = (LANE_BITS)(cos_theta >= w[31].x) & (LANE_BITS)(cos_theta <= w[32].x);
    const LANES x0 = (u_wy*sin_phi + u_wz*cos_phi)/cos_theta;
    const LANES x1 = q_rho + w[22].x;
    const LANES x2 = u_wx*x1;
    const LANES x3 = p_m*(u_rho_rate*sin_phi + x2*cos_phi);
    const LANES x4 = x2*sin_phi - u_rho_rate*cos_phi;
    const LANES x5 = u_wy*x1;
    const LANES x6 = p_m*(sin_theta*x4 - x5*cos_theta);
    /* M_NI = W^T M W, Eq. (47) */
    const LANES x7 = w[23].x*(x1*x1);
    const LANES x8 = p_I_xx + x7;
    const LANES x9 = p_I_yy + x7;
    /* u' = M_NI^-1 L_NI, Eq. (67) */
    const LANES x10 = p_I_xz*u_wx + p_I_yz*u_wy - p_I_zz*u_wz;
    const LANES x11 = p_I_xy*u_wx + p_I_yz*u_wz - u_wy*x9;
    const LANES x12 = p_I_xy*u_wy + p_I_xz*u_wz - u_wx*x8;
    const LANES x13 = u_wx*x11 - u_wy*x12;
    const LANES x14 = 0.089*t_t;
    LANES x15, x16;
    lanes_sincos(&x14, &x15, &x16);
    const LANES x17 = 0.0485*t_t;
    LANES x19, x18;
    lanes_sincos(&x17, &x19, &x18);
    const LANES x20 = 0.018*x15 - 0.012*x18;
    const LANES x21 = w[17].x - x9;
    failed[1] = (LANE_BITS)(x21 >= -w[29].x);
    const LANES x22 = 1.0/x21;
    const LANES x23 = w[16].x - x8 - w[24].x*x22;
    failed[2] = (LANE_BITS)(x23 >= -w[30].x);
    const LANES x24 = u_rho_rate*w[26].x;
    const LANES x25 = x24*x5 + u_wx*x10 - u_wz*x12 - w[15].x*x13;
    const LANES x26 = (u_wy*x10 - x24*x2 - u_wz*x11 + w[14].x*x13 + w[21].x*x22*x25)/x23;
    const LANES x27 = x22*(x25 + w[21].x*x26);
    /* results */
    dz[0].x = x0;
    dz[1].x = u_wy*cos_phi - u_wz*sin_phi;
    dz[2].x = u_wx + sin_theta*x0;
    dz[3].x = u_rho_rate;
    dz[4].x = w[12].x*(g_X - sin_psi*x3 + cos_psi*x6);
    dz[5].x = w[12].x*(g_Y + cos_psi*x3 + sin_psi*x6);
    dz[6].x = w[12].x*(g_Z + p_m*(x5*sin_theta + cos_theta*x4));
    dz[7].x = -x26;
    dz[8].x = x27;
    dz[9].x = w[13].x*x13 - w[14].x*x26 + w[15].x*x27;
    dz[10].x = -w[25].x*(x20 - w[23].x*(u_wx*x2 + u_wy*x5));
    dz[11].x = -u_rho_rate*x20;
}
