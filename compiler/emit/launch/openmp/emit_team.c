/* What stands around kernels that are loops over threads: the top of the file, teams of threads,
 * the functions that spread a kernel over them. */
#include "emit/host/host.h"
#include "emit/launch/exact.h"

/* The files of texts/, in build/launch_texts.c. NAME stands for the filter. */
extern const char launch_text_threads[], launch_text_call[], launch_text_pool[],
    launch_text_launch[], launch_text_share[], launch_text_wave[], launch_text_fused[];

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

/* A text, with the name of the filter in place of NAME. */
static void print_named(struct emission *e, const char *text)
{
    const char *at;
    for (; (at = strstr(text, "NAME")); text = at + strlen("NAME"))
        text_print(e->out, "%.*s%s", (int)(at - text), text, e->name);
    text_print(e->out, "%s\n", text);
}

/* Ways to share a kernel, each with what it is called in the text of the host. */
static const struct {
    const char *function, *text;
} ways[] = {
    {"launch", launch_text_launch}, {"share", launch_text_share}, {"wavefront", launch_text_wave}};
enum { WAYS = sizeof ways / sizeof ways[0] };

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
    if (e->dialect->host->takes_tasks)
        text_print(e->out, "#if defined(__linux__) && !defined(_GNU_SOURCE)\n"
                           "#define _GNU_SOURCE /* threads choose their processors */\n#endif\n");
    text_print(e->out,
               "#include \"%s.h\"\n\n#include <float.h>\n#include <math.h>\n#include <stdlib.h>\n"
               "#include <string.h>\n#ifdef _OPENMP\n#include <omp.h>\n#endif\n\n",
               e->options->stem);
    exact_print_begin(e);
    e->unit_at = e->out->length;
    text_print(e->out, "%s\n", e->dialect->prologue);
    externals_print(e);
    exact_print_floats(e);
    if (e->has_floats)
        text_print(e->out, "%s\n", launch_text_fused);
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
    bool used[WAYS], any = false;
    for (size_t i = 0; i < WAYS; i++) {
        used[i] = text_mentions(host, arena_format(e->arena, "%s_%s", e->name, ways[i].function));
        any = any || used[i];
    }
    text_print(e->out, "%s\n", launch_text_threads);
    if (e->dialect->host->takes_tasks)
        text_print(e->out, "%s\n", launch_text_call);
    if (any)
        text_print(e->out, "%s\n", launch_text_pool);
    for (size_t i = 0; i < WAYS; i++)
        if (used[i])
            print_named(e, ways[i].text);
}

const char *no_kernels_parameter(struct emission *e)
{
    (void)e;
    return "";
}

const struct host_dialect host_of_threads = {
    .keeps_tables = true,
    .asks_fused = true,
    .threads = "frame->threads",
    .takes_tasks = true,
    .frame = "int threads, team, thread, cpu;\nstruct flt_call *call;\n",
    .set_frame = "    frame->threads = flt_threads(threads);\n"
                 "    frame->team = flt_team_of(frame->threads);\n    frame->cpu = FLT_CPU;\n",
    .parameter = ", int threads",
    .argument = ", threads",
    .run_parameters = "int threads, const struct flt_tasks *tasks",
    .run_arguments = "threads, tasks",
    .run_fields = "given->threads, given->tasks",
    .kernels_result = "void",
    .kernels_parameter_of = no_kernels_parameter,
    .kernels_begin = "",
    .kernels_end = "",
    .declare_run = declare_run_of_threads,
    .define_run = define_run_of_threads,
};
