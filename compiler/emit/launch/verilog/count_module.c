/* A count. Several numbers use two memories: the current frame is counted into one, while the
 * other, of the previous frame, is given and cleared. A number is read in the clock in which a
 * token is taken and written in the next one; if the next token refers to the same number, the
 * value is forwarded. At the start, no image is taken until all numbers are cleared (`preparing`).
 * A single number is a register. */
#include "emit/launch/verilog/pipe_module.h"

/* The step, as wires: n0, n1, … from `token` and `held`. */
static const char *print_step(struct verilog *v, const struct process *count)
{
    const struct process step = count_step(v->arena, count);
    return print_wires(v, &step, "token", "held");
}

/* Counts the tokens of a frame that are taken. */
static void print_frame_end(struct verilog *v, const struct process *p)
{
    const struct stream *in = edge_stream(v, p, 0);
    const uint64_t frame = (uint64_t)in->lines * in->tokens;
    const unsigned bits = count_bits(frame);
    text_print(v->out, "reg %sat;\nwire at_end = at == %s;\n", range_of(v->arena, bits),
               sized(v->arena, bits, (int64_t)frame - 1));
    print_cyclic_counter(v, "at", frame, "fire", "at_end");
}

static void print_one(struct verilog *v, const struct process *p)
{
    const struct stream *in = edge_stream(v, p, 0);
    struct arena *a = v->arena;
    const unsigned bits = element_bits(&p->out), element = element_bits(in);
    text_print(v->out,
               "reg valid_1, last_1, begin_1, valid;\nreg %stoken;\nreg %snumber, given;\n"
               "wire ce = ~(valid_1 & last_1 & valid & ~o_r);\nassign i0_r = ce;\n"
               "wire fire = i0_v & ce;\nassign o_v = valid;\nassign o_d = given;\n",
               range_of(a, token_bits(in)), range_of(a, bits));
    print_frame_end(v, p);
    text_print(v->out, "wire %sheld = begin_1 ? %s : number;\n", range_of(a, bits),
               sized(a, bits, p->as.count.start));
    const char *after = print_step(v, p);
    text_print(
        v->out,
        "wire %snext = token[%u +: %u] != %s ? %s : held;\n"
        "always @(posedge clk) begin\n    if (ce) begin\n        valid_1 <= i0_v;\n"
        "        last_1 <= at_end;\n        begin_1 <= at == 0;\n        token <= i0_d[%u:0];\n"
        "    end\n    if (ce & valid_1)\n        number <= next;\n"
        "    if (ce & valid_1 & last_1)\n        given <= next;\n"
        "    valid <= (ce & valid_1 & last_1) | (valid & ~o_r);\n"
        "    if (rst) begin\n        valid_1 <= 1'b0;\n        valid <= 1'b0;\n    end\nend\n",
        range_of(a, bits), element, element, sized(a, element, 0), after, token_bits(in) - 1);
}

/* One of the memories: counted into, given and cleared, or left alone. */
static void print_bank(struct verilog *v, const struct process *p, unsigned bank)
{
    struct arena *a = v->arena;
    const unsigned bits = element_bits(&p->out);
    text_print(v->out,
               "%sreg %snumbers_%u [0:%u];\nreg %sword_%u;\n"
               "wire clears_%u = preparing | (drained_1 & drain_bank_1 == 1'b%u);\n"
               "wire counts_%u = valid_1 & counted_1 & bank_1 == 1'b%u;\n"
               "always @(posedge clk) begin\n"
               "    if (drain_bank == 1'b%u & full[%u] ? drains : fire)\n"
               "        word_%u <= numbers_%u[drain_bank == 1'b%u & full[%u] ? drain_at : bin];\n"
               "    if (clears_%u | counts_%u)\n"
               "        numbers_%u[preparing ? drain_at : clears_%u ? drain_at_1 : bin_1] <= "
               "clears_%u ? %s : "
               "next;\nend\n",
               memory_style[p->as.count.memory], range_of(a, bits), bank, p->as.count.bins - 1,
               range_of(a, bits), bank, bank, bank, bank, bank, bank, bank, bank, bank, bank, bank,
               bank, bank, bank, bank, bank, sized(a, bits, p->as.count.start));
}

static void print_many(struct verilog *v, const struct process *p)
{
    const struct stream *in = edge_stream(v, p, 0);
    struct arena *a = v->arena;
    const unsigned bits = element_bits(&p->out), element = element_bits(in);
    const unsigned place = count_bits(p->as.count.bins);
    const char *last = sized(a, place, (int64_t)p->as.count.bins - 1);
    text_print(v->out,
               "reg valid_1, bank_1, counted_1, last_1, valid_2, bank_2;\nreg %sbin_1, bin_2;\n"
               "reg %stoken;\nreg %snext_2, given;\nreg bank; // that is counted into\n"
               "reg [1:0] full; // a frame is over, and not given\n"
               "reg is_preparing, drain_bank, drained_1, drain_bank_1, there, last, valid;\n"
               "reg %sdrain_at, drain_at_1;\n"
               "assign preparing = is_preparing;\n"
               "assign i0_r = ~full[bank];\nwire fire = i0_v & i0_r;\n"
               "wire %sbin = %s;\n"
               "wire ce = ~valid | o_r;\nwire drains = ce & full[drain_bank] & ~last;\n"
               "assign o_v = valid;\nassign o_d = given;\n",
               range_of(a, place), range_of(a, token_bits(in)), range_of(a, bits),
               range_of(a, place), range_of(a, place),
               element >= place
                   ? arena_format(a, "i0_d[%u:0]", place - 1)
                   : arena_format(a, "{%u'd0, i0_d[%u:0]}", place - element, element - 1));
    print_frame_end(v, p);
    text_print(v->out,
               "wire again = valid_2 & bin_2 == bin_1 & bank_2 == bank_1;\n"
               "wire %sheld = again ? next_2 : bank_1 ? word_1 : word_0;\n",
               range_of(a, bits));
    const char *after = print_step(v, p);
    text_print(v->out, "wire %snext = %s;\n", range_of(a, bits), after);
    print_bank(v, p, 0);
    print_bank(v, p, 1);
    text_print(
        v->out,
        "always @(posedge clk) begin\n"
        "    valid_1 <= fire;\n    bank_1 <= bank;\n    last_1 <= fire & at_end;\n"
        "    bin_1 <= bin;\n    counted_1 <= i0_d[%u +: %u] != %s;\n    token <= i0_d[%u:0];\n"
        "    valid_2 <= valid_1 & counted_1;\n    bank_2 <= bank_1;\n    bin_2 <= bin_1;\n"
        "    next_2 <= next;\n"
        "    if (fire & at_end)\n        bank <= ~bank;\n"
        "    if (last_1)\n        full[bank_1] <= 1'b1;\n"
        "    drained_1 <= drains;\n    drain_bank_1 <= drain_bank;\n    drain_at_1 <= drain_at;\n"
        "    if (drains | is_preparing)\n"
        "        drain_at <= drain_at == %s ? %s : drain_at + %s;\n"
        "    if (is_preparing & drain_at == %s)\n        is_preparing <= 1'b0;\n"
        "    if (ce) begin\n        there <= drains;\n        last <= drains & drain_at == %s;\n"
        "        valid <= there;\n        given <= drain_bank ? word_1 : word_0;\n"
        "        if (last) begin\n            full[drain_bank] <= 1'b0;\n"
        "            drain_bank <= ~drain_bank;\n        end\n    end\n"
        "    if (rst) begin\n        valid_1 <= 1'b0;\n        last_1 <= 1'b0;\n"
        "        valid_2 <= 1'b0;\n        bank <= 1'b0;\n        full <= 2'd0;\n"
        "        is_preparing <= 1'b1;\n        drain_bank <= 1'b0;\n        valid <= 1'b0;\n"
        "        drained_1 <= 1'b0;\n        there <= 1'b0;\n        last <= 1'b0;\n        "
        "drain_at <= %s;\n"
        "    end\nend\n",
        element, element, sized(a, element, 0), token_bits(in) - 1, last, sized(a, place, 0),
        sized(a, place, 1), last, last, sized(a, place, 0));
}

void print_count_module(struct verilog *v, const struct process *p)
{
    open_module(v, p,
                p->as.count.bins > 1
                    ? arena_format(v->arena, "%u numbers a frame", p->as.count.bins)
                    : "a number a frame");
    if (p->as.count.bins > 1)
        print_many(v, p);
    else
        print_one(v, p);
    v->out->indent -= 4;
    text_print(v->out, "endmodule\n");
}
