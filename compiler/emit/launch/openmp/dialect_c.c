/* C99, its kernels spread over cores by OpenMP. */
#include "emit/launch/exact.h"
#include "loop/shared_loops.h"

static const char prologue[] =
    "#if defined(__GNUC__)\n"
    "#define FLT_RESTRICT __restrict__\n"
    "#define FLT_INLINE static inline __attribute__((always_inline))\n"
    "#define FLT_APART __attribute__((noinline))\n"
    "/* Square roots leave errno alone, so that loops with them may become vectors. */\n"
    "__attribute__((const)) float sqrtf(float);\n"
    "__attribute__((const)) double sqrt(double);\n"
    "#else\n"
    "#define FLT_RESTRICT\n"
    "#define FLT_INLINE static inline\n"
    "#define FLT_APART\n"
    "#endif\n";

/* A kernel's body is a function over part of its outermost loop. Where the compiler's own target
 * lacks fused multiply-add but the processor may have it, the body is compiled for both. */
static void open_kernel(struct emission *e, const struct statement *kernel, const char *name)
{
    if (kernel->as.kernel.windows) {
        emit_open_windows(e, name);
        return;
    }
    const bool threads = threads_range_of(e, kernel).first != NULL;
    text_print(e->out,
               "FLT_INLINE void %s_body(const struct %s_frame *frame, int64_t flt_first, "
               "int64_t flt_end)\n{\n",
               name, e->name);
    if (!threads)
        text_print(e->out, "    (void)flt_first;\n    (void)flt_end;\n");
}

static void close_kernel(struct emission *e, const struct statement *kernel, const char *name)
{
    text_print(e->out, "%s(%s, %s_frame)\n",
               kernel->as.kernel.windows ? "FLT_WINDOWS" : "FLT_KERNEL", name, e->name);
}

/* What a kernel before has not computed must not be read. */
static const char unless_stopped[] = "if (!flt_stops(frame->call))\n    ";

static void print_launch(struct emission *e, const struct launch *launch)
{
    const struct statement *kernel = launch->kernel;
    const char *name = launch->name;
    const struct threads_range range = threads_range_of(e, kernel);
    if (launch->around) {
        emit_wavefront(e, launch->around, kernel, name);
        return;
    }
    if (kernel->as.kernel.windows) {
        emit_windows(e, kernel->as.kernel.windows, name);
        return;
    }
    if (!range.first) {
        text_print(e->out, "%sFLT_PICK(%s)(frame, 0, 1);\n", unless_stopped, name);
        return;
    }
    const bool in_order = threads_loop_in(kernel)->as.loop.level == LEVEL_WAVEFRONT;
    if (in_order) { /* kernels take the end of the range */
        text_print(e->out, "%sFLT_PICK(%s)(frame, ", unless_stopped, name);
        emit_index(e, &on_host, range.first);
        text_print(e->out, ", ");
        emit_end(e, &on_host, range.first, range.extent);
    } else {
        text_print(e->out, "%s_%s(FLT_PICK(%s), frame, ", e->name,
                   launch->in_bands ? "share" : "launch", name);
        emit_index(e, &on_host, range.first);
        text_print(e->out, ", ");
        emit_index(e, &on_host, range.extent);
    }
    text_print(e->out, ");\n");
}

const struct dialect dialect_c = {
    .ending = ".c",
    .prologue = prologue,
    .helpers = helpers_in_c,
    .table = "static const",
    .frame = "frame->",
    .memory = "",
    .thread = "frame->thread",
    .barrier = "",
    .shared = "",
    .shared_behind = "",
    .loop_pragma = {[LEVEL_VECTOR] = "FLT_SIMD"},
    .open_file = emit_file_of_threads,
    .close_file = exact_print_end,
    .print_before_kernels = emit_memory_of_threads,
    .print_before_host = emit_teams,
    .open_kernel = open_kernel,
    .close_kernel = close_kernel,
    .print_shared_loop = emit_threads_loop,
    .print_bypassing_loop = emit_bypassing_loop,
    .launch = print_launch,
    .host = &host_of_threads,
};
