/* Tables: constant ones, and ones that are written over AXI4-Lite between frames, which are
 * parameters of the function. In a DATAFLOW region an array has one reader, so if several processes
 * read a table, a function copies it first. */
#include "emit/launch/hls/dialect.h"

void hls_print_tables(const struct hls *h)
{
    for (size_t t = 0; t < h->circuit->tables.count; t++) {
        const struct circuit_table *table = &h->circuit->tables.item[t];
        if (table_is_written(table))
            continue;
        text_print(h->out, "\nstatic const %s table_%zu[%zu] = { // %s",
                   hls_integer(h, table->interval), t, table->count, table->name->text);
        for (size_t i = 0; i < table->count; i++)
            text_print(h->out, i % 12 ? " %s," : "\n    %s,",
                       hls_constant(h->arena, table->value[i]));
        text_print(h->out, "\n};\n");
    }
}

/* ---- Written ones ---- */

static bool reads(const struct hls *h, const struct process *p, uint32_t table)
{
    return written_tables_read(h->arena, h->circuit, p)[table];
}

static unsigned table_readers(const struct hls *h, uint32_t table)
{
    unsigned count = 0;
    for (size_t i = 0; i < h->circuit->processes.count; i++)
        count += reads(h, &h->circuit->processes.item[i], table);
    return count;
}

/* "t_lut", or the copy for a process: "t_lut_out". */
static const char *table_argument(const struct hls *h, uint32_t table, const struct process *p)
{
    const char *name = h->circuit->tables.item[table].name->text;
    return table_readers(h, table) > 1 ? arena_format(h->arena, "t_%s_%s", name, h->name[p->id])
                                       : arena_format(h->arena, "t_%s", name);
}

void hls_print_table_copies(const struct hls *h)
{
    for (uint32_t t = 0; t < h->circuit->tables.count; t++) {
        const struct circuit_table *table = &h->circuit->tables.item[t];
        const unsigned readers = table_is_written(table) ? table_readers(h, t) : 0;
        if (readers < 2)
            continue;
        struct hls_function f =
            hls_begin_function(h, arena_format(h->arena, "%s for its readers.", table->name->text),
                               arena_format(h->arena, "copy_%s", table->name->text));
        hls_add_parameter(&f, hls_table_parameter(h, t, "table"));
        for (unsigned k = 0; k < readers; k++)
            hls_add_parameter(&f, arena_format(h->arena, "%s copy%u[%zu]",
                                               hls_integer(h, table->interval), k, table->count));
        hls_open_function(&f);
        text_print(h->out, "samples:\nfor (int i = 0; i < %zu; i++) {\n", table->count);
        h->out->indent += 4;
        text_print(h->out, HLS_PIPELINE);
        for (unsigned k = 0; k < readers; k++)
            text_print(h->out, "copy%u[i] = table[i];\n", k);
        for (unsigned i = 0; i < 2; i++) {
            h->out->indent -= 4;
            text_print(h->out, "}\n");
        }
    }
}

void hls_print_table_interfaces(const struct hls *h)
{
    for (uint32_t t = 0; t < h->circuit->tables.count; t++)
        if (table_is_written(&h->circuit->tables.item[t]))
            text_print(h->out, "#pragma HLS INTERFACE mode=s_axilite port=t_%s\n",
                       h->circuit->tables.item[t].name->text);
}

void hls_print_table_calls(const struct hls *h)
{
    for (uint32_t t = 0; t < h->circuit->tables.count; t++) {
        const struct circuit_table *table = &h->circuit->tables.item[t];
        if (!table_is_written(table) || table_readers(h, t) < 2)
            continue;
        struct text call = text_create(h->arena);
        text_print(&call, "copy_%s(t_%s", table->name->text, table->name->text);
        for (size_t i = 0; i < h->circuit->processes.count; i++) {
            const struct process *p = &h->circuit->processes.item[i];
            if (!reads(h, p, t))
                continue;
            text_print(h->out, "%s %s[%zu];\n", hls_integer(h, table->interval),
                       table_argument(h, t, p), table->count);
            text_print(&call, ", %s", table_argument(h, t, p));
        }
        text_print(&call, ")");
        text_print(h->out, "%s\n", h->dialect->call(h->arena, call.bytes));
    }
}

void hls_visit_table_arguments(const struct hls *h, const struct process *p,
                               void (*visit)(struct text *arguments, const char *argument),
                               struct text *arguments)
{
    for (uint32_t t = 0; t < h->circuit->tables.count; t++)
        if (reads(h, p, t))
            visit(arguments, table_argument(h, t, p));
}
