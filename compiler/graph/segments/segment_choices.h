/* Chooses which chains are cut into segments, of which size, and which are computed with the tiles
 * of others. */
#ifndef FLTC_GRAPH_SEGMENTS_SEGMENT_CHOICES_H
#define FLTC_GRAPH_SEGMENTS_SEGMENT_CHOICES_H

#include "graph/segments/chains.h"
#include "graph_pass.h"

/* For a stage that ends a chain. */
struct segment_choice {
    const struct chain *chain; /* NULL: it is not cut */
    int64_t size;              /* samples of a segment */
    int64_t room;              /* places that stay free behind the last segment, at least */
    int64_t most_lines;        /* with more lines, the line is not cut; 0: any number */
    bool few;                  /* few lines lie beside each other */
    /* the end of another chain, with whose tiles the tails of this one are computed; NULL: none */
    const struct stage *before;
    bool keeps; /* such a chain reads this one: its tiles stay in a thread's memory until then */
    /* lines in a tile, for a chain that reads it across: the size of its segments; 0: any number */
    int64_t panel;
    /* segment_overlap.c. Tiles of another chain, which alone reads this one across, compute it
     * again; that chain: the end of this one. NULL: none. */
    bool is_again;
    const struct stage *again;
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
/* segment_tiles.c: the last stage that the chain's states depend on, and no member; NULL: there is
 * none. */
const struct stage *segment_source(const struct segment_choices *c, const struct chain *chain);
/* Whether what the chain's states depend on reads no sample of the stage but that of the same
 * place. */
bool segment_reads_in_place(const struct segment_choices *c, const struct chain *chain,
                            const struct stage *stage);
/* segment_tiles.c: sets `room` and, where a core has tiles to itself, `before`, `keeps` and
 * `panel`, when all chains are known. */
void segment_choose_tiles(struct segment_choices *c);

#endif
