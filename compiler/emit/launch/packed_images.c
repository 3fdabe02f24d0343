/* Copies host images to a device, packed into one block of memory, inputs first. */
#include "emit/launch/packed_images.h"

const char *packed_type(const struct buffer *image)
{
    return scalar_info[image->scalar].c_type;
}

void print_packed_image(struct emission *e, const struct buffer *image)
{
    const char *name = name_of_buffer(e, image);
    text_print(e->out, "    struct %s_%s flt_copy_of_%s = *%s;\n", e->name, name, name, name);
    print_packed_strides(e, image, arena_format(e->arena, "flt_copy_of_%s.", name));
}

void print_packed_places(struct emission *e)
{
    text_print(e->out, "    const uint64_t flt_place_of_%s = 0;\n",
               name_of_buffer(e, image_of(e, 0)));
    for (size_t i = 0; i < image_count(e); i++) {
        const char *name = name_of_buffer(e, image_of(e, i));
        text_print(e->out, "    const uint64_t ");
        if (i + 1 < image_count(e))
            text_print(e->out, "flt_place_of_%s", name_of_buffer(e, image_of(e, i + 1)));
        else
            text_print(e->out, "images");
        text_print(e->out, " = flt_behind(flt_place_of_%s, ", name);
        print_bytes(e, image_of(e, i));
        text_print(e->out, ");\n");
    }
}

/* i0 * in->stride_y + i1 * in->stride_x, along so many axes. */
static const char *place_text(struct emission *e, const struct buffer *image, const char *of,
                              unsigned axes)
{
    struct text text = text_create(e->arena);
    for (unsigned k = 0; k < axes; k++)
        text_print(&text, "%si%u * %s%s", k ? " + " : "", k, of, name_of_stride_field(e, image, k));
    return axes ? text.bytes : "0";
}

/* Whether the caller's image is packed, too. */
static void print_is_packed(struct emission *e, const struct buffer *image)
{
    const char *name = name_of_buffer(e, image);
    for (unsigned k = 0; k < image->rank; k++) {
        const char *stride = name_of_stride_field(e, image, k);
        text_print(e->out, "%s%s->%s == flt_copy_of_%s.%s", k ? " && " : "", name, stride, name,
                   stride);
    }
    text_print(e->out, image->rank ? "" : "1");
}

/* Whether rows of the caller's image are packed, at equal distances of no more than 2 GiB. */
static void print_is_pitched(struct emission *e, const struct buffer *image)
{
    const char *name = name_of_buffer(e, image);
    const unsigned row = image->rank - 2;
    text_print(e->out, "%s->%s == 1 && %s->%s >= %s->%s && %s->%s <= INT32_MAX / 8", name,
               name_of_stride_field(e, image, row + 1), name, name_of_stride_field(e, image, row),
               name, name_of_extent_field(e, image, row + 1), name,
               name_of_stride_field(e, image, row));
    for (unsigned k = 0; k < row; k++)
        text_print(e->out, " && %s->%s == %s->%s * %s->%s", name, name_of_stride_field(e, image, k),
                   name, name_of_extent_field(e, image, k + 1), name,
                   name_of_stride_field(e, image, k + 1));
}

bool packed_has_pitch(const struct buffer *image)
{
    return image->rank > 1;
}

/* flt_pitch_of_in: bytes from row to row; 0: the image is copied as a whole. */
static void print_pitch(struct emission *e, const struct buffer *image)
{
    const char *name = name_of_buffer(e, image);
    if (!packed_has_pitch(image))
        return;
    text_print(e->out, "    const size_t flt_pitch_of_%s = !(", name);
    print_is_packed(e, image);
    text_print(e->out, ") && ");
    print_is_pitched(e, image);
    text_print(e->out, " ? (size_t)%s->%s * sizeof *%s->data : 0;\n", name,
               name_of_stride_field(e, image, image->rank - 2), name);
}

void print_packed_rows(struct emission *e, const struct buffer *image, const char *between)
{
    const char *name = name_of_buffer(e, image);
    text_print(e->out, "(size_t)%s->%s * sizeof *%s->data%s", name,
               name_of_extent_field(e, image, image->rank - 1), name, between);
    for (unsigned k = 0; k + 1 < image->rank; k++)
        text_print(e->out, "%s(size_t)%s->%s", k ? " * " : "", name,
                   name_of_extent_field(e, image, k));
}

/* Whether a device copies the caller's image itself. */
static void print_is_direct(struct emission *e, const struct buffer *image)
{
    if (packed_has_pitch(image))
        text_print(e->out, "flt_pitch_of_%s || ", name_of_buffer(e, image));
    text_print(e->out, "(");
    print_is_packed(e, image);
    text_print(e->out, ")");
}

static void print_loop(struct emission *e, const struct buffer *image, unsigned k)
{
    text_print(e->out, "for (int64_t i%u = 0; i%u < %s->%s; i%u++)\n", k, k,
               name_of_buffer(e, image), name_of_extent_field(e, image, k), k);
    e->out->indent += 4;
}

/* Rows at a time, where their samples lie side by side. */
static void print_rows(struct emission *e, const struct buffer *image)
{
    const unsigned rank = image->rank, around = e->out->indent;
    const bool output = image->space == SPACE_OUTPUT;
    const char *own = arena_format(e->arena, "%s->", name_of_buffer(e, image));
    const char *copy = arena_format(e->arena, "flt_copy_of_%s.", name_of_buffer(e, image));
    for (unsigned k = 0; k + 1 < rank; k++)
        print_loop(e, image, k);
    if (rank) {
        const char *of_caller =
            arena_format(e->arena, "%sdata + %s", own, place_text(e, image, own, rank - 1));
        const char *of_block =
            arena_format(e->arena, "packed + %s", place_text(e, image, copy, rank - 1));
        text_print(e->out,
                   "if (%s%s == 1)\n    memcpy(%s, %s, (size_t)%s%s * sizeof *packed);\nelse\n",
                   own, name_of_stride_field(e, image, rank - 1), output ? of_caller : of_block,
                   output ? of_block : of_caller, own, name_of_extent_field(e, image, rank - 1));
        e->out->indent += 4;
        print_loop(e, image, rank - 1);
    }
    const char *sample = arena_format(e->arena, "%sdata[%s]", own, place_text(e, image, own, rank));
    const char *packed = arena_format(e->arena, "packed[%s]", place_text(e, image, copy, rank));
    text_print(e->out, "%s = %s;\n", output ? sample : packed, output ? packed : sample);
    e->out->indent = around;
}

/* Into the block or out of it, of an image that is not packed. */
static void print_packing(struct emission *e, const struct buffer *image)
{
    const char *word = image->space == SPACE_OUTPUT ? "const " : "";
    const char *type = packed_type(image);
    text_print(e->out, "%s%s *const packed = (%s%s *)(void *)(host + flt_place_of_%s);\n", word,
               type, word, type, name_of_buffer(e, image));
    print_rows(e, image);
}

void print_packed_size(struct emission *e, const struct buffer *image)
{
    text_print(e->out, "(size_t)");
    print_bytes(e, image);
}

void print_packed_input(struct emission *e, const struct buffer *image)
{
    const char *name = name_of_buffer(e, image);
    print_pitch(e, image);
    text_print(e->out, "    const char *flt_from_%s = (const char *)%s->data;\n    if (!(", name,
               name);
    print_is_direct(e, image);
    text_print(e->out, ")) {\n");
    e->out->indent += 8;
    print_packing(e, image);
    text_print(e->out, "flt_from_%s = host + flt_place_of_%s;\n", name, name);
    e->out->indent -= 8;
    text_print(e->out, "    }\n");
}

/* Of several outputs none is written before all are there. */
void print_packed_target(struct emission *e, const struct buffer *image)
{
    const char *name = name_of_buffer(e, image);
    if (e->program->outputs.count == 1)
        print_pitch(e, image);
    text_print(e->out, "    char *const flt_to_%s = ", name);
    if (e->program->outputs.count == 1) {
        print_is_direct(e, image);
        text_print(e->out, " ? (char *)%s->data : ", name);
    }
    text_print(e->out, "host + flt_place_of_%s;\n", name);
}

void print_packed_output(struct emission *e, const struct buffer *image)
{
    const char *name = name_of_buffer(e, image);
    text_print(e->out, "    if (status == %s_OK && flt_to_%s == host + flt_place_of_%s) {\n",
               name_upper(e, e->name), name, name);
    e->out->indent += 8;
    if (e->program->outputs.count > 1) {
        text_print(e->out, "if (");
        print_is_packed(e, image);
        text_print(e->out, ") {\n    memcpy(%s->data, flt_to_%s, ", name, name);
        print_packed_size(e, image);
        text_print(e->out, ");\n} else {\n");
        e->out->indent += 4;
    }
    print_packing(e, image);
    if (e->program->outputs.count > 1) {
        e->out->indent -= 4;
        text_print(e->out, "}\n");
    }
    e->out->indent -= 8;
    text_print(e->out, "    }\n");
}

void print_packed_arguments(struct emission *e)
{
    const size_t inputs = e->program->inputs.count;
    for (size_t i = 0; i < inputs; i++)
        text_print(e->out, "%s&flt_copy_of_%s", i ? ", " : "", name_of_buffer(e, image_of(e, i)));
    for (size_t i = 0; i < e->program->parameters.count; i++)
        text_print(e->out, "%s%s", i || inputs ? ", " : "",
                   name_of_variable(e, e->program->parameters.item[i].variable));
    for (size_t i = inputs; i < image_count(e); i++)
        text_print(e->out, "%s&flt_copy_of_%s", i || e->program->parameters.count ? ", " : "",
                   name_of_buffer(e, image_of(e, i)));
}
