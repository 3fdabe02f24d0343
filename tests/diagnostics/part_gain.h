#pragma once
#include <stdint.h>
float gain(float v, int32_t n);
double several(double, ...);
float elements(const float *v);
