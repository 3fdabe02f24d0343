/* Which chains are in blocks, in how large ones, and which are computed with the tiles of others. For the pass
 * block_recurrences. */
#ifndef FLTC_GRAPH_BLOCK_CHOICES_H
#define FLTC_GRAPH_BLOCK_CHOICES_H

#include "graph/chains.h"
#include "graph_pass.h"

/* Of a stage that ends a chain in blocks. */
struct block_choice {
    const struct chain *chain; /* NULL: it ends none */
    int64_t size;              /* of blocks */
    int64_t room;              /* places that are left behind the blocks at least */
    int64_t most_lines;        /* for which there are blocks; 0: any number */
    bool few;                  /* lines beside each other */
    const struct stage *
        before; /* another such stage, whose samples the chain reads block by block; NULL: it reads memory */
    bool keeps;    /* others read its samples so */
    int64_t panel; /* lines side by side, as many as blocks of those have places; 0: any number */
};

struct block_choices {
    const struct graph *in;
    struct pass_context *context;
    const struct stage_readers *readers;
    size_t recurrences;          /* of the graph */
    struct block_choice *choice; /* by stage */
    bool *inside;                /* by stage: of a chain, whether that is in blocks or not */
    bool *replaced;              /* by stage: of one that is */
    bool any;
};

struct block_choices block_choices_of(const struct graph *in, struct pass_context *context);

/* block_tiles.c: chooses chains that are computed with the tiles of others, when all chains are known. */
void block_choose_tiles(struct block_choices *c);

#endif
