/* Sources: see imagej.c and ome_load.c. */
#include "image/stack_save.h"
#include "image/numbers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int32_t extent_of(const struct stack *stack, char name)
{
    for (int i = 0; i < stack->rank; i++)
        if (stack->axis[i].name == name)
            return stack->axis[i].extent;
    return 1;
}

static bool has_axis(const struct stack *stack, char name)
{
    for (int i = 0; i < stack->rank; i++)
        if (stack->axis[i].name == name)
            return true;
    return false;
}

static bool is_one_of(const char *unit, const char *const names[], size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(unit, names[i]) == 0)
            return true;
    return false;
}

unsigned flt_resolution_unit(const struct spacing *spacing)
{
    static const char *const inches[] = {"inch", "in"};
    return is_one_of(spacing->unit, inches, 2) ? 2 : strcmp(spacing->unit, "cm") == 0 ? 3 : 1;
}

/* A text that grows; closed by text_of. */
struct writing {
    char *bytes;
    size_t length;
    FILE *out;
};

static bool begin(struct writing *writing)
{
    *writing = (struct writing){.bytes = NULL};
    writing->out = open_memstream(&writing->bytes, &writing->length);
    return writing->out != NULL;
}

static char *text_of(struct writing *writing)
{
    const bool failed = ferror(writing->out) != 0;
    if (fclose(writing->out) == 0 && !failed)
        return writing->bytes;
    free(writing->bytes);
    return NULL;
}

/* ---- ImageJ ---- */

bool flt_needs_imagej(const struct stack_form *form)
{
    const struct stack *const stack = &form->stack;
    const struct spacing *const x = &stack->x, *const y = &stack->y;
    return stack->rank > 0 || (x->distance > 0 && flt_resolution_unit(x) == 1) ||
           (y->distance > 0 && flt_resolution_unit(y) == 1) ||
           (x->distance > 0 && y->distance > 0 && strcmp(x->unit, y->unit) != 0);
}

/* Letters beyond ASCII, of 2 or 3 bytes of UTF-8, as \u00B5. */
static void put_unit(FILE *out, const char *key, const char *unit)
{
    const unsigned char *at = (const unsigned char *)unit;
    fprintf(out, "%s=", key);
    for (; *at; at++) {
        unsigned code = *at;
        if ((at[0] & 0xe0) == 0xc0 && at[1]) {
            code = (at[0] & 0x1fU) << 6 | (at[1] & 0x3fU);
            at += 1;
        } else if ((at[0] & 0xf0) == 0xe0 && at[1] && at[2]) {
            code = (at[0] & 0x0fU) << 12 | (at[1] & 0x3fU) << 6 | (at[2] & 0x3fU);
            at += 2;
        }
        if (code >= 0x80)
            fprintf(out, "\\u%04X", code);
        else
            fputc(code < ' ' ? ' ' : (int)code, out);
    }
    fputc('\n', out);
}

static void put_distance(FILE *out, const char *key, const struct spacing *spacing)
{
    char text[FLT_REAL_TEXT];
    if (!(spacing->distance > 0))
        return;
    flt_print_real(spacing->distance, text);
    fprintf(out, "%s=%s\n", key, text);
}

static void put_units(FILE *out, const struct stack *stack)
{
    const struct spacing *const x = &stack->x, *const y = &stack->y, *const z = &stack->z;
    const struct spacing *const main = x->distance > 0 ? x : y->distance > 0 ? y : z;
    const char *const unit = main->unit[0] ? main->unit : "pixel";
    if (!(main->distance > 0))
        return;
    put_unit(out, "unit", unit);
    if (y->distance > 0 && y->unit[0] && strcmp(y->unit, unit) != 0)
        put_unit(out, "yunit", y->unit);
    if (z->distance > 0 && z->unit[0] && strcmp(z->unit, unit) != 0)
        put_unit(out, "zunit", z->unit);
}

char *flt_imagej_text(const struct stack_form *form)
{
    static const struct {
        char axis;
        const char *key;
    } counts[] = {{'c', "channels"}, {'z', "slices"}, {'t', "frames"}};
    const struct stack *const stack = &form->stack;
    struct writing writing;
    int64_t images = 1;
    if (!begin(&writing))
        return NULL;
    for (int i = 0; i < stack->rank; i++)
        images *= stack->axis[i].extent;
    fprintf(writing.out, "ImageJ=1.53t\n");
    if (images > 1)
        fprintf(writing.out, "images=%lld\n", (long long)images);
    for (int i = 0; i < 3; i++)
        if (extent_of(stack, counts[i].axis) > 1)
            fprintf(writing.out, "%s=%d\n", counts[i].key, extent_of(stack, counts[i].axis));
    if (extent_of(stack, 'c') > 1 || extent_of(stack, 't') > 1)
        fprintf(writing.out, "hyperstack=true\n%s",
                extent_of(stack, 'c') > 1 ? "mode=grayscale\n" : "");
    put_units(writing.out, stack);
    put_distance(writing.out, "spacing", &stack->z);
    put_distance(writing.out, "finterval", &stack->t);
    if (stack->t.distance > 0 && stack->t.unit[0] && strcmp(stack->t.unit, "s") != 0)
        put_unit(writing.out, "tunit", stack->t.unit);
    fprintf(writing.out, "loop=false\n");
    return text_of(&writing);
}

/* ---- OME ---- */

static const char *ome_type(enum flt_element element)
{
    switch (element) {
    case FLT_BOOL:
    case FLT_U8:
        return "uint8";
    case FLT_I8:
        return "int8";
    case FLT_U16:
        return "uint16";
    case FLT_I16:
        return "int16";
    case FLT_U32:
        return "uint32";
    case FLT_I32:
        return "int32";
    case FLT_F32:
        return "float";
    case FLT_F64:
        return "double";
    case FLT_I64:
    case FLT_F16:
        break;
    }
    return NULL;
}

bool flt_ome_has_element(enum flt_element element)
{
    return ome_type(element) != NULL;
}

/* The schema's words for units; NULL: it has none. */
static const char *ome_unit(const char *unit)
{
    static const char *const words[][2] = {{"\u00b5m", "\u00b5m"},
                                           {"\u03bcm", "\u00b5m"},
                                           {"um", "\u00b5m"},
                                           {"micron", "\u00b5m"},
                                           {"microns", "\u00b5m"},
                                           {"micrometer", "\u00b5m"},
                                           {"nm", "nm"},
                                           {"pm", "pm"},
                                           {"mm", "mm"},
                                           {"cm", "cm"},
                                           {"m", "m"},
                                           {"km", "km"},
                                           {"\u00c5", "\u00c5"},
                                           {"angstrom", "\u00c5"},
                                           {"inch", "in"},
                                           {"in", "in"},
                                           {"ft", "ft"},
                                           {"pixel", "pixel"},
                                           {"pixels", "pixel"},
                                           {"", "pixel"},
                                           {"s", "s"},
                                           {"sec", "s"},
                                           {"ms", "ms"},
                                           {"\u00b5s", "\u00b5s"},
                                           {"us", "\u00b5s"},
                                           {"ns", "ns"},
                                           {"min", "min"},
                                           {"h", "h"},
                                           {"d", "d"}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(unit, words[i][0]) == 0)
            return words[i][1];
    return NULL;
}

static void put_spacing(FILE *out, const char *name, const struct spacing *spacing)
{
    char text[FLT_REAL_TEXT];
    const char *const unit = ome_unit(spacing->unit);
    if (!(spacing->distance > 0) || !unit)
        return;
    flt_print_real(spacing->distance, text);
    fprintf(out, " %s=\"%s\" %sUnit=\"%s\"", name, text, name, unit);
}

static void put_order(FILE *out, const struct stack *stack)
{
    char order[] = "ZCT";
    int count = 0;
    for (const char *rest = "czt"; *rest; rest++)
        if (!has_axis(stack, *rest))
            order[count++] = (char)(*rest - 'a' + 'A');
    for (int i = stack->rank; i-- > 0;)
        order[count++] = (char)(stack->axis[i].name - 'a' + 'A');
    fprintf(out, " DimensionOrder=\"XY%s\"", order);
}

char *flt_ome_text(const struct stack_form *form)
{
    const struct stack *const stack = &form->stack;
    struct writing writing;
    const int32_t channels = extent_of(stack, 'c');
    int64_t pages = 1;
    if (!begin(&writing))
        return NULL;
    for (int i = 0; i < stack->rank; i++)
        pages *= stack->axis[i].extent;
    FILE *const out = writing.out;
    fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
                 "<OME xmlns=\"http://www.openmicroscopy.org/Schemas/OME/2016-06\" "
                 "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
                 "xsi:schemaLocation=\"http://www.openmicroscopy.org/Schemas/OME/2016-06 "
                 "http://www.openmicroscopy.org/Schemas/OME/2016-06/ome.xsd\" Creator=\"fltc\">"
                 "<Image ID=\"Image:0\"><Pixels ID=\"Pixels:0\"");
    put_order(out, stack);
    fprintf(out, " Type=\"%s\" SizeX=\"%zu\" SizeY=\"%zu\" SizeZ=\"%d\" SizeC=\"%zu\" SizeT=\"%d\"",
            ome_type(form->element), form->columns, form->rows, extent_of(stack, 'z'),
            (size_t)channels * form->channels, extent_of(stack, 't'));
    put_spacing(out, "PhysicalSizeX", &stack->x);
    put_spacing(out, "PhysicalSizeY", &stack->y);
    put_spacing(out, "PhysicalSizeZ", &stack->z);
    put_spacing(out, "TimeIncrement", &stack->t);
    fprintf(out, "%s>", form->channels > 1 ? " Interleaved=\"true\"" : "");
    for (int32_t i = 0; i < channels; i++)
        fprintf(out, "<Channel ID=\"Channel:0:%d\" SamplesPerPixel=\"%zu\"/>", i, form->channels);
    fprintf(out, "<TiffData IFD=\"0\" PlaneCount=\"%lld\"/></Pixels></Image></OME>",
            (long long)pages);
    return text_of(&writing);
}
