/* Chooses which chains are cut into segments, the size of the segments, and which chains are
 * computed with the tiles of other chains. */
#ifndef FLTC_GRAPH_SEGMENTS_SEGMENT_CHOICES_H
#define FLTC_GRAPH_SEGMENTS_SEGMENT_CHOICES_H

#include "graph/segments/chains.h"
#include "graph_pass.h"

/* For a stage that ends a chain. */
struct segment_choice {
    const struct chain *chain; /* NULL: it is not cut */
    int64_t size;              /* samples of a segment */
    int64_t room;              /* the least number of free places after the last segment */
    int64_t most_lines;        /* with more lines, the line is not cut; 0: any number */
    bool few;                  /* few lines are computed side by side */
    /* the end of the chain whose tiles also compute the tails of this one; NULL: none */
    const struct stage *before;
    bool keeps; /* such a chain reads this one, so its tiles stay in a thread's memory until then */
    /* lines in a tile: the segment size of a chain that reads it across; 0: any number */
    int64_t panel;
    /* segment_overlap.c. is_again: the tiles of another chain, the only reader, compute this one
     * again, across its lines. again: the end of the chain that the tiles of this one compute
     * again; NULL: none. */
    bool is_again;
    const struct stage *again;
    bool crosses; /* of both: tails of rows and columns are of one read (segment_crossing.c) */
};

struct segment_choices {
    const struct graph *in;
    struct pass_context *context;
    const struct stage_readers *readers;
    size_t recurrences;            /* how many the graph has */
    struct segment_choice *choice; /* by stage */
    bool *inside;                  /* by stage: it belongs to a chain, cut or not */
    bool *replaced;                /* by stage: it belongs to a chain that is cut */
    bool any;
};

struct segment_choices segment_choices_of(const struct graph *in, struct pass_context *context);

/* segment_overlap.c: sets `is_again` and `again`, on a grid, before segment_choose_tiles. */
void segment_choose_overlap(struct segment_choices *c);
/* segment_crossing.c: whether the chain is one recurrence, or that and what is rounded of it. */
bool segment_is_rounded(const struct chain *chain);
/* Whether the tails of the chain that ends in `last` may be computed together
 * with those of the rows that it reads. */
bool segment_may_cross(const struct segment_choices *c, const struct chain *chain,
                       const struct chain *before);
/* segment_tiles.c: the last stage outside the chain that its states depend on; NULL: there is
 * none. */
const struct stage *segment_source(const struct segment_choices *c, const struct chain *chain);
/* Whether everything that the chain's states depend on reads the stage only at the same place. */
bool segment_reads_in_place(const struct segment_choices *c, const struct chain *chain,
                            const struct stage *stage);
/* segment_tiles.c: sets `room` and, if each core has its own tiles, `before`, `keeps` and `panel`.
 * Call it when all chains are known. */
void segment_choose_tiles(struct segment_choices *c);

#endif
