/* Structures as lists of rows, and whether two are the same, for tests. */
#ifndef FLTC_TEST_LISTED_H
#define FLTC_TEST_LISTED_H

#include "volumes.h"

/* Rows with memory of their own. */
struct listed {
    struct flt_apr_rows rows;
    uint64_t *end;
    uint16_t *x;
    uint32_t *wide;
};

static inline uint64_t rows_of_level(const struct flt_apr *apr, int l)
{
    return (uint64_t)apr->extent[l][0] * (uint64_t)apr->extent[l][1];
}

/* From level `least` on, x of 2 or 4 bytes. */
static inline struct listed listed_of(const struct flt_apr *apr, int least, int bytes)
{
    struct listed l = {.rows = {.least = least, .bytes = bytes}};
    for (int k = least; k <= apr->levels; k++)
        l.rows.rows += rows_of_level(apr, k);
    l.end = malloc((l.rows.rows + 1) * sizeof *l.end);
    l.x = malloc((apr->particles.count + 1) * sizeof *l.x);
    l.wide = malloc((apr->particles.count + 1) * sizeof *l.wide);
    uint64_t r = 0, count = 0;
    for (int k = least; k <= apr->levels; k++)
        for (uint64_t i = 0; i < rows_of_level(apr, k); i++) {
            for (uint64_t j = apr->particles.row[k][i]; j < apr->particles.row[k][i + 1]; j++)
                for (uint32_t c = 0; c < apr->particles.run[j].count; c++) {
                    l.wide[count] = apr->particles.run[j].first + c;
                    l.x[count] = (uint16_t)l.wide[count];
                    count++;
                }
            l.end[r++] = count;
        }
    l.rows.end = l.end;
    l.rows.x = bytes == 2 ? (const void *)l.x : l.wide;
    l.rows.particles = count;
    return l;
}

static inline void free_listed(struct listed *l)
{
    free(l->end);
    free(l->x);
    free(l->wide);
}

static inline void assert_same_cells(const struct flt_apr *a, const struct flt_apr_cells *c,
                                     const struct flt_apr_cells *d)
{
    assert_int_equal(c->least, d->least);
    assert_int_equal(c->greatest, d->greatest);
    assert_int_equal(c->count, d->count);
    uint64_t runs = 0;
    for (int l = c->least; l <= c->greatest; l++) {
        assert_memory_equal(c->row[l], d->row[l], (rows_of_level(a, l) + 1) * sizeof *c->row[l]);
        runs = c->row[l][rows_of_level(a, l)];
    }
    assert_memory_equal(c->run, d->run, runs * sizeof *c->run);
}

static inline void assert_same_structure(const struct flt_apr *a, const struct flt_apr *b)
{
    assert_int_equal(a->levels, b->levels);
    assert_memory_equal(a->extent, b->extent, sizeof a->extent[0] * (size_t)(a->levels + 1));
    assert_same_cells(a, &a->particles, &b->particles);
    assert_same_cells(a, &a->nodes, &b->nodes);
}

/* ---- Memory that fails ---- */

struct counted {
    long until_failure, outstanding;
};

static inline void *take_counted(void *user, size_t bytes)
{
    struct counted *c = user;
    if (c->until_failure-- == 0)
        return NULL;
    c->outstanding++;
    return aligned_alloc(64, (bytes + 63) / 64 * 64);
}

static inline void give_back_counted(void *user, void *memory)
{
    struct counted *c = user;
    c->outstanding--;
    free(memory);
}

#endif
