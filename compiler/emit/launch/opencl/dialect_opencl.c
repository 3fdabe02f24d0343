/* OpenCL C 1.2: a kernel is a __kernel function with arguments. The text of all kernels is embedded
 * in the C file; the driver compiles it when a filter is opened. */
#include "emit/host/host.h"
#include "emit/launch/exact.h"
#include "emit/launch/launch_box.h"
#include "emit/launch/opencl/opencl.h"

extern const struct helper_text helpers_in_opencl[]; /* in build/helpers.c */

/* Division and square root of f32 are rounded as IEEE 754 has it where the device can: else they
 * are computed in f64, which gives the same. */
static const struct helper_text arithmetic[] = {
    {"flt_div_f32",
     "/* A quotient, rounded as IEEE 754 has it. */\n"
     "static inline float flt_div_f32(float a, float b)\n{\n"
     "#ifdef FLT_IN_DOUBLE\n    return (float)((double)a / (double)b);\n"
     "#else\n    return a / b;\n#endif\n}\n",
     NULL},
    {NULL, NULL, NULL},
};

static const struct helper_text definitions[] = {
    {"flt_bits",
     "/* The bits of v. */\n"
     "static inline uint64_t flt_bits(double v)\n{\n    return as_ulong(v);\n}\n",
     NULL},
    {"flt_from_bits",
     "/* The double of these bits. */\n"
     "static inline double flt_from_bits(uint64_t bits)\n{\n"
     "    return as_double(bits);\n}\n",
     NULL},
    {"flt_bits_f32",
     "/* The bits of v. */\n"
     "static inline uint32_t flt_bits_f32(float v)\n{\n    return as_uint(v);\n}\n",
     NULL},
    {"flt_from_bits_f32",
     "/* The float of these bits. */\n"
     "static inline float flt_from_bits_f32(uint32_t bits)\n{\n"
     "    return as_float(bits);\n}\n",
     NULL},
    {NULL, NULL, NULL},
};

static struct access_words access_of(struct emission *e, unsigned beside,
                                     const struct buffer *memory, bool loads)
{
    static const char *const base[SCALAR_COUNT] = {
        [SCALAR_BOOL] = "uchar", [SCALAR_U8] = "uchar",  [SCALAR_I8] = "char",
        [SCALAR_U16] = "ushort", [SCALAR_I16] = "short", [SCALAR_U32] = "uint",
        [SCALAR_I32] = "int",    [SCALAR_I64] = "long",  [SCALAR_F32] = "float",
        [SCALAR_F64] = "double", [SCALAR_F16] = "ushort"};
    const char *type = arena_format(
        e->arena, "%s%s%u", memory->space == SPACE_SHARED ? e->dialect->shared : e->dialect->memory,
        base[memory->scalar], beside);
    if (loads)
        return (struct access_words){
            arena_format(e->arena, "vstore%u(*(const %s *)&", beside, type), ", 0, &", ");"};
    return (struct access_words){arena_format(e->arena, "*(%s *)&", type),
                                 arena_format(e->arena, " = vload%u(0, &", beside), ");"};
}

static void open_file(struct emission *e)
{
    const char *stem = e->options->stem;
    text_print(e->out,
               "/* %s%s%s. Needs an OpenCL 1.2 library: cc -c %s.c, link with "
               "-lOpenCL */\n"
               "#define CL_TARGET_OPENCL_VERSION 120\n"
               "#include \"%s.h\"\n\n#include <CL/cl.h>\n#include <math.h>\n"
               "#include <stdlib.h>\n#include <string.h>\n\n",
               e->name, *e->program->text ? ": " : "", comment_text(e->arena, e->program->text),
               comment_text(e->arena, stem), stem);
    exact_print_begin(e);
    e->unit_at = e->out->length;
    text_print(e->out, "#define FLT_INLINE static inline\n"
                       "#ifdef __GNUC__\n#define FLT_APART __attribute__((noinline))\n#else\n"
                       "#define FLT_APART\n#endif\n\n");
    if (host_computes_floats(e))
        exact_print_floats(e);
}

static void print_before_host(struct emission *e, const char *host)
{
    (void)host;
    text_print(
        e->out,
        "/* An argument of a kernel. */\n"
        "struct flt_argument {\n    const void *value;\n    size_t bytes;\n};\n\n"
        "/* Starts the kernel with so many blocks of threads; not where there are none. */\n"
        "static cl_int %s_launch(cl_kernel kernel, cl_command_queue queue,\n"
        "    const struct flt_argument argument[], cl_uint arguments, int64_t grid_x, int64_t "
        "grid_y,\n    int64_t grid_z, size_t block_x, size_t block_y)\n{\n"
        "    const size_t block[3] = {block_x, block_y, 1};\n"
        "    const size_t grid[3] = {(size_t)grid_x * block_x, (size_t)grid_y * block_y, "
        "(size_t)grid_z};\n"
        "    cl_int error = CL_SUCCESS;\n"
        "    if (grid_x < 1 || grid_y < 1 || grid_z < 1)\n        return CL_SUCCESS;\n"
        "    for (cl_uint i = 0; i < arguments && error == CL_SUCCESS; i++)\n"
        "        error = clSetKernelArg(kernel, i, argument[i].bytes, argument[i].value);\n"
        "    if (error == CL_SUCCESS)\n"
        "        error = clEnqueueNDRangeKernel(queue, kernel, 3, NULL, grid, block, 0, NULL, "
        "NULL);\n"
        "    return error;\n}\n\n",
        e->name);
}

static void print_block(struct emission *e, const struct expr *extent)
{
    if (extent)
        emit_index(e, &on_host, extent);
    else
        text_print(e->out, "1");
}

static void open_kernel(struct emission *e, const struct statement *kernel, const char *name)
{
    const struct launch_box box = launch_box_of(kernel);
    const struct arguments arguments = arguments_of(e, kernel);
    text_print(e->out, "__kernel __attribute__((reqd_work_group_size(");
    print_block(e, box.extent[LEVEL_BLOCK_X]);
    text_print(e->out, ", ");
    print_block(e, box.extent[LEVEL_BLOCK_Y]);
    text_print(e->out, ", 1)))\nvoid %s(", name);
    for (size_t i = 0; i < arguments.list.count; i++)
        text_print(e->out, "%s%s%s%s", i ? ", " : "", arguments.list.item[i].type,
                   arguments.list.item[i].name, arguments.list.item[i].values ? "_values" : "");
    text_print(e->out, ")\n{\n");
    for (size_t i = 0; i < arguments.list.count; i++) {
        const struct argument *argument = &arguments.list.item[i];
        if (argument->place)
            text_print(e->out, "    %s += %s;\n", argument->name, argument->place);
        if (argument->values)
            text_print(e->out, "    const %s *const %s = %s_values.at;\n", argument->values,
                       argument->name, argument->name);
    }
}

static void print_launch(struct emission *e, const struct launch *launch)
{
    const struct arguments arguments = arguments_of(e, launch->kernel);
    text_print(e->out, "{ /* %s */\n    const struct flt_argument argument[] = {\n", launch->name);
    for (size_t i = 0; i < arguments.list.count; i++)
        text_print(e->out, "        {&frame->%s, sizeof frame->%s},\n", arguments.list.item[i].name,
                   arguments.list.item[i].name);
    text_print(e->out, "    };\n    error = %s_launch(device->kernel[%u], queue, argument, %zu",
               e->name, kernel_number(e, launch->kernel), arguments.list.count);
    emit_launch_box(e, launch->kernel);
    text_print(e->out, ");\n    if (error != CL_SUCCESS)\n        return error;\n}\n");
}

const struct dialect dialect_opencl = {
    .ending = ".c",
    .prologue = "",
    .helpers = helpers_in_opencl,
    .table = "__constant",
    .quotient = {[SCALAR_F32] = "flt_div_f32"},
    .arithmetic = arithmetic,
    .definitions = definitions,
    .language = LANGUAGE_OPENCL,
    .frame = "",
    .memory = "__global ",
    .thread = "(get_group_id(0) + get_num_groups(0) * (get_group_id(1) + get_num_groups(1) * "
              "get_group_id(2)))",
    .barrier = "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);",
    .unrolled = "FLT_UNROLL",
    .partly_unrolled = "FLT_UNROLL_8",
    .join =
        {[JOIN_SUM] = "atomic_add", [JOIN_MINIMUM] = "atomic_min", [JOIN_MAXIMUM] = "atomic_max"},
    .shared = "__local ",
    .shared_behind = " __attribute__((aligned(16)))",
    .launch_index = {[LEVEL_GRID_X] = "get_group_id(0)",
                     [LEVEL_GRID_Y] = "get_group_id(1)",
                     [LEVEL_GRID_Z] = "get_group_id(2)",
                     [LEVEL_BLOCK_X] = "get_local_id(0)",
                     [LEVEL_BLOCK_Y] = "get_local_id(1)"},
    .open_file = open_file,
    .close_file = exact_print_end,
    .print_before_host = print_before_host,
    .print_before_embedded = print_structures_of_values,
    .embed = embed_program,
    .open_kernel = open_kernel,
    .access_of = access_of,
    .launch = print_launch,
    .host = &host_of_objects,
};
