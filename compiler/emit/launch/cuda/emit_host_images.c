/* NAME: runs a filter on images in host memory. One block on the host and one on the device hold
 * the packed images, inputs first; scratch memory follows on the device. Images of the caller that
 * are packed, or whose rows are, are copied as they are. All results are there before a sample of
 * several is written, and the kernels are done before one is. */
#include "emit/launch/cuda/device.h"
#include "emit/launch/packed_images.h"

/* The time between two events around all kernels, whatever copies take. */
static void print_elapsed(struct text *out)
{
    text_print(out,
               "        float milliseconds = 0;\n"
               "        (void)cudaEventRecord(to, NULL);\n"
               "        (void)cudaEventSynchronize(to);\n"
               "        (void)cudaEventElapsedTime(&milliseconds, from, to);\n"
               "        flt_kernel_seconds[0] += 1e-3 * milliseconds;\n"
               "        (void)cudaEventDestroy(from);\n"
               "        (void)cudaEventDestroy(to);\n");
}

/* To the device; or from it, which waits for the kernels. Rows at a distance are copied as such. */
static void print_copy(struct emission *e, const struct buffer *image)
{
    const char *name = name_of_buffer(e, image);
    const bool input = image->space == SPACE_INPUT;
    const bool may_pitch = packed_has_pitch(image) && (input || e->program->outputs.count == 1);
    const char *kind = input ? "HostToDevice" : "DeviceToHost";
    text_print(e->out, "    if (error == cudaSuccess");
    if (!input)
        text_print(e->out, " && status == %s_OK", name_upper(e, e->name));
    text_print(e->out, ")\n        error = ");
    if (may_pitch) {
        text_print(e->out, "flt_pitch_of_%s ? cudaMemcpy2D(", name);
        if (input)
            text_print(e->out, "device + flt_place_of_%s, ", name);
        else
            text_print(e->out, "flt_to_%s, flt_pitch_of_%s, device + flt_place_of_%s, ", name, name,
                       name);
        text_print(e->out, "(size_t)%s->%s * sizeof *%s->data, ", name,
                   name_of_extent_field(e, image, image->rank - 1), name);
        if (input)
            text_print(e->out, "flt_from_%s, flt_pitch_of_%s, ", name, name);
        print_packed_rows(e, image, ", ");
        text_print(e->out, ", cudaMemcpy%s)\n            : ", kind);
    }
    if (input)
        text_print(e->out, "cudaMemcpy(device + flt_place_of_%s, flt_from_%s, ", name, name);
    else
        text_print(e->out, "cudaMemcpy(flt_to_%s, device + flt_place_of_%s, ", name, name);
    print_packed_size(e, image);
    text_print(e->out, ", cudaMemcpy%s);\n", kind);
}

static void print_run_on_device(struct emission *e)
{
    text_print(e->out, "    error = cudaMalloc((void **)&device, (size_t)(images + scratch));\n");
    for (size_t i = 0; i < e->program->inputs.count; i++)
        print_copy(e, image_of(e, i));
    text_print(e->out, "    if (error == cudaSuccess) {\n");
    for (size_t i = 0; i < image_count(e); i++) {
        const struct buffer *image = image_of(e, i);
        const char *name = name_of_buffer(e, image);
        text_print(e->out,
                   "        flt_copy_of_%s.data = (%s%s *)(void *)(device + flt_place_of_%s);\n",
                   name, image->space == SPACE_INPUT ? "const " : "", packed_type(image), name);
    }
    if (e->options->times_device)
        text_print(e->out, "        cudaEvent_t from = NULL, to = NULL;\n"
                           "        (void)cudaEventCreate(&from);\n"
                           "        (void)cudaEventCreate(&to);\n"
                           "        (void)cudaEventRecord(from, NULL);\n");
    text_print(e->out, "        status = %s_run(", e->name);
    print_packed_arguments(e);
    text_print(e->out, ", device + images, (size_t)scratch, NULL);\n");
    if (e->options->times_device)
        print_elapsed(e->out);
    text_print(e->out, "    }\n");
    for (size_t i = e->program->inputs.count; i < image_count(e); i++)
        print_copy(e, image_of(e, i));
    text_print(e->out, "    if (error != cudaSuccess)\n        status = %s_status_of(error);\n",
               e->name);
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
    print_packed_places(e);
    text_print(e->out, "    const uint64_t scratch = %s_layout(&all, NULL", e->name);
    for (size_t i = 0; i < image_count(e); i++)
        text_print(e->out, ", &flt_copy_of_%s", name_of_buffer(e, image_of(e, i)));
    text_print(e->out,
               ");\n    host = (char *)malloc((size_t)images);\n"
               "    if (!host)\n        return %s_NO_MEMORY;\n",
               upper);
    for (size_t i = 0; i < inputs; i++)
        print_packed_input(e, image_of(e, i));
    for (size_t i = inputs; i < image_count(e); i++)
        print_packed_target(e, image_of(e, i));
    print_run_on_device(e);
    for (size_t i = inputs; i < image_count(e); i++)
        print_packed_output(e, image_of(e, i));
    text_print(e->out, "    (void)cudaFree(device);\n    free(host);\n    return status;\n}\n\n");
    print_frame_pointer(e, &body);
    end_body(e, &body, true);
}
