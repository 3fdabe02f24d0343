/* A pipe: each operation in a variable as wide as its interval. Where all of an operation is below
 * 2^31 it is written as it is, since numbers of C++ and of the vendor's types hold it alike; else
 * its operands are taken to the type of its result first, which is right modulo 2^bits. */
#include "emit/launch/hls/hls.h"

struct pipe {
    const struct hls *h;
    const struct process *process;
    struct hash_map place; /* node → 1 + its place among the nodes */
};

/* ---- Operands ---- */

static const char *constant(struct arena *arena, int64_t value)
{
    if (value == INT64_MIN)
        return "(-9223372036854775807LL - 1)";
    const bool is_long = value > INT32_MAX || value < -INT32_MAX;
    return arena_format(arena, "%lld%s", (long long)value, is_long ? "LL" : "");
}

static const char *element(const struct pipe *p, const struct expr *node)
{
    const struct stream *from = process_edge(p->h->circuit, p->process, node->as.load.source);
    if (stream_elements(from) == 1)
        return arena_format(p->h->arena, "t%u", node->as.load.source);
    return arena_format(p->h->arena, "t%u.at[%lld]", node->as.load.source,
                        (long long)node->operand[0]->as.integer);
}

/* Leaves by what they are, other nodes by their variable. */
static const char *value_of(const struct pipe *p, const struct expr *node)
{
    if (node->kind == EXPR_INTEGER)
        return constant(p->h->arena, node->as.integer);
    if (expr_is_element(node))
        return element(p, node);
    if (node->kind == EXPR_VARIABLE)
        return arena_format(p->h->arena,
                            node->as.variable.kind == VARIABLE_PARAMETER ? "p_%s" : "%s",
                            node->as.variable.name->text);
    return arena_format(p->h->arena, "n%zu", (size_t)(uintptr_t)hash_map_find(&p->place, node) - 1);
}

static const char *operand(const struct pipe *p, const struct expr *node, unsigned i)
{
    return value_of(p, node->operand[i]);
}

static const char *as(const struct pipe *p, const struct expr *node, unsigned i, const char *type)
{
    return arena_format(p->h->arena, "%s(%s)", type, operand(p, node, i));
}

/* In the type of the result. */
static const char *as_result(const struct pipe *p, const struct expr *node, unsigned i)
{
    return as(p, node, i, hls_type(p->h->arena, node));
}

/* ---- Operations ---- */

static bool is_small(const struct expr *node)
{
    return node->scalar == SCALAR_BOOL ||
           (node->interval.least >= -INT32_MAX && node->interval.greatest <= INT32_MAX);
}

static bool is_small_operation(const struct expr *node)
{
    bool small = is_small(node);
    for (unsigned i = 0; i < node->count; i++)
        small = small && is_small(node->operand[i]);
    return small;
}

static const char *arithmetic(const struct pipe *p, const struct expr *node, const char *how)
{
    const bool small = is_small_operation(node);
    return arena_format(p->h->arena, "%s %s %s",
                        small ? operand(p, node, 0) : as_result(p, node, 0), how,
                        small ? operand(p, node, 1) : as_result(p, node, 1));
}

/* C++ makes an int of it, sign and all. */
static bool becomes_int(const struct expr *node)
{
    return value_bits(node) <= 16 || (node->interval.least < 0 && value_bits(node) <= 32);
}

/* Numbers without and with a sign are compared in a type that holds both. */
static const char *compared(const struct pipe *p, const struct expr *node, const char *how)
{
    const struct expr *a = node->operand[0], *b = node->operand[1];
    const bool positive = a->interval.least >= 0 && b->interval.least >= 0;
    const unsigned bits = value_bits(a) > value_bits(b) ? value_bits(a) : value_bits(b);
    const char *type = arena_format(p->h->arena, "ap_int<%u>", bits < 64 ? bits + 1 : 64);
    if (positive || (becomes_int(a) && becomes_int(b)))
        return arena_format(p->h->arena, "%s %s %s", operand(p, node, 0), how, operand(p, node, 1));
    return arena_format(p->h->arena, "%s %s %s", as(p, node, 0, type), how, as(p, node, 1, type));
}

static const char *chosen(const struct pipe *p, const struct expr *node, const char *condition,
                          unsigned then, unsigned otherwise)
{
    return arena_format(p->h->arena, "%s ? %s : %s", condition, as_result(p, node, then),
                        as_result(p, node, otherwise));
}

static const char *negated(const struct pipe *p, const struct expr *node)
{
    return arena_format(p->h->arena, "-%s",
                        is_small_operation(node) ? operand(p, node, 0) : as_result(p, node, 0));
}

/* By 2^k. */
static const char *quotient(const struct pipe *p, const struct expr *node)
{
    const int k = __builtin_ctzll((uint64_t)node->operand[1]->as.integer);
    return arena_format(p->h->arena, "%s >> %d",
                        k < 31 ? operand(p, node, 0) : as(p, node, 0, "ap_int<64>"), k);
}

static const char *shifted_right(const struct pipe *p, const struct expr *node)
{
    return arena_format(p->h->arena, "%s >> %s", as(p, node, 0, "ap_int<64>"), operand(p, node, 1));
}

static const char *shifted_left(const struct pipe *p, const struct expr *node)
{
    return arena_format(p->h->arena, "ap_int<64>(%s) << %s", operand(p, node, 0),
                        operand(p, node, 1));
}

static const char *binary(const struct pipe *p, const struct expr *node, const char *how)
{
    return node->scalar == SCALAR_BOOL
               ? arena_format(p->h->arena, "%s %s %s", operand(p, node, 0), how,
                              operand(p, node, 1))
               : arena_format(p->h->arena, "%s %s %s", as_result(p, node, 0), how,
                              as_result(p, node, 1));
}

static const char *text_of(const struct pipe *p, const struct expr *node)
{
    struct arena *arena = p->h->arena;
    switch (node->kind) {
    case EXPR_LOAD:
        return arena_format(arena, "table_%u[%s]", node->as.load.source - PIPE_TABLES,
                            operand(p, node, 0));
    case EXPR_ADD:
        return arithmetic(p, node, "+");
    case EXPR_SUBTRACT:
        return arithmetic(p, node, "-");
    case EXPR_MULTIPLY:
        return arithmetic(p, node, "*");
    case EXPR_NEGATE:
        return negated(p, node);
    case EXPR_ABSOLUTE:
        return node->operand[0]->interval.least >= 0
                   ? as_result(p, node, 0)
                   : arena_format(arena, "%s < 0 ? %s(%s) : %s", operand(p, node, 0),
                                  hls_type(arena, node), negated(p, node), as_result(p, node, 0));
    case EXPR_DIVIDE:
        return quotient(p, node);
    case EXPR_REMAINDER:
        return arena_format(arena, "%s & %s", operand(p, node, 0),
                            constant(p->h->arena, node->operand[1]->as.integer - 1));
    case EXPR_CONVERT:
        return as_result(p, node, 0);
    case EXPR_MINIMUM:
        return chosen(p, node, compared(p, node, "<"), 0, 1);
    case EXPR_MAXIMUM:
        return chosen(p, node, compared(p, node, ">"), 0, 1);
    case EXPR_EQUAL:
        return compared(p, node, "==");
    case EXPR_NOT_EQUAL:
        return compared(p, node, "!=");
    case EXPR_LESS:
        return compared(p, node, "<");
    case EXPR_LESS_EQUAL:
        return compared(p, node, "<=");
    case EXPR_AND:
        return binary(p, node, "&&");
    case EXPR_OR:
        return binary(p, node, "||");
    case EXPR_BIT_AND:
        return binary(p, node, "&");
    case EXPR_BIT_OR:
        return binary(p, node, "|");
    case EXPR_BIT_XOR:
        return binary(p, node, "^");
    case EXPR_NOT:
        return arena_format(arena, "!%s", operand(p, node, 0));
    case EXPR_SHIFT_LEFT:
        return shifted_left(p, node);
    case EXPR_SHIFT_RIGHT:
        return shifted_right(p, node);
    case EXPR_SELECT:
        return chosen(p, node, operand(p, node, 0), 1, 2);
    default: /* lower_to_circuit refuses others */
        return NULL;
    }
}

/* ---- The function ---- */

static bool is_leaf(const struct expr *node)
{
    return node->kind == EXPR_INTEGER || node->kind == EXPR_VARIABLE || expr_is_element(node);
}

static void find_places(struct pipe *p)
{
    for (size_t i = 0; i < p->process->as.pipe.node_count; i++)
        hash_map_put(p->h->arena, &p->place, p->process->as.pipe.node[i],
                     (void *)(uintptr_t)(i + 1));
}

/* Tables that the pipe reads, each once. */
static void print_table_pragmas(const struct pipe *p)
{
    const struct circuit *circuit = p->h->circuit;
    bool *found = ARENA_ARRAY(p->h->arena, bool, circuit->tables.count + 1);
    for (size_t i = 0; i < p->process->as.pipe.node_count; i++) {
        const struct expr *node = p->process->as.pipe.node[i];
        const uint32_t table = expr_is_sample(node) ? node->as.load.source - PIPE_TABLES : 0;
        if (!expr_is_sample(node) || found[table])
            continue;
        found[table] = true;
        const char *memory = hls_memory(MEMORY_REGISTERS, circuit->tables.item[table].count);
        text_print(p->h->out, "#pragma HLS BIND_STORAGE variable=table_%u type=rom_np impl=%s\n",
                   table, memory ? memory : "lutram");
    }
}

static void print_values(const struct pipe *p)
{
    const struct process *process = p->process;
    const char *token = hls_token(p->h, process);
    if (process->as.pipe.count == 1) {
        text_print(p->h->out, "out.write(%s(%s));\n", token,
                   value_of(p, process->as.pipe.value[0]));
        return;
    }
    text_print(p->h->out, "%s given;\n", token);
    for (size_t i = 0; i < process->as.pipe.count; i++)
        text_print(p->h->out, "given.at[%zu] = %s;\n", i, value_of(p, process->as.pipe.value[i]));
    text_print(p->h->out, "out.write(given);\n");
}

void hls_print_pipe(const struct hls *h, const struct process *process)
{
    struct pipe p = {.h = h, .process = process};
    find_places(&p);
    hls_open_function(h, process, "");
    print_table_pragmas(&p);
    hls_open_loops(h, process->out.lines, process->out.tokens);
    for (unsigned e = 0; e < process->edge_count; e++)
        text_print(h->out, "const %s t%u = in%u.read();\n",
                   hls_token(h, &h->circuit->processes.item[process->edge[e].from]), e, e);
    for (size_t i = 0; i < process->as.pipe.node_count; i++) {
        const struct expr *node = process->as.pipe.node[i];
        if (!is_leaf(node))
            text_print(h->out, "const %s n%zu = %s;\n", hls_type(h->arena, node), i,
                       text_of(&p, node));
    }
    print_values(&p);
    hls_close_loops(h);
}

void hls_print_tables(const struct hls *h)
{
    for (size_t t = 0; t < h->circuit->tables.count; t++) {
        const struct circuit_table *table = &h->circuit->tables.item[t];
        text_print(h->out, "\nstatic const %s table_%zu[%zu] = { // %s",
                   hls_integer(h->arena, table->interval), t, table->count, table->name->text);
        for (size_t i = 0; i < table->count; i++)
            text_print(h->out, i % 12 ? " %s," : "\n    %s,", constant(h->arena, table->value[i]));
        text_print(h->out, "\n};\n");
    }
}
