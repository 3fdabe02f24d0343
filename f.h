/* f. Written by fltc. */
#ifndef F_H
#define F_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum f_status {
    F_OK = 0, /* done */
    F_NULL_POINTER = 1, /* a pointer that is needed is NULL */
    F_BAD_EXTENT = 2, /* an extent is less than 1, or an image has more than 2^40 samples */
    F_BAD_OUTPUT = 3, /* the output's extents are not those of the result */
    F_BAD_PARAMETER = 4, /* a parameter is out of its range */
    F_BAD_SCRATCH = 5, /* the scratch memory is too small or not aligned to 64 bytes */
    F_OVERLAP = 6, /* an output is the same memory as an input */
    F_NO_MEMORY = 7, /* there is not enough memory */
};

/* a: [y, x] of u8. Strides are in samples and may be negative. */
struct f_a {
    const uint8_t *data;
    int32_t y, x; /* extents */
    ptrdiff_t stride_y, stride_x;
};

/* b: [y, x] of i32. Strides are in samples and may be negative. */
struct f_b {
    const int32_t *data;
    int32_t y, x; /* extents */
    ptrdiff_t stride_y, stride_x;
};

/* c: [y, x] of u32. Strides are in samples and may be negative. */
struct f_c {
    const uint32_t *data;
    int32_t y, x; /* extents */
    ptrdiff_t stride_y, stride_x;
};

/* o0: [y, x] of u32. Strides are in samples and may be negative. */
struct f_o0 {
    uint32_t *data;
    int32_t y, x; /* extents */
    ptrdiff_t stride_y, stride_x;
};

/* A status in words. */
const char *f_status_text(int status);

/* Sets the extents and packed strides of the output; data is left as it is.
 * Returns a status. */
int f_extents(const struct f_a *a, const struct f_b *b, const struct f_c *c, struct f_o0 *o0);

/* Bytes of scratch memory that the call of f_run with these arguments needs; 0 where
 * the arguments are wrong. threads: as for f_run. */
size_t f_scratch_bytes(const struct f_a *a, const struct f_b *b, const struct f_c *c,
    const struct f_o0 *o0, int threads);

/* Computes the output; returns a status. Allocates nothing and keeps nothing between calls, which
 * may run at the same time.
 * scratch: f_scratch_bytes(...) or more, aligned to 64 bytes.
 * threads: 0 for as many as OpenMP gives; the result does not depend on it.
 * No sample is written unless all arguments are right. Outputs share no memory with inputs; only
 * equal addresses are noticed.
 */
int f_run(const struct f_a *a, const struct f_b *b, const struct f_c *c, const struct f_o0 *o0,
    void *scratch, size_t scratch_bytes, int threads);

/* The same; takes its scratch memory from malloc and frees it. */
int f(const struct f_a *a, const struct f_b *b, const struct f_c *c, const struct f_o0 *o0,
    int threads);

/* The samples of an input that a box of the output depends on. A box is first, end of each axis
 * in the order of the axes, end not included. */
int f_region_of_a(const struct f_a *a, const struct f_b *b, const struct f_c *c,
    const int64_t *output_box, int64_t *input_box);
int f_region_of_b(const struct f_a *a, const struct f_b *b, const struct f_c *c,
    const int64_t *output_box, int64_t *input_box);
int f_region_of_c(const struct f_a *a, const struct f_b *b, const struct f_c *c,
    const int64_t *output_box, int64_t *input_box);

/* 1 where fused multiply-adds run in hardware, 0 where the C library computes them (slowly). */
int f_is_fast(void);

#ifdef __cplusplus
}
#endif

#endif
