/* One program as a circuit, in a process of its own. */
#include "stream/check_circuit.h"
#include "stream/draw.h"
#include "stream/bench.h"
#include "program/random.h"
#include "command/circuits.h"
#include "command/sizes.h"
#include "command/trial_images.h"
#include "emit/circuit_language.h"
#include "emit/launch/circuit_report.h"
#include "frontend/elaborate.h"
#include "hardware/circuit_text.h"
#include "hardware/circuit_verify.h"
#include "pass_manager.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS = 900, MOST_PORTS = 16, MOST_PARAMETERS = 16 };

struct check {
    struct session *session;
    const struct circuit_program *program;
    const struct circuit_options *options;
    struct circuit_result *result;
    const char *folder, *text; /* of the program */
    const struct graph *graph; /* as the program gives it, for any size */
    const struct circuit *circuit;
    uint64_t random;
    struct samples input[CIRCUIT_FRAMES * MOST_PORTS], output[CIRCUIT_FRAMES * MOST_PORTS];
    struct value parameter[MOST_PARAMETERS];
    struct bench_data data;
};

#define FIND(c, kind, detail, ...) finding_set(&(c)->result->finding, kind, detail, __VA_ARGS__)

static bool is_good(const struct check *c)
{
    return c->result->finding.kind == FOUND_NOTHING;
}

/* ---- The circuit ---- */

static void take_refusal(struct check *c)
{
    struct text text = text_create(c->session->permanent);
    const struct diagnostics *all = &c->session->diagnostics;
    diagnostics_render_text(all, &text, false);
    for (size_t i = 0; i < all->list.count; i++)
        if (all->list.item[i]->severity == SEVERITY_ERROR)
            FIND(c, FOUND_REFUSAL, diagnostic_info[all->list.item[i]->code].code, "%s", text.bytes);
    FIND(c, FOUND_FAULT, "refusal", "it is refused without a message");
}

/* The graph for images of the size, which is the one that --size gives; NULL after a refusal. */
static const struct graph *sized_graph(struct check *c, struct command_context *command)
{
    const struct module_set *modules =
        load_modules_text(c->session, "fuzz.flt", c->text, strlen(c->text));
    const struct ast *filter = modules && !c->session->diagnostics.error_count
                                   ? last_filter(modules->list.item[0].module)
                                   : NULL;
    const struct elaborate_options options = {.target = "verilog"};
    c->graph = filter ? elaborate_filter(c->session, modules, filter, &options) : NULL;
    struct sized sized;
    if (c->graph && graph_sized(command, c->graph, target_find("verilog"), &sized))
        return sized.graph;
    take_refusal(c);
    return NULL;
}

static void make_circuit(struct check *c, const struct graph **sized)
{
    struct options given = {.size = c->program->size};
    struct command_context command = {.session = c->session, .options = &given};
    *sized = sized_graph(c, &command);
    if (!*sized)
        return;
    const struct target *target = target_find("verilog");
    struct circuit_asked asked = {&command, target};
    const struct pass_options options = {
        .verify_each = true, .accepts = circuit_accepts, .accepts_context = &asked};
    const struct pass_result made = run_passes(c->session, *sized, target, &options);
    if (made.problem)
        FIND(c, FOUND_FAULT, "", "%s", made.problem);
    else if (!made.circuit)
        take_refusal(c);
    c->circuit = made.circuit;
    c->result->streams = is_good(c);
}

/* ---- Frames ---- */

/* Of one frame any samples, of another the ends of the range, of a third a ramp with noise. */
static void fill(uint64_t *random, struct samples *samples, unsigned frame)
{
    const struct interval all = samples->scalar == SCALAR_BOOL
                                    ? (struct interval){0, 1}
                                    : scalar_info[samples->scalar].interval;
    const unsigned bytes = scalar_info[samples->scalar].bytes;
    const uint64_t range = (uint64_t)all.greatest - (uint64_t)all.least + 1;
    for (size_t i = 0; i < samples_count(samples); i++) {
        const uint64_t any = random_next(random) >> 8;
        const uint64_t above = frame == 1   ? (any % 3 ? any / 3 % 2 * (range - 1) : range / 2)
                               : frame == 2 ? (i * 7 / 4 + any % 9) % range
                                            : any % range;
        const struct value value = {.integer = all.least + (int64_t)above};
        value_write(samples->data + i * bytes, samples->scalar, value);
    }
}

static void fill_inputs(struct check *c, const struct graph *sized, unsigned frame)
{
    for (size_t i = 0; i < sized->stages.count; i++) {
        const struct stage *stage = sized->stages.item[i];
        if (stage->kind != STAGE_INPUT)
            continue;
        struct samples *samples = &c->input[frame * c->data.inputs + stage->as.input.position];
        *samples = (struct samples){.scalar = stage->element, .rank = stage->rank};
        for (unsigned k = 0; k < stage->rank; k++)
            samples->extent[k] = stage->axis[k].extent->as.integer;
        const struct samples *first = &c->input[stage->as.input.position];
        if (!samples_allocate(samples))
            continue;
        fill(&c->random, samples, frame);
        if (frame && strncmp(stage->name->text, WRITTEN_TABLE, strlen(WRITTEN_TABLE)) == 0)
            memcpy(samples->data, first->data,
                   samples_count(first) * scalar_info[first->scalar].bytes);
    }
}

/* What the oracle makes of them. False: the filter refuses them on entry. */
static bool run_frames(struct check *c, const struct graph *sized)
{
    c->random = c->program->seed * 16 + 5;
    for (size_t i = 0; i < sized->stages.count; i++)
        c->data.inputs += sized->stages.item[i]->kind == STAGE_INPUT;
    c->data.outputs = (unsigned)sized->outputs.count;
    c->data.input = c->input;
    c->data.output = c->output;
    c->data.parameter = c->parameter;
    for (size_t i = 0; i < c->graph->parameters.count; i++)
        c->parameter[i] = random_parameter(&c->random, &c->graph->parameters.item[i]);
    for (unsigned f = 0; f < CIRCUIT_FRAMES; f++) {
        fill_inputs(c, sized, f);
        struct interpretation run = {.session = c->session,
                                     .inputs = &c->input[f * c->data.inputs],
                                     .parameters = c->parameter,
                                     .outputs = &c->output[f * c->data.outputs]};
        if (!interpret_graph(c->graph, &run)) {
            FIND(c, FOUND_REFUSAL, "oracle", "%s", run.problem);
            return false;
        }
    }
    return true;
}

/* ---- Without a simulator ---- */

static const char *text_of(struct check *c, const struct circuit *circuit)
{
    struct text text = text_create(c->session->permanent);
    circuit_print(circuit, &text);
    return text.bytes;
}

/* What is printed is read as it was, where nothing is there but the text. */
static void read_back(struct check *c)
{
    struct session *other = session_create(NULL);
    const char *text = text_of(c, c->circuit);
    struct graph graph = {.name = symbol_from(&other->symbols, c->circuit->graph->name->text)};
    const struct circuit *again = circuit_read(other, &graph, "fuzz.circuit", text, strlen(text));
    if (!again) {
        struct text said = text_create(c->session->permanent);
        diagnostics_render_text(&other->diagnostics, &said, false);
        FIND(c, FOUND_FAULT, "text", "%s", said.bytes);
    } else if (circuit_verify(again, other->scratch))
        FIND(c, FOUND_FAULT, "text", "%s", circuit_verify(again, other->scratch));
    else if (strcmp(text, text_of(c, again)) != 0)
        FIND(c, FOUND_FAULT, "text", "it is read as another circuit:\n%.900s", text);
    session_destroy(other);
}

/* The circuit, interpreted, gives what the oracle gives. */
static void interpret_frames(struct check *c)
{
    for (unsigned f = 0; f < CIRCUIT_FRAMES && is_good(c); f++) {
        struct samples result[MOST_PORTS] = {0};
        struct interpretation run = {.session = c->session,
                                     .inputs = &c->input[f * c->data.inputs],
                                     .parameters = c->parameter,
                                     .outputs = result};
        if (!interpret_circuit(c->circuit, &run))
            FIND(c, FOUND_RESULT, "interpreter", "%s", run.problem);
        for (unsigned i = 0; i < c->data.outputs && is_good(c); i++) {
            const char *difference = samples_difference(
                c->session->permanent, &c->output[f * c->data.outputs + i], &result[i]);
            if (difference)
                FIND(c, FOUND_RESULT, "interpreter", "%s", difference);
        }
        for (unsigned i = 0; i < c->data.outputs; i++)
            samples_free(&result[i]);
    }
}

/* Nothing is known of what it should tell, but that it tells something. */
static void write_report(struct check *c)
{
    struct emitted files = {0};
    emit_circuit_report(c->session, c->circuit, "dut", 100, &files);
    if (files.files.count != 2)
        FIND(c, FOUND_FAULT, "report", "there are %zu files", files.files.count);
}

/* ---- Simulators ---- */

static bool write_file(const struct check *c, const char *name, const char *text, size_t length)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", c->folder, name);
    FILE *file = fopen(path, "wb");
    const bool good = file && fwrite(text, 1, length, file) == length;
    if (file)
        fclose(file);
    return good;
}

static const char *read_said(struct check *c)
{
    size_t length;
    const char *problem;
    const char *text = read_whole_file(c->session->permanent,
                                       arena_format(c->session->permanent, "%s/said", c->folder),
                                       &length, &problem);
    return text ? text : "";
}

/* Whether the command, run in the folder, ends well; what it says is in the file `said`. */
static bool runs(struct check *c, const char *command)
{
    fflush(NULL);
    return system(arena_format(c->session->permanent, "cd %s && { %s; } > said 2>&1", c->folder,
                               command)) == 0;
}

static void write_bench(struct check *c, const char *text)
{
    struct arena *arena = c->session->permanent;
    struct text bench = text_create(arena);
    bench_print(&bench, arena, c->circuit, text, &c->data, c->program->seed);
    write_file(c, "bench.v", bench.bytes, bench.length);
    for (size_t i = 0; i < c->circuit->processes.count; i++) {
        const struct process *p = &c->circuit->processes.item[i];
        if (p->kind != PROCESS_SOURCE && p->kind != PROCESS_SINK)
            continue;
        struct text tokens = text_create(arena);
        bench_tokens(&tokens, p, &c->data);
        write_file(c,
                   arena_format(arena, "%s_%u.hex", p->kind == PROCESS_SINK ? "out" : "in",
                                p->as.source.position),
                   tokens.bytes, tokens.length);
    }
}

/* "bad samples: …" is a finding of detail "samples". */
static void take_said(struct check *c)
{
    const char *said = read_said(c);
    const char *bad = strstr(said, "bad ");
    if (bad) {
        char what[24];
        snprintf(what, sizeof what, "%.*s", (int)strcspn(bad + 4, ": \n"), bad + 4);
        FIND(c, FOUND_RESULT, what, "%.*s", (int)strcspn(bad, "\n"), bad);
    } else if (!strstr(said, "\nend") && strncmp(said, "end", 3) != 0)
        FIND(c, FOUND_RESULT, "simulator", "%.600s", said);
    for (const char *at = said; (at = strstr(at, "fifo ")); at++) {
        unsigned most = 0, depth = 0;
        sscanf(at, "fifo %u %u", &most, &depth);
        c->result->fifos++;
        c->result->filled += most == depth;
        if (most > depth)
            FIND(c, FOUND_RESULT, "fifo", "a FIFO of %u words holds %u", depth, most);
    }
}

static void simulate(struct check *c)
{
    const struct target *target = target_find("verilog");
    const struct emitted files =
        circuit_language_of(target)->emit(c->session, c->circuit, "dut", target);
    for (size_t i = 0; i < files.files.count; i++)
        write_file(c, files.files.item[i].name, files.files.item[i].text,
                   files.files.item[i].length);
    write_bench(c, files.files.item[0].text);
    if (!runs(c, "iverilog -g2001 -o bench.vvp -s bench bench.v dut.v") || *read_said(c))
        FIND(c, FOUND_COMPILE, "icarus", "%.900s", read_said(c));
    else if (runs(c, "vvp -n bench.vvp"))
        take_said(c);
    else
        FIND(c, FOUND_RESULT, "simulator", "%.900s", read_said(c));
}

/* The files as users have them. */
static void run_verilator(struct check *c)
{
    struct arena *arena = c->session->permanent;
    write_file(c, "fuzz.flt", c->text, strlen(c->text));
    if (!runs(c,
              arena_format(arena, "%s emit fuzz.flt --target verilog --size %s --verify-each -o v/",
                           c->options->fltc, c->program->size)))
        FIND(c, FOUND_FAULT, "emit", "%.900s", read_said(c));
    else if (!runs(c, "make -s -C v rtl-sim"))
        FIND(c, FOUND_RESULT, "verilator", "%.900s", read_said(c));
    else if (!runs(c, "make -s -C v lint"))
        FIND(c, FOUND_COMPILE, "lint", "%.900s", read_said(c));
}

/* ---- */

static void check_all(struct check *c)
{
    const struct graph *sized = NULL;
    c->session = session_create(NULL);
    c->text = c->program->text ? c->program->text
                               : module_text(c->session->permanent, c->program->module);
    make_circuit(c, &sized);
    if (!is_good(c) || !c->options->simulates || !run_frames(c, sized))
        return;
    read_back(c);
    interpret_frames(c);
    write_report(c);
    if (is_good(c))
        simulate(c);
    if (is_good(c) && c->options->fltc)
        run_verilator(c);
}

void circuit_check(const struct circuit_program *program, const struct circuit_options *options,
                   struct circuit_result *result)
{
    struct circuit_result *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    char folder[64] = "/tmp/fltc_circuit.XXXXXX", command[100];
    if (shared == MAP_FAILED || !mkdtemp(folder)) {
        fprintf(stderr, "generate_circuit: no memory or no temporary folder\n");
        exit(2);
    }
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        finding_catch_words(folder);
        alarm(SECONDS);
        struct check *c = calloc(1, sizeof *c);
        *c = (struct check){
            .program = program, .options = options, .result = shared, .folder = folder};
        check_all(c);
        fflush(NULL);
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        finding_set_crash(&shared->finding, "compiler", status, folder);
    *result = *shared;
    munmap(shared, sizeof *shared);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    if (system(command) != 0)
        fprintf(stderr, "generate_circuit: %s is left\n", folder);
}
