/* The functions that run the kernels, and all host functions in their order. */
#include "emit/emission.h"
#include "emit/host/host.h"
#include "loop/shared_loops.h"

static void print_copy_loops(struct emission *e, const struct buffer *buffer)
{
    const char *name = name_of_buffer(e, buffer);
    const bool output = buffer->space == SPACE_OUTPUT;
    text_print(e->out, "    if (");
    print_needs_copy(e, buffer);
    text_print(e->out,
               ") {\n        %s%s *FLT_RESTRICT const packed = (%s%s *)(uintptr_t)all.%s;\n",
               output ? "const " : "", scalar_info[buffer->scalar].c_type, output ? "const " : "",
               scalar_info[buffer->scalar].c_type, name);
    e->out->indent = 8;
    for (unsigned k = 0; k < buffer->rank; k++) {
        text_print(e->out, "for (int64_t i%u = 0; i%u < %s->%s; i%u++)\n", k, k, name,
                   name_of_extent_field(e, buffer, k), k);
        e->out->indent += 4;
    }
    struct text packed = text_create(e->arena), strided = text_create(e->arena);
    for (unsigned k = 0; k < buffer->rank; k++) {
        if (k + 1 < buffer->rank)
            text_print(&packed, "i%u * all.%s + ", k, name_of_stride(e, buffer, k));
        else
            text_print(&packed, "i%u", k);
        text_print(&strided, "%si%u * %s->%s", k ? " + " : "", k, name,
                   name_of_stride_field(e, buffer, k));
    }
    if (output)
        text_print(e->out, "%s->data[%s] = packed[%s];\n", name, strided.bytes, packed.bytes);
    else
        text_print(e->out, "packed[%s] = %s->data[%s];\n", packed.bytes, name, strided.bytes);
    e->out->indent = 0;
    text_print(e->out, "    }\n");
}

/* Launches that stand beside each other. */
struct launches {
    struct emission *e;
    bool in_bands; /* as of struct launch */
};

/* The number of particles that the kernel has counted. */
static void print_count(struct emission *e, const struct statement *kernel, size_t number)
{
    const struct statement *body = kernel->as.kernel.body;
    if (body->kind == STATEMENT_PARTICLES && body->as.particles.call == PARTICLES_COUNT)
        text_print(e->out, "flt_kernel_counts[%zu] = (double)frame->%s[0];\n", number,
                   name_of_buffer(e, program_buffer(e->program, body->as.particles.buffer[1])));
}

/* around: as of struct launch. */
static void print_launch_of(const struct launches *launches, const struct statement *kernel,
                            const struct statement *around)
{
    struct emission *e = launches->e;
    const size_t number = e->kernels.count;
    if (kernel->as.kernel.on_host) {
        print_host_call(e, kernel);
        return;
    }
    if (e->options->profiles)
        text_print(e->out, "const double start_%zu = flt_seconds();\n", number);
    e->dialect->launch(
        e, &(const struct launch){kernel, name_of_kernel(e, kernel), around, launches->in_bands});
    if (e->options->profiles)
        text_print(e->out, "flt_kernel_seconds[%zu] += flt_seconds() - start_%zu;\n", number,
                   number);
    if (e->options->profiles)
        print_count(e, kernel, number);
    VECTOR_PUSH(e->arena, &e->kernels, kernel->as.kernel.name->text);
}

static void print_launch(const struct statement *statement, void *user);

static void print_block(struct launches launches, const struct statement *body)
{
    launches.e->out->indent += 4;
    print_launch(body, &launches);
    launches.e->out->indent -= 4;
    text_print(launches.e->out, "}");
}

/* for (int64_t step = first; step < end; step++) { … } */
static void print_loop_around(struct launches launches, const struct statement *loop)
{
    struct emission *e = launches.e;
    const char *name = name_of_variable(e, loop->as.loop.variable);
    const bool is_in_frame = name_is_of_host(e, loop->as.loop.variable);
    emit_heading(e, &on_host, loop, name);
    text_print(e->out, " {\n");
    if (is_in_frame)
        text_print(e->out, "    frame->%s = %s;\n", name, name);
    launches.in_bands = launches.in_bands || is_in_frame;
    print_block(launches, loop->as.loop.body);
    text_print(e->out, "\n");
}

/* Versions of kernels: if (condition) { … } else if (condition) { … } else { … } */
static void print_choice(struct launches launches, const struct statement *choice)
{
    struct emission *e = launches.e;
    const struct statement *rest = choice->as.branch.otherwise;
    text_print(e->out, "if (");
    emit_value(e, &on_host, choice->as.branch.condition);
    text_print(e->out, ") {\n");
    print_block(launches, choice->as.branch.then);
    text_print(e->out, rest ? " else " : "\n");
    if (rest && rest->kind == STATEMENT_IF) {
        print_choice(launches, rest);
    } else if (rest) {
        text_print(e->out, "{\n");
        print_block(launches, rest);
        text_print(e->out, "\n");
    }
}

/* A kernel, those of a loop around some, or those that a condition chooses. */
static void print_launch(const struct statement *statement, void *user)
{
    const struct launches *launches = user;
    const struct statement *wave =
        statement->kind == STATEMENT_LOOP ? wavefront_in(statement) : NULL;
    if (statement->kind == STATEMENT_KERNEL)
        print_launch_of(launches, statement, NULL);
    else if (wave)
        print_launch_of(launches, wave, statement);
    else if (statement->kind == STATEMENT_IF)
        print_choice(*launches, statement);
    else if (statement->kind == STATEMENT_LOOP)
        print_loop_around(*launches, statement);
    else
        statement_children(statement, print_launch, user);
}

static void note_filling(const struct statement *statement, void *user)
{
    bool *fills = user;
    *fills = *fills || (statement->kind == STATEMENT_TRANSFORM && statement->as.transform.prepares);
    statement_children(statement, note_filling, fills);
}

static bool fills_tables(const struct statement *statement)
{
    bool fills = false;
    note_filling(statement, &fills);
    return fills;
}

static bool has_tables_apart(const struct emission *e)
{
    return e->transforms.count > 0 && e->dialect->host->keeps_tables;
}

/* The kernels before all others, which fill tables. */
static void print_tables(struct emission *e)
{
    const struct statement_list all = statement_items_of(&e->program->body);
    struct body text;
    if (!has_tables_apart(e))
        return;
    text_print(e->out,
               "/* Fills the tables of transforms. */\n"
               "static void %s_tables(const struct %s_frame *frame)\n{\n",
               e->name, e->name);
    name_forget_locals(e);
    begin_body(e, &text);
    e->out->indent = 4;
    for (size_t i = 0; i < all.count; i++)
        if (fills_tables(all.item[i]))
            print_launch(all.item[i], &(struct launches){.e = e});
    e->out->indent = 0;
    print_frame_parameters(e, &text);
    end_body(e, &text, true);
    text_print(e->out, "}\n\n");
}

static void print_launches(struct emission *e)
{
    const struct statement_list all = statement_items_of(&e->program->body);
    const struct host_dialect *const host = e->dialect->host;
    text_print(e->out, "static %s %s_kernels(%sstruct %s_frame *frame%s)\n{\n%s",
               host->kernels_result, e->name,
               e->host.count || has_values_of(e, SPACE_FRAME) ? "" : "const ", e->name,
               host->kernels_parameter_of(e), host->kernels_begin);
    print_host_memory(e);
    name_forget_locals(e);
    struct body text;
    begin_body(e, &text);
    e->out->indent = 4;
    if (e->prepared)
        text_print(e->out, "if (!frame->%s)\n    ", e->prepared);
    if (has_tables_apart(e))
        text_print(e->out, "%s_tables(frame);\n", e->name);
    for (size_t i = 0; i < all.count; i++)
        if (!has_tables_apart(e) || !fills_tables(all.item[i]))
            print_launch(all.item[i], &(struct launches){.e = e});
    e->out->indent = 0;
    print_frame_parameters(e, &text);
    print_frame_skews(e, &text);
    end_body(e, &text, true);
    text_print(e->out, "%s}\n\n", host->kernels_end);
}

void print_run_begin(struct emission *e, const char *parameter)
{
    const char *upper = name_upper(e, e->name);
    const char *const object = e->dialect->host->object;
    text_print(e->out,
               e->dialect->host->takes_tasks ? "int %s_run_by("
               : e->prepared                 ? "static int %s_run_by("
                                             : "int %s_run(",
               e->name);
    if (e->dialect->host->handle_of)
        text_print(e->out, "%s", e->dialect->host->handle_of(e));
    given_print_argument(e, false);
    emit_parameters(e, false, true);
    if (e->prepared)
        text_print(e->out, ", const void *%s, size_t %s", e->prepared, e->prepared_bytes);
    text_print(e->out,
               ", %sscratch, size_t scratch_bytes%s)\n{\n    struct %s_frame all;\n"
               "    const int status = %s_%s(&all, ",
               object ? object : "void *", parameter, e->name, e->name,
               object ? "check_objects" : "check");
    emit_parameters(e, true, true);
    text_print(e->out, "%s);\n    if (status != %s_OK)\n        return status;\n",
               e->dialect->host->argument, upper);
    given_print_check(e);
    text_print(e->out, "    {\n        const uint64_t bytes = ");
    print_layout_call(e, "NULL");
    text_print(e->out,
               ";\n        if (bytes > scratch_bytes || (bytes && !scratch)%s)\n"
               "            return %s_BAD_SCRATCH;\n    }\n    (void)",
               object ? "" : " || (uintptr_t)scratch % 64", upper);
    print_layout_call(e, object ? "scratch" : "(char *)scratch");
    text_print(e->out, ";\n");
}

static void print_run(struct emission *e)
{
    const char *upper = name_upper(e, e->name);
    const bool tasks = e->dialect->host->takes_tasks;
    print_run_begin(e, tasks ? ", int threads, const struct flt_tasks *tasks"
                             : e->dialect->host->parameter);
    if (tasks)
        text_print(e->out, "    struct flt_call call = {tasks, 0};\n    all.call = &call;\n");
    given_print_planning(e);
    prepared_print_use(e);
    for (size_t i = 0; i < e->program->inputs.count; i++)
        if (buffer_of(e, e->program->inputs.item[i])->rank)
            print_copy_loops(e, buffer_of(e, e->program->inputs.item[i]));
    if (tasks)
        text_print(e->out,
                   "    {\n        const int flt_held = flt_hold();\n"
                   "        %s_kernels(&all);\n        flt_release(flt_held);\n    }\n",
                   e->name);
    else
        text_print(e->out, "    %s_kernels(&all);\n", e->name);
    if (tasks)
        text_print(e->out, "    if (call.stopped)\n        return %s_CANCELLED;\n", upper);
    for (size_t i = 0; i < e->program->outputs.count; i++)
        if (buffer_of(e, e->program->outputs.item[i])->rank)
            print_copy_loops(e, buffer_of(e, e->program->outputs.item[i]));
    text_print(e->out, "    return %s_OK;\n}\n\n", upper);
}

static void print_allocating(struct emission *e)
{
    const char *upper = name_upper(e, e->name);
    const bool tasks = e->dialect->host->takes_tasks;
    text_print(e->out, "int %s(", e->name);
    given_print_argument(e, false);
    emit_parameters(e, false, true);
    text_print(e->out,
               ", int threads)\n{\n    struct %s_frame all;\n    int status = %s_check(&all, ",
               e->name, e->name);
    emit_parameters(e, true, true);
    text_print(e->out,
               ", threads);\n    char *block;\n    uint64_t bytes;\n%s"
               "    if (status != %s_OK)\n        return status;\n    bytes = ",
               tasks ? "    int flt_held;\n" : "", upper);
    print_layout_call(e, "NULL");
    text_print(e->out, ";\n    if (bytes > SIZE_MAX - 64)\n        return %s_NO_MEMORY;\n", upper);
    if (tasks) /* or the memory is lost with the thread */
        text_print(e->out, "    flt_held = flt_hold();\n");
    text_print(e->out,
               "    status = %s_NO_MEMORY;\n"
               "    block = (char *)malloc((size_t)bytes + 64);\n"
               "    if (block)\n        status = %s_run(",
               upper, e->name);
    given_print_argument(e, true);
    emit_parameters(e, true, true);
    text_print(e->out,
               ", block + (64 - (uintptr_t)block %% 64), (size_t)bytes, threads);\n"
               "    free(block);\n%s    return status;\n}\n\n",
               tasks ? "    flt_release(flt_held);\n" : "");
}

void define_run_of_threads(struct emission *e)
{
    print_run(e);
    prepared_print_runs(e);
    print_allocating(e);
}

void emit_host(struct emission *e)
{
    print_tables(e);
    print_host_kernels(e);
    print_launches(e);
    print_status_text(e);
    print_measure(e);
    print_extents(e);
    print_layout(e);
    print_checks(e);
    print_scratch_bytes(e);
    given_print_host(e);
    prepared_print_host(e);
    if (e->dialect->host->define_handle)
        e->dialect->host->define_handle(e);
    e->dialect->host->define_run(e);
    for (size_t i = 0; has_regions(e) && i < e->program->regions.count; i++)
        print_region(e, &e->program->regions.item[i]);
    boxes_print_source(e);
    self_check_print_host(e);
    entry_print_source(e);
}
