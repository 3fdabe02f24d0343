/* What stands around kernels that are loops over threads: the top of the file, teams of threads,
 * the functions that spread a kernel over them. */
#include "emit/emission.h"

/* Scratch memory is by the first of these, so it must not change with the processors that a thread
 * of the caller may use: only where there are more than FLT_MOST_THREADS does it follow them. */
static const char team_text[] =
    "/* For how many threads there is scratch memory. */\n"
    "#ifndef FLT_MOST_THREADS\n#define FLT_MOST_THREADS 256\n#endif\n"
    "static int flt_threads(int threads)\n{\n"
    "#ifdef _OPENMP\n"
    "    const int cores = omp_get_num_procs();\n"
    "    const int most = cores > FLT_MOST_THREADS ? cores : FLT_MOST_THREADS;\n"
    "    const int wanted = threads > 0 ? threads : omp_get_max_threads();\n"
    "    return wanted < most ? wanted : most;\n"
    "#else\n"
    "    (void)threads;\n    return 1;\n"
    "#endif\n}\n\n"
    "/* How many of them are started: more than a few for each processor do not make it faster, "
    "and\n"
    " * OpenMP ends the process where the system gives it fewer than it asks for. */\n"
    "static int flt_team_of(int threads)\n{\n"
    "#ifdef _OPENMP\n"
    "    const int most = 4 * omp_get_num_procs();\n"
    "    return threads < most ? threads : most;\n"
    "#else\n"
    "    return threads;\n"
    "#endif\n}\n\n";

static const char simd_text[] = "#ifdef _OPENMP\n"
                                "#define FLT_SIMD _Pragma(\"omp simd\")\n"
                                "#else\n"
                                "#define FLT_SIMD\n"
                                "#endif\n\n";

static const char tiles_text[] = "/* Memory for the tiles that a thread works on. */\n"
                                 "#define FLT_TILE_BYTES %llu\n\n";

static const char bypass_text[] =
    "/* Images of so many bytes do not stay in a cache: stores to them go past it. */\n"
    "#ifndef FLT_STREAM_BYTES\n#define FLT_STREAM_BYTES (UINT64_C(3) << 23)\n#endif\n\n";

static const char thread_text[] =
    "/* The number of the thread among those of a launch. */\n"
    "static int flt_thread(void)\n{\n#ifdef _OPENMP\n    return omp_get_thread_num();\n#else\n"
    "    return 0;\n#endif\n}\n\n";

/* Threads that wait for others must not keep these from running. */
static const char cores_text[] =
    "/* The steps of a wavefront wait for each other: it takes doacross loops, and no more threads "
    "than\n"
    " * run at once. */\n"
    "#if defined(_OPENMP) && _OPENMP >= 201511\n#define FLT_WAVEFRONTS 1\n"
    "#else\n#define FLT_WAVEFRONTS 0\n#endif\n"
    "static int64_t flt_cores(int threads)\n{\n#if FLT_WAVEFRONTS\n"
    "    const int cores = omp_get_num_procs();\n"
    "    return threads < cores ? threads : cores;\n#else\n    (void)threads;\n    return 1;\n"
    "#endif\n}\n\n";

/* NAME_launch or NAME_share, if it is called. */
static void print_launcher(struct emission *e, const char *host, const char *name,
                           const char *comment, const char *most, const char *schedule)
{
    if (!text_mentions(host, arena_format(e->arena, "%s_%s", e->name, name)))
        return;
    text_print(e->out,
               "/* %s */\n"
               "FLT_INLINE void %s_%s(void (*kernel)(const struct %s_frame *, int64_t, int64_t),\n"
               "    const struct %s_frame *frame, int64_t first, int64_t extent)\n{\n"
               "    const int64_t most = %s;\n"
               "    const int64_t parts = extent < most ? extent : most;\n"
               "#ifdef _OPENMP\n"
               "#pragma omp parallel for schedule(%s) num_threads(frame->team) if (parts > 1)\n"
               "#endif\n"
               "    for (int64_t part = 0; part < parts; part++)\n"
               "        kernel(frame, first + extent * part / parts, first + extent * (part + 1) / "
               "parts);\n"
               "}\n\n",
               comment, e->name, name, e->name, e->name, most, schedule);
}

static void look_for_particles(const struct statement *statement, void *user)
{
    bool *found = user;
    *found = *found || statement->kind == STATEMENT_PARTICLES;
    statement_children(statement, look_for_particles, found);
}

static bool makes_particles(const struct emission *e)
{
    bool found = false;
    look_for_particles(e->program->body, &found);
    return found;
}

static const char *const particle_sizes[] = {
    [SIZE_UNTOLD] = "", [SIZE_OF_EACH] = ", size_t each", [SIZE_OF_ALL] = ", size_t bytes"};

static const char *const particle_boxes[] = {
    [BOX_UNTOLD] = "",
    [BOX_EXTENTS] = "const int64_t extent[3], ",
    [BOX_WHOLE] = "const int64_t first[3], const int64_t extent[3], "};

static void declare_particle_call(struct emission *e, const struct particle_call_info *info)
{
    text_print(e->out, "void %s(%s", info->function, particle_boxes[info->box]);
    for (unsigned i = 0; i < info->count; i++) {
        const struct particle_buffer *buffer = &info->buffer[i];
        const bool of_structure = buffer->is_structure && buffer->size == SIZE_OF_ALL;
        text_print(e->out, "%s%s%s", i ? ", " : "", buffer->parameter,
                   of_structure ? ", size_t apr_bytes" : particle_sizes[buffer->size]);
    }
    text_print(e->out, "%s);\n", info->takes_threads ? ", int threads" : "");
}

/* Of flt/particles.h, which this text does without. */
static void declare_particles(struct emission *e, const char *kernels)
{
    bool declares = false;
    for (unsigned c = 0; c < PARTICLE_CALLS; c++) {
        const struct particle_call_info *info = &particle_call_info[c];
        if (!text_mentions(kernels, info->function))
            continue;
        if (!declares)
            text_print(e->out, "/* Of libfltparticles, flt/particles.h. */\n"
                               "#ifdef __cplusplus\nextern \"C\" {\n#endif\nstruct flt_apr;\n");
        declares = true;
        declare_particle_call(e, info);
    }
    if (has_windows(e)) /* of particles that a call above has placed */
        emit_windows_declarations(e);
    if (declares)
        text_print(e->out, "#ifdef __cplusplus\n}\n#endif\n\n");
}

void emit_file_of_threads(struct emission *e)
{
    text_print(e->out, "/* %s%s%s. Needs the C library %s: cc -O3 -fopenmp %s.c -lm */\n", e->name,
               *e->program->text ? ": " : "", comment_text(e->arena, e->program->text),
               e->externals.count   ? "and the functions of the headers below"
               : e->opened          ? "and flt/fft.h"
               : makes_particles(e) ? "and libfltparticles"
                                    : "alone",
               comment_text(e->arena, e->options->stem));
    text_print(e->out,
               "#include \"%s.h\"\n\n#include <float.h>\n#include <math.h>\n#include <stdlib.h>\n"
               "#include <string.h>\n#ifdef _OPENMP\n#include <omp.h>\n#endif\n\n",
               e->options->stem);
    text_print(e->out, "%s\n", e->dialect->prologue);
    externals_print(e);
    emit_processors(e);
    text_append(e->out, simd_text, strlen(simd_text));
}

void emit_memory_of_threads(struct emission *e, const char *kernels, const char *host)
{
    if (e->tile_bytes)
        text_print(e->out, tiles_text, (unsigned long long)e->tile_bytes);
    if (text_mentions(host, "FLT_STREAM_BYTES"))
        text_append(e->out, bypass_text, strlen(bypass_text));
    declare_particles(e, kernels);
    if (text_mentions(kernels, "flt_thread"))
        text_append(e->out, thread_text, strlen(thread_text));
}

void emit_teams(struct emission *e, const char *host)
{
    text_append(e->out, team_text, strlen(team_text));
    if (text_mentions(host, "flt_cores"))
        text_append(e->out, cores_text, strlen(cores_text));
    print_launcher(e, host, "launch", "Runs a kernel over first ... first + extent - 1, in parts.",
                   "8 * (int64_t)frame->team", "dynamic");
    print_launcher(
        e, host, "share",
        "The same, where a thread takes the same part of a kernel each time, so that what"
        " goes on in it stays near.",
        "frame->team", "static");
}

static const char *kernels_parameter_of(struct emission *e)
{
    (void)e;
    return "";
}

const struct host_dialect host_of_threads = {
    .keeps_tables = true,
    .asks_fused = true,
    .threads = "frame->threads",
    .frame = "int threads, team, cpu;\n",
    .set_frame = "    frame->threads = flt_threads(threads);\n"
                 "    frame->team = flt_team_of(frame->threads);\n    frame->cpu = FLT_CPU;\n",
    .parameter = ", int threads",
    .argument = ", threads",
    .kernels_result = "void",
    .kernels_parameter_of = kernels_parameter_of,
    .kernels_begin = "",
    .kernels_end = "",
    .declare_run = declare_run_of_threads,
    .define_run = define_run_of_threads,
};
