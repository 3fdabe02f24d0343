/* A graph that is made anew, stage by stage, for passes that put other stages in the place of
 * some. */
#ifndef FLTC_GRAPH_REBUILD_H
#define FLTC_GRAPH_REBUILD_H

#include "graph_pass.h"

struct rebuild {
    const struct graph *in;
    struct graph *out;
    struct pass_context *context;
    uint32_t *new_id; /* by stage: its new number; while it is made anew, the next one */
};

struct rebuild rebuild_begin(const struct graph *in, struct pass_context *context);
/* Reads of the graph as it was become reads of the one that is made. */
const struct expr *rebuild_reads(const struct rebuild *r, const struct expr *value);
/* The stage as it is, with reads of what is made. results: nodes of its expressions → what stands
 * in their place, of the new graph; or NULL. */
void rebuild_keep(struct rebuild *r, const struct stage *stage, const struct hash_map *results);
/* The same of a stage that is changed before it is added: with reads of what is made, its own among
 * them, as the next one that is added. */
struct stage rebuild_stage(struct rebuild *r, const struct stage *stage,
                           const struct hash_map *results);
stage_id rebuild_add(struct rebuild *r, struct stage stage);
/* What reads the stage reads that one of the new graph. */
void rebuild_replace(struct rebuild *r, const struct stage *stage, uint32_t by);
const struct graph *rebuild_end(struct rebuild *r);

#endif
