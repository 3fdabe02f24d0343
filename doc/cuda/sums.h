/* sums. Written by fltc. */
#ifndef SUMS_H
#define SUMS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum sums_status {
    SUMS_OK = 0, /* done */
    SUMS_NULL_POINTER = 1, /* a pointer that is needed is NULL */
    SUMS_BAD_EXTENT = 2, /* an extent is less than 1, or an image has more than 2^40 samples */
    SUMS_BAD_OUTPUT = 3, /* the output's extents are not those of the result */
    SUMS_BAD_PARAMETER = 4, /* a parameter is out of its range */
    SUMS_BAD_SCRATCH = 5, /* the scratch memory is too small or not aligned to 64 bytes */
    SUMS_OVERLAP = 6, /* an output is the same memory as an input */
    SUMS_NO_MEMORY = 7, /* there is not enough memory */
    SUMS_NO_DEVICE = 10000, /* there is no device, or no driver for it */
    SUMS_NO_DEVICE_MEMORY = 10001, /* there is not enough memory on the device */
    SUMS_DEVICE = 20000, /* plus the cudaError_t of a call that failed */
};

/* in: [y, x] of u8. Strides are in samples and may be negative. */
struct sums_in {
    const uint8_t *data;
    int32_t y, x; /* extents */
    ptrdiff_t stride_y, stride_x;
};

/* out: [y, x] of u32. Strides are in samples and may be negative. */
struct sums_out {
    uint32_t *data;
    int32_t y, x; /* extents */
    ptrdiff_t stride_y, stride_x;
};

/* A status in words. */
const char *sums_status_text(int status);

/* Sets the extents and packed strides of the output; data is left as it is.
 * Returns a status. */
int sums_extents(const struct sums_in *in, struct sums_out *out);

struct CUstream_st; /* a cudaStream_t is a pointer to it */

/* Bytes of scratch memory that the call of sums_run with these arguments needs; 0 where
 * the arguments are wrong. */
size_t sums_scratch_bytes(const struct sums_in *in, const struct sums_out *out);

/* Computes the output on the current device; returns a status. Images and scratch are memory of
 * that device.
 * scratch: sums_scratch_bytes(...) or more, aligned to 64 bytes.
 * stream: the kernels are started on it; NULL: on the default one. Allocates nothing, waits for
 * nothing and keeps nothing between calls, so that it may be captured in a graph. What goes wrong
 * while kernels run is told by the next call that waits for them.
 * Nothing is started unless all arguments are right. Outputs share no memory with inputs; only
 * equal addresses are noticed.
 */
int sums_run(const struct sums_in *in, const struct sums_out *out, void *scratch,
    size_t scratch_bytes, struct CUstream_st *stream);

/* The same of images in memory of the host: takes memory on the current device, copies the inputs
 * to it, computes, waits and copies the output back. Where the status is not OK no sample of the
 * output is written. */
int sums(const struct sums_in *in, const struct sums_out *out);

/* The samples of an input that a box of the output depends on. A box is first, end of each axis
 * in the order of the axes, end not included. */
int sums_region_of_in(const struct sums_in *in, const int64_t *output_box, int64_t *input_box);

#ifdef __cplusplus
}
#endif

#endif
