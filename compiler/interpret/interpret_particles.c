/* Stages of adaptive images: evaluates their expressions at all places, and gives the volumes to
 * the definition. */
#include "interpret/interpret_particles.h"

#include "interpret/particle_definition.h"

#include <string.h>

static void set_levels(struct definition *d, const int64_t n[])
{
    d->levels = greatest_level_of(n);
    memcpy(d->extent[d->levels], n, sizeof d->extent[0]);
    for (int l = d->levels; l > 0; l--)
        volume_half(d->extent[l], d->extent[l - 1]);
}

/* Values of an expression of the stage at all of its places. */
static struct volume volume_of(struct definition *d, struct evaluator *evaluator,
                               const struct stage *stage, const struct samples *samples,
                               const struct expr *value)
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
    }
    return v;
}

static struct volume run_convolution(struct definition *d, struct evaluator *evaluator,
                                     const struct stage *stage, const struct volume *level,
                                     const struct volume *value, const struct samples *kernel)
{
    const size_t weights = kernel ? samples_count(kernel) : stage->binding_count - CONVOLVE_WEIGHT;
    float *weight = ARENA_ARRAY(d->arena, float, weights + 1);
    struct convolution c = {.level = level,
                            .value = value,
                            .weight = weight,
                            .coarser = (int)stage->binding[CONVOLVE_COARSER].value->as.integer};
    for (int a = 0; a < AXES; a++) {
        c.extent[a] = evaluate_once(evaluator, stage->binding[CONVOLVE_EXTENT + a].value).integer;
        c.border[a] = (int)stage->binding[CONVOLVE_BORDER + a].value->as.integer;
    }
    for (size_t i = 0; i < weights; i++)
        weight[i] =
            kernel
                ? (float)value_real(kernel->scalar,
                                    value_read(kernel->data + i * scalar_info[kernel->scalar].bytes,
                                               kernel->scalar))
                : (float)value_real(
                      SCALAR_F32,
                      evaluate_once(evaluator, stage->binding[CONVOLVE_WEIGHT + i].value));
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

const char *interpret_particles(struct evaluator *evaluator, const struct stage *stage,
                                struct samples *samples, struct samples *source)
{
    struct definition d = {.arena = arena_create()};
    int64_t n[AXES] = {1, 1, 1};
    const unsigned missing = AXES - stage->rank;
    for (unsigned k = 0; k < stage->rank; k++)
        n[missing + k] = samples->extent[k];
    set_levels(&d, n);
    struct volume result = {.at = NULL};
    if (stage->kind != STAGE_STENCIL_CELLS)
        result = volume_of(&d, evaluator, stage, samples, stage->value);
    if (stage->kind == STAGE_TO_PARTICLES) {
        for (unsigned i = 0; i < PARTICLE_SETTINGS; i++)
            d.setting[i] =
                (float)value_real(SCALAR_F32, evaluate_once(evaluator, stage->binding[i].value));
        for (unsigned g = 0; PARTICLE_SETTINGS + g < stage->binding_count; g++) {
            const struct expr *value = stage->binding[PARTICLE_SETTINGS + g].value;
            if (value->scalar != SCALAR_BOOL)
                d.guide[g] = volume_of(&d, evaluator, stage, samples, value);
        }
        define_levels(&d, &result);
    } else {
        const struct volume level =
            volume_of(&d, evaluator, stage, samples, stage->binding[0].value);
        if (stage->kind == STAGE_CELL_MEANS)
            define_means(&d, &level, &result);
        else if (stage->kind == STAGE_STENCIL_CELLS)
            result = run_stencil(&d, evaluator, stage, &level, source);
        else
            result = run_convolution(&d, evaluator, stage, &level, &result, source);
    }
    for (size_t i = 0; i < volume_places(n); i++) {
        int64_t p[AXES], index[GRAPH_MAX_RANK];
        volume_place(n, i, p);
        for (unsigned k = 0; k < stage->rank; k++)
            index[k] = samples->first[k] + p[missing + k];
        samples_write(samples, index,
                      stage->kind == STAGE_TO_PARTICLES
                          ? (struct value){.integer = (int64_t)result.at[i]}
                          : value_from_real(SCALAR_F32, (long double)result.at[i]));
    }
    arena_destroy(d.arena);
    return NULL;
}
