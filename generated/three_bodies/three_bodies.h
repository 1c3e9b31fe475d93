/* three_bodies: written by volterra_cg 0.1.0. */
#ifndef VCG_MODEL_THREE_BODIES_H
#define VCG_MODEL_THREE_BODIES_H

#include "vcg_model.h"

extern const vcg_model vcg_model_three_bodies;

#endif
