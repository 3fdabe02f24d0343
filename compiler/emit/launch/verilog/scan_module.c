/* The stored results of a scan. Across lines: a memory with a word for each place, read one clock
 * before it is needed and written when a result leaves. Along a line: registers, which take the
 * result in the clock in which it is computed, so that the next token can use it; they ignore
 * clocks without a token. */
#include "emit/launch/verilog/pipe_module.h"

static unsigned word_bits(const struct pipe *p)
{
    return p->process->as.pipe.state.taps * token_bits(&p->process->out);
}

static bool keeps_lines(const struct pipe *p)
{
    return p->process->as.pipe.state.axis == RASTER_LINES;
}

void print_kept_results(const struct pipe *p)
{
    struct arena *a = p->v->arena;
    const struct stream *out = &p->process->out;
    const unsigned x = count_bits(out->tokens), latency = p->process->latency;
    text_print(p->v->out, "reg %skept;\n", range_of(a, word_bits(p)));
    if (!keeps_lines(p))
        return;
    text_print(p->v->out,
               "%sreg %sresults [0:%u]; // of the lines before, side by side\nreg %sout_place;\n"
               "always @(posedge clk)\n    if (ce)\n        kept <= results[at_place];\n",
               memory_style[p->process->as.pipe.state.memory], range_of(a, word_bits(p)),
               out->tokens - 1, range_of(a, x));
    for (unsigned clock = 2; p->process->as.pipe.state.taps > 1 && clock <= latency; clock++)
        text_print(p->v->out,
                   "reg %skept_%u;\nalways @(posedge clk)\n    if (ce)\n        kept_%u <= %s;\n",
                   range_of(a, word_bits(p)), clock, clock,
                   clock > 2 ? arena_format(a, "kept_%u", clock - 1) : "kept");
}

const char *kept_result(const struct pipe *p, const struct expr *node)
{
    const unsigned element = (unsigned)node->operand[0]->as.integer;
    return arena_format(p->v->arena, "kept[%u +: %u]", element * element_bits(&p->process->out),
                        value_bits(node));
}

/* The elements of a token, the last one first, at a clock. */
static const char *token_at(const struct pipe *p, unsigned clock)
{
    struct text text = text_create(p->v->arena);
    const struct process *process = p->process;
    for (size_t i = process->as.pipe.count; i-- > 0;)
        text_print(&text, "%s%s",
                   in_bits(p, process->as.pipe.value[i], clock, element_bits(&process->out)),
                   i ? ", " : "");
    return text.bytes;
}

/* What is kept behind the newest result. */
static const char *older(const struct pipe *p, const char *kept)
{
    const unsigned token = token_bits(&p->process->out);
    return p->process->as.pipe.state.taps > 1
               ? arena_format(p->v->arena, "%s[%u:0], ", kept, word_bits(p) - token - 1)
               : "";
}

void print_keeping(const struct pipe *p)
{
    struct arena *a = p->v->arena;
    const struct stream *out = &p->process->out;
    const unsigned x = count_bits(out->tokens), latency = p->process->latency;
    if (!keeps_lines(p)) {
        text_print(p->v->out, "always @(posedge clk)\n    if (ce & %s)\n        kept <= {%s%s};\n",
                   latency == 1 ? "fire" : arena_format(a, "valid[%u]", latency - 2),
                   older(p, "kept"), token_at(p, latency - 1));
        return;
    }
    const char *kept = latency > 1 ? arena_format(a, "kept_%u", latency) : "kept";
    text_print(p->v->out,
               "wire gives = o_v & o_r;\nalways @(posedge clk)\n    if (gives)\n"
               "        results[out_place] <= {%s%s};\n",
               older(p, kept), token_at(p, latency));
    print_cyclic_counter(p->v, "out_place", out->tokens, "gives",
                         arena_format(a, "out_place == %s", sized(a, x, out->tokens - 1)));
}
