/* NAME: runs a filter on images in host memory, packed into one block. On the device each image is
 * an object, and scratch memory is another one. Images of the caller that are packed are copied as
 * they are. All results are there before a sample of several is written, and the kernels are done
 * before one is. */
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
        text_print(e->out,
                   "    if (error == CL_SUCCESS)\n"
                   "        error = clEnqueueWriteBuffer(device->queue, object[%zu], CL_TRUE, 0, ",
                   i);
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
               "        error = clEnqueueReadBuffer(device->queue, object[%zu], CL_TRUE, 0, ",
               name_upper(e, e->name), i);
    print_packed_size(e, image_of(e, i));
    text_print(e->out, ", flt_to_%s, 0, NULL, NULL);\n", name_of_buffer(e, image_of(e, i)));
}

void define_run_of_host_images(struct emission *e)
{
    const char *upper = name_upper(e, e->name);
    const size_t count = image_count(e), inputs = e->program->inputs.count;
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
