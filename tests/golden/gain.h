#include <stdbool.h>
#include <stdint.h>
float gain(float v, int32_t n);
uint8_t level(uint8_t v, bool up, double by);
int16_t frame(uint8_t v, bool up, uint32_t by);
