/* The bench steps the clock by itself: sources and sinks choose, everything settles, what passes is
 * looked at, the clock rises. There are several runs, each behind a reset: steady streams, whose
 * clocks must be those that the circuit tells; one that is cut off, so that the next one begins in
 * a full circuit; streams that wait; frames with gaps between them; and sinks that take nothing for
 * so long that the circuit fills. */
#include "stream/bench.h"
#include "stream/check_circuit.h"
#include "hardware/registers.h"
#include "program/random.h"

#include <stdlib.h>

struct bench {
    struct text *out;
    struct arena *arena;
    const struct circuit *circuit;
    const char *text; /* of the circuit */
    uint64_t random;
    const char *const *port; /* by process: the name in its ports */
};

enum { RUNS = 5 };
struct waiting {
    unsigned in, out;  /* of 256: how often a side begins to wait */
    unsigned gap;      /* clocks between frames */
    unsigned limit;    /* 0, or the run is cut off behind so many clocks */
    unsigned from, to; /* clocks between which no sink takes anything: everything fills */
};

/* ---- Tokens ---- */

static unsigned element_bits(const struct process *port)
{
    return interval_bits(port->out.interval);
}

static unsigned token_bits(const struct process *port)
{
    return element_bits(port) * stream_elements(&port->out);
}

static unsigned port_bits(const struct process *port)
{
    return (token_bits(port) + 7) / 8 * 8;
}

static int64_t sample_at(const struct samples *samples, int64_t index)
{
    const unsigned bytes = scalar_info[samples->scalar].bytes;
    return value_read(samples->data + (size_t)index * bytes, samples->scalar).integer;
}

/* Bits beyond the elements mean nothing: they are 1 here. */
static void print_token(struct text *out, const struct process *port, const struct samples *samples,
                        int64_t line, int64_t place)
{
    const unsigned width = element_bits(port), digits = port_bits(port) / 4;
    const int64_t start =
        line * port->as.source.stride[RASTER_LINES] + place * port->as.source.stride[RASTER_TOKENS];
    for (unsigned digit = digits; digit-- > 0;) {
        unsigned value = 0;
        for (unsigned bit = 4 * digit + 4; bit-- > 4 * digit;) {
            const unsigned element = bit / width;
            const bool is_one =
                element >= stream_elements(&port->out) ||
                (sample_at(samples, start + port->as.source.lane[element]) >> bit % width & 1);
            value = 2 * value + is_one;
        }
        text_print(out, "%x", value);
    }
    text_print(out, "\n");
}

void bench_tokens(struct text *out, const struct process *port, const struct bench_data *data)
{
    const bool given = port->kind == PROCESS_SINK;
    const unsigned ports = given ? data->outputs : data->inputs;
    const struct samples *samples = (given ? data->output : data->input);
    for (unsigned f = 0; f < CIRCUIT_FRAMES; f++)
        for (int64_t line = 0; line < port->out.lines; line++)
            for (int64_t place = 0; place < port->out.tokens; place++)
                print_token(out, port, &samples[f * ports + port->as.source.position], line, place);
}

/* ---- Names in the text of the circuit ---- */

/* Ports stand in the order of the processes. */
static const char *const *port_names(struct bench *b)
{
    const char **name = ARENA_ARRAY(b->arena, const char *, b->circuit->processes.count + 1);
    const char *at[2] = {b->text, b->text};
    static const char *const before[2] = {"input s_axis_", "output m_axis_"};
    for (size_t i = 0; i < b->circuit->processes.count; i++) {
        const struct process *p = &b->circuit->processes.item[i];
        if (p->kind != PROCESS_SOURCE && p->kind != PROCESS_SINK)
            continue;
        const unsigned side = p->kind == PROCESS_SINK;
        do {
            at[side] = strstr(at[side], before[side]) + strlen(before[side]);
        } while (strncmp(at[side] + strcspn(at[side], ","), ", ", 2) != 0 ||
                 strncmp(at[side] + strcspn(at[side], ",") - strlen("_tvalid"), "_tvalid", 7) != 0);
        name[i] = arena_text(b->arena, at[side], strcspn(at[side], ",") - strlen("_tvalid"));
    }
    return name;
}

/* The next instance of a FIFO: where it stands, its name and depth. NULL: none. */
static const char *next_fifo(struct bench *b, const char *from, const char **name, unsigned *depth)
{
    const char *at = strstr(from, "dut_fifo_"); /* of a kind of memory */
    while (at && strncmp(at + strcspn(at, " "), " #(.BITS(", strlen(" #(.BITS(")) != 0)
        at = strstr(at + 1, "dut_fifo_");
    if (!at)
        return NULL;
    const char *deep = strstr(at, ".DEPTH("), *open = strstr(at, ")) ");
    *depth = (unsigned)strtoul(deep + strlen(".DEPTH("), NULL, 10);
    *name = arena_text(b->arena, open + 3, strcspn(open + 3, "("));
    return open;
}

/* ---- Sides ---- */

static const char *side_name(const struct bench *b, const struct process *p)
{
    return arena_format(b->arena, "%s_%u", p->kind == PROCESS_SINK ? "out" : "in",
                        p->as.source.position);
}

static void each_side(struct bench *b, enum process_kind kind,
                      void (*print)(struct bench *b, const struct process *p, const char *name))
{
    for (size_t i = 0; i < b->circuit->processes.count; i++)
        if (b->circuit->processes.item[i].kind == kind)
            print(b, &b->circuit->processes.item[i], side_name(b, &b->circuit->processes.item[i]));
}

static uint64_t tokens_of(const struct process *p)
{
    return (uint64_t)p->out.lines * p->out.tokens;
}

static void declare(struct bench *b, const struct process *p, const char *n)
{
    const unsigned bits = port_bits(p);
    text_print(b->out,
               "reg [%u:0] %s [0:%llu];\n"
               "wire %s_v, %s_r, %s_last, %s_user;\nwire [%u:0] %s_d;\n"
               "integer %s_at, %s_wait, %s_hold;\n",
               bits - 1, n, (unsigned long long)(CIRCUIT_FRAMES * tokens_of(p) - 1), n, n, n, n,
               bits - 1, n, n, n, n);
}

static void declare_source(struct bench *b, const struct process *p, const char *n)
{
    declare(b, p, n);
    text_print(b->out,
               "reg %s_is;\nassign %s_v = %s_is;\n"
               "assign %s_d = %s_is ? %s[%s_at] : {%u{1'bx}};\n"
               "assign %s_last = %s_at %% %u == %u;\nassign %s_user = %s_at %% %llu == 0;\n",
               n, n, n, n, n, n, n, port_bits(p), n, n, p->out.tokens, p->out.tokens - 1, n, n,
               (unsigned long long)tokens_of(p));
}

static void declare_sink(struct bench *b, const struct process *p, const char *n)
{
    declare(b, p, n);
    text_print(b->out,
               "reg %s_is, %s_held;\nreg [%u:0] %s_kept;\nassign %s_r = %s_is;\n"
               "wire [%u:0] %s_want = %s[%s_at];\n",
               n, n, port_bits(p) - 1, n, n, n, port_bits(p) - 1, n, n, n);
}

static void connect(struct bench *b, const struct process *p, const char *n)
{
    const char *side = p->kind == PROCESS_SINK ? "m" : "s", *name = b->port[p->id];
    static const char *const wire[5][2] = {
        {"tvalid", "v"}, {"tready", "r"}, {"tdata", "d"}, {"tlast", "last"}, {"tuser", "user"}};
    for (unsigned i = 0; i < 5; i++)
        text_print(b->out, ", .%s_axis_%s_%s(%s_%s)", side, name, wire[i][0], n, wire[i][1]);
}

static void read_tokens(struct bench *b, const struct process *p, const char *n)
{
    (void)p;
    text_print(b->out, "    $readmemh(\"%s.hex\", %s);\n", n, n);
}

static void clear_source(struct bench *b, const struct process *p, const char *n)
{
    (void)p;
    text_print(b->out, "        %s_at = 0; %s_wait = 0; %s_hold = 0; %s_is = 0;\n", n, n, n, n);
}

static void clear_sink(struct bench *b, const struct process *p, const char *n)
{
    clear_source(b, p, n);
    text_print(b->out, "        %s_held = 0;\n", n);
}

static void choose_source(struct bench *b, const struct process *p, const char *n)
{
    text_print(b->out,
               "            if (%s_wait > 0) %s_wait = %s_wait - 1;\n"
               "            else if ({$random(seed)} %% 256 < in_rate) %s_wait = {$random(seed)} "
               "%% 8;\n"
               "            if (%s_hold > 0) %s_hold = %s_hold - 1;\n"
               "            if (!%s_is) %s_is = %s_at < %llu && %s_wait == 0 && %s_hold == 0;\n",
               n, n, n, n, n, n, n, n, n, n, (unsigned long long)(CIRCUIT_FRAMES * tokens_of(p)), n,
               n);
}

static void choose_sink(struct bench *b, const struct process *p, const char *n)
{
    (void)p;
    text_print(b->out,
               "            if (%s_wait > 0) %s_wait = %s_wait - 1;\n"
               "            else if ({$random(seed)} %% 256 < out_rate) %s_wait = {$random(seed)} "
               "%% 8;\n"
               "            %s_is = %s_wait == 0 && (clock < from || clock >= to);\n",
               n, n, n, n, n, n);
}

static void look_at_source(struct bench *b, const struct process *p, const char *n)
{
    text_print(b->out,
               "            if (%s_r === 1'bx) begin $display(\"bad unknown: %s ready\"); bad = 1; "
               "end\n"
               "            if (%s_v && %s_r) begin\n"
               "                if (begun < 0) begun = clock;\n"
               "                quiet = 0; done = done + 1;\n"
               "                %s_taken = 1;\n"
               "                if (%s_at %% %llu == %llu) %s_hold = gap;\n            end\n",
               n, n, n, n, n, n, (unsigned long long)tokens_of(p),
               (unsigned long long)tokens_of(p) - 1, n);
}

/* A source moves on behind the edge, as a register would. */
static void move_source(struct bench *b, const struct process *p, const char *n)
{
    (void)p;
    text_print(b->out,
               "            if (%s_taken) begin %s_at = %s_at + 1; %s_is = 0; %s_taken = 0; end\n",
               n, n, n, n, n);
}

static void look_at_sink(struct bench *b, const struct process *p, const char *n)
{
    const unsigned bits = token_bits(p);
    const unsigned long long tokens = tokens_of(p), all = CIRCUIT_FRAMES * tokens;
    text_print(
        b->out,
        "            if (%s_v === 1'bx) begin $display(\"bad unknown: %s valid\"); bad = 1; end\n"
        "            if (%s_held && (!%s_v || %s_d[%u:0] !== %s_kept[%u:0])) begin\n"
        "                $display(\"bad held: %s takes back what it gave, run %%0d clock %%0d\", "
        "run, clock); bad = 1;\n            end\n"
        "            %s_held = %s_v && !%s_r; %s_kept = %s_d;\n"
        "            if (%s_v && %s_r) begin\n"
        "                quiet = 0; done = done + 1;\n"
        "                if (%s_at >= %llu) begin\n"
        "                    $display(\"bad more: %s gives more than its frames, run %%0d\", "
        "run); bad = 1;\n"
        "                end else begin\n"
        "                if (%s_d[%u:0] !== %s_want[%u:0]) begin\n"
        "                    if (bad == 0) $display(\"bad samples: %s run %%0d frame %%0d line "
        "%%0d "
        "place %%0d: %%h, not %%h\", run, %s_at / %llu, %s_at %% %llu / %u, %s_at %% %u, "
        "%s_d[%u:0], %s_want[%u:0]);\n                    bad = 1;\n                end\n"
        "                if (%s_last !== (%s_at %% %u == %u) || %s_user !== (%s_at %% %llu == 0)) "
        "begin\n"
        "                    if (bad == 0) $display(\"bad marks: %s run %%0d token %%0d\", run, "
        "%s_at);\n                    bad = 1;\n                end\n"
        "                if (first < 0) first = clock - begun;\n"
        "                if (%s_at %% %llu == %llu && clock - begun > last[%s_at / %llu]) "
        "last[%s_at "
        "/ %llu] = clock - begun;\n                end\n"
        "                %s_at = %s_at + 1;\n            end\n",
        n, n, n, n, n, bits - 1, n, bits - 1, n, n, n, n, n, n, n, n, n, all, n, n, bits - 1, n,
        bits - 1, n, n, tokens, n, tokens, p->out.tokens, n, p->out.tokens, n, bits - 1, n,
        bits - 1, n, n, p->out.tokens, p->out.tokens - 1, n, n, tokens, n, n, n, tokens, tokens - 1,
        n, tokens, n, tokens, n, n);
}

static void declare_taken(struct bench *b, const struct process *p, const char *n)
{
    (void)p;
    text_print(b->out, "reg %s_taken = 0;\n", n);
}

/* ---- FIFOs ---- */

static void print_fifos(struct bench *b, const char *format)
{
    const char *name = NULL;
    unsigned depth = 0, k = 0;
    for (const char *at = b->text; (at = next_fifo(b, at, &name, &depth)); k++)
        for (const char *f = format; *f; f++)
            if (*f == '@')
                text_print(b->out, "%s", name);
            else if (*f == '#')
                text_print(b->out, "%u", k);
            else if (*f == '^')
                text_print(b->out, "%u", depth);
            else
                text_print(b->out, "%c", *f);
}

/* ---- Runs ---- */

static void draw_runs(struct bench *b, struct waiting run[RUNS], uint64_t largest)
{
    static const unsigned rate[] = {0, 10, 40, 128, 230};
    memset(run, 0, RUNS * sizeof *run);
    for (unsigned r = 1; r < RUNS; r++) {
        run[r].in = rate[below(&b->random, 5)];
        run[r].out = rate[below(&b->random, 5)];
    }
    run[1].limit = 1 + below(&b->random, (unsigned)(3 * largest + 20));
    run[3].gap = 1 + below(&b->random, (unsigned)(2 * largest + 10));
    run[4].out = 0;
    run[4].from = below(&b->random, (unsigned)(2 * largest + 20));
    run[4].to = run[4].from + below(&b->random, (unsigned)(2 * largest + 40));
}

static void print_runs(struct bench *b, const struct waiting run[RUNS])
{
    text_print(b->out, "        case (run)\n");
    for (unsigned r = 0; r < RUNS; r++)
        text_print(b->out,
                   "        %u: begin in_rate = %u; out_rate = %u; gap = %u; limit = %u; from = "
                   "%u; to = %u; end\n",
                   r, run[r].in, run[r].out, run[r].gap, run[r].limit, run[r].from, run[r].to);
    text_print(b->out, "        endcase\n");
}

/* Tokens that pass in all, and of the largest frame. */
static uint64_t total_tokens(const struct circuit *circuit, uint64_t *largest)
{
    uint64_t total = 0;
    *largest = 0;
    for (size_t i = 0; i < circuit->processes.count; i++) {
        const struct process *p = &circuit->processes.item[i];
        if (p->kind != PROCESS_SOURCE && p->kind != PROCESS_SINK)
            continue;
        total += CIRCUIT_FRAMES * tokens_of(p);
        *largest = tokens_of(p) > *largest ? tokens_of(p) : *largest;
    }
    return total;
}

static void print_instance(struct bench *b, const struct bench_data *data)
{
    text_print(b->out, "dut dut(.aclk(aclk), .aresetn(aresetn), .sync_error(sync_error)");
    each_side(b, PROCESS_SOURCE, connect);
    each_side(b, PROCESS_SINK, connect);
    for (size_t i = 0; i < b->circuit->graph->parameters.count; i++) {
        const struct parameter *p = &b->circuit->graph->parameters.item[i];
        const unsigned bits = p->scalar == SCALAR_BOOL ? 1 : interval_bits(p->variable->interval);
        const uint64_t mask = bits < 64 ? ((uint64_t)1 << bits) - 1 : UINT64_MAX;
        text_print(b->out, ", .p_%s(%u'd%llu)", p->name->text, bits,
                   (unsigned long long)((uint64_t)data->parameter[i].integer & mask));
    }
    for (size_t t = 0; t < b->circuit->tables.count; t++) {
        const char *name = b->circuit->tables.item[t].name->text;
        if (table_is_written(&b->circuit->tables.item[t]))
            text_print(b->out,
                       ", .t_%s_write(t_%s_write), .t_%s_address(t_%s_address), "
                       ".t_%s_data(t_%s_data)",
                       name, name, name, name, name, name);
    }
    text_print(b->out, ");\n");
}

/* Ports that write tables, at rest. */
static void declare_tables(struct bench *b)
{
    for (size_t t = 0; t < b->circuit->tables.count; t++) {
        const struct circuit_table *table = &b->circuit->tables.item[t];
        const char *name = table->name->text;
        if (table_is_written(table))
            text_print(
                b->out, "reg t_%s_write = 0;\nreg [%u:0] t_%s_address;\nreg [%u:0] t_%s_data;\n",
                name, count_bits(table->count) - 1, name, interval_bits(table->interval) - 1, name);
    }
}

/* Once, in a reset before the first run. */
static void write_tables(struct bench *b, const struct bench_data *data)
{
    for (size_t t = 0; t < b->circuit->tables.count; t++) {
        const struct circuit_table *table = &b->circuit->tables.item[t];
        const char *name = table->name->text;
        if (!table_is_written(table))
            continue;
        const unsigned bits = interval_bits(table->interval);
        const uint64_t mask = bits < 64 ? ((uint64_t)1 << bits) - 1 : UINT64_MAX;
        text_print(b->out, "    t_%s_write = 1;\n", name);
        for (size_t i = 0; i < table->count; i++)
            text_print(
                b->out,
                "    t_%s_address = %zu; t_%s_data = %u'd%llu; aclk = 0; #1; aclk = 1; #1;\n", name,
                i, name, bits,
                (unsigned long long)((uint64_t)sample_at(&data->input[table->position],
                                                         (int64_t)i) &
                                     mask));
        text_print(b->out, "    t_%s_write = 0;\n", name);
    }
}

static void print_verdicts(struct bench *b, uint64_t total)
{
    const struct circuit_times *t = &b->circuit->times;
    text_print(b->out,
               "        if (limit == 0 && done < %llu) begin\n"
               "            $display(\"bad deadlock: run %%0d, %%0d of %llu tokens passed\", run, "
               "done); bad = 1;\n        end\n"
               "        if (sync_error !== 0) begin $display(\"bad sync_error\"); bad = 1; end\n"
               "        if (run == 0 && bad == 0 && (first != %llu || last[0] != %llu || last[1] - "
               "last[0] != %llu)) begin\n"
               "            $display(\"bad clocks: first %%0d last %%0d interval %%0d, told %llu "
               "%llu %llu\", first, last[0], last[1] - last[0]); bad = 1;\n        end\n",
               (unsigned long long)total, (unsigned long long)total, (unsigned long long)t->first,
               (unsigned long long)t->last, (unsigned long long)t->interval,
               (unsigned long long)t->first, (unsigned long long)t->last,
               (unsigned long long)t->interval);
}

void bench_print(struct text *out, struct arena *arena, const struct circuit *circuit,
                 const char *text, const struct bench_data *data, uint64_t seed)
{
    struct bench b = {
        .out = out, .arena = arena, .circuit = circuit, .text = text, .random = seed * 3 + 1};
    struct waiting run[RUNS];
    uint64_t largest;
    const uint64_t total = total_tokens(circuit, &largest);
    b.port = port_names(&b);
    draw_runs(&b, run, largest);
    text_print(out, "`timescale 1ns/1ns\nmodule bench;\nreg aclk, aresetn;\nwire sync_error;\n"
                    "integer run, clock, begun, quiet, after, done, bad, seed, in_rate, out_rate, "
                    "gap, limit, first, from, to, used;\ninteger last [0:2];\n");
    each_side(&b, PROCESS_SOURCE, declare_source);
    each_side(&b, PROCESS_SOURCE, declare_taken);
    each_side(&b, PROCESS_SINK, declare_sink);
    print_fifos(&b, "integer most_#;\n");
    declare_tables(&b);
    print_instance(&b, data);
    text_print(out, "initial begin\n    bad = 0; seed = %u;\n", (unsigned)(seed % 1000000));
    each_side(&b, PROCESS_SOURCE, read_tokens);
    each_side(&b, PROCESS_SINK, read_tokens);
    print_fifos(&b, "    most_# = 0;\n");
    write_tables(&b, data);
    text_print(out, "    for (run = 0; run < %u && bad == 0; run = run + 1) begin\n", RUNS);
    print_runs(&b, run);
    text_print(out, "        clock = 0; begun = -1; quiet = 0; after = 0; done = 0; first = -1;\n"
                    "        last[0] = 0; last[1] = 0; last[2] = 0;\n        aresetn = 0;\n");
    each_side(&b, PROCESS_SOURCE, clear_source);
    each_side(&b, PROCESS_SINK, clear_sink);
    text_print(
        out,
        "        repeat (4) begin aclk = 0; #1; aclk = 1; #1; end\n        aclk = 0; #1;\n"
        "        aresetn = 1;\n"
        "        while (after < 60 && quiet < %llu + 20 * gap + to && bad == 0 && (limit == 0 || "
        "clock < limit)) begin\n            aclk = 0;\n",
        (unsigned long long)(8 * largest + 2000));
    each_side(&b, PROCESS_SOURCE, choose_source);
    each_side(&b, PROCESS_SINK, choose_sink);
    text_print(out, "            #1;\n");
    each_side(&b, PROCESS_SOURCE, look_at_source);
    each_side(&b, PROCESS_SINK, look_at_sink);
    print_fifos(&b, "            used = dut.@.head != dut.@.tail"
                    " ? (dut.@.tail + ^ - 1 - dut.@.head) % (^ - 1) : dut.@.wrote ? ^ - 1 : 0;\n"
                    "            if (run == 0 && used + dut.@.o_v > most_#)\n"
                    "                most_# = used + dut.@.o_v;\n");
    text_print(out, "            if (done >= %llu) after = after + 1;\n            aclk = 1; #1;\n",
               (unsigned long long)total);
    each_side(&b, PROCESS_SOURCE, move_source);
    text_print(out, "            clock = clock + 1; quiet = quiet + 1;\n        end\n");
    print_verdicts(&b, total);
    text_print(out, "    end\n");
    print_fifos(&b, "    $display(\"fifo %0d ^\", most_#);\n");
    text_print(out, "    $display(\"end\");\n    $finish;\nend\nendmodule\n");
}
