/* cart_pendulum: the derivative of several states at once, written by volterra_cg 0.1.0. vcg_lanes_words.h has the words. */
VCG_INLINE void LANES_BODY(const LANE_ENTRY *t, const LANE_ENTRY *z, LANE_ENTRY *dz, const LANE_ENTRY *w, const LANE_ENTRY *g, const LANE_ENTRY *signals, LANE_BITS *failed)
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
    failed[0] = (LANE_BITS)(LANES_ABS(x2) <= w[16].x);
    const LANES x3 = 1.0/x2;
    const LANES x4 = u_u*x1*x3;
    const LANES x5 = u_u - x4;
    const LANES x6 = w[11].x*cos_theta1;
    const LANES x7 = x6 + w[9].x*cos_theta2;
    /* M_NI = W^T M W, Eq. (47) */
    const LANES x8 = x1*x3;
    const LANES x9 = x8 - 1.0;
    const LANES x10 = w[12].x*x0;
    const LANES x11 = x6 - x7*x8;
    const LANES x12 = x9*(p_m2*x10*x8 + w[7].x*x9 + w[6].x*x6*x11);
    const LANES x13 = x8*(w[8].x*x8 + p_m2*x10*x9 + w[13].x*cos_theta2*x11);
    const LANES x14 = x12 + x13;
    failed[1] = (LANE_BITS)(LANES_ABS(x14) <= VCG_TINY*(LANES_ABS(x12) + LANES_ABS(x13)));
    /* L_NI, Eq. (65) */
    const LANES x15 = w[3].x*x4*x4;
    const LANES x16 = sin_theta2*x15;
    const LANES x17 = p_l*sin_theta1*x5*x5;
    const LANES x18 = cos_theta2*x17 - p_l*cos_theta1*sin_theta2*x5*x5;
    const LANES x19 = x3*(x4*((p_l*(cos_theta1*sin_theta2 - sin_theta1*cos_theta2))*x5) - x18);
    const LANES x20 = p_m2*x10*x19;
    const LANES x21 = w[9].x*sin_theta1*x5*x5 + p_m2*(x16 + x17) + x7*x19;
    const LANES x22 = w[15].x*sin_theta1 - w[10].x*(cos_theta1*x16 - sin_theta1*cos_theta2*x15) - w[7].x*x19 - x20 + w[6].x*x6*x21;
    /* u' = M_NI^-1 L_NI, Eq. (67) */
    /* results */
    dz[0].x = -x5;
    dz[1].x = x4;
    dz[2].x = w[6].x*(g_x + u_u*x6 - x7*x4);
    dz[3].x = -(x9*x22 - x8*(w[9].x*x18 - w[14].x*sin_theta2 + x20 + w[8].x*x19 - w[13].x*cos_theta2*x21))/x14;
}
