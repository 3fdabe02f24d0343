/* group_transforms: graph → graph. Computes consecutive transforms along the same axis in the
 * panels of the last one, if each reads the one before only at its own place. So the operations
 * between a transform and its inverse are done while the lines are in cache. A panel holds one
 * image: if a transform reads two, one stays in memory.
 *   before: stage s [y, x] = transform dct2 along y …      stage t [y, x] = transform dct3 along y of if(abs(s[y, x]) > 0.1, s[y, x], 0)
 *   after:  stage s [y, x] = … compute at t                stage t [y, x] = … */
#include "graph_pass.h"
#include "graph/placement/choose.h"
#include "graph/readers.h"

struct grouping {
    const struct graph *in;
    struct pass_context *context;
    const struct stage_readers *readers;
    stage_id *sink; /* by stage: of the group; itself: it is in none, or the last one */
    bool *follows;  /* by stage: another one is before it in the panel */
    bool *apart;    /* by stage: by chance it is not in the panels where it could be */
};

/* ---- What goes together ---- */

struct own_reads {
    const struct stage *reader, *stage;
    bool all;
};

static void check_read(const struct expr *node, void *user)
{
    struct own_reads *own = user;
    if (node->kind != EXPR_LOAD || node->as.load.source != own->stage->id.index)
        return;
    const unsigned axes = stage_transformed_axes(own->reader);
    for (unsigned k = 0; k < axes; k++)
        own->all = own->all && node->operand[k] == own->reader->axis[k].variable;
    for (unsigned k = axes; k < node->count; k++) /* of the parts */
        own->all = own->all && node->operand[k]->kind == EXPR_INTEGER;
}

static bool reads_own_places(const struct grouping *g, const struct stage *reader,
                             const struct stage *stage)
{
    struct own_reads own = {reader, stage, true};
    stage_nodes(reader, g->context->scratch, check_read, &own);
    return own.all;
}

static bool have_same_lines(const struct stage *a, const struct stage *b)
{
    bool same =
        a->rank == b->rank && a->element == b->element &&
        a->as.transform.axis == b->as.transform.axis &&
        stage_transformed_axes(a) == stage_transformed_axes(b) &&
        transform_together(a->as.transform.kind) == transform_together(b->as.transform.kind);
    for (unsigned k = 0; same && k < a->rank; k++)
        same = a->axis[k].computed_first == b->axis[k].computed_first &&
               a->axis[k].computed_extent == b->axis[k].computed_extent;
    return same;
}

static bool is_left_apart(const struct stage *stage)
{
    return (stage->schedule && stage->schedule->placement == PLACED_ROOT) || stage_says_any(stage);
}

static bool is_apart_by_chance(const struct grouping *g, const struct stage *stage)
{
    return stage->kind == STAGE_TRANSFORM && !stage->schedule && !stage->is_made &&
           !choose_whether(g->context, stage->id.index, CHOICE_TRANSFORMS_TOGETHER, true);
}

/* Why a transform is not computed in the panels of a reader; NULL: it can be. */
static const char *reason_of_panels(const struct grouping *g, const struct stage *stage)
{
    const struct stage_readers *of = &g->readers[stage->id.index];
    const struct stage *reader = of->stages.count == 1 ? of->stages.item[0] : NULL;
    return graph_output_of(g->in, stage->id) ? "it is a result"
           : !reader                         ? "it has several readers, or none"
           : reader->kind != STAGE_TRANSFORM ? "the stage that reads it is no transform"
           : !have_same_lines(stage, reader)
               ? "its lines are not those of the transform that reads it"
           : reader->repeat != stage->repeat     ? "it is read in another repeat"
           : g->follows[reader->id.index]        ? "another transform goes on in that panel"
           : is_left_apart(stage)                ? "its schedule wants it by itself"
           : !reads_own_places(g, reader, stage) ? "it is read at other places than its own"
                                                 : NULL;
}

/* The transform in whose panels the stage can be computed; NULL: there is none. */
static const struct stage *next_of(const struct grouping *g, const struct stage *stage)
{
    const char *reason = stage->kind == STAGE_TRANSFORM ? reason_of_panels(g, stage) : NULL;
    if (reason)
        decline(g->context, stage, REMARK_PLACE, "%s", reason);
    return stage->kind == STAGE_TRANSFORM && !reason ? g->readers[stage->id.index].stages.item[0]
                                                     : NULL;
}

/* ---- The graph ---- */

const struct graph *group_transforms(const struct graph *in, struct pass_context *context)
{
    struct grouping g = {in,
                         context,
                         graph_readers(in, context->scratch),
                         ARENA_ARRAY(context->scratch, stage_id, in->stages.count + 1),
                         ARENA_ARRAY(context->scratch, bool, in->stages.count + 1),
                         ARENA_ARRAY(context->scratch, bool, in->stages.count + 1)};
    bool any = false;
    for (size_t i = in->stages.count; i-- > 0;) {
        const struct stage *stage = in->stages.item[i], *next = next_of(&g, stage);
        any = any || next || stage_is_in_panels(stage);
        g.apart[i] = next && is_apart_by_chance(&g, stage);
        next = g.apart[i] ? NULL : next;
        g.sink[i] = next ? g.sink[next->id.index] : stage->id;
        if (next)
            decline(context, stage, REMARK_PLACE, "its panels end in '%s'",
                    in->stages.item[g.sink[i].index]->name->text);
        if (next)
            g.follows[next->id.index] = true;
    }
    if (!any)
        return in;
    struct graph *out = graph_copy_without_stages(context->output, in);
    for (size_t i = 0; i < in->stages.count; i++) {
        struct stage stage = *in->stages.item[i];
        struct schedule at = {.placement = g.apart[i] ? PLACED_ROOT : PLACED_AT, .at = g.sink[i]};
        if (stage.schedule)
            at.span = stage.schedule->span;
        if (g.apart[i] || at.at.index != i)
            stage.schedule = arena_copy(context->output, &at, sizeof at);
        else if (stage_is_in_panels(&stage))
            stage.schedule = NULL;
        graph_add_stage(context->output, out, stage);
    }
    return out;
}
