/* gather_in_tiles. Written by fltc. */
#ifndef GATHER_IN_TILES_H
#define GATHER_IN_TILES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum gather_in_tiles_status {
    GATHER_IN_TILES_OK = 0, /* done */
    GATHER_IN_TILES_NULL_POINTER = 1, /* a pointer that is needed is NULL */
    GATHER_IN_TILES_BAD_EXTENT = 2,
        /* an extent is less than 1, or an image has more than 2^40 samples */
    GATHER_IN_TILES_BAD_OUTPUT = 3, /* the output's extents are not those of the result */
    GATHER_IN_TILES_BAD_PARAMETER = 4, /* a parameter is out of its range */
    GATHER_IN_TILES_BAD_SCRATCH = 5,
        /* the scratch memory is too small or not aligned to 64 bytes */
    GATHER_IN_TILES_OVERLAP = 6, /* an output is the same memory as an input */
    GATHER_IN_TILES_NO_MEMORY = 7, /* there is not enough memory */
};

/* in: [y, x] of u8. Strides are in samples and may be negative. */
struct gather_in_tiles_in {
    const uint8_t *data;
    int32_t y, x; /* extents */
    ptrdiff_t stride_y, stride_x;
};

/* v: [k, y, x] of u16. Strides are in samples and may be negative. */
struct gather_in_tiles_v {
    const uint16_t *data;
    int32_t k, y, x; /* extents */
    ptrdiff_t stride_k, stride_y, stride_x;
};

/* out: [y, x] of i32. Strides are in samples and may be negative. */
struct gather_in_tiles_out {
    int32_t *data;
    int32_t y, x; /* extents */
    ptrdiff_t stride_y, stride_x;
};

/* A status in words. */
const char *gather_in_tiles_status_text(int status);

/* Sets the extents and packed strides of the output; data is left as it is.
 * Returns a status. */
int gather_in_tiles_extents(const struct gather_in_tiles_in *in, const struct gather_in_tiles_v *v,
    struct gather_in_tiles_out *out);

/* Bytes of scratch memory that the call of gather_in_tiles_run with these arguments needs; 0 where
 * the arguments are wrong. threads: as for gather_in_tiles_run. */
size_t gather_in_tiles_scratch_bytes(const struct gather_in_tiles_in *in,
    const struct gather_in_tiles_v *v, const struct gather_in_tiles_out *out, int threads);

/* Computes the output; returns a status. Allocates nothing and keeps nothing between calls, which
 * may run at the same time.
 * scratch: gather_in_tiles_scratch_bytes(...) or more, aligned to 64 bytes.
 * threads: 0 for as many as OpenMP gives; the result does not depend on it.
 * No sample is written unless all arguments are right. Outputs share no memory with inputs; only
 * equal addresses are noticed.
 */
int gather_in_tiles_run(const struct gather_in_tiles_in *in, const struct gather_in_tiles_v *v,
    const struct gather_in_tiles_out *out, void *scratch, size_t scratch_bytes, int threads);

/* The same; takes its scratch memory from malloc and frees it. */
int gather_in_tiles(const struct gather_in_tiles_in *in, const struct gather_in_tiles_v *v,
    const struct gather_in_tiles_out *out, int threads);

/* The samples of an input that a box of the output depends on. A box is first, end of each axis
 * in the order of the axes, end not included. */
int gather_in_tiles_region_of_in(const struct gather_in_tiles_in *in,
    const struct gather_in_tiles_v *v, const int64_t *output_box, int64_t *input_box);
int gather_in_tiles_region_of_v(const struct gather_in_tiles_in *in,
    const struct gather_in_tiles_v *v, const int64_t *output_box, int64_t *input_box);

/* 1 where fused multiply-adds run in hardware, 0 where the C library computes them (slowly). */
int gather_in_tiles_is_fast(void);

#ifdef __cplusplus
}
#endif

#endif
