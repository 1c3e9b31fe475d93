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
    failed[0] = (LANE_BITS)(cos_theta <= w[32].x) & (LANE_BITS)(cos_theta >= w[31].x);
    const LANES x0 = lanes_fma(u_wz, cos_phi, u_wy*sin_phi)/cos_theta;
    const LANES x1 = q_rho + w[22].x;
    const LANES x2 = u_wx*x1;
    const LANES x3 = p_m*lanes_fma(x2, cos_phi, u_rho_rate*sin_phi);
    const LANES x4 = lanes_fnma(u_rho_rate, cos_phi, x2*sin_phi);
    const LANES x5 = u_wy*x1;
    const LANES x6 = p_m*lanes_fma(sin_theta, x4, -x5*cos_theta);
    /* M_NI = W^T M W, Eq. (47) */
    const LANES x7 = x1*x1;
    const LANES x8 = lanes_fma(w[23].x, x7, p_I_xx);
    const LANES x9 = lanes_fma(w[23].x, x7, p_I_yy);
    /* u' = M_NI^-1 L_NI, Eq. (67) */
    const LANES x10 = lanes_fnma(p_I_zz, u_wz, lanes_fma(p_I_yz, u_wy, p_I_xz*u_wx));
    const LANES x11 = lanes_fnma(u_wy, x9, lanes_fma(p_I_yz, u_wz, p_I_xy*u_wx));
    const LANES x12 = lanes_fnma(u_wx, x8, lanes_fma(p_I_xz, u_wz, p_I_xy*u_wy));
    const LANES x13 = lanes_fnma(u_wy, x12, u_wx*x11);
    const LANES x14 = 0.089*t_t;
    LANES x15, x16;
    lanes_sincos(&x14, &x15, &x16);
    const LANES x17 = 0.0485*t_t;
    LANES x19, x18;
    lanes_sincos(&x17, &x19, &x18);
    const LANES x20 = lanes_fnma(LANES_ALL(0.012), x18, 0.018*x15);
    const LANES x21 = w[17].x - x9;
    failed[1] = (LANE_BITS)(x21 >= -w[27].x);
    const LANES x22 = 1.0/x21;
    const LANES x23 = lanes_fnma(w[24].x, x22, w[16].x - x8);
    failed[2] = (LANE_BITS)(x23 >= -w[28].x);
    const LANES x24 = u_rho_rate*w[26].x;
    const LANES x25 = lanes_fnma(w[15].x, x13, lanes_fnma(u_wz, x12, lanes_fma(u_wx, x10, x24*x5)));
    const LANES x26 = lanes_fma(w[21].x*x22, x25, lanes_fma(w[14].x, x13, lanes_fnma(u_wz, x11, lanes_fma(u_wy, x10, -x24*x2))));
    const LANES x27 = x26/x23;
    const LANES x28 = x22*lanes_fma(w[21].x, x27, x25);
    /* results */
    dz[0].x = x0;
    dz[1].x = lanes_fnma(u_wz, sin_phi, u_wy*cos_phi);
    dz[2].x = lanes_fma(sin_theta, x0, u_wx);
    dz[3].x = u_rho_rate;
    dz[4].x = w[12].x*lanes_fma(cos_psi, x6, lanes_fnma(sin_psi, x3, g_X));
    dz[5].x = w[12].x*lanes_fma(sin_psi, x6, lanes_fma(cos_psi, x3, g_Y));
    dz[6].x = w[12].x*lanes_fma(p_m, lanes_fma(cos_theta, x4, x5*sin_theta), g_Z);
    dz[7].x = -x27;
    dz[8].x = x28;
    dz[9].x = lanes_fma(w[15].x, x28, lanes_fnma(w[14].x, x27, w[13].x*x13));
    dz[10].x = -w[25].x*lanes_fnma(w[23].x, lanes_fma(u_wy, x5, u_wx*x2), x20);
    dz[11].x = -u_rho_rate*x20;
}
