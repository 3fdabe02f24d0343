#include "graph/rebuild.h"

struct rebuild rebuild_begin(const struct graph *in, struct pass_context *context)
{
    return (struct rebuild){in, graph_copy_without_stages(context->output, in), context,
                            ARENA_ARRAY(context->scratch, uint32_t, in->stages.count + 1)};
}

static struct expr_rewriter rewriter_of(const struct rebuild *r, struct renumbering *renumbering)
{
    *renumbering = (struct renumbering){r->context->pool, r->new_id};
    return (struct expr_rewriter){.pool = r->context->pool,
                                  .rule = graph_renumber_read,
                                  .context = renumbering,
                                  .scratch = r->context->scratch};
}

const struct expr *rebuild_reads(const struct rebuild *r, const struct expr *value)
{
    struct renumbering renumbering;
    struct expr_rewriter rewriter = rewriter_of(r, &renumbering);
    return expr_rewrite(&rewriter, value);
}

struct stage rebuild_stage(struct rebuild *r, const struct stage *stage,
                           const struct hash_map *results)
{
    struct renumbering renumbering;
    struct expr_rewriter rewriter = rewriter_of(r, &renumbering);
    if (results)
        rewriter.done = *results;
    r->new_id[stage->id.index] = (uint32_t)r->out->stages.count; /* a recurrence reads itself */
    return stage_rewrite(r->context->output, stage, &rewriter);
}

stage_id rebuild_add(struct rebuild *r, struct stage stage)
{
    return graph_add_stage(r->context->output, r->out, stage);
}

void rebuild_keep(struct rebuild *r, const struct stage *stage, const struct hash_map *results)
{
    rebuild_add(r, rebuild_stage(r, stage, results));
}

void rebuild_replace(struct rebuild *r, const struct stage *stage, uint32_t by)
{
    r->new_id[stage->id.index] = by;
}

const struct graph *rebuild_end(struct rebuild *r)
{
    graph_renumber(r->context->output, r->out, r->new_id);
    return r->out;
}
