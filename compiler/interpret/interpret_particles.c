/* Stages of adaptive images: evaluates their expressions at all places, and gives the volumes to
 * the definition. */
#include "interpret/interpret_particles.h"

#include "interpret/particle_definition.h"
#include "interpret/particle_terms.h"

#include <string.h>

static void set_levels(struct definition *d, const int64_t n[])
{
    d->levels = greatest_level_of(n);
    memcpy(d->extent[d->levels], n, sizeof d->extent[0]);
    for (int l = d->levels; l > 0; l--)
        volume_half(d->extent[l], d->extent[l - 1]);
}

/* Values of an expression of the stage at all of its places. arguments: where they are noted along
 * with their terms, or NULL. */
static struct volume volume_of(struct definition *d, struct evaluator *evaluator,
                               const struct stage *stage, const struct samples *samples,
                               const struct expr *value, struct particle_arguments *arguments)
{
    struct volume v = volume_create(d->arena, d->extent[d->levels]);
    struct tape *tape = tape_compile(evaluator, value);
    const unsigned missing = AXES - stage->rank;
    for (size_t i = 0; i < volume_places(v.n); i++) {
        int64_t p[AXES];
        volume_place(v.n, i, p);
        for (unsigned k = 0; k < stage->rank; k++)
            evaluator_set(evaluator, stage->axis[k].variable,
                          (struct value){.integer = samples->first[k] + p[missing + k]});
        const struct value at = tape_run(evaluator, tape);
        v.at[i] = scalar_is_float(value->scalar) ? (float)value_real(value->scalar, at)
                                                 : (float)at.integer;
        if (arguments)
            particle_argument(arguments, at);
    }
    return v;
}

/* The cell of a pixel, which has the level at that pixel, begins here. */
static void cell_begin(const struct definition *d, const struct volume *level, size_t i,
                       int64_t place[])
{
    const int shift = d->levels - (int)level->at[i];
    volume_place(level->n, i, place);
    for (int a = 0; a < AXES; a++)
        place[a] = place[a] >> shift << shift;
}

static void give_levels(struct particle_arguments *arguments, const struct volume *level)
{
    for (size_t i = 0; i < volume_places(level->n); i++)
        particle_argument_number(arguments, (int64_t)level->at[i]);
}

/* At each pixel, of all of which there are the values, that of where its cell begins. */
static void give_cells(struct particle_arguments *arguments, const struct definition *d,
                       const struct volume *level, const struct particle_arguments *values)
{
    for (size_t i = 0; i < volume_places(level->n); i++) {
        int64_t p[AXES];
        cell_begin(d, level, i, p);
        particle_argument(arguments,
                          values->all.item[(p[0] * level->n[1] + p[1]) * level->n[2] + p[2]]);
    }
}

static struct value weight_of(struct evaluator *evaluator, const struct stage *stage,
                              const struct samples *kernel, size_t i)
{
    if (!kernel)
        return evaluate_once(evaluator, stage->binding[CONVOLVE_WEIGHT + i].value);
    struct value weight =
        value_read(kernel->data + i * scalar_info[kernel->scalar].bytes, kernel->scalar);
    weight.term = kernel->term ? kernel->term[i] : NULL;
    return weight;
}

static struct volume run_convolution(struct definition *d, struct evaluator *evaluator,
                                     const struct stage *stage, const struct volume *level,
                                     const struct volume *value, const struct samples *kernel,
                                     struct particle_arguments *given)
{
    const size_t weights = kernel ? samples_count(kernel) : stage->binding_count - CONVOLVE_WEIGHT;
    const enum scalar scalar = kernel ? kernel->scalar : SCALAR_F32;
    float *weight = ARENA_ARRAY(d->arena, float, weights + 1);
    struct convolution c = {.level = level,
                            .value = value,
                            .weight = weight,
                            .coarser = (int)stage->binding[CONVOLVE_COARSER].value->as.integer};
    for (int a = 0; a < AXES; a++) {
        c.extent[a] = evaluate_once(evaluator, stage->binding[CONVOLVE_EXTENT + a].value).integer;
        c.border[a] = (int)stage->binding[CONVOLVE_BORDER + a].value->as.integer;
    }
    for (int i = CONVOLVE_EXTENT; given && i < CONVOLVE_WEIGHT; i++)
        particle_argument_number(given, evaluate_once(evaluator, stage->binding[i].value).integer);
    for (size_t i = 0; i < weights; i++) {
        const struct value w = weight_of(evaluator, stage, kernel, i);
        weight[i] = (float)value_real(scalar, w);
        if (given)
            particle_argument(given, w);
    }
    return define_convolution(d, &c);
}

/* The samples of a level's grid, of the type and under the axes of the whole. */
static struct samples samples_of_grid(struct definition *d, const struct samples *whole,
                                      const struct volume *grid)
{
    struct samples samples = {.scalar = whole->scalar, .rank = whole->rank};
    const unsigned bytes = scalar_info[whole->scalar].bytes;
    for (unsigned k = 0; k < whole->rank; k++) {
        samples.first[k] = whole->first[k];
        samples.extent[k] = grid->n[AXES - whole->rank + k];
    }
    samples.data = ARENA_ARRAY(d->arena, unsigned char, volume_places(grid->n) * bytes + 1);
    for (size_t i = 0; i < volume_places(grid->n); i++)
        value_write(samples.data + i * bytes, whole->scalar,
                    value_from_real(whole->scalar, (long double)grid->at[i]));
    return samples;
}

/* In f32. */
static struct volume volume_of_samples(struct definition *d, const struct samples *samples)
{
    struct volume volume = volume_create(d->arena, d->extent[d->levels]);
    const unsigned bytes = scalar_info[samples->scalar].bytes;
    for (size_t i = 0; i < volume_places(volume.n); i++)
        volume.at[i] = (float)value_real(samples->scalar,
                                         value_read(samples->data + i * bytes, samples->scalar));
    return volume;
}

/* The value at each cell of a level in which there is a particle, over the grid of that level. */
static void run_level_of_stencil(const struct convolution *c, struct evaluator *evaluator,
                                 const struct stage *stage, const int64_t first[],
                                 struct tape *value, struct volume *result)
{
    for (size_t i = 0; i < volume_places(result->n); i++) {
        int64_t p[AXES];
        volume_place(result->n, i, p);
        if ((int)c->level->at[i] != c->l)
            continue;
        for (unsigned k = 0; k < stage->rank; k++)
            evaluator_set(
                evaluator, stage->axis[k].variable,
                (struct value){.integer = first[k] + (p[AXES - stage->rank + k] >> c->shift)});
        result->at[i] = (float)value_real(SCALAR_F32, tape_run(evaluator, value));
    }
}

/* source: what the value reads, which is for each level the grid of that one. */
static struct volume run_stencil(struct definition *d, struct evaluator *evaluator,
                                 const struct stage *stage, const struct volume *level,
                                 struct samples *source)
{
    const struct samples whole = *source;
    const struct volume value = volume_of_samples(d, &whole);
    struct convolution c = {.level = level, .value = &value};
    struct volume result = volume_create(d->arena, value.n);
    struct tape *tape = tape_compile(evaluator, stage->value);
    for (c.l = d->levels; c.l >= 1; c.l--) {
        c.shift = d->levels - c.l;
        c.grid = define_grid(d, &c, c.l == d->levels ? &value : &c.grid, c.l);
        *source = samples_of_grid(d, &whole, &c.grid);
        run_level_of_stencil(&c, evaluator, stage, whole.first, tape, &result);
    }
    *source = whole;
    return result;
}

/* The levels, by the value at all pixels. */
static struct volume place(struct definition *d, struct evaluator *evaluator,
                           const struct stage *stage, const struct samples *samples,
                           struct particle_arguments *given)
{
    for (unsigned i = 0; i < PARTICLE_SETTINGS; i++) {
        const struct value setting = evaluate_once(evaluator, stage->binding[i].value);
        d->setting[i] = (float)value_real(SCALAR_F32, setting);
        if (given)
            particle_argument(given, setting);
    }
    struct volume result = volume_of(d, evaluator, stage, samples, stage->value, given);
    for (unsigned g = 0; g < PARTICLE_GUIDES; g++) {
        const bool has = PARTICLE_SETTINGS + g < stage->binding_count;
        const struct expr *value = has ? stage->binding[PARTICLE_SETTINGS + g].value : NULL;
        const bool is_given = has && value->scalar != SCALAR_BOOL;
        if (given)
            particle_argument_number(given, is_given);
        if (is_given)
            d->guide[g] = volume_of(d, evaluator, stage, samples, value, given);
    }
    define_levels(d, &result);
    if (given)
        particle_terms_place(given, "placement");
    return result;
}

/* The values on particles of these levels. */
static struct volume run_on_cells(struct definition *d, struct evaluator *evaluator,
                                  const struct stage *stage, const struct samples *samples,
                                  struct samples *source, const struct volume *level,
                                  struct particle_arguments *given)
{
    struct particle_arguments values = {.arena = d->arena};
    if (stage->kind == STAGE_STENCIL_CELLS) {
        if (given)
            terms_uncover(given->terms, UNCOVERED_PARTICLES);
        return run_stencil(d, evaluator, stage, level, source);
    }
    struct volume result = volume_of(d, evaluator, stage, samples, stage->value, &values);
    if (stage->kind == STAGE_CONVOLVE_CELLS)
        result = run_convolution(d, evaluator, stage, level, &result, source, given);
    else
        define_means(d, level, &result);
    if (given) {
        give_levels(given, level);
        if (stage->kind == STAGE_CONVOLVE_CELLS)
            give_cells(given, d, level, &values);
        else
            for (size_t i = 0; i < values.all.count; i++)
                particle_argument(given, values.all.item[i]);
    }
    return result;
}

const char *interpret_particles(struct evaluator *evaluator, const struct stage *stage,
                                struct samples *samples, struct samples *source)
{
    struct definition d = {.arena = arena_sibling(evaluator->arena)};
    struct particle_arguments arguments = {
        .terms = evaluator->terms, .arena = d.arena, .scalar = SCALAR_F32};
    struct particle_arguments *given = evaluator->terms ? &arguments : NULL;
    const bool places = stage->kind == STAGE_TO_PARTICLES;
    struct volume result, level = {.at = NULL};
    struct value applied = {.term = NULL};
    int64_t n[AXES] = {1, 1, 1};
    const unsigned missing = AXES - stage->rank;
    for (unsigned k = 0; k < stage->rank; k++)
        n[missing + k] = samples->extent[k];
    set_levels(&d, n);
    if (places) {
        result = place(&d, evaluator, stage, samples, given);
    } else {
        level = volume_of(&d, evaluator, stage, samples, stage->binding[0].value, NULL);
        result = run_on_cells(&d, evaluator, stage, samples, source, &level, given);
        if (given)
            applied = particle_terms_apply(given, stage->kind == STAGE_CELL_MEANS ? "means"
                                                                                  : "convolution");
    }
    for (size_t i = 0; i < volume_places(n); i++) {
        int64_t p[AXES], index[GRAPH_MAX_RANK];
        struct value value = {.integer = (int64_t)result.at[i]};
        volume_place(n, i, p);
        for (unsigned k = 0; k < stage->rank; k++)
            index[k] = samples->first[k] + p[missing + k];
        if (!places)
            value = value_from_real(SCALAR_F32, (long double)result.at[i]);
        if (!places && given) {
            cell_begin(&d, &level, i, p);
            value.term = particle_terms_cell(given, applied, p);
        }
        samples_write(samples, index, value);
    }
    arena_destroy(d.arena);
    return NULL;
}
