/* One step of Richardson and Lucy on particles, by functions of the runtime. */
#include "flt/particles.h"

/* value, out: of each particle; the step begins with 1. blur, back: kernels of 7 x 7 x 7, each the
 * other one mirrored. work: two more arrays. room: as for flt_apr_cell_convolve. */
void richardson_lucy_step(const struct flt_apr *apr, const float *value, float *out, float *work[2],
                          const float *blur, const float *back, void *room, size_t bytes,
                          int threads)
{
    static const int32_t form[] = {
        7, 7, 7, FLT_APR_REFLECT101, FLT_APR_REFLECT101, FLT_APR_REFLECT101, FLT_APR_RESTRICTED};
    int64_t count;
    flt_apr_cell_count(apr, &count);
#pragma omp parallel for num_threads(threads)
    for (int64_t i = 0; i < count; i++)
        out[i] = 1;
    flt_apr_cell_convolve(apr, out, work[0], blur, form, room, bytes, threads);
#pragma omp parallel for num_threads(threads)
    for (int64_t i = 0; i < count; i++)
        work[0][i] = value[i] / work[0][i];
    flt_apr_cell_convolve(apr, work[0], work[1], back, form, room, bytes, threads);
#pragma omp parallel for num_threads(threads)
    for (int64_t i = 0; i < count; i++)
        out[i] *= work[1][i];
}
