/* NPY, NumPy's file of one array. Reads versions 1, 2 and 3; writes 1.
 * Source: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html : 6 bytes of
 * magic, 2 of version, the header's length (2 bytes little endian; 4 from version 2 on), the
 * header, the samples. The header is a Python dictionary:
 *     {'descr': '<f4', 'fortran_order': False, 'shape': (480, 640), }
 * Names of axes are not in the file; see flt_image_load for those given. */
#include "image/codec.h"
#include "image/parts.h"

#include <stdlib.h>
#include <string.h>

static const unsigned char magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

/* Samples in the file: 'i' and 4 for i32. */
static const struct {
    char kind;
    unsigned size;
    enum flt_element element;
} types[] = {
    {'b', 1, FLT_BOOL}, {'u', 1, FLT_U8},  {'i', 1, FLT_I8},  {'u', 2, FLT_U16}, {'i', 2, FLT_I16},
    {'u', 4, FLT_U32},  {'i', 4, FLT_I32}, {'i', 8, FLT_I64}, {'f', 4, FLT_F32}, {'f', 8, FLT_F64},
    {'f', 2, FLT_F16},  {'u', 8, FLT_I64}, /* where all are below 2^63; read alone */
};

enum { TYPES = sizeof types / sizeof types[0], DESCR = 16 };

struct npy_header {
    char descr[DESCR]; /* "<f4"; "" if it is not a string: a structure */
    bool fortran_order, complex;
    int rank; /* FLT_MAX_RANK + 1 stands for any larger one, of which extent has the start */
    uint64_t extent[FLT_MAX_RANK];
};

/* ---- Reading the header ---- */

/* Where reading stands in the dictionary. */
struct cursor {
    const char *at, *end;
};

static void skip_spaces(struct cursor *cursor)
{
    while (cursor->at < cursor->end && (*cursor->at == ' ' || *cursor->at == '\n'))
        cursor->at++;
}

/* Takes the text, after spaces, if it comes next. */
static bool take(struct cursor *cursor, const char *text)
{
    skip_spaces(cursor);
    const size_t length = strlen(text);
    if ((size_t)(cursor->end - cursor->at) < length || memcmp(cursor->at, text, length) != 0)
        return false;
    cursor->at += length;
    return true;
}

/* Takes a quoted string shorter than DESCR. */
static bool take_string(struct cursor *cursor, char text[DESCR])
{
    if (!take(cursor, "'") && !take(cursor, "\""))
        return false;
    const char quote = cursor->at[-1];
    size_t length = 0;
    while (cursor->at < cursor->end && *cursor->at != quote && length < DESCR - 1)
        text[length++] = *cursor->at++;
    text[length] = '\0';
    return cursor->at < cursor->end && *cursor->at++ == quote;
}

/* Takes a decimal; what exceeds 2^40 becomes that, which flt_check_extents refuses. */
static bool take_number(struct cursor *cursor, uint64_t *value)
{
    const uint64_t too_large = (uint64_t)1 << 40;
    skip_spaces(cursor);
    const char *const first = cursor->at;
    *value = 0;
    for (; cursor->at < cursor->end && *cursor->at >= '0' && *cursor->at <= '9'; cursor->at++) {
        *value = 10 * *value + (uint64_t)(*cursor->at - '0');
        if (*value > too_large)
            *value = too_large;
    }
    const bool any = cursor->at > first;
    if (any && cursor->at < cursor->end && *cursor->at == 'L')
        cursor->at++; /* Python 2 wrote 3L */
    return any;
}

static bool take_shape(struct cursor *cursor, struct npy_header *header)
{
    if (!take(cursor, "("))
        return false;
    bool more = true;
    for (header->rank = 0; more && !take(cursor, ")");) {
        uint64_t extent;
        if (!take_number(cursor, &extent))
            return false;
        if (header->rank < FLT_MAX_RANK)
            header->extent[header->rank] = extent;
        if (header->rank <= FLT_MAX_RANK)
            header->rank++;
        more = take(cursor, ",");
        if (!more && !take(cursor, ")"))
            return false;
    }
    return true;
}

static bool take_bool(struct cursor *cursor, bool *value)
{
    *value = take(cursor, "True");
    return *value || take(cursor, "False");
}

/* A structure is a list: descr stays "" for it. */
static bool take_descr(struct cursor *cursor, struct npy_header *header)
{
    return take(cursor, "[") || take_string(cursor, header->descr);
}

/* Takes one "key: value" into the header, and marks it in seen: descr, fortran_order, shape. */
static bool take_entry(struct cursor *cursor, struct npy_header *header, bool seen[3])
{
    char key[DESCR];
    if (!take_string(cursor, key) || !take(cursor, ":"))
        return false;
    if (strcmp(key, "descr") == 0)
        return seen[0] = take_descr(cursor, header);
    if (strcmp(key, "fortran_order") == 0)
        return seen[1] = take_bool(cursor, &header->fortran_order);
    return strcmp(key, "shape") == 0 && (seen[2] = take_shape(cursor, header));
}

/* A structure is only recognised, so that it is not taken for damage; it is not read. */
static bool read_dictionary(struct cursor cursor, struct npy_header *header)
{
    bool seen[3] = {false};
    bool more = take(&cursor, "{");
    while (more && !take(&cursor, "}")) {
        if (!take_entry(&cursor, header, seen))
            return false;
        if (seen[0] && !*header->descr)
            return true;
        more = take(&cursor, ",");
        if (!more && !take(&cursor, "}"))
            return false;
    }
    return seen[0] && seen[1] && seen[2];
}

/* Finds the dictionary and, after it, the samples. false: the file is too short for what it says.
 */
static bool find_parts(const struct file_bytes *file, struct cursor *dictionary, size_t *samples)
{
    const size_t prefix = file->bytes[6] == 1 ? 10 : 12;
    if (file->length < prefix)
        return false;
    uint32_t length = 0;
    for (size_t i = prefix; i-- > 8;)
        length = length << 8 | file->bytes[i];
    if (length > file->length - prefix)
        return false;
    *samples = prefix + length;
    *dictionary = (struct cursor){.at = (const char *)file->bytes + prefix,
                                  .end = (const char *)file->bytes + *samples};
    return true;
}

/* ---- Loading ---- */

bool flt_is_npy(const struct file_bytes *file)
{
    return file->length >= 8 && memcmp(file->bytes, magic, sizeof magic) == 0;
}

/* Index into types and byte order of "<f4"; of the parts of "<c8" and "<c16", which are complex;
 * false: none of ours. */
static bool understand_descr(const char *descr, size_t *type, bool *little, bool *complex)
{
    *little = *descr == '<' || (*descr != '>' && flt_host_is_little());
    if (*descr && strchr("<>|=", *descr))
        descr++;
    *complex = strcmp(descr, "c8") == 0 || strcmp(descr, "c16") == 0;
    if (*complex)
        descr = descr[1] == '8' ? "f4" : "f8";
    for (*type = 0; *type < TYPES; ++*type)
        if (descr[0] == types[*type].kind && descr[1] == (char)('0' + types[*type].size) &&
            !descr[2])
            return true;
    return false;
}

/* The rank names, slowest first, for an array of this shape: the rule that flt_image_load tells. */
static void name_axes(int rank, const uint64_t extent[], const char *axis[FLT_MAX_RANK])
{
    enum { MOST_CHANNELS = 4 };
    static const char *const names[] = {"s", "w", "v", "u", "t", "z", "y", "x", "c"};
    const bool channels = rank >= 3 && extent[rank - 1] <= MOST_CHANNELS;
    const char *const *const first = names + FLT_MAX_RANK - rank + channels;
    for (int i = 0; i < rank; i++)
        axis[i] = first[i];
}

/* Complex samples are reals along one axis more. False: there is no room for it, or the array is in
 * Fortran order, in which the parts do not take part. */
static bool add_parts(struct npy_header *header)
{
    if (!header->complex)
        return true;
    if (header->rank >= FLT_MAX_RANK || (header->fortran_order && header->rank > 1))
        return false;
    header->extent[header->rank++] = 2;
    header->fortran_order = false;
    return true;
}

/* Fortran order is C order of the axes reversed. */
static void copy_fortran_order(const void *samples, struct flt_image *image)
{
    struct flt_image reversed = *image;
    for (int i = 0; i < image->rank; i++) {
        reversed.extent[i] = image->extent[image->rank - 1 - i];
        reversed.stride[i] = image->stride[image->rank - 1 - i];
    }
    flt_fill_samples(samples, &reversed);
}

static void fill(const struct npy_header *header, const unsigned char *samples, uint64_t count,
                 bool little, struct flt_image *image)
{
    const size_t size = flt_element_bytes(image->element);
    if (header->fortran_order && image->rank > 1)
        copy_fortran_order(samples, image);
    else
        memcpy(image->data, samples, count * size);
    if (little != flt_host_is_little())
        flt_swap_bytes(image->data, count, size);
    if (image->element == FLT_BOOL)
        flt_make_bools(image->data, count);
}

static enum flt_status check_header(const char *name, const struct npy_header *header, size_t held,
                                    size_t type, uint64_t *count, struct flt_detail *detail)
{
    const enum flt_status status = flt_check_extents(name, header->rank, header->extent, detail);
    if (status != FLT_OK)
        return status;
    *count = 1;
    for (int i = 0; i < header->rank; i++)
        *count *= header->extent[i];
    return flt_check_held(name, header->rank, header->extent, *count * types[type].size, held,
                          detail);
}

static enum flt_status refuse_type(const char *name, const char *descr, struct flt_detail *detail)
{
    if (!*descr)
        return flt_fail(FLT_UNSUPPORTED, detail, "%s holds structures, not numbers",
                        flt_short_name(name));
    return flt_fail(FLT_UNSUPPORTED, detail,
                    "%s holds samples of NumPy type '%s'; bool, integers up to 64 bits, "
                    "float16, float32 and float64, complex64 and complex128 can be read",
                    flt_short_name(name), descr);
}

/* What cannot be understood has no end of its own. */
bool flt_measure_npy(const struct file_bytes *file, bool is_all, size_t *length)
{
    struct cursor dictionary;
    struct npy_header header = {.rank = 0};
    size_t start, type;
    uint64_t count;
    bool little;
    *length = file->length;
    if (!find_parts(file, &dictionary, &start))
        return is_all;
    if (!read_dictionary(dictionary, &header) || header.rank > FLT_MAX_RANK ||
        !understand_descr(header.descr, &type, &little, &header.complex) || !add_parts(&header) ||
        flt_check_extents(file->name, header.rank, header.extent, NULL) != FLT_OK)
        return is_all;
    count = types[type].size;
    for (int i = 0; i < header.rank; i++)
        count *= header.extent[i];
    *length = start + count;
    return true;
}

/* What the header says of the samples, of a file of that length. */
struct npy_layout {
    struct npy_header header;
    size_t type, start;
    bool little;
    uint64_t count;
};

static enum flt_status understand(const struct file_bytes *file, uint64_t length,
                                  struct npy_layout *layout, struct flt_detail *detail)
{
    const char *const name = file->name;
    struct npy_header *const header = &layout->header;
    if (file->bytes[6] < 1 || file->bytes[6] > 3)
        return flt_fail(FLT_UNSUPPORTED, detail, "%s is of version %d of NPY; 1 to 3 can be read",
                        flt_short_name(name), file->bytes[6]);
    struct cursor dictionary;
    *layout = (struct npy_layout){.header.rank = 0};
    if (!find_parts(file, &dictionary, &layout->start))
        return flt_fail(FLT_CORRUPT, detail, "%s is cut off in its header", flt_short_name(name));
    if (!read_dictionary(dictionary, header))
        return flt_fail(FLT_CORRUPT, detail, "%s has a damaged header", flt_short_name(name));
    if (!understand_descr(header->descr, &layout->type, &layout->little, &header->complex))
        return refuse_type(name, header->descr, detail);
    if (header->rank > FLT_MAX_RANK)
        return flt_fail(FLT_UNSUPPORTED, detail, "%s has more than the %d axes of an image",
                        flt_short_name(name), FLT_MAX_RANK);
    if (!add_parts(header))
        return flt_fail(
            FLT_UNSUPPORTED, detail,
            "%s holds complex samples of 8 axes, or in Fortran order: save it in C order",
            flt_short_name(name));
    return check_header(name, header, length - layout->start, layout->type, &layout->count, detail);
}

/* The image without its samples. */
static enum flt_status form_image(const struct npy_layout *layout, struct flt_image *image)
{
    const struct npy_header *const header = &layout->header;
    const char *axis[FLT_MAX_RANK];
    int32_t extent[FLT_MAX_RANK];
    name_axes(header->rank - header->complex, header->extent, axis);
    if (header->complex)
        axis[header->rank - 1] = FLT_COMPLEX_AXIS;
    for (int i = 0; i < header->rank; i++)
        extent[i] = (int32_t)header->extent[i];
    const enum flt_status status =
        flt_image_form(image, types[layout->type].element, header->rank, axis, extent);
    image->has_plain_axes = true;
    return status;
}

static bool is_u64(const struct npy_layout *layout)
{
    return types[layout->type].kind == 'u' && types[layout->type].element == FLT_I64;
}

enum flt_status flt_load_npy(const struct file_bytes *file, struct flt_image *image,
                             struct flt_detail *detail)
{
    struct npy_layout layout;
    enum flt_status status = understand(file, file->length, &layout, detail);
    if (status == FLT_OK)
        status = form_image(&layout, image);
    if (status == FLT_OK)
        status = flt_image_allocate(image);
    if (status != FLT_OK)
        return status;
    fill(&layout.header, file->bytes + layout.start, layout.count, layout.little, image);
    if (is_u64(&layout))
        status = flt_check_u64(file->name, image->data, layout.count, detail);
    if (status != FLT_OK)
        flt_image_destroy(image);
    return status;
}

static enum flt_status finish_u64(const struct flt_parts_in *in, void *samples, size_t count,
                                  struct flt_detail *detail)
{
    return flt_check_u64(in->name, samples, count, detail);
}

/* In Fortran order rows of a part lie all over the file. */
enum flt_status flt_parts_of_npy(struct flt_parts_in *in, const struct file_bytes *file,
                                 struct flt_detail *detail)
{
    struct npy_layout layout;
    struct cursor dictionary;
    size_t start;
    if (!find_parts(file, &dictionary, &start) && in->length > file->length)
        return FLT_UNSUPPORTED;
    enum flt_status status = understand(file, in->length, &layout, detail);
    if (status == FLT_OK && layout.header.fortran_order && layout.header.rank > 1)
        return FLT_UNSUPPORTED;
    if (status == FLT_OK)
        status = form_image(&layout, &in->image);
    if (status != FLT_OK)
        return status;
    const size_t bytes = flt_element_bytes(in->image.element);
    in->placement = flt_packed_placement(&in->image, bytes, layout.start);
    in->end = layout.start + layout.count * bytes;
    in->swaps = layout.little != flt_host_is_little();
    in->finish = is_u64(&layout) ? finish_u64 : NULL;
    return FLT_OK;
}

/* ---- Saving ---- */

static size_t type_of(enum flt_element element)
{
    size_t type = 0; /* the first: i64 is written as int64 */
    while (type < TYPES - 1 && types[type].element != element)
        type++;
    return type;
}

/* Magic, version, length and dictionary, filled up with spaces so that the samples start at a
 * multiple of 64 bytes, as NumPy does. The longest, of 8 axes, takes less than 192. */
static bool write_header(const struct flt_image *image, FILE *out)
{
    char text[256];
    const size_t type = type_of(image->element);
    const char order = types[type].size == 1 ? '|' : flt_host_is_little() ? '<' : '>';
    const bool complex = flt_image_is_complex(image);
    const int rank = image->rank - complex;
    int at = snprintf(text, sizeof text, "{'descr': '%c%c%u', 'fortran_order': False, 'shape': (",
                      order, complex ? 'c' : types[type].kind, types[type].size * (1 + complex));
    for (int i = 0; i < rank; i++)
        at +=
            snprintf(text + at, sizeof text - (size_t)at, "%s%d", i ? ", " : "", image->extent[i]);
    at += snprintf(text + at, sizeof text - (size_t)at, "%s), }", rank == 1 ? "," : "");
    const size_t prefix = 10;
    const size_t whole = (prefix + (size_t)at + 1 + 63) / 64 * 64;
    const unsigned char length[4] = {1, 0, (unsigned char)((whole - prefix) % 256),
                                     (unsigned char)((whole - prefix) / 256)};
    return fwrite(magic, 1, sizeof magic, out) == sizeof magic &&
           fwrite(length, 1, sizeof length, out) == sizeof length &&
           fprintf(out, "%-*s\n", (int)(whole - prefix) - 1, text) > 0;
}

enum flt_status flt_save_npy(const struct flt_image *image, const struct file_out *out,
                             struct flt_detail *detail)
{
    (void)detail;
    return write_header(image, out->stream) ? flt_write_samples(image, out->stream)
                                            : FLT_CANNOT_WRITE;
}

enum flt_status flt_place_npy(struct flt_parts_out *out, struct flt_detail *detail)
{
    (void)detail;
    if (!write_header(&out->image, out->replacement.stream))
        return FLT_CANNOT_WRITE;
    return flt_place_packed(out, flt_element_bytes(out->image.element));
}
