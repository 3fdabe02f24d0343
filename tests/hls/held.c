/* tests/circuit/held.flt as a design in C, beside the C of the same filter, on numbers outside the
 * types of its inputs. */
#include "held.h"
#include "held_model.h"

#include <stdio.h>
#include <string.h>

int main(void)
{
    enum { PLACES = 6, ELEMENTS = 8 };
    static const uint8_t a[PLACES] = {3, 255, 16, 7, 8, 0};
    static const int8_t b[PLACES] = {31, 32, 127, -32, -33, -128};
    static const uint8_t m[PLACES] = {0, 1, 2, 255, 128, 0};
    static const uint8_t k[ELEMENTS] = {1, 200, 3, 4, 255, 16, 15, 9};
    uint8_t o[PLACES], wanted_o[PLACES];
    int8_t p[PLACES], wanted_p[PLACES];
    const struct held_model_a image_a = {a, PLACES, 1};
    const struct held_model_b image_b = {b, PLACES, 1};
    const struct held_model_m image_m = {m, PLACES, 1};
    const struct held_model_k image_k = {k, ELEMENTS, 1};
    const struct held_model_o result_o = {wanted_o, PLACES, 1};
    const struct held_model_p result_p = {wanted_p, PLACES, 1};
    held(a, b, m, o, p, k);
    if (held_model(&image_a, &image_b, &image_m, &image_k, &result_o, &result_p, 1) != 0)
        return 2;
    const int differs = memcmp(o, wanted_o, sizeof o) != 0 || memcmp(p, wanted_p, sizeof p) != 0;
    for (int i = 0; differs && i < PLACES; i++)
        printf("at %d: %d and %d, not %d and %d\n", i, o[i], p[i], wanted_o[i], wanted_p[i]);
    return differs;
}
