/* Sharpens a picture that it makes itself: how a program calls an emitted filter. */
#include "unsharp.h"

#include <stdio.h>

enum { HEIGHT = 48, WIDTH = 64 };

int main(void)
{
    static uint8_t before[HEIGHT][WIDTH], after[HEIGHT][WIDTH];
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            before[y][x] = (uint8_t)((x / 8 + y / 8) % 2 ? 160 : 96);

    const struct unsharp_in in = {&before[0][0], HEIGHT, WIDTH, WIDTH, 1};
    const struct unsharp_out out = {&after[0][0], HEIGHT, WIDTH, WIDTH, 1};
    const int status = unsharp(&in, 1.5f, &out, 0);
    if (status != UNSHARP_OK) {
        fprintf(stderr, "unsharp: %s\n", unsharp_status_text(status));
        return 1;
    }
    printf("an edge of %d and %d became %d and %d\n", before[4][7], before[4][8], after[4][7],
           after[4][8]);
    return 0;
}
