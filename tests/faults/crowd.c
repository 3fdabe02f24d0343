/* Numbers of threads that no machine has: the result is that of one thread, and scratch memory
 * stays within reason. */
#include "crowd.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEIGHT = 200, WIDTH = 300 };

struct results {
    float smooth[HEIGHT][WIDTH];
    uint32_t area[HEIGHT][WIDTH];
    float slow[HEIGHT][WIDTH];
};

static uint8_t in[HEIGHT][WIDTH];
static struct results expected, made;

static unsigned passed, failed;

static void expect(int holds, const char *what, int threads)
{
    if (holds) {
        passed++;
        return;
    }
    failed++;
    fprintf(stderr, "FAIL %d threads: %s\n", threads, what);
}

/* By the function that takes its memory itself, and by the one that is given some. */
static void run(struct results *r, int threads, int own_memory)
{
    const struct crowd_in image = {&in[0][0], HEIGHT, WIDTH, WIDTH, 1};
    const struct crowd_smooth smooth = {&r->smooth[0][0], HEIGHT, WIDTH, WIDTH, 1};
    const struct crowd_area area = {&r->area[0][0], HEIGHT, WIDTH, WIDTH, 1};
    const struct crowd_slow slow = {&r->slow[0][0], HEIGHT, WIDTH, WIDTH, 1};
    memset(r, 0xa5, sizeof *r);
    if (!own_memory) {
        expect(crowd(&image, &smooth, &area, &slow, threads) == CROWD_OK, "crowd", threads);
        return;
    }
    const size_t bytes = crowd_scratch_bytes(&image, &smooth, &area, &slow, threads);
    expect(bytes > 0 && bytes < (size_t)1 << 28, "crowd_scratch_bytes", threads);
    void *const memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    expect(memory && crowd_run(&image, &smooth, &area, &slow, memory, bytes, threads) == CROWD_OK,
           "crowd_run", threads);
    free(memory);
}

int main(void)
{
    static const int counts[] = {0, -1, INT_MIN, 2, 7, 1000, 100000, INT_MAX};
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            in[y][x] = (uint8_t)(x * x + 7 * y * x + y);
    run(&expected, 1, 1);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        for (int own_memory = 0; own_memory < 2; own_memory++) {
            run(&made, counts[i], own_memory);
            expect(memcmp(&made, &expected, sizeof made) == 0, "another result", counts[i]);
        }
    printf("crowd: %u passed, %u failed\n", passed, failed);
    return failed != 0;
}
