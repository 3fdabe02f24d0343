/* Rebuilding a graph stage by stage, for passes that replace some stages. */
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
/* Turns reads of the old graph into reads of the new one. */
const struct expr *rebuild_reads(const struct rebuild *r, const struct expr *value);
/* Keeps the stage, with its reads renumbered. results: maps nodes of its expressions to
 * replacements in the new graph; or NULL. */
void rebuild_keep(struct rebuild *r, const struct stage *stage, const struct hash_map *results);
/* The same for a stage that is changed before it is added: renumbers its reads, its own among them,
 * as of the stage that is added next. */
struct stage rebuild_stage(struct rebuild *r, const struct stage *stage,
                           const struct hash_map *results);
stage_id rebuild_add(struct rebuild *r, struct stage stage);
/* Readers of the stage will read the stage `by` of the new graph. */
void rebuild_replace(struct rebuild *r, const struct stage *stage, uint32_t by);
const struct graph *rebuild_end(struct rebuild *r);

#endif
