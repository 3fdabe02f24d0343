/* Tables of transforms that a caller keeps. NAME_prepare fills an object with them;
 * NAME_run_prepared uses it instead of making tables in scratch memory at each call.
 *   the object: its head, struct flt_prepared; then each table, at a multiple of 64 bytes
 * A table depends on the kind, norm and type of its lines, which the mark in the head identifies,
 * and on their length, which is stored after the mark. A run compares both before it reads anything
 * else. Nothing is printed if the program transforms no lines, or if a library of the caller does
 * (emit_given.c). */
#include "emit/emission.h"
#include "emit/host/host.h"

static void note_transform(const struct statement *statement, void *user)
{
    struct emission *e = user;
    if (statement->kind == STATEMENT_TRANSFORM && statement->as.transform.prepares)
        VECTOR_PUSH(e->arena, &e->transforms, statement);
    statement_children(statement, note_transform, e);
}

void prepared_find(struct emission *e)
{
    static const char *const part[] = {"prepared_bytes", "prepare", "run_prepared", "place_tables",
                                       "head",           "run_by",  "tables"};
    note_transform(e->program->body, e);
    if (e->transforms.count == 0 || e->options->gives_fft || !e->dialect->host->keeps_tables)
        return;
    for (size_t i = 0; i < sizeof part / sizeof part[0]; i++)
        name_identifier(e, arena_format(e->arena, "%s_%s", e->name, part[i]));
    e->prepared = name_identifier(e, "prepared");
    e->prepared_bytes = name_identifier(e, "prepared_bytes");
}

static const struct buffer *table_of(struct emission *e, size_t i)
{
    return buffer_of(e, e->transforms.item[i]->as.transform.table);
}

/* What tables there are, but for the lengths of lines, in 64 bits (FNV-1a). */
static uint64_t mark_of(struct emission *e)
{
    struct text all = text_create(e->arena);
    uint64_t mark = UINT64_C(0xcbf29ce484222325);
    text_print(&all, "tables 1 of %s", e->name);
    for (size_t i = 0; i < e->transforms.count; i++) {
        const struct statement *s = e->transforms.item[i];
        text_print(&all, ", %s %s %s", transform_info[s->as.transform.kind].table,
                   transform_norm_text[s->as.transform.norm],
                   scalar_info[table_of(e, i)->scalar].text);
    }
    for (const char *c = all.bytes; *c; c++)
        mark = (mark ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
    return mark;
}

void prepared_print_type(struct emission *e)
{
    if (e->prepared)
        text_print(
            e->out,
            "/* What an object of tables begins with. length: of the lines of each table. */\n"
            "struct flt_prepared {\n    uint64_t mark;\n    int64_t length[%zu];\n};\n\n",
            e->transforms.count);
}

void prepared_print_field(struct emission *e)
{
    if (e->prepared)
        text_print(e->out, "int %s; /* the tables are filled */\n", e->prepared);
}

/* ---- The header ---- */

/* Declares what extents follow from, before other arguments. */
static void print_sizes(struct emission *e)
{
    if (e->program->inputs.count + e->program->parameters.count == 0)
        return;
    emit_parameters(e, false, false);
    text_print(e->out, ", ");
}

void prepared_print_functions(struct emission *e)
{
    const char *name = e->name, *prepared = e->prepared, *bytes = e->prepared_bytes;
    if (!prepared)
        return;
    text_print(e->out,
               "/* Bytes of an object that holds the tables of the transforms. They depend on "
               "extents%s only:\n"
               " * no sample is read. SIZE_MAX if an argument is wrong. */\n"
               "size_t %s_prepared_bytes(",
               e->program->parameters.count ? " and parameters" : "", name);
    emit_parameters(e, false, false);
    text_print(
        e->out,
        ");\n\n/* Fills the object; returns a status. Later calls only read it: any number of "
        "calls and threads\n"
        " * may share it, for all images with the same line lengths, and it may be copied.\n"
        " * memory: %s_prepared_bytes(...) or more, aligned to 64 bytes. */\nint %s_prepare(",
        name, name);
    print_sizes(e);
    text_print(e->out,
               "void *memory, size_t bytes);\n\n"
               "/* As %s_run, with prepared tables. (That\n"
               " * function makes the tables in its scratch memory at each call.) Results have the "
               "same bytes.\n"
               " * %s: filled by %s_prepare, aligned to 64 bytes.\n"
               " * An object for other line lengths, of another filter, or of too few bytes is "
               "refused. */\n"
               "int %s_run_prepared(",
               name, prepared, name, name);
    emit_parameters(e, false, true);
    text_print(e->out,
               ", const void *%s, size_t %s,\n"
               "    void *scratch, size_t scratch_bytes, int threads);\n\n",
               prepared, bytes);
}

/* ---- Functions of the host ---- */

/* The samples as which the lines of each table are transformed stand in it. */
static void print_head(struct emission *e)
{
    struct body body;
    text_print(e->out,
               "/* The head of the object with the tables of this call. */\n"
               "static struct flt_prepared %s_head(const struct %s_frame *frame)\n{\n",
               e->name, e->name);
    begin_body(e, &body);
    text_print(e->out,
               "    struct flt_prepared flt_head;\n    memset(&flt_head, 0, sizeof flt_head);\n"
               "    flt_head.mark = 0x%016llxull;\n",
               (unsigned long long)mark_of(e));
    bool varies = false;
    for (size_t i = 0; i < e->transforms.count; i++) {
        const struct statement *s = e->transforms.item[i];
        varies = varies || s->as.transform.extent->kind != EXPR_INTEGER;
        text_print(e->out, "    flt_head.length[%zu] = ", i);
        emit_transformed(e, &on_host, s->as.transform.kind, s->as.transform.extent);
        text_print(e->out, ";\n");
    }
    text_print(e->out, "%s    return flt_head;\n}\n\n", varies ? "" : "    (void)frame;\n");
    print_frame_parameters(e, &body);
    end_body(e, &body, true);
}

static void print_place_tables(struct emission *e)
{
    struct body body;
    text_print(e->out,
               "/* Where the tables stand in an object; where memory is NULL, only measures. */\n"
               "static uint64_t %s_place_tables(struct %s_frame *frame, char *memory)\n{\n"
               "    uint64_t at = flt_behind(0, sizeof(struct flt_prepared));\n",
               e->name, e->name);
    begin_body(e, &body);
    for (size_t i = 0; i < e->transforms.count; i++) {
        const struct buffer *table = table_of(e, i);
        text_print(e->out,
                   "    if (memory)\n        frame->%s = (%s *)(void *)(memory + at);\n    at = ",
                   name_of_buffer(e, table), scalar_info[table->scalar].c_type);
        print_room(e, table, "at");
    }
    text_print(e->out, "    return at;\n}\n\n");
    print_frame_parameters(e, &body);
    end_body(e, &body, true);
}

static void print_prepared_bytes(struct emission *e)
{
    text_print(e->out, "size_t %s_prepared_bytes(", e->name);
    emit_parameters(e, false, false);
    text_print(e->out, ")\n{\n    struct %s_frame all;\n    if (", e->name);
    print_measure_call(e);
    text_print(e->out,
               " != %s_OK)\n        return SIZE_MAX;\n    {\n"
               "        const uint64_t bytes = %s_place_tables(&all, NULL);\n"
               "        return bytes > SIZE_MAX ? SIZE_MAX : (size_t)bytes;\n    }\n}\n\n",
               name_upper(e, e->name), e->name);
}

static void print_prepare(struct emission *e)
{
    const char *name = e->name, *upper = name_upper(e, e->name);
    text_print(e->out, "int %s_prepare(", name);
    print_sizes(e);
    text_print(e->out,
               "void *memory, size_t bytes)\n{\n    struct %s_frame all;\n%s    int status;\n"
               "    memset(&all, 0, sizeof all);\n    status = ",
               name,
               e->dialect->host->takes_tasks ? "    struct flt_call call = {NULL, 0};\n" : "");
    print_measure_call(e);
    text_print(e->out,
               ";\n    if (status != %s_OK)\n        return status;\n"
               "    if (!memory)\n        return %s_NULL_POINTER;\n"
               "    if (%s_place_tables(&all, NULL) > bytes || (uintptr_t)memory %% 64)\n"
               "        return %s_BAD_PREPARED;\n"
               "    (void)%s_place_tables(&all, (char *)memory);\n"
               "    all.threads = all.team = 1;\n    all.cpu = FLT_CPU;\n%s    %s_tables(&all);\n"
               "    {\n        const struct flt_prepared flt_head = %s_head(&all);\n"
               "        memcpy(memory, &flt_head, sizeof flt_head);\n    }\n"
               "    return %s_OK;\n}\n\n",
               upper, upper, name, upper, name,
               e->dialect->host->takes_tasks ? "    all.call = &call;\n" : "", name, name, upper);
}

void prepared_print_host(struct emission *e)
{
    if (!e->prepared)
        return;
    print_head(e);
    print_place_tables(e);
    print_prepared_bytes(e);
    print_prepare(e);
}

void prepared_print_use(struct emission *e)
{
    const char *name = e->name, *upper = name_upper(e, e->name);
    if (!e->prepared)
        return;
    text_print(e->out,
               "    if (%s) {\n        const struct flt_prepared flt_head = %s_head(&all);\n"
               "        if ((uintptr_t)%s %% 64 || %s < %s_place_tables(&all, NULL) ||\n"
               "            memcmp(%s, &flt_head, sizeof flt_head) != 0)\n"
               "            return %s_BAD_PREPARED;\n"
               "        (void)%s_place_tables(&all, (char *)(uintptr_t)%s);\n"
               "        all.%s = 1;\n    }\n",
               e->prepared, name, e->prepared, e->prepared_bytes, name, e->prepared, upper, name,
               e->prepared, e->prepared);
}

/* A call of NAME_run_by, by which NAME_run and NAME_run_prepared run. */
static void print_call_of_run_by(struct emission *e, const char *prepared, const char *bytes)
{
    text_print(e->out, "    return %s_run_by(", e->name);
    given_print_argument(e, true);
    emit_parameters(e, true, true);
    if (e->prepared)
        text_print(e->out, ", %s, %s", prepared, bytes);
    text_print(e->out, ", scratch, scratch_bytes, threads%s);\n}\n\n",
               e->dialect->host->takes_tasks ? ", NULL" : "");
}

void prepared_print_runs(struct emission *e)
{
    const char *name = e->name, *prepared = e->prepared, *bytes = e->prepared_bytes;
    if (!prepared && !e->dialect->host->takes_tasks)
        return;
    text_print(e->out, "int %s_run(", name);
    given_print_argument(e, false);
    emit_parameters(e, false, true);
    text_print(e->out, ", void *scratch, size_t scratch_bytes, int threads)\n{\n");
    print_call_of_run_by(e, "NULL", "0");
    if (!prepared)
        return;
    text_print(e->out, "int %s_run_prepared(", name);
    emit_parameters(e, false, true);
    text_print(e->out,
               ", const void *%s, size_t %s, void *scratch, size_t scratch_bytes, int threads)\n{\n"
               "    if (!%s)\n        return %s_NULL_POINTER;\n",
               prepared, bytes, prepared, name_upper(e, name));
    print_call_of_run_by(e, prepared, bytes);
}
