/* cart_pendulum: the derivative of several states at once, written by volterra_cg 0.1.0. vcg_lanes_words.h has the words. */
LANES_INLINE void LANES_BODY(const LANE_ENTRY *t, const LANE_ENTRY *z, LANE_ENTRY *dz, const LANE_ENTRY *w, const LANE_ENTRY *g, const LANE_ENTRY *signals, LANE_ENTRY *scratch, LANE_BITS *failed)
{
    (void)t;
    (void)signals;
    const LANES q_theta1 = z[0].x;
    const LANES q_theta2 = z[1].x;
    const LANES u_u = z[3].x;
    const LANES g_x = g[0].x;
    const LANES p_m2 = w[1].x;
    const LANES p_l = w[2].x;
    /* q' = W u + X, Eq. (43) */
    LANES sin_theta1, cos_theta1;
    lanes_sincos(&q_theta1, &sin_theta1, &cos_theta1);
    LANES sin_theta2, cos_theta2;
    lanes_sincos(&q_theta2, &sin_theta2, &cos_theta2);
    const LANES x0 = lanes_fma(sin_theta1, sin_theta2, cos_theta1*cos_theta2);
    const LANES x1 = 1.0 + x0;
    scratch[0].x = x1;
    failed[0] = (LANE_BITS)(x1 <= w[25].x) & (LANE_BITS)(x1 >= w[24].x);
    const LANES x2 = u_u/x1;
    const LANES x3 = lanes_fnma(w[10].x*cos_theta2, x0, w[12].x*cos_theta1);
    /* u' = M_NI^-1 L_NI, Eq. (67) */
    const LANES x4 = lanes_fnma(cos_theta1, sin_theta2, sin_theta1*cos_theta2)*x2;
    const LANES x5 = u_u*x4;
    const LANES x6 = w[7].x*x3;
    const LANES x7 = x0*x0;
    const LANES x8 = lanes_fnma(x3, x6, lanes_fnma(w[19].x, x7, w[8].x));
    failed[1] = (LANE_BITS)(x8 <= w[22].x);
    const LANES x9 = lanes_fnma(w[10].x*cos_theta2, x5, lanes_fma(p_m2, lanes_fma((w[4].x*sin_theta2), x7, p_l*sin_theta1), w[10].x*sin_theta1)*x2*x2);
    const LANES x10 = lanes_fnma(x0, lanes_fma(w[18].x, x5, lanes_fnma(w[17].x*x1*x2, x4, w[14].x*sin_theta2)), lanes_fma(x6, x9, w[15].x*sin_theta1));
    /* results */
    dz[0].x = -x2;
    dz[1].x = x0*x2;
    dz[2].x = w[7].x*lanes_fma(x3, x2, g_x);
    dz[3].x = x5 + x1*x10/x8;
}
