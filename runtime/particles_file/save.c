/* Channels to a file: what is given is checked, the bytes are made in memory, and put in place. */
#include "particles_file/blosc_here.h"
#include "particles_file/internal.h"
#include "replace.h"

#include <errno.h>

/* ---- What is given ---- */

enum { MOST_OF_EACH = 1000 }; /* channels, and values of each */

static enum flt_status check_values(const struct flt_apr_channel *c, struct flt_detail *detail)
{
    for (int i = 0; i < c->arrays; i++) {
        const char *name = c->values[i].name ? c->values[i].name : "particles";
        if (!c->values[i].value)
            return apr_file_fail(FLT_BAD_ARGUMENT, detail, "values are NULL");
        if (!apr_name_is_right(name) || apr_name_is_taken(name))
            return apr_file_fail(FLT_BAD_ARGUMENT, detail, "values cannot have the name '%s'",
                                 name);
        for (int k = 0; k < i; k++)
            if (strcmp(name, c->values[k].name ? c->values[k].name : "particles") == 0)
                return apr_file_fail(FLT_BAD_ARGUMENT, detail, "two values have the name '%s'",
                                     name);
        if (apr_element_bytes(c->values[i].element) == 0)
            return apr_file_fail(FLT_UNSUPPORTED, detail,
                                 "an .apr file has no values of bool or f16: convert '%s' to u8 or "
                                 "f32",
                                 name);
    }
    return FLT_OK;
}

static enum flt_status check_channel(const struct flt_apr_channel *c, struct flt_detail *detail)
{
    if (c->arrays > MOST_OF_EACH)
        return apr_file_fail(FLT_BAD_ARGUMENT, detail, "there are more than %d values of a channel",
                             MOST_OF_EACH);
    if (!c->apr || c->arrays < 0 || (c->arrays > 0 && !c->values))
        return apr_file_fail(FLT_BAD_ARGUMENT, detail, "a channel has no structure or no values");
    if (c->name && !apr_name_is_right(c->name))
        return apr_file_fail(FLT_BAD_ARGUMENT, detail, "a channel cannot have the name '%s'",
                             c->name);
    for (int a = 0; a < FLT_APR_AXES; a++)
        if (c->apr->extent[c->apr->levels][a] > FLT_APR_FILE_EXTENT)
            return apr_file_fail(FLT_UNSUPPORTED, detail,
                                 "the image has %d samples along %c, an .apr file at most %d: save "
                                 "parts of it",
                                 (int)c->apr->extent[c->apr->levels][a], "zyx"[a],
                                 FLT_APR_FILE_EXTENT);
    return check_values(c, detail);
}

static enum flt_status check(const char *path, const struct flt_apr_channel channel[], int channels,
                             struct flt_detail *detail)
{
    if (!path || !channel || channels < 1)
        return apr_file_fail(FLT_BAD_ARGUMENT, detail, "there is no path, or no channel");
    if (channels > MOST_OF_EACH)
        return apr_file_fail(FLT_BAD_ARGUMENT, detail, "there are more than %d channels",
                             MOST_OF_EACH);
    for (int i = 0; i < channels; i++) {
        const enum flt_status status = check_channel(&channel[i], detail);
        if (status != FLT_OK)
            return status;
        const char *name = channel[i].name ? channel[i].name : "t";
        for (int k = 0; k < i; k++)
            if (strcmp(name, channel[k].name ? channel[k].name : "t") == 0)
                return apr_file_fail(FLT_BAD_ARGUMENT, detail, "two channels have the name '%s'",
                                     name);
    }
    return FLT_OK;
}

/* ---- The file ---- */

static enum flt_status write_bytes(const char *path, const void *bytes, size_t length,
                                   struct flt_detail *detail)
{
    struct flt_replacement r;
    if (!flt_replace_begin(path, &r))
        return apr_file_fail(FLT_CANNOT_WRITE, detail, "cannot write %s: %s", path,
                             r.reason ? r.reason : strerror(errno));
    if (fwrite(bytes, 1, length, r.stream) == length && flt_replace_close(&r) &&
        flt_replace_finish(&r))
        return FLT_OK;
    const enum flt_status status = apr_file_fail(FLT_CANNOT_WRITE, detail, "cannot write %s: %s",
                                                 path, r.reason ? r.reason : strerror(errno));
    flt_replace_discard(&r);
    return status;
}

enum flt_status flt_apr_save(const char *path, const struct flt_apr_channel channel[], int channels,
                             const struct flt_allocator *allocator, struct flt_detail *detail)
{
    enum flt_status status = check(path, channel, channels, detail);
    if (status != FLT_OK)
        return status;
    if (!HAS_BLOSC)
        return apr_file_fail(FLT_UNSUPPORTED, detail, APR_WITHOUT_BLOSC, path);
    struct apr_out out = {.allocator = pool_open(allocator).allocator};
    status = apr_file_image(channel, channels, &out, detail);
    if (status == FLT_OK)
        status = write_bytes(path, out.bytes, out.length, detail);
    apr_out_free(&out);
    return status;
}
