/* satellite_boom: written by volterra_cg 0.1.0. */
#ifndef VCG_MODEL_SATELLITE_BOOM_H
#define VCG_MODEL_SATELLITE_BOOM_H

#include "vcg_model.h"

extern const vcg_model vcg_model_satellite_boom;

#endif
