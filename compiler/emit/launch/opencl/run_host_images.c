/* NAME: runs a filter on images in host memory, packed into one block. On the device each image is
 * an object, and scratch memory is another one. Images of the caller that are packed, or whose rows
 * are, are copied as they are. All results are there before a sample of several is written, and the
 * kernels are done before one is. */
#include "emit/launch/opencl/opencl.h"
#include "emit/launch/packed_images.h"

/* flt_in_at to the next one's, or to the end of all. */
static const char *bytes_of(struct emission *e, size_t i)
{
    const char *name = name_of_buffer(e, image_of(e, i));
    const char *end = i + 1 < image_count(e) ? arena_format(e->arena, "flt_place_of_%s",
                                                            name_of_buffer(e, image_of(e, i + 1)))
                                             : "images";
    return arena_format(e->arena, "(size_t)(%s - flt_place_of_%s)", end, name);
}

static bool may_have_pitch(const struct emission *e, size_t i)
{
    return packed_has_pitch(image_of(e, i)) &&
           (i < e->program->inputs.count || e->program->outputs.count == 1);
}

/* Writes rows that have a pitch to an object that holds them packed, or reads them from it. */
static void define_copy_of_rows(struct emission *e, const char *name, const char *verb,
                                const char *word)
{
    text_print(e->out,
               "static cl_int %s(cl_command_queue queue, cl_mem object, %svoid *rows, size_t pitch,"
               " size_t row,\n    size_t count)\n{\n"
               "    const size_t begin[3] = {0, 0, 0}, box[3] = {row, count, 1};\n"
               "    return clEnqueue%sBufferRect(queue, object, CL_TRUE, begin, begin, box, 0, 0, "
               "pitch, 0, rows,\n        0, NULL, NULL);\n}\n\n",
               name, word, verb);
}

static void define_copies_of_rows(struct emission *e)
{
    bool any_input = false;
    for (size_t i = 0; i < e->program->inputs.count; i++)
        any_input = any_input || may_have_pitch(e, i);
    if (any_input)
        define_copy_of_rows(e, "flt_write_rows", "Write", "const ");
    if (image_count(e) > e->program->inputs.count && may_have_pitch(e, e->program->inputs.count))
        define_copy_of_rows(e, "flt_read_rows", "Read", "");
}

static void print_copy_of_rows(struct emission *e, size_t i, const char *function, const char *side)
{
    const char *name = name_of_buffer(e, image_of(e, i));
    text_print(e->out,
               "flt_pitch_of_%s ? %s(device->queue, object[%zu], flt_%s_%s, flt_pitch_of_%s, ",
               name, function, i, side, name, name);
    print_packed_rows(e, image_of(e, i), ", ");
    text_print(e->out, ")\n            : ");
}

/* Objects for all of them, samples in those of the inputs. */
static void print_upload(struct emission *e, size_t i)
{
    const char *name = name_of_buffer(e, image_of(e, i));
    text_print(e->out,
               "    if (error == CL_SUCCESS)\n"
               "        object[%zu] = clCreateBuffer(device->context, CL_MEM_READ_WRITE, %s, NULL, "
               "&error);\n",
               i, bytes_of(e, i));
    if (i < e->program->inputs.count) {
        text_print(e->out, "    if (error == CL_SUCCESS)\n        error = ");
        if (may_have_pitch(e, i))
            print_copy_of_rows(e, i, "flt_write_rows", "from");
        text_print(e->out, "clEnqueueWriteBuffer(device->queue, object[%zu], CL_TRUE, 0, ", i);
        print_packed_size(e, image_of(e, i));
        text_print(e->out, ", flt_from_%s, 0, NULL, NULL);\n", name);
    }
    text_print(e->out, "    flt_copy_of_%s.memory = object[%zu];\n    flt_copy_of_%s.first = 0;\n",
               name, i, name);
}

static void print_download(struct emission *e, size_t i)
{
    text_print(e->out,
               "    if (error == CL_SUCCESS && status == %s_OK) /* waits for the kernels */\n"
               "        error = ",
               name_upper(e, e->name));
    if (may_have_pitch(e, i))
        print_copy_of_rows(e, i, "flt_read_rows", "to");
    text_print(e->out, "clEnqueueReadBuffer(device->queue, object[%zu], CL_TRUE, 0, ", i);
    print_packed_size(e, image_of(e, i));
    text_print(e->out, ", flt_to_%s, 0, NULL, NULL);\n", name_of_buffer(e, image_of(e, i)));
}

void define_run_of_host_images(struct emission *e)
{
    const char *upper = name_upper(e, e->name);
    const size_t count = image_count(e), inputs = e->program->inputs.count;
    define_copies_of_rows(e);
    text_print(e->out, "int %s(%s", e->name, e->dialect->host->handle_of(e));
    emit_parameters(e, false, true);
    text_print(e->out,
               ")\n{\n    struct %s_frame all;\n    cl_mem object[%zu] = {NULL};\n    char *host;\n"
               "    cl_int error = CL_SUCCESS;\n    int status = %s_check(&all, ",
               e->name, count + 1, e->name);
    emit_parameters(e, true, true);
    text_print(e->out,
               ");\n    if (status != %s_OK)\n        return status;\n"
               "    if (!device)\n        return %s_NULL_POINTER;\n",
               upper, upper);
    struct body body;
    begin_body(e, &body);
    for (size_t i = 0; i < count; i++)
        print_packed_image(e, image_of(e, i));
    print_packed_places(e);
    text_print(e->out, "    const uint64_t scratch = %s_layout(&all, NULL", e->name);
    for (size_t i = 0; i < count; i++)
        text_print(e->out, ", &flt_copy_of_%s", name_of_buffer(e, image_of(e, i)));
    text_print(e->out,
               ");\n    host = (char *)malloc((size_t)images);\n"
               "    if (!host)\n        return %s_NO_MEMORY;\n",
               upper);
    for (size_t i = 0; i < inputs; i++)
        print_packed_input(e, image_of(e, i));
    for (size_t i = inputs; i < count; i++)
        print_packed_target(e, image_of(e, i));
    for (size_t i = 0; i < count; i++)
        print_upload(e, i);
    text_print(e->out,
               "    if (error == CL_SUCCESS && scratch)\n"
               "        object[%zu] = clCreateBuffer(device->context, CL_MEM_READ_WRITE, "
               "(size_t)scratch, NULL, &error);\n"
               "    if (error == CL_SUCCESS)\n        status = %s_run(device, ",
               count, e->name);
    print_packed_arguments(e);
    text_print(e->out, ", object[%zu], (size_t)scratch, device->queue);\n", count);
    for (size_t i = inputs; i < count; i++)
        print_download(e, i);
    text_print(e->out,
               "    (void)clFinish(device->queue); /* before objects in use are freed */\n"
               "    if (error != CL_SUCCESS)\n        status = %s_status_of(error);\n",
               e->name);
    for (size_t i = inputs; i < count; i++)
        print_packed_output(e, image_of(e, i));
    text_print(e->out,
               "    for (int i = 0; i < %zu; i++)\n        if (object[i])\n"
               "            (void)clReleaseMemObject(object[i]);\n"
               "    free(host);\n    return status;\n}\n\n",
               count + 1);
    print_frame_pointer(e, &body);
    end_body(e, &body, true);
}
