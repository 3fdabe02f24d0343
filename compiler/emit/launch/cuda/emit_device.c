/* The host functions that run kernels on a device: statuses, declarations, NAME_run. */
#include "emit/host/host.h"
#include "emit/launch/cuda/device.h"

/* Numbers that stay (statuses.def); the device's own errors have those behind the last. */
enum { NO_DEVICE = 10000, NO_DEVICE_MEMORY = 10001, ELSEWHERE = 15000, DEVICE = 20000 };

static const struct device_status statuses[] = {
    {"NO_DEVICE", NO_DEVICE, "there is no device, or no driver for it"},
    {"NO_DEVICE_MEMORY", NO_DEVICE_MEMORY, "there is not enough memory on the device"},
    {NULL, 0, NULL},
};

static void print_last_status(struct emission *e)
{
    text_print(e->out,
               "    %s_ELSEWHERE = %d, /* plus the number of an argument: no memory of a device "
               "(FLT_DEBUG) */\n",
               name_upper(e, e->name), ELSEWHERE);
    text_print(e->out, "    %s_DEVICE = %d, /* plus the cudaError_t of a call that failed */\n",
               name_upper(e, e->name), DEVICE);
}

static void print_other_status(struct emission *e)
{
    const size_t images = image_count(e);
    for (size_t i = 0; i <= images; i++)
        text_print(
            e->out, "status == %zu ? \"%s%s is no memory of a device\"\n        : ", ELSEWHERE + i,
            i < images ? name_of_buffer(e, image_of(e, i)) : "scratch", i < images ? ".data" : "");
    text_print(e->out,
               "status > %d ? cudaGetErrorString((cudaError_t)(status - %d)) : \"unknown status\"",
               DEVICE, DEVICE);
}

static void declare_run(struct emission *e)
{
    const bool several = e->program->outputs.count > 1;
    const char *outputs = several ? "outputs" : "output";
    text_print(e->out,
               "struct CUstream_st; /* a cudaStream_t is a pointer to it */\n\n"
               "/* Bytes of scratch memory that %s_run needs with these arguments, where data may "
               "be NULL;\n"
               " * SIZE_MAX if one is wrong. */\nsize_t %s_scratch_bytes(",
               e->name, e->name);
    emit_parameters(e, false, true);
    text_print(
        e->out,
        ");\n\n"
        "/* Computes the %s on the current device; returns a status. Images and scratch are "
        "memory of\n * that device.\n"
        " * scratch: %s_scratch_bytes(...) or more, aligned to 64 bytes.\n"
        " * stream: where the kernels are started; NULL: the default stream. The function "
        "allocates\n"
        " * nothing, waits for nothing and keeps nothing between calls, so it can be captured "
        "in a graph.\n"
        " * An error while kernels run is reported by the next call that waits for them.\n"
        " * Compiled with -DFLT_DEBUG it also finds out which argument is no memory of a device.\n"
        " * Kernels are started only if all arguments are right. Outputs must not share "
        "memory with\n"
        " * inputs%s; only equal addresses are detected.\n",
        outputs, e->name, several ? " or each other" : "");
    emit_parameters_text(e);
    text_print(e->out, " */\nint %s_run(", e->name);
    emit_parameters(e, false, true);
    text_print(e->out,
               ", void *scratch, size_t scratch_bytes, struct CUstream_st *stream);\n\n"
               "/* The same for images in host memory: allocates memory on the current device, "
               "copies the inputs\n"
               " * to it, computes, waits and copies the %s back. Unless the status is OK, no "
               "sample of the\n * %s is written. */\nint %s(",
               outputs, outputs, e->name);
    emit_parameters(e, false, true);
    text_print(e->out, ");\n");
}

static void print_status_of(struct emission *e)
{
    const char *upper = name_upper(e, e->name);
    text_print(e->out,
               "/* The status for what a call of the runtime gave. */\n"
               "static int %s_status_of(cudaError_t error)\n{\n    switch (error) {\n"
               "    case cudaSuccess:\n        return %s_OK;\n"
               "    case cudaErrorNoDevice:\n    case cudaErrorInsufficientDriver:\n"
               "    case cudaErrorStubLibrary:\n        return %s_NO_DEVICE;\n"
               "    case cudaErrorMemoryAllocation:\n        return %s_NO_DEVICE_MEMORY;\n"
               "    default:\n        return %s_DEVICE + (int)error;\n    }\n}\n\n",
               e->name, upper, upper, upper, upper);
}

static const char is_of_device[] =
    "#ifdef FLT_DEBUG\n"
    "static bool flt_is_of_device(const void *memory)\n{\n"
    "    struct cudaPointerAttributes found;\n"
    "    return !memory || (cudaPointerGetAttributes(&found, memory) == cudaSuccess\n"
    "        && found.devicePointer);\n}\n#endif\n\n";

static void print_debug_check(struct emission *e)
{
    const size_t images = image_count(e);
    text_print(e->out, "#ifdef FLT_DEBUG\n    const void *const flt_memory[] = {");
    for (size_t i = 0; i < images; i++)
        text_print(e->out, "%s->data, ", name_of_buffer(e, image_of(e, i)));
    text_print(
        e->out,
        "scratch};\n    for (int i = 0; i <= %zu; i++)\n"
        "        if (!flt_is_of_device(flt_memory[i]))\n            return %s_ELSEWHERE + i;\n"
        "#endif\n",
        images, name_upper(e, e->name));
}

static void define_run(struct emission *e)
{
    print_status_of(e);
    text_print(e->out, "%s", is_of_device);
    print_run_begin(e, ", struct CUstream_st *stream");
    print_debug_check(e);
    text_print(e->out, "    return %s_status_of(%s_kernels(&all, stream));\n}\n\n", e->name,
               e->name);
    emit_run_of_host_images(e);
}

static void print_launch_call(struct emission *e)
{
    text_print(e->out,
               "    case FLT_LAUNCH:\n        return %s_run(%s, given->scratch, "
               "given->scratch_bytes,\n            (struct CUstream_st *)given->stream);\n",
               e->name, entry_arguments(e, true));
}

static const char *kernels_parameter_of(struct emission *e)
{
    (void)e;
    return ", struct CUstream_st *stream";
}

const struct host_dialect host_of_device = {
    .takes_strides = true,
    .copies_images = true,
    .frame = "int64_t flt_first_x, flt_first_y, flt_first_z; /* blocks before those of a launch "
             "*/\n",
    .set_frame = "",
    .parameter = "",
    .argument = "",
    .run_parameters = "struct CUstream_st *stream",
    .run_arguments = "stream",
    .run_fields = "(struct CUstream_st *)given->stream",
    .kernels_result = "cudaError_t",
    .kernels_parameter_of = kernels_parameter_of,
    .kernels_begin = "    cudaError_t error = cudaSuccess;\n",
    .kernels_end = "    return error;\n",
    .declare_run = declare_run,
    .define_run = define_run,
    .statuses = statuses,
    .print_statuses = print_last_status,
    .print_other_status = print_other_status,
    .print_launch_call = print_launch_call,
};
