/* Filter several with right arguments, of which a test changes one: for the targets whose kernels
 * run on devices. C and C++. */
#ifndef FLTC_CUDA_SEVERAL_ARGUMENTS_H
#define FLTC_CUDA_SEVERAL_ARGUMENTS_H

#include "several.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { HEIGHT = 19, WIDTH = 37, GAP = 0xa5 };

static int passed, failed;

static void expect(bool good, const char *what, int number, int status)
{
    passed += good;
    failed += !good;
    if (!good)
        fprintf(stderr, "FAIL %s %d: status %d, %s\n", what, number, status,
                several_status_text(status));
}

struct arguments {
    float in_samples[HEIGHT * WIDTH], out_samples[HEIGHT * WIDTH], total_sample[1];
    uint8_t other_samples[HEIGHT * WIDTH];
    struct several_in in;
    struct several_other other;
    struct several_out out;
    struct several_total total;
};

/* Of images of the host; what the structures have for others is 0. */
static void set_right(struct arguments *a)
{
    memset(a, 0, sizeof *a);
    for (int i = 0; i < HEIGHT * WIDTH; i++) {
        a->in_samples[i] = (float)(i % 11);
        a->other_samples[i] = (uint8_t)(i % 7);
    }
    memset(a->out_samples, GAP, sizeof a->out_samples);
    memset(a->total_sample, GAP, sizeof a->total_sample);
    a->in.data = a->in_samples;
    a->other.data = a->other_samples;
    a->out.data = a->out_samples;
    a->total.data = a->total_sample;
    a->in.y = a->other.y = a->out.y = HEIGHT;
    a->in.x = a->other.x = a->out.x = WIDTH;
    a->in.stride_y = a->other.stride_y = a->out.stride_y = WIDTH;
    a->in.stride_x = a->other.stride_x = a->out.stride_x = 1;
}

static bool is_written(const struct arguments *a)
{
    unsigned char gap[sizeof a->out_samples];
    memset(gap, GAP, sizeof gap);
    return memcmp(a->out_samples, gap, sizeof gap) != 0 ||
           memcmp(a->total_sample, gap, sizeof a->total_sample) != 0;
}

#endif
