/* Kernels of blocks of threads, in C, for the simulator (tests/simulator/simulator.h). */
#include "emit/emission.h"

static const char prologue[] = "#include \"simulator.h\"\n"
                               "#pragma GCC optimize(\"fp-contract=off\", \"no-math-errno\", "
                               "\"no-tree-slp-vectorize\")\n"
                               "#define FLT_RESTRICT __restrict__\n"
                               "#define FLT_INLINE static inline\n";

static void open_kernel(struct emission *e, const struct statement *kernel, const char *name)
{
    (void)kernel;
    text_print(e->out,
               "static void %s(const void *flt_argument)\n{\n"
               "    const struct %s_frame *const frame = "
               "(const struct %s_frame *)flt_argument;\n",
               name, e->name, e->name);
}

static void close_kernel(struct emission *e, const struct statement *kernel, const char *name)
{
    (void)e;
    (void)kernel;
    (void)name;
}

struct launch_box {
    const struct expr *extent[LEVEL_COUNT];
};

static void measure(const struct statement *statement, void *user)
{
    struct launch_box *box = user;
    if (statement->kind == STATEMENT_LOOP)
        box->extent[statement->as.loop.level] = statement->as.loop.extent;
    statement_children(statement, measure, box);
}

static void launch(struct emission *e, const struct statement *kernel, const char *name,
                   const struct statement *around)
{
    (void)around; /* no loop of this target is a wavefront */
    static const enum parallel_level level[] = {LEVEL_GRID_X, LEVEL_GRID_Y, LEVEL_GRID_Z,
                                                LEVEL_BLOCK_X, LEVEL_BLOCK_Y};
    struct launch_box box = {{NULL}};
    measure(kernel, &box);
    text_print(e->out, "sim_launch(%s, frame", name);
    for (size_t i = 0; i < sizeof level / sizeof level[0]; i++) {
        text_print(e->out, ", ");
        if (box.extent[level[i]])
            emit_index(e, box.extent[level[i]]);
        else
            text_print(e->out, "1");
    }
    text_print(e->out, ");\n");
}

const struct dialect dialect_simulator = {
    .prologue = prologue,
    .barrier = "sim_barrier();",
    .shared = "SIM_SHARED ",
    .launch_index = {[LEVEL_GRID_X] = "sim_grid(0)",
                     [LEVEL_GRID_Y] = "sim_grid(1)",
                     [LEVEL_GRID_Z] = "sim_grid(2)",
                     [LEVEL_BLOCK_X] = "sim_thread(0)",
                     [LEVEL_BLOCK_Y] = "sim_thread(1)"},
    .open_kernel = open_kernel,
    .close_kernel = close_kernel,
    .launch = launch,
};
