/* The convolution of values of particles: sums of windows by functions for this processor. */
#include "particles/internal.h"

typedef float lanes __attribute__((vector_size(64)));
typedef float lanes_anywhere __attribute__((vector_size(64), aligned(4), may_alias));

#define BODY "particles/sums_body.h"
#include "particles/for_processors.h"

static bool has_particles(const struct flt_apr *apr, int l)
{
    const uint64_t *row = apr->particles.row[l];
    return row[0] != row[(int64_t)apr->extent[l][AXIS_Z] * apr->extent[l][AXIS_Y]];
}

void flt_apr_cell_convolve(const struct flt_apr *apr, const float *value, float *out,
                           const float kernel[], const int32_t form[], void *room, size_t bytes,
                           int threads)
{
    struct room given = {room, (char *)room + bytes};
    struct pool pool = pool_in_room(&given);
    const float *weight[FLT_APR_LEVELS + 1] = {NULL};
    struct flt_apr_reach reach[FLT_APR_LEVELS + 1] = {{{0}, {0}}};
    struct flt_apr_windows windows = {
        .reach = reach, .reaches = apr->levels, .border = {form[3], form[4], form[5]}};
    const size_t weights = (size_t)form[0] * (size_t)form[1] * (size_t)form[2];
    for (int shift = 0; shift < apr->levels; shift++) {
        if (!has_particles(apr, apr->levels - shift))
            continue;
        float *own = POOL_ARRAY(&pool, float, weights);
        if (!own)
            return;
        const struct kernel k = kernel_of_level(kernel, form, shift, own);
        weight[shift] = k.weight;
        for (int a = 0; a < FLT_APR_AXES; a++) {
            reach[shift].first[a] = (int32_t)k.first[a];
            reach[shift].extent[a] = (int32_t)k.extent[a];
        }
    }
    flt_apr_cells_each(apr, value, out, &windows, FOR_THIS_PROCESSOR(sums), weight, given.at,
                       (size_t)(given.end - given.at), threads);
}
