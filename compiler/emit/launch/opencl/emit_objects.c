/* The host functions that run kernels by OpenCL: statuses, declarations, NAME_run, the entry point
 * for commands. */
#include "emit/launch/opencl/opencl.h"

/* Numbers that stay (statuses.def); errors of OpenCL have those behind the last. */
enum {
    NO_DEVICE = 10000,
    NO_DEVICE_MEMORY = 10001,
    NO_DOUBLE = 10002,
    NO_PROGRAM = 10003,
    DEVICE = 20000
};

static const struct device_status statuses[] = {
    {"NO_DEVICE", NO_DEVICE, "there is no device, or no driver for it"},
    {"NO_DEVICE_MEMORY", NO_DEVICE_MEMORY, "there is not enough memory on the device"},
    {"NO_DOUBLE", NO_DOUBLE, "the device has no f64, which the filter computes in"},
    {"NO_PROGRAM", NO_PROGRAM, "the device's compiler does not take the kernels"},
    {NULL, 0, NULL},
};

/* Errors that a call of a filter may give; those of CL/cl.h. */
static const struct {
    int number;
    const char *text;
} error[] = {
    {-11, "the kernels cannot be compiled"},
    {-30, "an invalid value"},
    {-33, "an invalid device"},
    {-34, "an invalid context"},
    {-36, "an invalid command queue"},
    {-38, "an invalid memory object"},
    {-42, "a binary of another device or driver"},
    {-46, "an invalid kernel name"},
    {-51, "an invalid size of a kernel's argument"},
    {-52, "invalid arguments of a kernel"},
    {-54, "blocks of more threads than the device takes"},
    {-55, "blocks of threads that the device does not take"},
    {-61, "an object of more memory than the device takes"},
    {-63, "more blocks of threads than the device takes"},
};

static void print_last_status(struct emission *e)
{
    text_print(e->out,
               "    %s_DEVICE = %d, /* less the error of an OpenCL call, which is negative */\n",
               name_upper(e, e->name), DEVICE);
}

static void print_errors(struct emission *e)
{
    for (size_t i = 0; i < sizeof error / sizeof error[0]; i++)
        text_print(e->out, "    case %d:\n        return \"OpenCL error %d: %s\";\n",
                   DEVICE - error[i].number, error[i].number, error[i].text);
}

static void print_other_status(struct emission *e)
{
    text_print(e->out, "status > %d ? \"an OpenCL error\" : \"unknown status\"", DEVICE);
}

static void declare_run(struct emission *e)
{
    const bool several = e->program->outputs.count > 1;
    const char *outputs = several ? "outputs" : "output";
    declare_handle(e);
    text_print(
        e->out,
        "/* Bytes of scratch memory that %s_run needs with these arguments, where memory and data "
        "may\n * be NULL; SIZE_MAX if one is wrong. */\nsize_t %s_scratch_bytes(",
        e->name, e->name);
    emit_parameters(e, false, true);
    text_print(
        e->out,
        ");\n\n"
        "/* Computes the %s in memory of the device, given by `memory` and `first` of each image; "
        "returns\n * a status.\n"
        " * scratch: an object of %s_scratch_bytes(...) or more; NULL if that is 0.\n"
        " * queue: an in-order queue of the handle's context and device, where the kernels are "
        "started.\n"
        " * The function allocates nothing and waits for nothing.\n"
        " * Kernels are started only if all arguments are right. Outputs must not share memory "
        "with\n"
        " * inputs%s; only equal places are detected.\n",
        outputs, e->name, several ? " or each other" : "");
    emit_parameters_text(e);
    text_print(e->out, " */\nint %s_run(%s", e->name, e->dialect->host->handle_of(e));
    emit_parameters(e, false, true);
    text_print(
        e->out,
        ", struct _cl_mem *scratch, size_t scratch_bytes,\n    struct _cl_command_queue "
        "*queue);\n\n"
        "/* The same for images in host memory, given by `data`: allocates memory on the device, "
        "copies\n"
        " * the inputs to it, computes, waits and copies the %s back. Unless the status is OK, "
        "no sample\n * of the %s is written. */\nint %s(%s",
        outputs, outputs, e->name, e->dialect->host->handle_of(e));
    emit_parameters(e, false, true);
    text_print(e->out, ");\n");
}

static void define_run(struct emission *e)
{
    print_run_begin(e, ", struct _cl_command_queue *queue");
    text_print(e->out,
               "    if (!device || !queue)\n        return %s_NULL_POINTER;\n"
               "    return %s_status_of(%s_kernels(&all, device, queue));\n}\n\n",
               name_upper(e, e->name), e->name, e->name);
    define_run_of_host_images(e);
}

static const char *handle_of(struct emission *e)
{
    return arena_format(e->arena, "struct %s_device *device, ", e->name);
}

static const char *kernels_parameter_of(struct emission *e)
{
    return arena_format(e->arena, ", struct %s_device *device, cl_command_queue queue", e->name);
}

/* The command runs a filter several times in one process, by one thread. */
static const char *entry_begin(struct emission *e)
{
    return arena_format(e->arena,
                        "    static struct %s_device *device;\n    if (!device) {\n"
                        "        int status;\n        device = %s_open(NULL, NULL, &status);\n"
                        "        if (!device)\n            return status;\n    }\n",
                        e->name, e->name);
}

static const char *const members[] = {"memory", "first", NULL};

const struct host_dialect host_of_objects = {
    .takes_strides = true,
    .object = "struct _cl_mem *",
    .members = members,
    .copies_images = true,
    .frame = "",
    .set_frame = "",
    .handle_of = handle_of,
    .parameter = "",
    .argument = "",
    .run_parameters = "struct _cl_command_queue *queue",
    .run_arguments = "queue",
    .kernels_result = "cl_int",
    .kernels_parameter_of = kernels_parameter_of,
    .kernels_begin = "    cl_int error = CL_SUCCESS;\n",
    .kernels_end = "    return error;\n",
    .define_handle = define_handle,
    .declare_run = declare_run,
    .define_run = define_run,
    .statuses = statuses,
    .print_statuses = print_last_status,
    .print_status_cases = print_errors,
    .print_other_status = print_other_status,
    .entry_begin = entry_begin,
};
