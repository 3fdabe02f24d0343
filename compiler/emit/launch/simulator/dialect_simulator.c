/* Kernels of blocks of threads, in C, for the simulator (tests/simulator/simulator.h). */
#include "emit/launch/exact.h"
#include "emit/launch/launch_box.h"

static const char prologue[] = "#include \"simulator.h\"\n"
                               "#define FLT_RESTRICT __restrict__\n"
                               "#define FLT_INLINE static inline\n"
                               "#define FLT_APART __attribute__((noinline))\n";

static void open_kernel(struct emission *e, const struct statement *kernel, const char *name)
{
    (void)kernel;
    text_print(e->out,
               "static void %s(const void *flt_argument)\n{\n"
               "    const struct %s_frame *const frame = "
               "(const struct %s_frame *)flt_argument;\n",
               name, e->name, e->name);
}

static struct access_words access_of(struct emission *e, unsigned beside,
                                     const struct buffer *memory, bool loads)
{
    (void)memory;
    return (struct access_words){
        arena_format(e->arena, "sim_%s(%u, &", loads ? "load" : "store", beside), ", &", ");"};
}

static void print_launch(struct emission *e, const struct launch *launch)
{
    text_print(e->out, "sim_launch(%s, frame", launch->name);
    emit_launch_box(e, launch->kernel);
    text_print(e->out, ");\n");
}

static const struct host_dialect host = {
    .keeps_tables = true,
    .asks_fused = true,
    .threads = "frame->threads",
    .frame = "int threads, team, cpu;\n",
    .set_frame = "    frame->threads = flt_threads(threads);\n"
                 "    frame->team = flt_team_of(frame->threads);\n    frame->cpu = FLT_CPU;\n",
    .parameter = ", int threads",
    .argument = ", threads",
    .kernels_result = "void",
    .kernels_parameter_of = no_kernels_parameter,
    .kernels_begin = "",
    .kernels_end = "",
    .declare_run = declare_run_of_threads,
    .define_run = define_run_of_threads,
};

const struct dialect dialect_simulator = {
    .ending = ".c",
    .prologue = prologue,
    .helpers = helpers_in_c,
    .table = "static const",
    .frame = "frame->",
    .memory = "",
    .thread = "flt_thread()",
    .barrier = "sim_barrier();",
    .shared = "SIM_SHARED ",
    .shared_behind = "",
    .join = {[JOIN_SUM] = "sim_add", [JOIN_MINIMUM] = "sim_min", [JOIN_MAXIMUM] = "sim_max"},
    .launch_index = {[LEVEL_GRID_X] = "sim_grid(0)",
                     [LEVEL_GRID_Y] = "sim_grid(1)",
                     [LEVEL_GRID_Z] = "sim_grid(2)",
                     [LEVEL_BLOCK_X] = "sim_thread(0)",
                     [LEVEL_BLOCK_Y] = "sim_thread(1)"},
    .open_file = emit_file_of_threads,
    .close_file = exact_print_end,
    .print_before_kernels = emit_memory_of_threads,
    .print_before_host = emit_teams,
    .open_kernel = open_kernel,
    .access_of = access_of,
    .launch = print_launch,
    .host = &host,
};
