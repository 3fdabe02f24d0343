/* Small pieces that several files of this folder print. */
#include "emit/launch/hls/dialect.h"

const char *hls_integer(const struct hls *h, struct interval interval)
{
    return h->dialect->integer(h->arena, interval);
}

const char *hls_type(const struct hls *h, const struct expr *node)
{
    return node->scalar == SCALAR_BOOL ? "bool" : hls_integer(h, node->interval);
}

const char *hls_constant(struct arena *arena, int64_t value)
{
    if (value == INT64_MIN)
        return "(-9223372036854775807LL - 1)";
    const bool is_long = value > INT32_MAX || value < -INT32_MAX;
    return arena_format(arena, "%lld%s", (long long)value, is_long ? "LL" : "");
}

const char *hls_table_parameter(const struct hls *h, uint32_t table, const char *name)
{
    const struct circuit_table *t = &h->circuit->tables.item[table];
    return arena_format(h->arena, "const %s %s[%zu]", hls_integer(h, t->interval), name, t->count);
}

const char *hls_lane(const struct hls *h, const struct stream *stream, const char *token,
                     unsigned k)
{
    return stream_elements(stream) > 1 ? arena_format(h->arena, "%s.at[%u]", token, k) : token;
}

const char *hls_read(const struct hls *h, unsigned edge)
{
    return h->dialect->read(h->arena, arena_format(h->arena, "in%u", edge));
}

void hls_write(const struct hls *h, const char *value)
{
    text_print(h->out, "%s\n", h->dialect->write(h->arena, "out", value));
}

const char *hls_token(const struct hls *h, const struct process *p)
{
    return arena_format(h->arena, "%s_token", h->name[p->id]);
}

const struct expr **hls_parameters(const struct hls *h, const struct process *p)
{
    const size_t most = process_computes(p) ? p->as.pipe.node_count : 0;
    const struct expr **list = ARENA_ARRAY(h->arena, const struct expr *, most + 1);
    size_t count = 0;
    for (size_t i = 0; i < most; i++) {
        const struct expr *node = p->as.pipe.node[i];
        if (node->kind == EXPR_VARIABLE && node->as.variable.kind == VARIABLE_PARAMETER)
            list[count++] = node;
    }
    return list;
}

const char *hls_memory(enum memory_kind asked, uint64_t words)
{
    enum { FEW = 32, MANY = 128 }; /* words that are registers; that are a block */
    if (words < FEW)
        return NULL;
    return asked == MEMORY_BLOCK || (asked != MEMORY_LUT && words >= MANY) ? "bram" : "lutram";
}

struct hls_function hls_begin_function(const struct hls *h, const char *about, const char *name)
{
    return (struct hls_function){h, about, name, text_create(h->arena), text_create(h->arena)};
}

void hls_add_parameter(struct hls_function *f, const char *parameter)
{
    text_print(&f->parameters, "%s%s", f->parameters.length ? ", " : "", parameter);
}

void hls_add_stream(struct hls_function *f, const char *type, const char *name,
                    const struct stream *stream, bool is_given)
{
    const struct hls_dialect *dialect = f->h->dialect;
    hls_add_parameter(f, dialect->parameter(f->h->arena, type, name, stream, is_given));
    text_print(&f->counters, "%s", dialect->counter(f->h->arena, name));
}

void hls_open_function(const struct hls_function *f)
{
    struct text *out = f->h->out;
    text_print(out, "\n// %s\nstatic void %s(%s)\n{\n", f->about, f->name, f->parameters.bytes);
    out->indent += 4;
    text_print(out, "#pragma HLS INLINE off\n%s", f->counters.length ? f->counters.bytes : "");
}

void hls_open_process(const struct hls *h, const struct process *p, const char *what)
{
    struct hls_function f = hls_begin_function(
        h, arena_format(h->arena, "%s%s%s", p->name->text, *what ? ": " : "", what),
        arena_format(h->arena, "%s_%s", process_text[p->kind], h->name[p->id]));
    for (unsigned e = 0; e < p->edge_count; e++)
        hls_add_stream(&f, hls_token(h, &h->circuit->processes.item[p->edge[e].from]),
                       arena_format(h->arena, "in%u", e), process_edge(h->circuit, p, e), false);
    for (const struct expr **at = hls_parameters(h, p); *at; at++)
        hls_add_parameter(
            &f, arena_format(h->arena, "%s p_%s", hls_type(h, *at), (*at)->as.variable.name->text));
    const bool *reads = written_tables_read(h->arena, h->circuit, p);
    for (uint32_t t = 0; t < h->circuit->tables.count; t++)
        if (reads[t])
            hls_add_parameter(&f, hls_table_parameter(h, t, arena_format(h->arena, "table_%u", t)));
    hls_add_stream(&f, hls_token(h, p), "out", &p->out, true);
    hls_open_function(&f);
}

void hls_open_loops(const struct hls *h, uint32_t lines, uint32_t places)
{
    text_print(h->out, "lines:\nfor (int line = 0; line < %u; line++) {\n", lines);
    h->out->indent += 4;
    text_print(h->out, "places:\nfor (int place = 0; place < %u; place++) {\n", places);
    h->out->indent += 4;
    text_print(h->out, HLS_PIPELINE);
}

void hls_close_loops(const struct hls *h)
{
    for (unsigned i = 0; i < 3; i++) {
        h->out->indent -= 4;
        text_print(h->out, "}\n");
    }
}
