/* The text of Netpbm headers: numbers separated by white space. Internal to pnm.c and pfm.c. */
#ifndef FLT_NETPBM_H
#define FLT_NETPBM_H

#include "image/codec.h"

/* Where reading stands in a file. */
struct netpbm_text {
    const struct file_bytes *file;
    size_t at;
};

/* The next byte, not taken; -1 at the end. */
int netpbm_peek(const struct netpbm_text *text);

/* Skips white space and comments: from # to the end of the line. */
void netpbm_skip_space(struct netpbm_text *text);

/* Takes an unsigned decimal, after white space. false: there is none, or it exceeds 2^32 - 1. */
bool netpbm_number(struct netpbm_text *text, uint64_t *value);

/* Takes the single white space that ends a header. false: something else is there. */
bool netpbm_one_space(struct netpbm_text *text);

size_t netpbm_bytes_left(const struct netpbm_text *text);

/* Whether there is enough of the file to find a header in it, if there is one. */
bool netpbm_has_header(const struct file_bytes *file, bool is_all);

/* FLT_CORRUPT, with "NAME has a damaged header". */
enum flt_status netpbm_bad_header(const struct file_bytes *file, struct flt_detail *detail);

#endif
