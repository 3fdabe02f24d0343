/* OME-XML in the description of a TIFF: <OME><Image><Pixels …><TiffData …/></Pixels></Image></OME>.
 * Of Pixels the attributes are read that tell sizes, order and spacing of its planes; of TiffData
 * which page holds which plane. Expat reads the text; a document type, which alone could define
 * entities, is refused.
 * Source: docs.openmicroscopy.org/ome-model: OME-TIFF specification; schema 2016-06. */
#include "image/numbers.h"
#include "image/stack.h"

#include <expat.h>
#include <stdlib.h>
#include <string.h>

/* ---- The text ---- */

enum { NOT_GIVEN = -1, MOST_UUID = 80, MOST_DEPTH = 100 };

/* Which page holds which planes: the first one, and how many follow it. */
struct tiff_data {
    int64_t page, first[STACK_AXES], count; /* by z, c, t; NOT_GIVEN */
};

struct ome {
    XML_Parser parser;
    int depth, images;
    bool is_ome, in_first, in_uuid;
    bool has_document_type, is_damaged, is_elsewhere, out_of_memory;
    const char *problem;           /* the name of an attribute that is damaged */
    uint32_t size[2 + STACK_AXES]; /* x, y, z, c, t; 0: not given */
    char order[STACK_AXES];        /* of planes, fastest first */
    struct spacing x, y, z, t;
    char uuid[MOST_UUID], text[MOST_UUID]; /* of the file; of an element that is read */
    size_t text_length;
    struct tiff_data *data;
    size_t count, capacity;
};

static const char plane_axes[STACK_AXES + 1] = "zct";

/* Without the prefix of its namespace. */
static const char *local(const char *name)
{
    const char *const colon = strrchr(name, ':');
    return colon ? colon + 1 : name;
}

/* NULL: it is not given. */
static const char *attribute(const char **attributes, const char *name)
{
    for (; *attributes; attributes += 2)
        if (strcmp(attributes[0], name) == 0)
            return attributes[1];
    return NULL;
}

static uint32_t count_attribute(struct ome *ome, const char **attributes, const char *name)
{
    const char *const text = attribute(attributes, name);
    uint32_t count = 0;
    if (text && (!flt_count_of(text, strlen(text), &count) || count == 0))
        ome->problem = name;
    return count;
}

static int64_t number_attribute(struct ome *ome, const char **attributes, const char *name)
{
    const char *const text = attribute(attributes, name);
    uint32_t number;
    if (!text)
        return NOT_GIVEN;
    if (flt_count_of(text, strlen(text), &number))
        return number;
    ome->problem = name;
    return NOT_GIVEN;
}

/* What is not above 0 is no spacing. */
static void take_spacing(const char **attributes, const char *name, const char *unit_name,
                         const char *usual, struct spacing *spacing)
{
    const char *const text = attribute(attributes, name);
    const char *unit = attribute(attributes, unit_name);
    double distance;
    if (!text || !flt_real_of(text, strlen(text), &distance) || !(distance > 0))
        return;
    if (!unit)
        unit = usual;
    spacing->distance = distance;
    flt_set_unit(spacing, unit, strlen(unit));
}

/* "XYCZT" */
static void take_order(struct ome *ome, const char *text)
{
    bool good = text && strlen(text) == 2 + STACK_AXES && memcmp(text, "XY", 2) == 0;
    for (int i = 0; good && i < STACK_AXES; i++) {
        ome->order[i] = (char)(text[2 + i] - 'A' + 'a');
        good = strchr(plane_axes, ome->order[i]) && !memchr(ome->order, ome->order[i], (size_t)i);
    }
    if (!good)
        ome->problem = "DimensionOrder";
}

static void take_pixels(struct ome *ome, const char **attributes)
{
    static const char *const sizes[] = {"SizeX", "SizeY", "SizeZ", "SizeC", "SizeT"};
    for (int i = 0; i < 2 + STACK_AXES; i++) {
        ome->size[i] = count_attribute(ome, attributes, sizes[i]);
        if (ome->size[i] == 0 && !ome->problem)
            ome->problem = sizes[i];
    }
    take_order(ome, attribute(attributes, "DimensionOrder"));
    take_spacing(attributes, "PhysicalSizeX", "PhysicalSizeXUnit", "\u00b5m", &ome->x);
    take_spacing(attributes, "PhysicalSizeY", "PhysicalSizeYUnit", "\u00b5m", &ome->y);
    take_spacing(attributes, "PhysicalSizeZ", "PhysicalSizeZUnit", "\u00b5m", &ome->z);
    take_spacing(attributes, "TimeIncrement", "TimeIncrementUnit", "s", &ome->t);
}

static void take_tiff_data(struct ome *ome, const char **attributes)
{
    if (ome->count == ome->capacity) {
        const size_t capacity = ome->capacity ? 2 * ome->capacity : 16;
        struct tiff_data *const larger = realloc(ome->data, capacity * sizeof *larger);
        if (!larger) {
            ome->out_of_memory = true;
            return;
        }
        ome->data = larger;
        ome->capacity = capacity;
    }
    ome->data[ome->count++] =
        (struct tiff_data){.page = number_attribute(ome, attributes, "IFD"),
                           .first = {number_attribute(ome, attributes, "FirstZ"),
                                     number_attribute(ome, attributes, "FirstC"),
                                     number_attribute(ome, attributes, "FirstT")},
                           .count = number_attribute(ome, attributes, "PlaneCount")};
}

static void take_uuid(struct ome *ome, const char **attributes)
{
    const char *const uuid = attribute(attributes, "UUID");
    if (uuid)
        snprintf(ome->uuid, sizeof ome->uuid, "%s", uuid);
}

static void begin_element(void *user, const char *name, const char **attributes)
{
    struct ome *const ome = user;
    const char *const what = local(name);
    if (ome->depth++ == 0) {
        ome->is_ome = strcmp(what, "OME") == 0;
        take_uuid(ome, attributes);
    } else if (strcmp(what, "BinaryOnly") == 0) {
        ome->is_elsewhere = true;
    } else if (strcmp(what, "Image") == 0 && ome->depth == 2) {
        ome->in_first = ++ome->images == 1;
    } else if (strcmp(what, "Pixels") == 0 && ome->in_first && ome->depth == 3) {
        take_pixels(ome, attributes);
    } else if (strcmp(what, "TiffData") == 0 && ome->in_first && ome->depth == 4) {
        take_tiff_data(ome, attributes);
    } else if (strcmp(what, "UUID") == 0 && ome->in_first && ome->depth == 5) {
        ome->in_uuid = true;
        ome->text_length = 0;
    }
    if (ome->out_of_memory || ome->depth > MOST_DEPTH)
        XML_StopParser(ome->parser, XML_FALSE);
}

static void take_text(void *user, const char *text, int length)
{
    struct ome *const ome = user;
    for (int i = 0; ome->in_uuid && i < length && ome->text_length < MOST_UUID - 1; i++)
        if (!strchr(" \t\r\n", text[i]))
            ome->text[ome->text_length++] = text[i];
    ome->text[ome->text_length] = '\0';
}

/* A plane that stands in a file of another identity. */
static void end_element(void *user, const char *name)
{
    struct ome *const ome = user;
    (void)name;
    ome->depth--;
    if (ome->in_uuid && ome->uuid[0] && strcmp(ome->text, ome->uuid) != 0)
        ome->is_elsewhere = true;
    ome->in_uuid = false;
    if (ome->depth == 1)
        ome->in_first = false;
}

static void refuse_document_type(void *user, const char *name, const char *system,
                                 const char *public, int has_more)
{
    struct ome *const ome = user;
    (void)name;
    (void)system;
    (void)public;
    (void)has_more;
    ome->has_document_type = true;
    XML_StopParser(ome->parser, XML_FALSE);
}

bool flt_is_ome(const struct tiff_notes *notes)
{
    const size_t head = notes->description_length < 8192 ? notes->description_length : 8192;
    if (!notes->description)
        return false;
    size_t at = head >= 3 && memcmp(notes->description, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (at < head && strchr(" \t\r\n", notes->description[at]))
        at++;
    return at < head && notes->description[at] == '<' &&
           (memmem(notes->description, head, "<OME", 4) ||
            memmem(notes->description, head, ":OME", 4));
}

/* FLT_OK also for a text that is no OME-XML: is_ome is false then. */
static enum flt_status parse(const struct tiff_notes *notes, const char *name, struct ome *ome,
                             struct flt_detail *detail)
{
    const size_t step = 1 << 20;
    enum XML_Status status = XML_STATUS_OK;
    ome->parser = XML_ParserCreate(NULL);
    if (!ome->parser)
        return FLT_NO_MEMORY;
    XML_SetUserData(ome->parser, ome);
    XML_SetElementHandler(ome->parser, begin_element, end_element);
    XML_SetCharacterDataHandler(ome->parser, take_text);
    XML_SetStartDoctypeDeclHandler(ome->parser, refuse_document_type);
    for (size_t at = 0; status == XML_STATUS_OK && at < notes->description_length; at += step) {
        const size_t left = notes->description_length - at, taken = left < step ? left : step;
        status = XML_Parse(ome->parser, notes->description + at, (int)taken, taken == left);
    }
    const enum XML_Error error = XML_GetErrorCode(ome->parser);
    const unsigned long line = XML_GetCurrentLineNumber(ome->parser);
    XML_ParserFree(ome->parser);
    if (ome->out_of_memory || error == XML_ERROR_NO_MEMORY)
        return FLT_NO_MEMORY;
    if (ome->has_document_type)
        return flt_fail(FLT_UNSUPPORTED, detail,
                        "%s has OME-XML with a document type, which is not read",
                        flt_short_name(name));
    if (status == XML_STATUS_OK)
        return FLT_OK;
    return flt_fail(FLT_CORRUPT, detail, "%s has damaged OME-XML: %s in line %lu",
                    flt_short_name(name), XML_ErrorString(error), line);
}

/* ---- What it says of the pages ---- */

static uint32_t *size_of(struct ome *ome, char axis)
{
    return &ome->size[2 + (strchr(plane_axes, axis) - plane_axes)];
}

static enum flt_status check(struct ome *ome, const struct stack_pages *pages,
                             struct flt_detail *detail)
{
    const char *const name = flt_short_name(pages->name);
    if (ome->is_elsewhere)
        return flt_fail(FLT_UNSUPPORTED, detail,
                        "%s is one of several files of a set of OME-TIFF, which are not read "
                        "together: save the set as one file",
                        name);
    if (ome->images != 1)
        return flt_fail(FLT_UNSUPPORTED, detail,
                        "%s has %d images by its OME-XML, of which one can be read: save it alone",
                        name, ome->images);
    if (ome->problem)
        return flt_fail(FLT_CORRUPT, detail, "%s has damaged OME-XML: the attribute %s of it", name,
                        ome->problem);
    if (ome->size[0] != pages->columns || ome->size[1] != pages->rows)
        return flt_fail(FLT_CORRUPT, detail,
                        "%s has pages of %u by %u pixels, but its OME-XML says %u by %u", name,
                        pages->rows, pages->columns, ome->size[1], ome->size[0]);
    return FLT_OK;
}

/* Channels that a pixel has are no pages. */
static enum flt_status take_channels(struct ome *ome, const struct stack_pages *pages,
                                     struct flt_detail *detail)
{
    uint32_t *const channels = size_of(ome, 'c');
    if (*channels % pages->samples != 0)
        return flt_fail(FLT_CORRUPT, detail,
                        "%s has %u samples a pixel, but its OME-XML says %u channels",
                        flt_short_name(pages->name), pages->samples, *channels);
    *channels /= pages->samples;
    return FLT_OK;
}

/* The place of a plane, by z, c and t, in the order of the axes. */
static int64_t place_of(struct ome *ome, const int64_t at[STACK_AXES])
{
    int64_t place = 0;
    for (int i = STACK_AXES; i-- > 0;)
        place = place * *size_of(ome, ome->order[i]) +
                at[strchr(plane_axes, ome->order[i]) - plane_axes];
    return place;
}

/* The planes of one TiffData, in order from its first one on. False: they are not there. */
static bool put_planes(struct ome *ome, const struct tiff_data *data,
                       const struct stack_pages *pages, int64_t planes, unsigned char *taken,
                       int32_t *place)
{
    int64_t at[STACK_AXES];
    for (int i = 0; i < STACK_AXES; i++) {
        at[i] = data->first[i] == NOT_GIVEN ? 0 : data->first[i];
        if (plane_axes[i] == 'c')
            at[i] /= pages->samples;
        if (at[i] >= ome->size[2 + i])
            return false;
    }
    const int64_t first = data->page == NOT_GIVEN ? 0 : data->page, start = place_of(ome, at);
    const int64_t all =
        planes - start < pages->directories - first ? planes - start : pages->directories - first;
    const int64_t count = data->count != NOT_GIVEN  ? data->count
                          : data->page != NOT_GIVEN ? 1
                                                    : all;
    if (first >= pages->directories || count > all)
        return false;
    for (int64_t i = 0; i < count; i++) {
        if (place[first + i] >= 0 || taken[start + i])
            return false;
        place[first + i] = (int32_t)(start + i);
        taken[start + i] = 1;
    }
    return true;
}

static enum flt_status place_pages(struct ome *ome, const struct stack_pages *pages, int64_t planes,
                                   struct stack *stack, struct flt_detail *detail)
{
    const struct tiff_data all = {NOT_GIVEN, {NOT_GIVEN, NOT_GIVEN, NOT_GIVEN}, NOT_GIVEN};
    unsigned char *const taken = calloc((size_t)planes, 1);
    stack->place = malloc((size_t)pages->directories * sizeof *stack->place);
    if (!taken || !stack->place) {
        free(taken);
        return FLT_NO_MEMORY;
    }
    for (int32_t i = 0; i < pages->directories; i++)
        stack->place[i] = -1;
    bool good = true;
    for (size_t i = 0; i < ome->count && good; i++)
        good = put_planes(ome, &ome->data[i], pages, planes, taken, stack->place);
    if (ome->count == 0)
        good = put_planes(ome, &all, pages, planes, taken, stack->place);
    for (int64_t i = 0; i < planes && good; i++)
        good = taken[i];
    free(taken);
    if (good)
        return FLT_OK;
    return flt_fail(FLT_CORRUPT, detail,
                    "%s has OME-XML whose planes are not its pages: %lld planes, %d pages",
                    flt_short_name(pages->name), (long long)planes, pages->count);
}

static enum flt_status understand(struct ome *ome, const struct stack_pages *pages,
                                  struct stack *stack, struct flt_detail *detail)
{
    enum flt_status status = check(ome, pages, detail);
    if (status == FLT_OK)
        status = take_channels(ome, pages, detail);
    if (status != FLT_OK)
        return status;
    uint64_t planes = 1;
    for (int i = 0; i < STACK_AXES && planes <= (uint64_t)pages->count; i++)
        planes *= ome->size[2 + i];
    if (planes > (uint64_t)pages->count)
        return flt_fail(
            FLT_CORRUPT, detail,
            "%s says by its OME-XML that it has %u by %u by %u planes, but has %d pages",
            flt_short_name(pages->name), *size_of(ome, 't'), *size_of(ome, 'z'), *size_of(ome, 'c'),
            pages->count);
    for (int i = STACK_AXES; i-- > 0;)
        if (*size_of(ome, ome->order[i]) > 1)
            stack->axis[stack->rank++] =
                (struct stack_axis){ome->order[i], (int32_t)*size_of(ome, ome->order[i])};
    stack->x = ome->x;
    stack->y = ome->y;
    stack->z = ome->z;
    stack->t = ome->t;
    return place_pages(ome, pages, (int64_t)planes, stack, detail);
}

enum flt_status flt_ome_stack(const struct tiff_notes *notes, const struct stack_pages *pages,
                              struct stack *stack, struct flt_detail *detail)
{
    struct ome ome = {.depth = 0};
    enum flt_status status = parse(notes, pages->name, &ome, detail);
    if (status == FLT_OK && ome.is_ome)
        status = understand(&ome, pages, stack, detail);
    free(ome.data);
    return status;
}
