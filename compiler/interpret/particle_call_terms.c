/* Terms of what calls of the runtime write: what is moved keeps its term, what is computed is a
 * function of all that the call is given. */
#include "interpret/particle_call_terms.h"

#include "flt/particles.h"
#include "graph/graph.h"
#include "interpret/particle_terms.h"

#include <string.h>

struct cells {
    const struct flt_apr *apr;
    size_t count, pixels;
    uint8_t *level;    /* of each */
    uint8_t *at_pixel; /* the level there */
    int32_t *place[FLT_APR_AXES];
};

static size_t pixels_of(const int32_t extent[])
{
    return (size_t)extent[0] * (size_t)extent[1] * (size_t)extent[2];
}

static struct cells cells_of(struct arena *arena, const struct samples *structure)
{
    struct cells cells = {.apr = (const void *)structure->data};
    int64_t count = 0;
    flt_apr_cell_count(cells.apr, &count);
    cells.count = (size_t)count;
    cells.pixels = pixels_of(cells.apr->extent[cells.apr->levels]);
    cells.level = ARENA_ARRAY(arena, uint8_t, cells.count + 1);
    cells.at_pixel = ARENA_ARRAY(arena, uint8_t, cells.pixels + 1);
    for (int a = 0; a < FLT_APR_AXES; a++)
        cells.place[a] = ARENA_ARRAY(arena, int32_t, cells.count + 1);
    flt_apr_cell_levels(cells.apr, cells.level, 1);
    flt_apr_cell_places(cells.apr, cells.place[0], cells.place[1], cells.place[2], 1);
    flt_apr_spread(cells.apr, cells.level, 1, cells.at_pixel, 1);
    return cells;
}

static struct value sample_at(const struct samples *samples, size_t i)
{
    struct value value =
        value_read(samples->data + i * scalar_info[samples->scalar].bytes, samples->scalar);
    value.term = samples->term ? samples->term[i] : NULL;
    return value;
}

static void give(struct particle_arguments *arguments, const struct samples *samples, size_t first,
                 size_t count)
{
    for (size_t i = first; i < first + count; i++)
        particle_argument(arguments, sample_at(samples, i));
}

static void give_levels(struct particle_arguments *arguments, const struct cells *cells)
{
    for (size_t i = 0; i < cells->pixels; i++)
        particle_argument_number(arguments, cells->at_pixel[i]);
}

/* The value of the particle in each pixel. */
static void give_spread(struct particle_arguments *arguments, const struct cells *cells,
                        const struct samples *values)
{
    const int32_t *extent = cells->apr->extent[cells->apr->levels];
    int64_t *particle = ARENA_ARRAY(arguments->arena, int64_t, cells->count + 1);
    int64_t *at_pixel = ARENA_ARRAY(arguments->arena, int64_t, pixels_of(extent) + 1);
    for (size_t i = 0; i < cells->count; i++)
        particle[i] = (int64_t)i;
    flt_apr_spread(cells->apr, particle, sizeof *particle, at_pixel, 1);
    for (size_t i = 0; i < cells->pixels; i++)
        particle_argument(arguments, sample_at(values, (size_t)at_pixel[i]));
}

/* Numbers, or what nothing may read any more. */
static void set_all(const struct samples *samples, const struct expr *term)
{
    const size_t count = samples_count(samples);
    for (size_t i = 0; i < count; i++)
        samples->term[i] = term;
}

static void set_cells(const struct particle_arguments *arguments, const char *function,
                      const struct cells *cells, const struct samples *values)
{
    const struct value applied = particle_terms_apply(arguments, function);
    for (size_t i = 0; i < cells->count; i++) {
        int64_t place[FLT_APR_AXES];
        for (int a = 0; a < FLT_APR_AXES; a++)
            place[a] = (int64_t)cells->place[a][i] << (cells->apr->levels - cells->level[i]);
        values->term[i] = particle_terms_cell(arguments, applied, place);
    }
}

static void convolve(struct particle_arguments *arguments, const struct samples *const given[])
{
    const struct cells cells = cells_of(arguments->arena, given[0]);
    const struct samples *values = given[1], *results = given[2], *kernel = given[3],
                         *form = given[4];
    size_t weights = 1;
    for (size_t i = 0; i < samples_count(form); i++)
        particle_argument_number(arguments, sample_at(form, i).integer);
    for (size_t a = 0; a < FLT_APR_AXES; a++)
        weights *= (size_t)sample_at(form, a).integer;
    give(arguments, kernel, 0, weights);
    give_levels(arguments, &cells);
    give_spread(arguments, &cells, values);
    set_cells(arguments, "convolution", &cells, results);
}

static void means(struct particle_arguments *arguments, const struct samples *const given[])
{
    const struct cells cells = cells_of(arguments->arena, given[0]);
    give_levels(arguments, &cells);
    give(arguments, given[1], 0, cells.pixels);
    set_cells(arguments, "means", &cells, given[2]);
}

/* Pixels, settings, and guides with what says which of them there are; the pixels are lost. */
static void place(struct particle_arguments *arguments, const struct samples *const given[],
                  bool guided)
{
    const size_t pixels = samples_count(given[0]);
    give(arguments, given[1], 0, PARTICLE_SETTINGS);
    give(arguments, given[0], 0, pixels);
    for (size_t g = 0; g < PARTICLE_GUIDES; g++) {
        const bool is_given = guided && sample_at(given[3], g).integer;
        particle_argument_number(arguments, is_given);
        if (is_given)
            give(arguments, given[2], g * pixels, pixels);
    }
    particle_terms_place(arguments, "placement");
    set_all(given[0], terms_unneeded(arguments->terms, given[0]->scalar));
}

static void place_given(struct particle_arguments *arguments, const struct samples *levels)
{
    give(arguments, levels, 0, samples_count(levels));
    particle_terms_place(arguments, "placement by levels");
    set_all(levels, NULL);
}

void particle_call_terms(struct terms *terms, enum particle_call call,
                         const struct samples *const given[], const int64_t first[],
                         const int64_t extent[])
{
    struct particle_arguments arguments = {
        .terms = terms, .arena = terms_scratch(terms), .scalar = SCALAR_F32};
    switch (call) {
    case PARTICLES_PLACE:
    case PARTICLES_PLACE_GUIDED:
        place(&arguments, given, call == PARTICLES_PLACE_GUIDED);
        break;
    case PARTICLES_PLACE_GIVEN:
        arguments.scalar = SCALAR_U8;
        place_given(&arguments, given[0]);
        break;
    case PARTICLES_COUNT:
    case PARTICLES_LEVELS:
        set_all(given[1], NULL);
        break;
    case PARTICLES_MEANS:
        means(&arguments, given);
        break;
    case PARTICLES_GATHER:
        flt_apr_cell_gather((const void *)given[0]->data, given[1]->term, sizeof *given[1]->term,
                            given[2]->term, 1);
        break;
    case PARTICLES_CONVOLVE:
        convolve(&arguments, given);
        break;
    case PARTICLES_SPREAD:
        flt_apr_spread_part(first, extent, given[0]->term, (const void *)given[1]->data,
                            given[2]->term, sizeof *given[2]->term, 1);
        break;
    case PARTICLE_CALLS:
        break;
    }
    arena_destroy(arguments.arena);
}
