/* Pipes, scans and counts: each operation has a variable as wide as its interval. If the operation
 * and its operands are below 2^31 it is printed directly, since C++ integers and the vendor's types
 * give the same result; else its operands are first converted to the type of its result, which is
 * right modulo 2^bits. */
#include "emit/launch/hls/dialect.h"

struct pipe {
    const struct hls *h;
    const struct process *process;
    struct hash_map place;             /* node → 1 + its place among the nodes */
    VECTOR(const struct expr *) nodes; /* operands first */
};

/* ---- Operands ---- */

static const char *element(const struct pipe *p, const struct expr *node)
{
    const struct stream *from = process_edge(p->h->circuit, p->process, node->as.load.source);
    if (stream_elements(from) == 1)
        return arena_format(p->h->arena, "t%u", node->as.load.source);
    return arena_format(p->h->arena, "t%u.at[%lld]", node->as.load.source,
                        (long long)node->operand[0]->as.integer);
}

/* Of a scan: stored in the type of its stream, read in that of the load, which may be narrower. */
static const char *own_result(const struct pipe *p, const struct expr *load)
{
    struct arena *arena = p->h->arena;
    const char *stored = hls_integer(p->h, p->process->out.interval), *read = hls_type(p->h, load);
    const char *result =
        arena_format(arena, "before[%lld]", (long long)load->operand[0]->as.integer);
    return strcmp(stored, read) == 0 ? result : p->h->dialect->cast(arena, read, result);
}

/* Leaves by what they are, other nodes by their variable. */
static const char *value_of(const struct pipe *p, const struct expr *node)
{
    if (node->kind == EXPR_INTEGER)
        return hls_constant(p->h->arena, node->as.integer);
    if (expr_is_element(node))
        return element(p, node);
    if (expr_is_state(node))
        return p->process->kind == PROCESS_COUNT ? "held" : own_result(p, node);
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
    return p->h->dialect->cast(p->h->arena, type, operand(p, node, i));
}

/* In the type of the result. */
static const char *as_result(const struct pipe *p, const struct expr *node, unsigned i)
{
    return as(p, node, i, hls_type(p->h, node));
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

static const char *with_sign(const struct pipe *p, unsigned bits)
{
    return hls_integer(p->h, (struct interval){INT64_MIN >> (64 - bits), INT64_MAX >> (64 - bits)});
}

/* Numbers without and with a sign are compared in a type that holds both. */
static const char *compared(const struct pipe *p, const struct expr *node, const char *how)
{
    const struct expr *a = node->operand[0], *b = node->operand[1];
    const bool positive = a->interval.least >= 0 && b->interval.least >= 0;
    const unsigned bits = value_bits(a) > value_bits(b) ? value_bits(a) : value_bits(b);
    const char *type = with_sign(p, bits < 64 ? bits + 1 : 64);
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
                        k < 31 ? operand(p, node, 0) : as(p, node, 0, with_sign(p, 64)), k);
}

static const char *shifted_right(const struct pipe *p, const struct expr *node)
{
    return arena_format(p->h->arena, "%s >> %s", as(p, node, 0, with_sign(p, 64)),
                        operand(p, node, 1));
}

static const char *shifted_left(const struct pipe *p, const struct expr *node)
{
    return arena_format(p->h->arena, "%s << %s", as(p, node, 0, with_sign(p, 64)),
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

static const char *table_sample(const struct pipe *p, const struct expr *node)
{
    const uint32_t t = node->as.load.source - PIPE_TABLES;
    const struct circuit_table *table = &p->h->circuit->tables.item[t];
    const char *sample = arena_format(p->h->arena, "table_%u[%s]", t, operand(p, node, 0));
    return table_is_written(table) ? p->h->dialect->held(p->h->arena, sample, table->interval)
                                   : sample;
}

static const char *text_of(const struct pipe *p, const struct expr *node)
{
    struct arena *arena = p->h->arena;
    switch (node->kind) {
    case EXPR_LOAD:
        return table_sample(p, node);
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
                   : arena_format(
                         arena, "%s < 0 ? %s : %s", operand(p, node, 0),
                         p->h->dialect->cast(arena, hls_type(p->h, node), negated(p, node)),
                         as_result(p, node, 0));
    case EXPR_DIVIDE:
        return quotient(p, node);
    case EXPR_REMAINDER:
        return arena_format(arena, "%s & %s", operand(p, node, 0),
                            hls_constant(p->h->arena, node->operand[1]->as.integer - 1));
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

/* ---- Values ---- */

static bool is_leaf(const struct expr *node)
{
    return node->kind == EXPR_INTEGER || node->kind == EXPR_VARIABLE || expr_is_element(node) ||
           expr_is_state(node);
}

static void add_node(const struct expr *node, void *user)
{
    struct pipe *p = user;
    VECTOR_PUSH(p->h->arena, &p->nodes, node);
    hash_map_put(p->h->arena, &p->place, node, (void *)(uintptr_t)p->nodes.count);
}

static struct pipe pipe_of(const struct hls *h, const struct process *process, size_t count,
                           const struct expr *const value[])
{
    struct pipe p = {.h = h, .process = process};
    struct expr_walk walk = {.scratch = h->arena};
    for (size_t i = 0; i < count; i++)
        expr_visit(&walk, value[i], add_node, &p);
    return p;
}

static void print_nodes(const struct pipe *p)
{
    for (size_t i = 0; i < p->nodes.count; i++)
        if (!is_leaf(p->nodes.item[i]))
            text_print(p->h->out, "const %s n%zu = %s;\n", hls_type(p->h, p->nodes.item[i]), i,
                       text_of(p, p->nodes.item[i]));
}

static bool takes_element(const struct pipe *p, unsigned edge)
{
    for (size_t i = 0; i < p->nodes.count; i++)
        if (expr_is_element(p->nodes.item[i]) && p->nodes.item[i]->as.load.source == edge)
            return true;
    return false;
}

static void print_tokens(const struct pipe *p)
{
    for (unsigned e = 0; e < p->process->edge_count; e++) {
        text_print(p->h->out, "const %s t%u = %s;\n",
                   hls_token(p->h, &p->h->circuit->processes.item[p->process->edge[e].from]), e,
                   hls_read(p->h, e));
        if (p->process->kind != PROCESS_COUNT && !takes_element(p, e))
            text_print(p->h->out, "(void)t%u; // no value depends on it\n", e);
    }
}

/* ---- Pipes and scans ---- */

/* Tables that the pipe reads, each once. */
static void print_table_pragmas(const struct pipe *p)
{
    const struct circuit *circuit = p->h->circuit;
    bool *found = ARENA_ARRAY(p->h->arena, bool, circuit->tables.count + 1);
    for (size_t i = 0; i < p->nodes.count; i++) {
        const struct expr *node = p->nodes.item[i];
        const uint32_t table = expr_is_sample(node) ? node->as.load.source - PIPE_TABLES : 0;
        if (!expr_is_sample(node) || found[table] || table_is_written(&circuit->tables.item[table]))
            continue;
        found[table] = true;
        const char *memory = hls_memory(MEMORY_REGISTERS, circuit->tables.item[table].count);
        text_print(p->h->out, "#pragma HLS BIND_STORAGE variable=table_%u type=rom_np impl=%s\n",
                   table, memory ? memory : "lutram");
    }
}

/* Results that a scan keeps: in the memory `kept` for each place of lines, or in registers. */
static void print_state(const struct pipe *p)
{
    const struct process *scan = p->process;
    const unsigned held = scan->as.pipe.state.taps * scan->out.lanes;
    const char *type = hls_integer(p->h, scan->out.interval);
    if (scan->as.pipe.state.axis == RASTER_LINES)
        hls_print_memory(p->h, scan, scan->as.pipe.state.memory, &scan->out, held);
    else
        text_print(p->h->out,
                   "%s before[%u] = {0};\n#pragma HLS ARRAY_PARTITION variable=before complete\n",
                   type, held);
}

static void print_state_at_place(const struct pipe *p)
{
    const struct process *scan = p->process;
    const unsigned held = scan->as.pipe.state.taps * scan->out.lanes;
    text_print(p->h->out,
               "%s before[%u];\n#pragma HLS ARRAY_PARTITION variable=before complete\n"
               "for (int k = 0; k < %u; k++)\n    before[k] = %s;\n",
               hls_integer(p->h, scan->out.interval), held, held,
               held > 1 ? "kept[place][k]" : "kept[place]");
}

/* The newest result first. */
static void print_keeping(const struct pipe *p)
{
    const struct process *scan = p->process;
    const unsigned lanes = scan->out.lanes, held = scan->as.pipe.state.taps * lanes;
    const bool by_lines = scan->as.pipe.state.axis == RASTER_LINES;
    const char *to = !by_lines ? "before[%u]" : held > 1 ? "kept[place][%u]" : "kept[place]";
    for (unsigned k = held; k-- > 0;) {
        text_print(p->h->out, to, k);
        text_print(p->h->out, " = %s;\n",
                   k >= lanes ? arena_format(p->h->arena, "before[%u]", k - lanes)
                              : value_of(p, scan->as.pipe.value[k]));
    }
}

static void print_values(const struct pipe *p)
{
    const struct process *process = p->process;
    const char *token = hls_token(p->h, process);
    if (process->as.pipe.count == 1) {
        hls_write(p->h,
                  p->h->dialect->cast(p->h->arena, token, value_of(p, process->as.pipe.value[0])));
        return;
    }
    text_print(p->h->out, "%s given;\n", token);
    for (size_t i = 0; i < process->as.pipe.count; i++)
        text_print(p->h->out, "given.at[%zu] = %s;\n", i, value_of(p, process->as.pipe.value[i]));
    hls_write(p->h, "given");
}

void hls_print_pipe(const struct hls *h, const struct process *process)
{
    const struct pipe p = pipe_of(h, process, process->as.pipe.count, process->as.pipe.value);
    const bool scans = process->kind == PROCESS_SCAN;
    hls_open_process(h, process,
                     !scans ? ""
                     : process->as.pipe.state.axis == RASTER_LINES
                         ? "from its own results of lines before"
                         : "from its own results of the line");
    print_table_pragmas(&p);
    if (scans)
        print_state(&p);
    hls_open_loops(h, process->out.lines, process->out.tokens);
    print_tokens(&p);
    if (scans && process->as.pipe.state.axis == RASTER_LINES)
        print_state_at_place(&p);
    print_nodes(&p);
    if (scans)
        print_keeping(&p);
    print_values(&p);
    hls_close_loops(h);
}

/* ---- Counts ---- */

/* The step of a token that counts: held becomes `next`. */
static void print_step(const struct pipe *p)
{
    print_nodes(p);
    text_print(p->h->out, "const %s next = %s;\n", hls_integer(p->h, p->process->out.interval),
               value_of(p, p->process->as.count.step));
}

/* A loop over the numbers, of one statement. */
static void print_numbers_loop(const struct hls *h, const char *label, unsigned bins,
                               const char *statement)
{
    text_print(h->out, "%s:\nfor (int bin = 0; bin < %u; bin++) {\n", label, bins);
    h->out->indent += 4;
    text_print(h->out, HLS_PIPELINE "%s\n", statement);
    h->out->indent -= 4;
    text_print(h->out, "}\n");
}

static void print_count_of_one(const struct pipe *p)
{
    const struct hls *h = p->h;
    const struct stream *in = process_edge(h->circuit, p->process, 0);
    text_print(h->out, "%s held = %lld;\n", hls_integer(h, p->process->out.interval),
               (long long)p->process->as.count.start);
    hls_open_loops(h, in->lines, in->tokens);
    print_tokens(p);
    print_step(p);
    text_print(h->out, "if (t0.at[1] != 0)\n    held = next;\n");
    h->out->indent -= 4;
    text_print(h->out, "}\n");
    h->out->indent -= 4;
    text_print(h->out, "}\n");
    hls_write(h, "held");
    h->out->indent -= 4;
    text_print(h->out, "}\n");
}

/* A number is read while the last ones may be on their way to memory: these are taken from
 * registers, so that a read follows a write at a distance of RECENT + 1 tokens or more. */
static void print_count_of_many(const struct pipe *p)
{
    enum { RECENT = 4 };
    const struct hls *h = p->h;
    const struct process *count = p->process;
    const struct stream *in = process_edge(h->circuit, count, 0);
    const unsigned bins = count->as.count.bins;
    const char *type = hls_integer(h, count->out.interval);
    const char *memory = hls_memory(count->as.count.memory, bins);
    const char *place = hls_integer(h, (struct interval){-1, (int64_t)bins - 1});
    text_print(h->out, "%s numbers[%u];\n", type, bins);
    if (memory)
        text_print(h->out,
                   "#pragma HLS BIND_STORAGE variable=numbers type=ram_s2p impl=%s\n"
                   "#pragma HLS DEPENDENCE variable=numbers type=inter direction=RAW distance=%d "
                   "dependent=true\n",
                   memory, RECENT + 1);
    else
        text_print(h->out, "#pragma HLS ARRAY_PARTITION variable=numbers complete\n");
    text_print(h->out,
               "%s recent[%d] = {0};\n#pragma HLS ARRAY_PARTITION variable=recent complete\n"
               "%s recent_bin[%d];\n#pragma HLS ARRAY_PARTITION variable=recent_bin complete\n"
               "for (int k = 0; k < %d; k++)\n    recent_bin[k] = -1;\n",
               type, RECENT, place, RECENT, RECENT);
    print_numbers_loop(
        h, "clear", bins,
        arena_format(h->arena, "numbers[bin] = %lld;", (long long)count->as.count.start));
    hls_open_loops(h, in->lines, in->tokens);
    print_tokens(p);
    text_print(h->out,
               "const bool counts = t0.at[1] != 0;\nconst %s bin = counts ? (int)t0.at[0] : 0;\n"
               "%s held = numbers[bin];\nfor (int k = %d; k >= 0; k--)\n"
               "    if (recent_bin[k] == bin)\n        held = recent[k];\n",
               place, type, RECENT - 1);
    print_step(p);
    text_print(h->out,
               "if (counts)\n    numbers[bin] = next;\n"
               "for (int k = %d; k > 0; k--) {\n    recent_bin[k] = recent_bin[k - 1];\n"
               "    recent[k] = recent[k - 1];\n}\nrecent_bin[0] = counts ? (int)bin : -1;\n"
               "recent[0] = next;\n",
               RECENT - 1);
    h->out->indent -= 4;
    text_print(h->out, "}\n");
    h->out->indent -= 4;
    text_print(h->out, "}\n");
    print_numbers_loop(h, "give", bins, h->dialect->write(h->arena, "out", "numbers[bin]"));
    h->out->indent -= 4;
    text_print(h->out, "}\n");
}

void hls_print_count(const struct hls *h, const struct process *count)
{
    const struct pipe p = pipe_of(h, count, 1, &count->as.count.step);
    if (count->as.count.bins == 1) {
        hls_open_process(h, count, "a number a frame");
        print_count_of_one(&p);
        return;
    }
    hls_open_process(h, count, arena_format(h->arena, "%u numbers a frame", count->as.count.bins));
    print_count_of_many(&p);
}
