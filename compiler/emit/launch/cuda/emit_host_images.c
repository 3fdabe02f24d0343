/* NAME: runs a filter on images in memory of the host. One block on the host and one on the device
 * hold the images packed, inputs first, the device's scratch memory behind them; so a result is
 * whole before a sample of the caller's is written. */
#include "emit/host/host.h"
#include "emit/launch/cuda/device.h"

/* Inputs, then outputs. */
static size_t image_count(const struct emission *e)
{
    return e->program->inputs.count + e->program->outputs.count;
}

static const struct buffer *image_of(const struct emission *e, size_t i)
{
    const size_t inputs = e->program->inputs.count;
    return buffer_of(e, i < inputs ? e->program->inputs.item[i]
                                   : e->program->outputs.item[i - inputs]);
}

static const char *type_of(const struct buffer *image)
{
    return scalar_info[image->scalar].c_type;
}

/* flt_in: as the caller's, but packed. */
static void print_packed_image(struct emission *e, const struct buffer *image)
{
    const char *name = name_of_buffer(e, image);
    text_print(e->out, "    struct %s_%s flt_%s = *%s;\n", e->name, name, name, name);
    for (unsigned k = image->rank; k-- > 0;) {
        text_print(e->out, "    flt_%s.%s = ", name, name_of_stride_field(e, image, k));
        if (k + 1 == image->rank)
            text_print(e->out, "1;\n");
        else
            text_print(e->out, "flt_%s.%s * flt_%s.%s;\n", name,
                       name_of_stride_field(e, image, k + 1), name,
                       name_of_extent_field(e, image, k + 1));
    }
}

/* Where each begins in the blocks, and where all of them end. */
static void print_places(struct emission *e)
{
    text_print(e->out, "    const uint64_t flt_%s_at = 0;\n", name_of_buffer(e, image_of(e, 0)));
    for (size_t i = 0; i < image_count(e); i++) {
        const char *name = name_of_buffer(e, image_of(e, i));
        text_print(e->out, "    const uint64_t ");
        if (i + 1 < image_count(e))
            text_print(e->out, "flt_%s_at", name_of_buffer(e, image_of(e, i + 1)));
        else
            text_print(e->out, "images");
        text_print(e->out, " = flt_behind(flt_%s_at, ", name);
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

static void print_copy(struct emission *e, const struct buffer *image)
{
    const char *name = name_of_buffer(e, image);
    const bool output = image->space == SPACE_OUTPUT;
    const unsigned around = e->out->indent;
    e->out->indent += 4;
    text_print(e->out, "{\n");
    e->out->indent += 4;
    text_print(e->out, "%s%s *const packed = (%s%s *)(void *)(host + flt_%s_at);\n",
               output ? "const " : "", type_of(image), output ? "const " : "", type_of(image),
               name);
    for (unsigned k = 0; k < image->rank; k++) {
        text_print(e->out, "for (int64_t i%u = 0; i%u < %s->%s; i%u++)\n", k, k, name,
                   name_of_extent_field(e, image, k), k);
        e->out->indent += 4;
    }
    const char *own = place_text(e, image, arena_format(e->arena, "%s->", name));
    const char *packed = place_text(e, image, arena_format(e->arena, "flt_%s.", name));
    if (output)
        text_print(e->out, "%s->data[%s] = packed[%s];\n", name, own, packed);
    else
        text_print(e->out, "packed[%s] = %s->data[%s];\n", packed, name, own);
    e->out->indent = around + 4;
    text_print(e->out, "}\n");
    e->out->indent = around;
}

/* The layout or the run, of the packed images. */
static void print_packed_arguments(struct emission *e)
{
    const size_t inputs = e->program->inputs.count;
    for (size_t i = 0; i < inputs; i++)
        text_print(e->out, "%s&flt_%s", i ? ", " : "", name_of_buffer(e, image_of(e, i)));
    for (size_t i = 0; i < e->program->parameters.count; i++)
        text_print(e->out, "%s%s", i || inputs ? ", " : "",
                   name_of_variable(e, e->program->parameters.item[i].variable));
    for (size_t i = inputs; i < image_count(e); i++)
        text_print(e->out, "%s&flt_%s", i || e->program->parameters.count ? ", " : "",
                   name_of_buffer(e, image_of(e, i)));
}

static void print_run_on_device(struct emission *e)
{
    const char *upper = name_upper(e, e->name);
    const char *outputs = name_of_buffer(e, image_of(e, e->program->inputs.count));
    text_print(e->out,
               "    error = cudaMalloc((void **)&device, (size_t)(images + scratch));\n"
               "    if (error == cudaSuccess)\n"
               "        error = cudaMemcpy(device, host, (size_t)flt_%s_at, "
               "cudaMemcpyHostToDevice);\n"
               "    if (error == cudaSuccess) {\n",
               outputs);
    for (size_t i = 0; i < image_count(e); i++) {
        const struct buffer *image = image_of(e, i);
        const char *name = name_of_buffer(e, image);
        text_print(e->out, "        flt_%s.data = (%s%s *)(void *)(device + flt_%s_at);\n", name,
                   image->space == SPACE_INPUT ? "const " : "", type_of(image), name);
    }
    text_print(e->out, "        status = %s_run(", e->name);
    print_packed_arguments(e);
    text_print(e->out,
               ", device + images, (size_t)scratch, NULL);\n    }\n"
               "    if (error == cudaSuccess && status == %s_OK) /* waits for the kernels */\n"
               "        error = cudaMemcpy(host + flt_%s_at, device + flt_%s_at, (size_t)(images - "
               "flt_%s_at),\n            cudaMemcpyDeviceToHost);\n"
               "    if (error != cudaSuccess)\n        status = %s_status_of(error);\n"
               "    if (status == %s_OK) {\n",
               upper, outputs, outputs, outputs, e->name, upper);
}

void emit_run_of_host_images(struct emission *e)
{
    const char *upper = name_upper(e, e->name);
    const size_t inputs = e->program->inputs.count;
    text_print(e->out, "int %s(", e->name);
    emit_parameters(e, false, true);
    text_print(e->out,
               ")\n{\n    struct %s_frame all;\n    char *host, *device = NULL;\n"
               "    cudaError_t error;\n    int status = %s_check(&all, ",
               e->name, e->name);
    emit_parameters(e, true, true);
    text_print(e->out, ");\n    if (status != %s_OK)\n        return status;\n", upper);
    struct body body;
    begin_body(e, &body);
    for (size_t i = 0; i < image_count(e); i++)
        print_packed_image(e, image_of(e, i));
    print_places(e);
    text_print(e->out, "    const uint64_t scratch = %s_layout(&all, NULL", e->name);
    for (size_t i = 0; i < image_count(e); i++)
        text_print(e->out, ", &flt_%s", name_of_buffer(e, image_of(e, i)));
    text_print(e->out,
               ");\n    host = (char *)malloc((size_t)images);\n"
               "    if (!host)\n        return %s_NO_MEMORY;\n",
               upper);
    for (size_t i = 0; i < inputs; i++)
        print_copy(e, image_of(e, i));
    print_run_on_device(e);
    e->out->indent = 4;
    for (size_t i = inputs; i < image_count(e); i++)
        print_copy(e, image_of(e, i));
    e->out->indent = 0;
    text_print(e->out, "    }\n    (void)cudaFree(device);\n    free(host);\n"
                       "    return status;\n}\n\n");
    print_frame_pointer(e, &body);
    end_body(e, &body, true);
}
