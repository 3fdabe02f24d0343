/* The handle that holds the compiled program of a driver: NAME_open and related functions, in the
 * header and in the source. */
#include "emit/launch/opencl/opencl.h"

void declare_handle(struct emission *e)
{
    text_print(
        e->out,
        "struct _cl_context; /* a cl_context is a pointer to it; the same of the others */\n"
        "struct _cl_device_id;\nstruct _cl_command_queue;\n\n"
        "/* A handle: the kernels of the filter, compiled for a device. One thread at a time may "
        "use it. */\n"
        "struct %s_device;\n\n"
        "/* Compiles the kernels. Returns NULL on failure; *status then tells why. status may be "
        "NULL.\n"
        " * context: NULL to create one. device: NULL for the first GPU of the context or system, "
        "else the\n * first device of another kind. */\n"
        "struct %s_device *%s_open(struct _cl_context *context, struct _cl_device_id *device, int "
        "*status);\n\n"
        "/* The same from a binary that %s_binary made for this device; nothing is compiled. "
        "Another device\n * or driver may refuse it. */\n"
        "struct %s_device *%s_open_binary(struct _cl_context *context, struct _cl_device_id "
        "*device,\n    const void *binary, size_t bytes, int *status);\n\n"
        "/* Stores the compiled kernels at binary. *bytes: on entry the size of that memory, on "
        "return the\n * size needed. If binary is NULL, only *bytes is set. */\n"
        "int %s_binary(const struct %s_device *device, void *binary, size_t *bytes);\n\n"
        "/* Frees a handle. device may be NULL. */\n"
        "void %s_close(struct %s_device *device);\n\n"
        "/* 1 if the device supports subnormal numbers of f32, so that results have the same bits "
        "as\n * elsewhere; else 0. */\n"
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
