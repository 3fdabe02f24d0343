/* Running sums, several samples at once:
 *     for (x = x_from; x < x_to; x++)
 *         sums[x] = sums[x - 1] + terms[x];
 * is flt_running_sum_u32(&sums[x_from], &terms[x_from], x_to - x_from). */
#include "emit/emission.h"
#include "loop/scans.h"

bool emit_scan(struct emission *e, const struct kernel_state *here, const struct statement *loop)
{
    struct scan scan;
    if (!scan_of(e->program, e->arena, loop, &scan))
        return false;
    const struct expr *x = loop->as.loop.variable, *first = loop->as.loop.first;
    const struct buffer *to = program_buffer(e->program, scan.to);
    const struct buffer *from = &e->program->buffers.item[scan.from->as.load.source];
    text_print(
        e->out, "%s(",
        helper_use(e, arena_format(e->arena, "flt_running_sum_%s", scalar_info[to->scalar].text)));
    emit_address(e, here, to, scan.to_index, x, first);
    text_print(e->out, ", ");
    emit_address(e, here, from, scan.from->operand, x, first);
    text_print(e->out, ", ");
    emit_index(e, here, loop->as.loop.extent);
    text_print(e->out, ");\n");
    return true;
}
