/* CUDA C++: a kernel is a __global__ function whose argument is the frame, by value. */
#include "emit/host/host.h"
#include "emit/launch/cuda/device.h"
#include "emit/launch/exact.h"
#include "emit/launch/launch_box.h"

static const char prologue[] =
    "/* On a device, products that a sum would take up are calls. nvcc defines no macro for its "
    "options\n"
    " * -use_fast_math, -ftz=true and -prec-sqrt=false; a constant of its own shows them, and the "
    "assembler\n * refuses the instruction. */\n"
    "#if defined(__NVCC__) && defined(__CUDA_ARCH__)\n"
    "extern \"C\" __device__ int __nvvm_reflect(const char *);\n"
    "#define FLT_NEEDS_EXACT_FLOATS() \\\n"
    "    if (__nvvm_reflect(\"__CUDA_FTZ\") || !__nvvm_reflect(\"__CUDA_PREC_SQRT\")) \\\n"
    "        asm volatile(\"compile_without_use_fast_math_or_ftz_or_prec_sqrt_false;\")\n"
    "#else\n"
    "#define FLT_NEEDS_EXACT_FLOATS() ((void)0)\n"
    "#endif\n"
    "#define FLT_RESTRICT __restrict__\n"
    "#define FLT_INLINE static inline\n"
    "#define FLT_APART\n";

extern const struct helper_text helpers_in_cuda[]; /* in build/helpers.c */

/* On a device by functions whose results no compiler's option changes. */
#define ARITHMETIC(name, type, device, operation, comment)                                         \
    {                                                                                              \
        name,                                                                                      \
            comment "static __host__ __device__ inline " type " " name "(" type " a, " type        \
                    " b)\n{\n#ifdef __CUDA_ARCH__\n    return " device                             \
                    "(a, b);\n#else\n    return a " operation " b;\n#endif\n}\n",                  \
            NULL                                                                                   \
    }
#define PRODUCT "/* A product that is rounded by itself, not with a sum. */\n"
#define QUOTIENT "/* A quotient, whatever is known of the divisor. */\n"
static const struct helper_text arithmetic[] = {
    ARITHMETIC("flt_mul_f32", "float", "__fmul_rn", "*", PRODUCT),
    ARITHMETIC("flt_mul_f64", "double", "__dmul_rn", "*", PRODUCT),
    ARITHMETIC("flt_div_f32", "float", "__fdiv_rn", "/", QUOTIENT),
    ARITHMETIC("flt_div_f64", "double", "__ddiv_rn", "/", QUOTIENT),
    {NULL, NULL, NULL},
};

/* Of coordinates, in their type, or in 64 bits where one operand has these. */
#define OF_INDEX(name, body)                                                                       \
    {                                                                                              \
        "flt_" name "_index",                                                                      \
            "template <typename A, typename B>\nstatic __host__ __device__ inline auto "           \
            "flt_" name "_index(A v, B w) -> decltype(v + w)\n{\n"                                 \
            "    const decltype(v + w) a = v, b = w;\n" body "}\n",                                \
            NULL                                                                                   \
    }
static const char *const with_samples[] = {"flt_samples", NULL};
static const struct helper_text definitions[] = {
    OF_INDEX("min", "    return a < b ? a : b;\n"),
    OF_INDEX("max", "    return a > b ? a : b;\n"),
    OF_INDEX("floor_divide", "    if (b == 0)\n        return 0;\n"
                             "    return a / b - (a % b != 0 && (a < 0) != (b < 0));\n"),
    OF_INDEX("floor_remainder", "    if (a >= 0 && a < b)\n        return a;\n"
                                "    if (a < 0 && b > 0 && a >= -b)\n        return a + b;\n"
                                "    if (b == 0 || b == -1)\n        return 0;\n"
                                "    return a % b + (a % b != 0 && (a < 0) != (b < 0) ? b : 0);\n"),
    {"flt_abs_index",
     "template <typename A>\nstatic __host__ __device__ inline A flt_abs_index(A v)\n{\n"
     "    return v < 0 ? -v : v;\n}\n",
     NULL},
    {"flt_samples",
     "/* Samples beside each other, in one access. */\n"
     "template <int count, typename T>\nstruct alignas(count * sizeof(T)) flt_samples {\n"
     "    T at[count];\n};\n",
     NULL},
    {"flt_load",
     "template <int count, typename T>\n"
     "static __device__ inline void flt_load(const T *from, T *to)\n{\n"
     "    const flt_samples<count, T> all = *(const flt_samples<count, T> *)from;\n"
     "#pragma unroll\n"
     "    for (int i = 0; i < count; i++)\n        to[i] = all.at[i];\n}\n",
     with_samples},
    {"flt_store",
     "template <int count, typename T>\n"
     "static __device__ inline void flt_store(T *to, const T *from)\n{\n"
     "    flt_samples<count, T> all;\n"
     "#pragma unroll\n"
     "    for (int i = 0; i < count; i++)\n        all.at[i] = from[i];\n"
     "    *(flt_samples<count, T> *)to = all;\n}\n",
     with_samples},
    {NULL, NULL, NULL},
};

static struct access_words access_of(struct emission *e, unsigned beside,
                                     const struct buffer *memory, bool loads)
{
    (void)memory;
    return (struct access_words){
        arena_format(e->arena, "%s<%u>(&", helper_use(e, loads ? "flt_load" : "flt_store"), beside),
        ", &", ");"};
}

static void open_file(struct emission *e)
{
    const char *stem = comment_text(e->arena, e->options->stem);
    text_print(e->out,
               "/* %s%s%s. Needs the CUDA runtime alone: nvcc -O3 -arch=native -c "
               "%s.cu */\n"
               "#include \"%s.h\"\n\n#include <cuda_runtime.h>\n#include <math.h>\n"
               "#include <stdlib.h>\n#include <string.h>\n\n"
               "#ifdef __CUDACC__\n"
               "#pragma nv_diag_suppress 1675 /* what follows is for the host's compiler */\n"
               "#endif\n",
               e->name, *e->program->text ? ": " : "", comment_text(e->arena, e->program->text),
               stem, e->options->stem);
    exact_print_begin(e);
    e->unit_at = e->out->length;
    text_print(e->out, "%s\n", e->dialect->prologue);
    if (host_computes_floats(e))
        exact_print_floats(e);
    externals_print(e); /* where programs that call functions are run by the simulator */
}

/* Whether the first kernel of a program with floats is at hand: one message is enough. */
static bool asks_once(const struct emission *e)
{
    return e->has_floats &&
           !(e->out->length && text_mentions(e->out->bytes, "FLT_NEEDS_EXACT_FLOATS"));
}

static void open_kernel(struct emission *e, const struct statement *kernel, const char *name)
{
    const struct launch_box box = launch_box_of(kernel);
    text_print(
        e->out,
        "template <typename flt_index>\n"
        "static __global__ void __launch_bounds__(%lld) %s(\n    const __grid_constant__ struct "
        "%s_frame all)\n{\n    const struct %s_frame *const frame = &all;\n%s",
        (long long)launch_box_threads(&box), name, e->name, e->name,
        asks_once(e) ? "    FLT_NEEDS_EXACT_FLOATS();\n" : "");
}

static void print_extent_check(struct emission *e, const struct expr *extent)
{
    if (extent->kind == EXPR_VARIABLE)
        text_print(e->out, "\n    && flt_is_coordinate(%s)", name_of_variable(e, extent));
}

/* What is left of the places that 32 bits count, by axes. */
static void print_places_check(struct emission *e, const struct buffer *buffer)
{
    unsigned axes = 0;
    for (unsigned k = 0; k < buffer->rank && buffer_is_in_frame(buffer); k++)
        axes += buffer_has_stride(e, buffer, k);
    if (axes == 0)
        return;
    text_print(e->out, "\n    && ");
    for (unsigned k = 0; k < axes; k++)
        text_print(e->out, "flt_places_left(");
    text_print(e->out, "FLT_MOST_PLACES");
    for (unsigned k = 0; k < buffer->rank; k++) {
        if (!buffer_has_stride(e, buffer, k))
            continue;
        text_print(e->out, ", ");
        emit_index(e, &on_host, buffer->axis[k].extent);
        text_print(e->out, ", frame->%s)", name_of_stride(e, buffer, k));
    }
    text_print(e->out, " >= 0");
}

/* Whether coordinates and places in images fit 32 bits, as index_types.c takes it. */
static void print_index_choice(struct emission *e)
{
    struct body text;
    text_print(e->out,
               "/* With more, kernels have coordinates of 64 bits; 0: always. */\n"
               "#ifndef FLT_MOST_PLACES\n#define FLT_MOST_PLACES INT32_MAX\n#endif\n"
               "static bool flt_is_coordinate(int64_t v)\n{\n"
               "    return -%lld <= v && v <= %lld;\n}\n\n"
               "/* Of so many places, those that an axis leaves; less than 0: there are fewer. */\n"
               "static int64_t flt_places_left(int64_t places, int64_t extent, ptrdiff_t stride)\n"
               "{\n"
               "    const bool small = -INT32_MAX <= stride && stride <= INT32_MAX && "
               "flt_is_coordinate(extent);\n"
               "    return places < 0 || !small ? -1 : places - extent * (stride < 0 ? -stride : "
               "stride);\n}\n\n"
               "/* Whether 32 bits hold all coordinates, and places in images. */\n"
               "static bool %s_fits_32_bits(const struct %s_frame *frame)\n{\n    (void)frame;\n",
               (long long)INDEX_MOST_EXTENT, (long long)INDEX_MOST_EXTENT, e->name, e->name);
    name_forget_locals(e);
    begin_body(e, &text);
    e->out->indent = 4;
    text_print(e->out, "return FLT_MOST_PLACES > 0");
    for (size_t i = 0; i < e->program->inputs.count; i++) {
        const struct buffer *input = program_buffer(e->program, e->program->inputs.item[i]);
        for (unsigned k = 0; k < input->rank; k++)
            print_extent_check(e, input->axis[k].extent);
    }
    for (size_t i = 0; i < e->program->values.count; i++)
        print_extent_check(e, e->program->values.item[i].variable);
    for (size_t i = 0; i < e->program->buffers.count; i++)
        print_places_check(e, &e->program->buffers.item[i]);
    text_print(e->out, ";\n");
    e->out->indent = 0;
    print_frame_parameters(e, &text);
    end_body(e, &text, true);
    text_print(e->out, "}\n\n");
}

/* No launch of a device may be empty, or have more blocks along an axis than it takes. */
static void print_launcher(struct emission *e, const char *host)
{
    (void)host;
    text_print(
        e->out,
        "/* Blocks of one launch along x; along y and z. */\n"
        "#ifndef FLT_MOST_BLOCKS_X\n#define FLT_MOST_BLOCKS_X 2147483647\n#endif\n"
        "#ifndef FLT_MOST_BLOCKS\n#define FLT_MOST_BLOCKS 65535\n#endif\n"
        "static unsigned flt_blocks(int64_t blocks, int64_t most)\n{\n"
        "    return (unsigned)(blocks < most ? blocks : most);\n}\n\n"
        "/* Starts the kernel with so many blocks of threads: in one launch, in several where "
        "there "
        "are more\n"
        " * blocks than one takes, in none where there are none. */\n"
        "static cudaError_t %s_launch(void (*kernel)(struct %s_frame), const struct %s_frame "
        "*frame,\n"
        "    int64_t grid_x, int64_t grid_y, int64_t grid_z, unsigned block_x, unsigned block_y,\n"
        "    struct CUstream_st *stream)\n{\n"
        "    const int64_t most_x = FLT_MOST_BLOCKS_X, most = FLT_MOST_BLOCKS;\n"
        "    struct %s_frame all = *frame;\n"
        "    void *arguments[] = {&all};\n"
        "    cudaError_t error = cudaSuccess;\n"
        "    for (int64_t z = 0; z < grid_z; z += most)\n"
        "        for (int64_t y = 0; y < grid_y; y += most)\n"
        "            for (int64_t x = 0; x < grid_x && error == cudaSuccess; x += most_x) {\n"
        "                const dim3 grid(flt_blocks(grid_x - x, most_x), flt_blocks(grid_y - y, "
        "most),\n"
        "                    flt_blocks(grid_z - z, most));\n"
        "                all.flt_first_x = x;\n"
        "                all.flt_first_y = y;\n"
        "                all.flt_first_z = z;\n"
        "                error = cudaLaunchKernel(kernel, grid, dim3(block_x, block_y), arguments, "
        "0, stream);\n"
        "            }\n"
        "    return error;\n}\n\n",
        e->name, e->name, e->name, e->name);
    print_index_choice(e);
}

/* Kernels for images of a few places are rare: one instance is enough. */
static void print_launch(struct emission *e, const struct launch *launch)
{
    if (launch->kernel->as.kernel.small)
        text_print(e->out, "error = %s_launch(%s<int64_t>, frame", e->name, launch->name);
    else
        text_print(e->out,
                   "error = %s_launch(%s_fits_32_bits(frame) ? %s<int32_t> : %s<int64_t>, frame",
                   e->name, e->name, launch->name, launch->name);
    emit_launch_box(e, launch->kernel);
    text_print(e->out, ", stream);\nif (error != cudaSuccess)\n    return error;\n");
}

const struct dialect dialect_cuda = {
    .ending = ".cu",
    .prologue = prologue,
    .helpers = helpers_in_cuda,
    .definitions = definitions,
    .index_type = "flt_index",
    .table = "static __device__ const",
    .product = {[SCALAR_F32] = "flt_mul_f32", [SCALAR_F64] = "flt_mul_f64"},
    .quotient = {[SCALAR_F32] = "flt_div_f32", [SCALAR_F64] = "flt_div_f64"},
    .arithmetic = arithmetic,
    .language = LANGUAGE_CUDA,
    .frame = "frame->",
    .memory = "",
    .thread = "(blockIdx.x + (size_t)gridDim.x * (blockIdx.y + (size_t)gridDim.y * blockIdx.z))",
    .barrier = "__syncthreads();",
    .unrolled = "#pragma unroll",
    .partly_unrolled = "#pragma unroll 8",
    .unrolled_by = "#pragma unroll %u",
    .not_unrolled = "#pragma unroll 1",
    .join = {[JOIN_SUM] = "atomicAdd", [JOIN_MINIMUM] = "atomicMin", [JOIN_MAXIMUM] = "atomicMax"},
    .shared = "alignas(16) __shared__ ",
    .shared_behind = "",
    .launch_index = {[LEVEL_GRID_X] = "frame->flt_first_x + blockIdx.x",
                     [LEVEL_GRID_Y] = "frame->flt_first_y + blockIdx.y",
                     [LEVEL_GRID_Z] = "frame->flt_first_z + blockIdx.z",
                     [LEVEL_BLOCK_X] = "threadIdx.x",
                     [LEVEL_BLOCK_Y] = "threadIdx.y"},
    .open_file = open_file,
    .close_file = exact_print_end,
    .print_before_host = print_launcher,
    .open_kernel = open_kernel,
    .access_of = access_of,
    .launch = print_launch,
    .host = &host_of_device,
};
