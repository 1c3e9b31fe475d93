/* cart_pendulum: the derivative of several states at once, written by volterra_cg 0.1.0. vcg_lanes_words.h has the words. */
VCG_INLINE void LANES_BODY(const LANE_ENTRY *t, const LANE_ENTRY *z, LANE_ENTRY *dz, const LANE_ENTRY *w, const LANE_ENTRY *g, const LANE_ENTRY *signals, LANE_ENTRY *scratch, LANE_BITS *failed)
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
    const LANES x0 = cos_theta1*cos_theta2 + sin_theta1*sin_theta2;
    const LANES x1 = p_l*x0;
    const LANES x2 = p_l + x1;
    scratch[0].x = x2;
    failed[0] = (LANE_BITS)(x2 >= w[21].x) & (LANE_BITS)(x2 <= w[22].x);
    const LANES x3 = 1.0/x2;
    const LANES x4 = x1*x3;
    const LANES x5 = u_u*x4;
    const LANES x6 = u_u - x5;
    const LANES x7 = w[11].x*cos_theta1;
    const LANES x8 = x7 + w[9].x*cos_theta2;
    /* u' = M_NI^-1 L_NI, Eq. (67) */
    const LANES x9 = x7 - x8*x4;
    const LANES x10 = w[6].x*x9;
    const LANES x11 = x4 - 1.0;
    const LANES x12 = w[14].x*x0;
    const LANES x13 = x9*x10 - x11*(x12*x4 + w[7].x*x11) - x4*(w[8].x*x4 + x12*x11);
    failed[1] = (LANE_BITS)(x13 >= -w[17].x);
    const LANES x14 = sin_theta1*x6;
    const LANES x15 = w[3].x*(x5*x5);
    const LANES x16 = p_l*x6;
    const LANES x17 = sin_theta1*cos_theta2 - cos_theta1*sin_theta2;
    const LANES x18 = x17*x16;
    const LANES x19 = x3*(u_u*x18);
    const LANES x20 = x10*(w[9].x*x6*x14 + p_m2*(sin_theta2*x15 + x16*x14) - x8*x19) - x11*(w[13].x*sin_theta1 + w[10].x*x17*x15 + (w[7].x + x12)*x19) - x4*(w[12].x*sin_theta2 - w[9].x*x6*x18 + (w[8].x + x12)*x19);
    /* results */
    dz[0].x = -x6;
    dz[1].x = x5;
    dz[2].x = w[6].x*(g_x + u_u*x7 - x8*x5);
    dz[3].x = -x20/x13;
}
