/* Written by fltc 0.1.0 from gaussian_recursive.flt, hash abd2f3e8ae8bc83f.
 * This file is yours, under any terms: fltc's LICENSE, exception for generated files. */
/* gaussian_recursive. */
#ifndef GAUSSIAN_RECURSIVE_H
#define GAUSSIAN_RECURSIVE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A number means the same in all filters and versions of fltc;
 * CHECK_n are requirements of this filter, as its text now is. */
enum gaussian_recursive_status {
    GAUSSIAN_RECURSIVE_OK = 0, /* done */
    GAUSSIAN_RECURSIVE_NULL_POINTER = 1, /* a pointer that is needed is NULL */
    GAUSSIAN_RECURSIVE_BAD_EXTENT = 2,
        /* an extent is less than 1, or an image has more than 2^40 samples */
    GAUSSIAN_RECURSIVE_BAD_OUTPUT = 3, /* the output's extents are not those of the result */
    GAUSSIAN_RECURSIVE_BAD_PARAMETER = 4, /* a parameter is out of its range */
    GAUSSIAN_RECURSIVE_BAD_SCRATCH = 5,
        /* the scratch memory is too small or not aligned to 64 bytes */
    GAUSSIAN_RECURSIVE_OVERLAP = 6, /* an output is the same memory as an input */
    GAUSSIAN_RECURSIVE_NO_MEMORY = 7, /* there is not enough memory */
    GAUSSIAN_RECURSIVE_CHECK_1 = 100001,
        /* 'sigma' of 'recursive_gaussian' is outside 0.5 .. 200.0 */
    GAUSSIAN_RECURSIVE_CHECK_2 = 100002,
        /* the recurrence 'down' along y is not stable for these parameters */
    GAUSSIAN_RECURSIVE_CHECK_3 = 100003,
        /* the recurrence 'farther' along y is not stable for these parameters */
    GAUSSIAN_RECURSIVE_CHECK_4 = 100004,
        /* the recurrence 'up' along y is not stable for these parameters */
    GAUSSIAN_RECURSIVE_CHECK_5 = 100005,
        /* the recurrence 'out' along y is not stable for these parameters */
    GAUSSIAN_RECURSIVE_CHECK_6 = 100006,
        /* the recurrence 'right' along x is not stable for these parameters */
    GAUSSIAN_RECURSIVE_CHECK_7 = 100007,
        /* the recurrence 'farther' along x is not stable for these parameters */
    GAUSSIAN_RECURSIVE_CHECK_8 = 100008,
        /* the recurrence 'left' along x is not stable for these parameters */
    GAUSSIAN_RECURSIVE_CHECK_9 = 100009,
        /* the recurrence 'out' along x is not stable for these parameters */
    GAUSSIAN_RECURSIVE_NO_DEVICE = 10000, /* there is no device, or no driver for it */
    GAUSSIAN_RECURSIVE_NO_DEVICE_MEMORY = 10001, /* there is not enough memory on the device */
    GAUSSIAN_RECURSIVE_DEVICE = 20000, /* plus the cudaError_t of a call that failed */
};

/* in: [y, x] of f32. Strides are in samples and may be negative. */
struct gaussian_recursive_in {
    const float *data;
    int32_t y, x; /* extents */
    ptrdiff_t stride_y, stride_x;
};

/* out: [y, x] of f32. Strides are in samples and may be negative. */
struct gaussian_recursive_out {
    float *data;
    int32_t y, x; /* extents */
    ptrdiff_t stride_y, stride_x;
};

/* The text of a status. It is static: do not free it. */
const char *gaussian_recursive_status_text(int status);

/* Sets the extents and packed strides of the output; data is left unchanged.
 * Returns a status. */
int gaussian_recursive_extents(const struct gaussian_recursive_in *in, float sigma,
    struct gaussian_recursive_out *out);

struct CUstream_st; /* a cudaStream_t is a pointer to it */

/* Bytes of scratch memory that gaussian_recursive_run needs with these arguments; 0 if an argument
 * is
 * wrong. */
size_t gaussian_recursive_scratch_bytes(const struct gaussian_recursive_in *in, float sigma,
    const struct gaussian_recursive_out *out);

/* Computes the output on the current device; returns a status. Images and scratch are memory of
 * that device.
 * scratch: gaussian_recursive_scratch_bytes(...) or more, aligned to 64 bytes.
 * stream: where the kernels are started; NULL: the default stream. The function allocates
 * nothing, waits for nothing and keeps nothing between calls, so it can be captured in a graph.
 * An error while kernels run is reported by the next call that waits for them.
 * Kernels are started only if all arguments are right. Outputs must not share memory with
 * inputs; only equal addresses are detected.
 * sigma, 0.5f .. 200.0f, default 30.0f.
 */
int gaussian_recursive_run(const struct gaussian_recursive_in *in, float sigma,
    const struct gaussian_recursive_out *out, void *scratch, size_t scratch_bytes,
    struct CUstream_st *stream);

/* The same for images in host memory: allocates memory on the current device, copies the inputs
 * to it, computes, waits and copies the output back. Unless the status is OK, no sample of the
 * output is written. */
int gaussian_recursive(const struct gaussian_recursive_in *in, float sigma,
    const struct gaussian_recursive_out *out);

/* Computes which box of an input a box of the output depends on. A box holds two numbers per
 * axis, in the order of the axes: first, end (exclusive). */
int gaussian_recursive_region_of_in(const struct gaussian_recursive_in *in, float sigma,
    const int64_t *output_box, int64_t *input_box);

#ifdef __cplusplus
}
#endif

#endif
