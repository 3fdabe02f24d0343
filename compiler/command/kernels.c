#include "command/kernels.h"

#include "expr/infix.h"
#include "emit/launch/launch_box.h"
#include "loop/kernel_work.h"

#include <stdio.h>

struct listing {
    struct arena *scratch;
    const struct program *program;
    int indent;
    const struct target *target;
    const struct machine_code *code;
    size_t kernels; /* of the device, that are printed */
    int64_t shared; /* bytes of the kernel at hand */
    int joined;     /* its stages that are printed */
    struct work_setting setting;
    double times; /* that the kernels at hand are launched */
    struct total {
        double launches, seconds;
        bool known;
    } total;
};

static void add_shared(const struct statement *statement, void *user)
{
    struct listing *l = user;
    if (statement->kind == STATEMENT_ALLOCATE) {
        const struct buffer *buffer = program_buffer(l->program, statement->as.allocate.buffer);
        if (buffer->space == SPACE_SHARED)
            l->shared += buffer_samples(buffer) * scalar_info[buffer->scalar].bytes;
    }
    statement_children(statement, add_shared, l);
}

/* "[(in.y + 7) / 8, (in.x + 31) / 32] blocks of 8 x 32 threads", slowest axis first. */
static const char *launch_text(struct listing *l, const struct statement *kernel)
{
    static const enum parallel_level grid[] = {LEVEL_GRID_Z, LEVEL_GRID_Y, LEVEL_GRID_X};
    static const enum parallel_level block[] = {LEVEL_BLOCK_Y, LEVEL_BLOCK_X};
    const struct launch_box box = launch_box_of(kernel);
    struct text blocks = text_create(l->scratch), threads = text_create(l->scratch);
    for (size_t i = 0; i < sizeof grid / sizeof grid[0]; i++)
        if (box.extent[grid[i]]) {
            text_print(&blocks, blocks.length ? ", " : "");
            infix_print(box.extent[grid[i]], &blocks);
        }
    for (size_t i = 0; i < sizeof block / sizeof block[0]; i++)
        if (box.extent[block[i]]) {
            text_print(&threads, threads.length ? " x " : "");
            infix_print(box.extent[block[i]], &threads);
        }
    if (!threads.length && !blocks.length)
        return "one thread";
    if (!blocks.length)
        return arena_format(l->scratch, "one block of %s threads", threads.bytes);
    return arena_format(l->scratch, "[%s] blocks of %s thread%s", blocks.bytes,
                        threads.length ? threads.bytes : "1", threads.length ? "s" : "");
}

/* The stages that the kernel computes after the one that it is named after. */
static void print_joined(const struct statement *statement, void *user)
{
    struct listing *l = user;
    if (statement->kind == STATEMENT_NOTE)
        printf("%s %s", l->joined++ ? "," : "; then", statement->as.note.text);
    statement_children(statement, print_joined, l);
}

static void list(const struct statement *statement, void *user);

static void list_inside(struct listing *l, const struct statement *statement)
{
    l->indent += 2;
    list(statement, l);
    l->indent -= 2;
}

static void print_code(struct listing *l, const struct statement *kernel,
                       const struct kernel_code *code)
{
    const struct machine *machine = target_machine(l->target);
    const struct launch_box box = launch_box_of(kernel);
    const int64_t threads = launch_box_threads(&box);
    const int64_t blocks = machine_resident_blocks(machine, threads, code->registers, l->shared);
    printf("%*s%u registers, %u instructions", l->indent + 4, "", code->registers,
           code->instructions);
    if (blocks)
        printf("; a multiprocessor has %lld block%s, %lld of %u threads, at a time",
               (long long)blocks, blocks == 1 ? "" : "s", (long long)(blocks * threads),
               machine->resident_threads);
    if (code->frame)
        printf("; %u bytes of a thread in memory", code->frame);
    printf("\n");
}

static void print_work(struct listing *l, const struct statement *kernel)
{
    const struct kernel_work work = kernel_work_of(&l->setting, kernel);
    const struct machine_time time =
        machine_time_of(target_machine(l->target), work.read + work.written, work.all, work.own);
    const char *bound;
    l->total.launches += l->times;
    l->total.seconds += l->times * (time.launch + machine_longest(&time, &bound));
    l->total.known = l->total.known && work.known;
    printf("%*s%s%.3g MB read, %.3g MB written: %.2g us for memory, %.2g for shared "
           "memory and caches, %.2g for operations, %.2g for one thread; bound by %s\n",
           l->indent + 4, "", work.known ? "" : "about ", 1e-6 * work.read, 1e-6 * work.written,
           1e6 * time.memory, 1e6 * time.words, 1e6 * time.operations, 1e6 * time.thread, bound);
}

static void list_kernel(struct listing *l, const struct statement *kernel)
{
    const int width = 26 - l->indent;
    l->shared = 0;
    add_shared(kernel, l);
    printf("%*s%-*s %s", l->indent, "", width, kernel->as.kernel.name->text,
           kernel->as.kernel.on_host ? "on the host"
           : kernel->as.kernel.alone ? "one thread"
                                     : launch_text(l, kernel));
    if (l->shared)
        printf(", which share %lld bytes", (long long)l->shared);
    l->joined = 0;
    print_joined(kernel, l);
    printf("\n");
    if (!kernel->as.kernel.on_host && l->kernels < l->code->kernels.count)
        print_code(l, kernel, &l->code->kernels.item[l->kernels]);
    if (!kernel->as.kernel.on_host && !kernel->as.kernel.small)
        print_work(l, kernel);
    l->kernels += !kernel->as.kernel.on_host;
}

static void list(const struct statement *statement, void *user)
{
    struct listing *l = user;
    struct text text = text_create(l->scratch);
    double times;
    switch ((int)statement->kind) {
    case STATEMENT_KERNEL:
        list_kernel(l, statement);
        break;
    case STATEMENT_IF:
        infix_print(statement->as.branch.condition, &text);
        printf("%*swhere %s:\n", l->indent, "", text.bytes);
        list_inside(l, statement->as.branch.then);
        if (statement->as.branch.otherwise) {
            const struct total before = l->total;
            printf("%*selse:\n", l->indent, "");
            list_inside(l, statement->as.branch.otherwise);
            l->total = before;
        }
        break;
    case STATEMENT_LOOP:
        infix_print(statement->as.loop.extent, &text);
        printf("%*s%s times:\n", l->indent, "", text.bytes);
        times = l->times;
        l->times *= work_times(&l->setting, statement->as.loop.extent, &l->total.known);
        list_inside(l, statement->as.loop.body);
        l->times = times;
        break;
    default:
        statement_children(statement, list, l);
    }
}

void kernels_print(struct arena *scratch, const struct program *program,
                   const struct target *target, const struct machine_code *code,
                   struct expected_extents extents)
{
    const struct machine *machine = target_machine(target);
    struct listing l = {.scratch = scratch,
                        .program = program,
                        .target = target,
                        .code = code,
                        .indent = 2,
                        .setting = {extents.pool, scratch, program, extent_expected, &extents},
                        .times = 1,
                        .total = {.known = true}};
    list(program->body, &l);
    const struct kernel_work least = kernel_work_least(&l.setting);
    printf("An axis without an estimate counts as %lld places. %s %.0f launch%s %s%.3g us by these "
           "counts; reading the inputs and writing the results once takes %.3g us.\n",
           (long long)extents.usual, l.total.launches > 1 ? "All" : "The", l.total.launches,
           l.total.launches > 1 ? "es take" : " takes", l.total.known ? "" : "about ",
           1e6 * l.total.seconds, 1e6 * (least.read + least.written) / machine->bytes_a_second);
}
