/* The bytes of a file: what LibAPR asks of a channel, its rows of particles, its values. Chunks are
 * compressed by Blosc as HDF5's filter of it does. */
#include "particles_file/internal.h"

#include "particles_file/blosc_here.h"
#include <stdio.h>

/* LibAPR's: elements of a chunk, level. */
enum { CHUNK = 100000, BLOSC_LEVEL = 4, BLOSC_ZSTD_NUMBER = 5 };

struct writer {
    struct apr_out *out;
    struct pool pool; /* for what is not kept */
    struct flt_detail *detail;
    enum flt_status status;
};

static bool no_memory(struct writer *w)
{
    if (w->status == FLT_OK)
        w->status =
            apr_file_fail(FLT_NO_MEMORY, w->detail, "there is not enough memory for the file");
    return false;
}

/* ---- Attributes ---- */

static void put_u64(struct apr_header *h, const char *name, uint64_t value)
{
    apr_put_attribute(h, name, APR_WHOLE, 8, value);
}

static void put_i32(struct apr_header *h, const char *name, int32_t value)
{
    apr_put_attribute(h, name, APR_SIGNED, 4, (uint32_t)value);
}

static void put_f32(struct apr_header *h, const char *name, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    apr_put_attribute(h, name, APR_REAL, 4, bits);
}

static void put_extents(struct apr_header *h, const struct flt_apr *apr)
{
    static const char *const names[] = {"z_num", "x_num", "y_num"};
    for (int a = 0; a < FLT_APR_AXES; a++) {
        put_u64(h, names[a], (uint64_t)apr->extent[apr->levels][a]);
        for (int l = 1; l < apr->levels; l++) {
            char name[16];
            snprintf(name, sizeof name, "%s_%d", names[a], l);
            put_i32(h, name, apr->extent[l][a]);
        }
    }
    put_u64(h, "level_min", 1);
    put_u64(h, "level_max", (uint64_t)apr->levels);
    put_u64(h, "total_number_particles", apr->particles.count);
}

static void put_settings(struct apr_header *h, const struct flt_apr_settings *s)
{
    put_f32(h, "rel_error", s->error);
    put_f32(h, "lambda", s->lambda);
    put_f32(h, "sigma_th", s->sigma_min);
    put_f32(h, "sigma_th_max", s->sigma_ignored);
    put_f32(h, "grad_th", s->gradient_min);
    put_f32(h, "I_th", s->intensity_min);
    put_f32(h, "psfx", s->psf);
    put_f32(h, "psfy", s->psf);
    put_f32(h, "psfz", s->psf);
    put_f32(h, "dz", s->spacing[AXIS_Z]);
    put_f32(h, "dx", s->spacing[AXIS_Y]);
    put_f32(h, "dy", s->spacing[AXIS_X]);
    put_f32(h, "noise_sd_estimate", 0);
    put_f32(h, "background_intensity_estimate", 0);
}

/* What LibAPR asks of values: that they are in the order of rows, not compressed with loss. */
static void put_rest(struct apr_header *h)
{
    apr_put_text(h, "name", "no_name");
    put_u64(h, "time_steps", 0);
    put_i32(h, "lzxy_order", 1);
    put_i32(h, "compress_type", 0);
    put_f32(h, "quantization_factor", 0.5f);
    put_f32(h, "compress_background", 1);
}

/* ---- Data sets ---- */

/* What Blosc takes to compress a chunk: two blocks, and a context of Zstandard's, of which 3.6 MB
 * and, for short chunks, 46 times their length were measured. */
static size_t room_to_compress(size_t whole)
{
    enum { CONTEXT = 4 << 20, SLACK = 1 << 18 };
    return 2 * whole + (whole < CONTEXT / 64 ? 64 * whole : CONTEXT) + SLACK;
}

/* room: of two chunks and what Blosc adds; the rest of the last chunk is 0. */
static bool put_chunk(struct writer *w, const char *source, size_t bytes, size_t own, size_t whole,
                      char *room, struct apr_chunk *stored)
{
    if (own < whole) {
        memset(room, 0, whole);
        memcpy(room, source, own);
        source = room;
    }
    if (!apr_malloc_has(room_to_compress(whole)))
        return no_memory(w);
    const int packed =
        blosc_compress_ctx(BLOSC_LEVEL, BLOSC_SHUFFLE, bytes, whole, source, room + whole,
                           whole + BLOSC_MAX_OVERHEAD, BLOSC_ZSTD_COMPNAME, 0, 1);
    if (packed <= 0) {
        w->status = apr_file_fail(FLT_UNSUPPORTED, w->detail,
                                  "the Blosc of this system cannot compress by Zstandard");
        return false;
    }
    *stored = (struct apr_chunk){w->out->length, (uint32_t)packed};
    apr_put(w->out, room + whole, (size_t)packed);
    return !w->out->failed || no_memory(w);
}

/* Returns the object; whether it was put w->status tells. */
static apr_object put_data(struct writer *w, enum apr_kind kind, size_t bytes, uint64_t count,
                           const void *from)
{
    const uint64_t chunk = count < CHUNK ? count : CHUNK, chunks = (count - 1) / chunk + 1;
    const size_t whole = (size_t)chunk * bytes;
    const unsigned filter[APR_BLOSC_NUMBERS] = {
        2,           BLOSC_VERSION_FORMAT, (unsigned)bytes,  (unsigned)whole,
        BLOSC_LEVEL, BLOSC_SHUFFLE,        BLOSC_ZSTD_NUMBER};
    apr_object object = 0;
    void *mark = pool_mark(&w->pool);
    char *room = pool_take(&w->pool, 2 * whole + BLOSC_MAX_OVERHEAD, 1);
    struct apr_chunk *stored = POOL_ARRAY(&w->pool, struct apr_chunk, chunks);
    bool good = (room && stored) || no_memory(w);
    for (uint64_t c = 0; c < chunks && good; c++) {
        const uint64_t first = c * chunk, left = count - first;
        good = put_chunk(w, (const char *)from + first * bytes, bytes,
                         (size_t)(left < chunk ? left : chunk) * bytes, whole, room, &stored[c]);
    }
    if (good)
        object = apr_put_data(w->out, kind, (int)bytes, count, chunk, filter, stored);
    pool_release(&w->pool, mark);
    return object;
}

/* ---- Rows ---- */

static apr_object put_ends(struct writer *w, const struct flt_apr *apr)
{
    uint64_t rows = 0, r = 0;
    for (int l = 1; l <= apr->levels; l++) {
        const struct grid g = apr_grid(apr, l);
        rows += grid_rows(&g);
    }
    void *mark = pool_mark(&w->pool);
    uint64_t *end = POOL_ARRAY(&w->pool, uint64_t, rows + 1);
    if (!end)
        return no_memory(w);
    end[0] = 0;
    for (int l = 1; l <= apr->levels; l++) {
        const struct grid g = apr_grid(apr, l);
        for (uint64_t i = 0; i < grid_rows(&g); i++, r++) {
            const uint64_t first = apr->particles.row[l][i], next = apr->particles.row[l][i + 1];
            const struct flt_apr_run *last = apr->particles.run + next - 1;
            end[r + 1] = first == next ? end[r] : last->at + last->count;
        }
    }
    const apr_object object = put_data(w, APR_WHOLE, sizeof *end, rows + 1, end);
    pool_release(&w->pool, mark);
    return object;
}

static apr_object put_places(struct writer *w, const struct flt_apr *apr)
{
    const struct grid g = apr_grid(apr, apr->levels);
    const uint64_t runs = apr->particles.row[apr->levels][grid_rows(&g)];
    void *mark = pool_mark(&w->pool);
    uint16_t *x = POOL_ARRAY(&w->pool, uint16_t, apr->particles.count);
    if (!x)
        return no_memory(w);
    for (uint64_t i = 0; i < runs; i++) {
        const struct flt_apr_run *run = &apr->particles.run[i];
        for (uint32_t k = 0; k < run->count; k++)
            x[run->at + k] = (uint16_t)(run->first + k);
    }
    const apr_object object = put_data(w, APR_WHOLE, sizeof *x, apr->particles.count, x);
    pool_release(&w->pool, mark);
    return object;
}

/* ---- Channels ---- */

enum { OF_STRUCTURE = 2 };

static enum apr_kind kind_of(enum flt_element element)
{
    if (element == FLT_F32 || element == FLT_F64)
        return APR_REAL;
    return element == FLT_I8 || element == FLT_I16 || element == FLT_I32 || element == FLT_I64
               ? APR_SIGNED
               : APR_WHOLE;
}

static bool put_channel(struct writer *w, const struct flt_apr_channel *c, int leaf,
                        apr_object *object)
{
    const struct flt_apr_settings *settings = c->settings ? c->settings : &flt_apr_usual_settings;
    struct apr_header h = {.out = {.allocator = w->out->allocator}};
    struct apr_member *member =
        POOL_ARRAY(&w->pool, struct apr_member, (uint64_t)c->arrays + OF_STRUCTURE);
    if (!member)
        return no_memory(w);
    member[0] = (struct apr_member){"xz_end_vec", put_ends(w, c->apr)};
    member[1] = (struct apr_member){"y_vec", w->status == FLT_OK ? put_places(w, c->apr) : 0};
    for (int i = 0; i < c->arrays && w->status == FLT_OK; i++) {
        const struct flt_apr_values *v = &c->values[i];
        member[i + OF_STRUCTURE] =
            (struct apr_member){v->name ? v->name : "particles",
                                put_data(w, kind_of(v->element), apr_element_bytes(v->element),
                                         c->apr->particles.count, v->value)};
    }
    if (w->status != FLT_OK)
        return false;
    put_rest(&h);
    put_extents(&h, c->apr);
    put_settings(&h, settings);
    *object = apr_put_group(w->out, &h, member, c->arrays + OF_STRUCTURE, leaf);
    return !w->out->failed || no_memory(w);
}

static bool put_channels(struct writer *w, const struct flt_apr_channel channel[], int channels)
{
    struct apr_header of_root = {.out = {.allocator = w->out->allocator}}, of_all = of_root;
    struct apr_member *member = POOL_ARRAY(&w->pool, struct apr_member, (uint64_t)channels);
    int most = channels;
    for (int i = 0; i < channels; i++)
        most = channel[i].arrays + OF_STRUCTURE > most ? channel[i].arrays + OF_STRUCTURE : most;
    if (!member)
        return no_memory(w);
    apr_begin_file(w->out);
    for (int i = 0; i < channels; i++) {
        member[i].name = channel[i].name ? channel[i].name : "t";
        if (!put_channel(w, &channel[i], apr_leaf_of(most), &member[i].object))
            return false;
    }
    struct apr_member root = {APR_ROOT,
                              apr_put_group(w->out, &of_root, member, channels, apr_leaf_of(most))};
    const apr_object all = apr_put_group(w->out, &of_all, &root, 1, apr_leaf_of(most));
    apr_end_file(w->out, all, apr_leaf_of(most));
    return !w->out->failed || no_memory(w);
}

enum flt_status apr_file_image(const struct flt_apr_channel channel[], int channels,
                               struct apr_out *out, struct flt_detail *detail)
{
    struct writer w = {
        .out = out, .pool = pool_open(&out->allocator), .detail = detail, .status = FLT_OK};
    put_channels(&w, channel, channels);
    pool_release(&w.pool, NULL);
    return w.status;
}
