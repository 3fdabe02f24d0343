#include "command/particles.h"

#include "loop/lower/particle_layout.h"

/* How many particles the kernel that belongs to the structure has counted; 0: none has. */
static double count_of(const struct emitted *emitted, const double counts[],
                       const struct stage *structure)
{
    const char *name = structure->name->text;
    const size_t length = strlen(name);
    for (size_t i = 0; counts && i < emitted->kernels.count; i++) {
        const char *kernel = emitted->kernels.item[i];
        if (strncmp(kernel, name, length) == 0 && strcmp(kernel + length, ".count") == 0)
            return counts[i];
    }
    return 0;
}

static double *bytes_of(const struct graph *graph, const struct stage *stage, double bytes[])
{
    for (size_t i = 0; i < graph->stages.count; i++)
        if (graph->stages.item[i]->name == stage->name)
            return &bytes[i];
    return NULL;
}

void particles_profile(struct profile *profile, const struct graph *graph,
                       const struct graph *scheduled, const struct emitted *emitted,
                       const double counts[], double bytes[])
{
    const struct particle_layout layout = particle_layout_of(scheduled, profile->arena);
    for (size_t i = 0; i < scheduled->stages.count; i++) {
        const struct stage *stage = scheduled->stages.item[i];
        const double count = layout.on[i] ? count_of(emitted, counts, layout.on[i]) : 0;
        double *stored = bytes_of(graph, stage, bytes);
        if (!stored || count == 0)
            continue;
        if (stage_is_structure(stage)) /* a byte for each pixel */
            profile_add_particles(profile, stage->name->text, count, *stored);
        *stored = count * scalar_info[stage->element].bytes;
    }
}
