/* The kernels' text inside the file of C, and the handle that a driver's program is kept in. */
#include "emit/launch/opencl/opencl.h"

/* ---- The kernels of the program ---- */

struct kernel_list {
    struct arena *arena;
    VECTOR(const struct statement *) kernels;
};

static void list_kernel(const struct statement *statement, void *user)
{
    struct kernel_list *list = user;
    if (statement->kind == STATEMENT_KERNEL)
        VECTOR_PUSH(list->arena, &list->kernels, statement);
    else
        statement_children(statement, list_kernel, list);
}

static struct kernel_list kernels_of(struct emission *e)
{
    struct kernel_list list = {.arena = e->arena};
    list_kernel(e->program->body, &list);
    return list;
}

unsigned kernel_number(struct emission *e, const struct statement *kernel)
{
    const struct kernel_list list = kernels_of(e);
    unsigned i = 0;
    while (i < list.kernels.count && list.kernels.item[i] != kernel)
        i++;
    return i;
}

/* ---- The text ---- */

/* What the kernels' C has that OpenCL's has not: printed where it is mentioned. */
static const struct {
    const char *word, *line;
} prologue[] = {
    {"double", "#pragma OPENCL EXTENSION cl_khr_fp64 : enable"},
    {"int8_t", "typedef char int8_t;"},
    {"uint8_t", "typedef uchar uint8_t;"},
    {"int16_t", "typedef short int16_t;"},
    {"uint16_t", "typedef ushort uint16_t;"},
    {"int32_t", "typedef int int32_t;"},
    {"uint32_t", "typedef uint uint32_t;"},
    {"int64_t", "typedef long int64_t;"},
    {"uint64_t", "typedef ulong uint64_t;"},
    {"UINT32_C", "#define UINT32_C(v) v##U"},
    {"INT64_C", "#define INT64_C(v) v##L"},
    {"UINT64_C", "#define UINT64_C(v) v##UL"},
    {"INT32_MIN", "#define INT32_MIN INT_MIN"},
    {"INT32_MAX", "#define INT32_MAX INT_MAX"},
    {"UINT32_MAX", "#define UINT32_MAX UINT_MAX"},
    {"INT64_MIN", "#define INT64_MIN LONG_MIN"},
    {"INT64_MAX", "#define INT64_MAX LONG_MAX"},
    {"FLT_RESTRICT", "#define FLT_RESTRICT restrict"},
    {"fabsf", "#define fabsf fabs"},
    {"floorf", "#define floorf floor"},
    {"ceilf", "#define ceilf ceil"},
    {"rintf", "#define rintf rint"},
    {"truncf", "#define truncf trunc"},
    {"copysignf", "#define copysignf copysign"},
    {"fmaf", "#define fmaf fma"},
    {"sqrtf", "#ifdef FLT_IN_DOUBLE\n#define sqrtf(v) ((float)sqrt((double)(v)))\n#else\n"
              "#define sqrtf sqrt\n#endif"},
};

static struct text program_text(struct emission *e, const struct text *kernels)
{
    struct text body = text_create(e->arena), text = text_create(e->arena);
    struct text *const out = e->out;
    e->out = &body;
    helpers_print(e, true);
    if (kernels->length)
        text_append(&body, kernels->bytes, kernels->length);
    e->out = out;
    text_print(&text, "#pragma OPENCL FP_CONTRACT OFF\n");
    for (size_t i = 0; i < sizeof prologue / sizeof prologue[0]; i++)
        if (body.length && text_mentions(body.bytes, prologue[i].word))
            text_print(&text, "%s\n", prologue[i].line);
    text_print(&text, "\n%s", body.length ? body.bytes : "");
    while (text.length > 1 && text.bytes[text.length - 2] == '\n')
        text.bytes[--text.length] = 0;
    return fold_lines(e->arena, text.bytes);
}

/* "line\n" */
static void print_literal(struct emission *e, const char *at, size_t length)
{
    text_print(e->out, "\n    \"");
    for (const char *end = at + length; at < end; at++)
        if (*at == '\n')
            text_print(e->out, "\\n");
        else
            text_print(e->out, *at == '"' || *at == '\\' ? "\\%c" : "%c", *at);
    text_print(e->out, "\"");
}

/* Strings as long as C99 takes them, a line of the text in each line. */
static void print_strings(struct emission *e, const char *text)
{
    enum { MOST = 4000 };
    size_t length = 0;
    for (const char *at = text; *at;) {
        const size_t line = strcspn(at, "\n") + (at[strcspn(at, "\n")] != 0);
        if (length + line > MOST) {
            text_print(e->out, ",");
            length = 0;
        }
        length += line;
        print_literal(e, at, line);
        at += line;
    }
}

void embed_program(struct emission *e, const struct text *kernels)
{
    const struct text text = program_text(e, kernels);
    const struct kernel_list list = kernels_of(e);
    text_print(e->out, "/* The kernels, in OpenCL C. */\nstatic const char *const %s_text[] = {",
               e->name);
    print_strings(e, text.length ? text.bytes : "");
    text_print(e->out, "};\n\n");
    if (list.kernels.count) {
        text_print(e->out, "static const char *const %s_names[] = {", e->name);
        for (size_t i = 0; i < list.kernels.count; i++)
            text_print(e->out, "%s\"%s\"", i ? ", " : "", name_of_kernel(e, list.kernels.item[i]));
        text_print(e->out, "};\n");
    }
    text_print(e->out,
               "enum { %s_KERNELS = %zu, %s_USES_DOUBLE = %d };\n\n"
               "struct %s_device {\n    cl_context context;\n    cl_device_id device;\n"
               "    cl_program program;\n    cl_command_queue queue; /* of %s */\n"
               "    cl_kernel kernel[%zu];\n    int is_exact;\n};\n\n",
               name_upper(e, e->name), list.kernels.count, name_upper(e, e->name),
               text_mentions(text.length ? text.bytes : "", "double"), e->name, e->name,
               list.kernels.count ? list.kernels.count : 1);
}

/* ---- The handle ---- */

void declare_handle(struct emission *e)
{
    text_print(
        e->out,
        "struct _cl_context; /* a cl_context is a pointer to it; the same of the others */\n"
        "struct _cl_device_id;\nstruct _cl_command_queue;\n\n"
        "/* The filter's kernels as the driver of a device has compiled them. One thread at a time "
        "uses a\n * handle. */\n"
        "struct %s_device;\n\n"
        "/* Compiles the kernels; NULL where that fails, *status then tells why. status may be "
        "NULL.\n"
        " * context: NULL for one of the handle's own. device: NULL for the first GPU that there "
        "is, else the\n * first device of another kind; of a context that is given, one of its "
        "own. */\n"
        "struct %s_device *%s_open(struct _cl_context *context, struct _cl_device_id *device, int "
        "*status);\n\n"
        "/* The same of what %s_binary gave for this device, which takes no compiler. Another "
        "device or\n * driver may refuse it. */\n"
        "struct %s_device *%s_open_binary(struct _cl_context *context, struct _cl_device_id "
        "*device,\n    const void *binary, size_t bytes, int *status);\n\n"
        "/* The compiled kernels, to be kept. *bytes: the size of the memory at binary, then of "
        "what was\n * needed; binary NULL: only that is told. */\n"
        "int %s_binary(const struct %s_device *device, void *binary, size_t *bytes);\n\n"
        "/* Frees a handle; NULL is one that needs nothing. */\n"
        "void %s_close(struct %s_device *device);\n\n"
        "/* 1 where the device computes with subnormal numbers of f32, so that results are the "
        "same to the\n * bit as elsewhere; else 0. */\n"
        "int %s_is_exact(const struct %s_device *device);\n\n",
        e->name, e->name, e->name, e->name, e->name, e->name, e->name, e->name, e->name, e->name,
        e->name, e->name);
}

/* $N the name, $U in capitals. */
static const char handle_text[] =
    "/* The first GPU, else the first device of another kind. */\n"
    "static cl_int $N_find_device(cl_device_id *device)\n{\n"
    "    const cl_device_type type[] = {CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_ALL};\n"
    "    cl_platform_id platform[16];\n    cl_uint platforms = 0;\n"
    "    cl_int error = clGetPlatformIDs(16, platform, &platforms);\n"
    "    if (error != CL_SUCCESS)\n        return error;\n"
    "    for (int t = 0; t < 2; t++)\n"
    "        for (cl_uint p = 0; p < platforms && p < 16; p++)\n"
    "            if (clGetDeviceIDs(platform[p], type[t], 1, device, NULL) == CL_SUCCESS)\n"
    "                return CL_SUCCESS;\n"
    "    return CL_DEVICE_NOT_FOUND;\n}\n\n"
    "static int $N_status_of(cl_int error)\n{\n"
    "    switch (error) {\n    case CL_SUCCESS:\n        return $U_OK;\n"
    "    case CL_DEVICE_NOT_FOUND:\n    case CL_DEVICE_NOT_AVAILABLE:\n"
    "    case -1001: /* of cl_khr_icd: no platform */\n        return $U_NO_DEVICE;\n"
    "    case CL_MEM_OBJECT_ALLOCATION_FAILURE:\n    case CL_OUT_OF_RESOURCES:\n"
    "    case CL_INVALID_BUFFER_SIZE:\n        return $U_NO_DEVICE_MEMORY;\n"
    "    case CL_OUT_OF_HOST_MEMORY:\n        return $U_NO_MEMORY;\n"
    "    case CL_COMPILER_NOT_AVAILABLE:\n    case CL_BUILD_PROGRAM_FAILURE:\n"
    "        return $U_NO_PROGRAM;\n"
    "    default:\n        return $U_DEVICE - (int)error;\n    }\n}\n\n"
    "/* From the text, or from a binary; with the options that the device's arithmetic needs. */\n"
    "static cl_int $N_build(struct $N_device *made, const unsigned char *binary, size_t bytes)\n{\n"
    "    cl_device_fp_config single = 0;\n    cl_int error, built;\n"
    "    const char *options = \"\";\n"
    "    error = clGetDeviceInfo(made->device, CL_DEVICE_SINGLE_FP_CONFIG, sizeof single, &single, "
    "NULL);\n"
    "    if (error != CL_SUCCESS)\n        return error;\n"
    "    made->is_exact = (single & CL_FP_DENORM) != 0;\n"
    "    if (single & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT)\n"
    "        options = \"-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt\";\n"
    "    else\n        options = \"-cl-std=CL1.2 -DFLT_IN_DOUBLE\";\n"
    "    if (binary)\n"
    "        made->program =\n"
    "            clCreateProgramWithBinary(made->context, 1, &made->device, &bytes, &binary, "
    "&built, &error);\n"
    "    else\n"
    "        made->program = clCreateProgramWithSource(\n"
    "            made->context, sizeof $N_text / sizeof $N_text[0], (const char **)$N_text, NULL, "
    "&error);\n"
    "    if (error == CL_SUCCESS)\n"
    "        error = clBuildProgram(made->program, 1, &made->device, options, NULL, NULL);\n"
    "$K"
    "    return error;\n}\n\n"
    "static struct $N_device *$N_open_by(cl_context context, cl_device_id device,\n"
    "    const unsigned char *binary, size_t bytes, int *status)\n{\n"
    "    struct $N_device *made = (struct $N_device *)calloc(1, sizeof *made);\n"
    "    cl_device_fp_config wide = 0;\n    cl_int error = CL_SUCCESS;\n    int result;\n"
    "    if (!made) {\n        if (status)\n            *status = $U_NO_MEMORY;\n        return "
    "NULL;\n"
    "    }\n"
    "    made->device = device;\n"
    "    if (!device)\n        error = $N_find_device(&made->device);\n"
    "    if (error == CL_SUCCESS && context)\n        error = clRetainContext(context);\n"
    "    if (error == CL_SUCCESS)\n"
    "        made->context = context ? context : clCreateContext(NULL, 1, &made->device, NULL, "
    "NULL, "
    "&error);\n"
    "    if (error == CL_SUCCESS)\n"
    "        error = clGetDeviceInfo(made->device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof wide, &wide, "
    "NULL);\n"
    "    result = context && !device ? $U_NULL_POINTER : $N_status_of(error);\n"
    "    if (result == $U_OK && $U_USES_DOUBLE && !wide)\n        result = $U_NO_DOUBLE;\n"
    "    if (result == $U_OK)\n        result = $N_status_of($N_build(made, binary, bytes));\n"
    "    if (result == $U_OK) {\n"
    "        made->queue = clCreateCommandQueue(made->context, made->device, 0, &error);\n"
    "        result = $N_status_of(error);\n    }\n"
    "    if (status)\n        *status = result;\n"
    "    if (result == $U_OK)\n        return made;\n"
    "    $N_close(made);\n    return NULL;\n}\n\n"
    "struct $N_device *$N_open(struct _cl_context *context, struct _cl_device_id *device, int "
    "*status)\n{\n"
    "    return $N_open_by(context, device, NULL, 0, status);\n}\n\n"
    "struct $N_device *$N_open_binary(struct _cl_context *context, struct _cl_device_id *device,\n"
    "    const void *binary, size_t bytes, int *status)\n{\n"
    "    if (binary)\n"
    "        return $N_open_by(context, device, (const unsigned char *)binary, bytes, status);\n"
    "    if (status)\n        *status = $U_NULL_POINTER;\n    return NULL;\n}\n\n"
    "int $N_binary(const struct $N_device *device, void *binary, size_t *bytes)\n{\n"
    "    size_t needed = 0, room;\n    unsigned char *to = (unsigned char *)binary;\n    cl_int "
    "error;\n"
    "    if (!device || !bytes)\n        return $U_NULL_POINTER;\n"
    "    room = *bytes;\n"
    "    error = clGetProgramInfo(device->program, CL_PROGRAM_BINARY_SIZES, sizeof needed, "
    "&needed, "
    "NULL);\n"
    "    if (error != CL_SUCCESS)\n        return $N_status_of(error);\n"
    "    *bytes = needed;\n"
    "    if (!binary)\n        return $U_OK;\n"
    "    if (room < needed)\n        return $U_NO_MEMORY;\n"
    "    return $N_status_of(\n"
    "        clGetProgramInfo(device->program, CL_PROGRAM_BINARIES, sizeof to, &to, NULL));\n}\n\n"
    "void $N_close(struct $N_device *device)\n{\n"
    "    if (!device)\n        return;\n"
    "    for (int i = 0; i < $U_KERNELS; i++)\n        if (device->kernel[i])\n"
    "            (void)clReleaseKernel(device->kernel[i]);\n"
    "    if (device->queue)\n        (void)clReleaseCommandQueue(device->queue);\n"
    "    if (device->program)\n        (void)clReleaseProgram(device->program);\n"
    "    if (device->context)\n        (void)clReleaseContext(device->context);\n"
    "    free(device);\n}\n\n"
    "int $N_is_exact(const struct $N_device *device)\n{\n"
    "    return device && device->is_exact;\n}\n\n";

static const char create_kernels[] =
    "    for (int i = 0; i < $U_KERNELS && error == CL_SUCCESS; i++)\n"
    "        made->kernel[i] = clCreateKernel(made->program, $N_names[i], &error);\n";

static void print_text(struct emission *e, const char *text)
{
    for (; *text; text++)
        if (text[0] != '$')
            text_append(e->out, text, 1);
        else if (*++text == 'K')
            print_text(e, kernels_of(e).kernels.count ? create_kernels : "");
        else
            text_print(e->out, "%s", *text == 'U' ? name_upper(e, e->name) : e->name);
}

void define_handle(struct emission *e)
{
    print_text(e, handle_text);
}
