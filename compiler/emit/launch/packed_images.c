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

/* i0 * in->stride_y + i1 * in->stride_x */
static const char *place_text(struct emission *e, const struct buffer *image, const char *of)
{
    struct text text = text_create(e->arena);
    for (unsigned k = 0; k < image->rank; k++)
        text_print(&text, "%si%u * %s%s", k ? " + " : "", k, of, name_of_stride_field(e, image, k));
    return image->rank ? text.bytes : "0";
}

void print_packed_copy(struct emission *e, const struct buffer *image)
{
    const char *name = name_of_buffer(e, image);
    const bool output = image->space == SPACE_OUTPUT;
    const unsigned around = e->out->indent;
    e->out->indent += 4;
    text_print(e->out, "{\n");
    e->out->indent += 4;
    text_print(e->out, "%s%s *const packed = (%s%s *)(void *)(host + flt_place_of_%s);\n",
               output ? "const " : "", packed_type(image), output ? "const " : "",
               packed_type(image), name);
    for (unsigned k = 0; k < image->rank; k++) {
        text_print(e->out, "for (int64_t i%u = 0; i%u < %s->%s; i%u++)\n", k, k, name,
                   name_of_extent_field(e, image, k), k);
        e->out->indent += 4;
    }
    const char *own = place_text(e, image, arena_format(e->arena, "%s->", name));
    const char *packed = place_text(e, image, arena_format(e->arena, "flt_copy_of_%s.", name));
    if (output)
        text_print(e->out, "%s->data[%s] = packed[%s];\n", name, own, packed);
    else
        text_print(e->out, "packed[%s] = %s->data[%s];\n", packed, name, own);
    e->out->indent = around + 4;
    text_print(e->out, "}\n");
    e->out->indent = around;
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
