/* Particles that a caller gives, written down slowly: which levels make sense, and what values mean
 * on them. Images of fewer axes have an extent of 1 in front. */
#include "interpret/interpret_given.h"

#include "interpret/particle_definition.h"
#include "interpret/particle_terms.h"

struct given {
    struct evaluator *evaluator;
    const struct stage *stage;
    const struct samples *samples;
    unsigned missing; /* axes */
    int64_t n[AXES];
    int levels; /* the greatest */
};

static struct given given_of(struct evaluator *evaluator, const struct stage *stage,
                             const struct samples *samples)
{
    struct given g = {.evaluator = evaluator,
                      .stage = stage,
                      .samples = samples,
                      .missing = AXES - stage->rank,
                      .n = {1, 1, 1}};
    for (unsigned k = 0; k < stage->rank; k++)
        g.n[g.missing + k] = samples->extent[k];
    g.levels = greatest_level_of(g.n);
    return g;
}

/* The value of the tape at a place. */
static struct value value_at(const struct given *g, struct tape *tape, const int64_t place[])
{
    for (unsigned k = 0; k < g->stage->rank; k++)
        evaluator_set(g->evaluator, g->stage->axis[k].variable,
                      (struct value){.integer = g->samples->first[k] + place[g->missing + k]});
    return tape_run(g->evaluator, tape);
}

static bool next_place(const int64_t first[], const int64_t end[], int64_t place[])
{
    for (int a = AXES; a-- > 0;) {
        if (++place[a] < end[a])
            return true;
        place[a] = first[a];
    }
    return false;
}

/* Whether all places of the box have levels from least to greatest. */
static bool are_levels(const struct given *g, struct tape *level, const int64_t first[],
                       const int64_t end[], int64_t least, int64_t greatest)
{
    int64_t place[AXES] = {first[0], first[1], first[2]};
    do {
        const int64_t l = value_at(g, level, place).integer;
        if (l < least || l > greatest)
            return false;
    } while (next_place(first, end, place));
    return true;
}

/* Whether the cell of the place has one level throughout (checked once, at its first pixel) and the
 * levels of the neighbouring pixels differ by at most 1. */
static bool is_right(const struct given *g, struct tape *level, const int64_t place[])
{
    const int64_t own = value_at(g, level, place).integer;
    int64_t cell[AXES], cell_end[AXES], around[AXES], around_end[AXES];
    if (own < 1 || own > g->levels)
        return false;
    for (int a = 0; a < AXES; a++) {
        const int64_t side = (int64_t)1 << (g->levels - own);
        cell[a] = place[a] / side * side;
        cell_end[a] = cell[a] + side < g->n[a] ? cell[a] + side : g->n[a];
        around[a] = place[a] > 0 ? place[a] - 1 : 0;
        around_end[a] = place[a] + 2 < g->n[a] ? place[a] + 2 : g->n[a];
    }
    const bool begins = memcmp(cell, place, sizeof cell) == 0;
    for (int a = 0; a < AXES && !begins; a++)
        cell_end[a] = cell[a] + 1;
    return are_levels(g, level, cell, cell_end, own, own) &&
           are_levels(g, level, around, around_end, own - 1, own + 1);
}

static void write(const struct given *g, struct samples *samples, const int64_t place[],
                  struct value value)
{
    int64_t index[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < g->stage->rank; k++)
        index[k] = samples->first[k] + place[g->missing + k];
    samples_write(samples, index, value);
}

static void note_placement(const struct given *g, struct tape *level)
{
    struct particle_arguments given = {.terms = g->evaluator->terms,
                                       .arena = arena_sibling(g->evaluator->arena),
                                       .scalar = SCALAR_U8};
    const int64_t first[AXES] = {0};
    int64_t place[AXES] = {0};
    do
        particle_argument(&given, value_at(g, level, place));
    while (next_place(first, g->n, place));
    particle_terms_place(&given, "placement by levels");
    arena_destroy(given.arena);
}

void interpret_given_levels(struct evaluator *evaluator, const struct stage *stage,
                            struct samples *samples)
{
    const struct given g = given_of(evaluator, stage, samples);
    struct tape *level = tape_compile(evaluator, stage->value);
    const int64_t first[AXES] = {0};
    int64_t place[AXES] = {0};
    bool right = true;
    do
        right = is_right(&g, level, place);
    while (right && next_place(first, g.n, place));
    memset(place, 0, sizeof place);
    do
        write(&g, samples, place,
              (struct value){.integer = right ? value_at(&g, level, place).integer : g.levels});
    while (next_place(first, g.n, place));
    if (evaluator->terms)
        note_placement(&g, level);
}

void interpret_given_values(struct evaluator *evaluator, const struct stage *stage,
                            struct samples *samples)
{
    const struct given g = given_of(evaluator, stage, samples);
    struct tape *value = tape_compile(evaluator, stage->value);
    struct tape *level = tape_compile(evaluator, stage->binding[0].value);
    const int64_t first[AXES] = {0};
    int64_t place[AXES] = {0};
    do {
        const int64_t side = (int64_t)1 << (g.levels - value_at(&g, level, place).integer);
        const int64_t begin[AXES] = {place[0] / side * side, place[1] / side * side,
                                     place[2] / side * side};
        write(&g, samples, place, value_at(&g, value, begin));
    } while (next_place(first, g.n, place));
}
