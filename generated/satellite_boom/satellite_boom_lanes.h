/* satellite_boom: the derivative of several states at once, written by volterra_cg 0.1.0. vcg_lanes_words.h has the words. */
VCG_INLINE void LANES_BODY(const LANE_ENTRY *t, const LANE_ENTRY *z, LANE_ENTRY *dz, const LANE_ENTRY *w, const LANE_ENTRY *g, const LANE_ENTRY *signals, LANE_ENTRY *scratch, LANE_BITS *failed)
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
    scratch[0].x = cos_theta;
    failed[0] = (LANE_BITS)(cos_theta >= w[32].x) & (LANE_BITS)(cos_theta <= w[33].x);
    const LANES x0 = (u_wy*sin_phi + u_wz*cos_phi)/cos_theta;
    const LANES x1 = q_rho + w[22].x;
    const LANES x2 = u_wy*x1;
    const LANES x3 = p_m*x2;
    const LANES x4 = u_wx*x1;
    const LANES x5 = p_m*(x4*sin_phi - u_rho_rate*cos_phi);
    const LANES x6 = x3*cos_theta - sin_theta*x5;
    const LANES x7 = p_m*(u_rho_rate*sin_phi + x4*cos_phi);
    /* u' = M_NI^-1 L_NI, Eq. (67) */
    const LANES x8 = p_I_xz*u_wx + p_I_yz*u_wy - p_I_zz*u_wz;
    const LANES x9 = p_I_xy*u_wx - p_I_yy*u_wy + p_I_yz*u_wz;
    const LANES x10 = p_I_xx*u_wx - p_I_xy*u_wy - p_I_xz*u_wz;
    const LANES x11 = u_wx*x9 + u_wy*x10;
    const LANES x12 = 0.089*t_t;
    LANES x13, x14;
    lanes_sincos(&x12, &x13, &x14);
    const LANES x15 = 0.0485*t_t;
    LANES x17, x16;
    lanes_sincos(&x15, &x17, &x16);
    const LANES x18 = 0.018*x13 - 0.012*x16;
    const LANES x19 = w[24].x*x1;
    const LANES x20 = x1*x19;
    const LANES x21 = w[23].x + x20;
    failed[1] = (LANE_BITS)(x21 <= w[30].x);
    const LANES x22 = 1.0/x21;
    const LANES x23 = w[25].x + x20 - w[26].x*x22;
    failed[2] = (LANE_BITS)(x23 <= w[31].x);
    const LANES x24 = u_wz*x10 + u_wx*x8 + x19*(2.0*u_wy*u_rho_rate + u_wz*x4) - w[15].x*x11;
    const LANES x25 = (u_wy*x8 - u_wz*x9 - x19*(2.0*u_wx*u_rho_rate - u_wz*x2) + w[14].x*x11 - w[21].x*x24*x22)/x23;
    const LANES x26 = x22*(x24 - w[21].x*x25);
    /* results */
    dz[0].x = x0;
    dz[1].x = u_wy*cos_phi - u_wz*sin_phi;
    dz[2].x = u_wx + sin_theta*x0;
    dz[3].x = u_rho_rate;
    dz[4].x = w[12].x*(g_X - sin_psi*x7 - cos_psi*x6);
    dz[5].x = w[12].x*(g_Y + cos_psi*x7 - sin_psi*x6);
    dz[6].x = w[12].x*(g_Z + x3*sin_theta + cos_theta*x5);
    dz[7].x = x25;
    dz[8].x = -x26;
    dz[9].x = w[13].x*x11 + w[14].x*x25 - w[15].x*x26;
    dz[10].x = -w[27].x*(x18 - w[24].x*(u_wx*x4 + u_wy*x2));
    dz[11].x = -u_rho_rate*x18;
}
