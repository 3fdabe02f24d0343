/* unsharp. Written by fltc. */
#ifndef UNSHARP_H
#define UNSHARP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum unsharp_status {
    UNSHARP_OK = 0, /* done */
    UNSHARP_NULL_POINTER = 1, /* a pointer that is needed is NULL */
    UNSHARP_BAD_EXTENT = 2, /* an extent is less than 1, or an image has more than 2^40 samples */
    UNSHARP_BAD_OUTPUT = 3, /* the output's extents are not those of the result */
    UNSHARP_BAD_PARAMETER = 4, /* a parameter is out of its range */
    UNSHARP_BAD_SCRATCH = 5, /* the scratch memory is too small or not aligned to 64 bytes */
    UNSHARP_OVERLAP = 6, /* an output is the same memory as an input */
    UNSHARP_NO_MEMORY = 7, /* there is not enough memory */
    UNSHARP_NO_DEVICE = 10000, /* there is no device, or no driver for it */
    UNSHARP_NO_DEVICE_MEMORY = 10001, /* there is not enough memory on the device */
    UNSHARP_DEVICE = 20000, /* plus the cudaError_t of a call that failed */
};

/* in: [y, x] of u8. Strides are in samples and may be negative. */
struct unsharp_in {
    const uint8_t *data;
    int32_t y, x; /* extents */
    ptrdiff_t stride_y, stride_x;
};

/* out: [y, x] of u8. Strides are in samples and may be negative. */
struct unsharp_out {
    uint8_t *data;
    int32_t y, x; /* extents */
    ptrdiff_t stride_y, stride_x;
};

/* A status in words. */
const char *unsharp_status_text(int status);

/* Sets the extents and packed strides of the output; data is left as it is.
 * Returns a status. */
int unsharp_extents(const struct unsharp_in *in, float amount, struct unsharp_out *out);

struct CUstream_st; /* a cudaStream_t is a pointer to it */

/* Bytes of scratch memory that the call of unsharp_run with these arguments needs; 0 where
 * the arguments are wrong. */
size_t unsharp_scratch_bytes(const struct unsharp_in *in, float amount,
    const struct unsharp_out *out);

/* Computes the output on the current device; returns a status. Images and scratch are memory of
 * that device.
 * scratch: unsharp_scratch_bytes(...) or more, aligned to 64 bytes.
 * stream: the kernels are started on it; NULL: on the default one. Allocates nothing, waits for
 * nothing and keeps nothing between calls, so that it may be captured in a graph. What goes wrong
 * while kernels run is told by the next call that waits for them.
 * Nothing is started unless all arguments are right. Outputs share no memory with inputs; only
 * equal addresses are noticed.
 * amount, 0.0f .. 8.0f, usually 1.5f: how much detail to add.
 */
int unsharp_run(const struct unsharp_in *in, float amount, const struct unsharp_out *out,
    void *scratch, size_t scratch_bytes, struct CUstream_st *stream);

/* The same of images in memory of the host: takes memory on the current device, copies the inputs
 * to it, computes, waits and copies the output back. Where the status is not OK no sample of the
 * output is written. */
int unsharp(const struct unsharp_in *in, float amount, const struct unsharp_out *out);

/* The samples of an input that a box of the output depends on. A box is first, end of each axis
 * in the order of the axes, end not included. */
int unsharp_region_of_in(const struct unsharp_in *in, float amount, const int64_t *output_box,
    int64_t *input_box);

#ifdef __cplusplus
}
#endif

#endif
