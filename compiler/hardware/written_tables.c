#include "hardware/written_tables.h"

struct reads {
    struct arena *scratch;
    const struct stage *image, *reader;
    const unsigned *axis;
    bool any, all_are_of_tables;
};

static void note_load(const struct expr *node, void *found)
{
    *(bool *)found = *(bool *)found || node->kind == EXPR_LOAD;
}

static bool is_data(const struct reads *r, const struct expr *index)
{
    struct expr_walk walk = {.scratch = r->scratch};
    bool found = false;
    expr_visit(&walk, index, note_load, &found);
    return found;
}

/* The index along an axis of the image goes from sample to sample with the reader. */
static bool follows(const struct reads *r, unsigned k, const struct expr *index)
{
    /* a scatter's own axes are not those of the places that it takes samples from */
    bool named = false, moves = r->reader->kind == STAGE_SCATTER;
    for (unsigned i = 0; i < r->reader->rank; i++) {
        named = named || r->reader->axis[i].name == r->image->axis[k].name;
        moves = moves || expr_contains(r->scratch, index, r->reader->axis[i].variable);
    }
    return named || (moves && !is_data(r, index));
}

static void note_read(const struct expr *node, void *context)
{
    struct reads *r = context;
    if (node->kind != EXPR_LOAD || node->as.load.source != r->image->id.index)
        return;
    r->any = true;
    for (unsigned role = 0; role < RASTER_COUNT; role++)
        if (r->axis[role] != NO_AXIS &&
            (r->reader->rank == 0 || follows(r, r->axis[role], node->operand[r->axis[role]])))
            r->all_are_of_tables = false;
}

static bool is_small(const struct stage *image)
{
    int64_t samples = 1;
    for (unsigned k = 0; k < image->rank && samples <= MOST_TABLE_SAMPLES; k++)
        samples *= image->axis[k].computed_extent->as.integer;
    return samples <= MOST_TABLE_SAMPLES;
}

bool image_is_table(struct arena *scratch, const struct graph *graph, const struct stage *image,
                    const unsigned axis[RASTER_COUNT])
{
    struct reads r = {scratch, image, NULL, axis, false, true};
    for (size_t i = 0; i < graph->stages.count; i++) {
        r.reader = graph->stages.item[i];
        if (r.reader->kind != STAGE_INPUT)
            stage_nodes(r.reader, scratch, note_read, &r);
    }
    return r.any && r.all_are_of_tables && is_small(image);
}
