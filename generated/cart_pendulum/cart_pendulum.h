/* cart_pendulum: written by volterra_cg 0.1.0. */
#ifndef VCG_MODEL_CART_PENDULUM_H
#define VCG_MODEL_CART_PENDULUM_H

#include "vcg_model.h"

extern const vcg_model vcg_model_cart_pendulum;

#endif
