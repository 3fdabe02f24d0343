/* Which chains are in segments, in how large ones, and which are computed with the tiles of others.
 * For the pass segment_recurrences. */
#ifndef FLTC_GRAPH_SEGMENTS_SEGMENT_CHOICES_H
#define FLTC_GRAPH_SEGMENTS_SEGMENT_CHOICES_H

#include "graph/segments/chains.h"
#include "graph_pass.h"

/* Of a stage that ends a chain in segments. */
struct segment_choice {
    const struct chain *chain; /* NULL: it ends none */
    int64_t size;              /* of segments */
    int64_t room;              /* places that are left behind the segments at least */
    int64_t most_lines;        /* for which there are segments; 0: any number */
    bool few;                  /* lines beside each other */
    /* another such stage, whose samples the chain reads segment by segment; NULL: it reads
     * memory */
    const struct stage *before;
    bool keeps;    /* others read its samples so */
    int64_t panel; /* lines side by side, as many as segments of those have places; 0: any number */
};

struct segment_choices {
    const struct graph *in;
    struct pass_context *context;
    const struct stage_readers *readers;
    size_t recurrences;            /* of the graph */
    struct segment_choice *choice; /* by stage */
    bool *inside;                  /* by stage: of a chain, whether that is in segments or not */
    bool *replaced;                /* by stage: of one that is */
    bool any;
};

struct segment_choices segment_choices_of(const struct graph *in, struct pass_context *context);

/* segment_tiles.c: chooses chains that are computed with the tiles of others, when all chains are
 * known. */
void segment_choose_tiles(struct segment_choices *c);

#endif
