/* tag_lines: circuit → circuit. Lets tokens carry whether they are the first and the last of their
 * line where what takes them, at once or by way of pipes, works along lines: it needs no counter
 * then.
 *   before: in.column → pipe rows → window along tokens      after: in.column tagged → rows tagged → …
 * */
#include "circuit_pass.h"

static bool works_along_lines(const struct process *p)
{
    return (p->kind == PROCESS_WINDOW && p->as.window.axis == RASTER_TOKENS) ||
           (p->kind == PROCESS_TWICE && p->as.twice.axis == RASTER_TOKENS);
}

const struct circuit *tag_lines(const struct circuit *in, struct pass_context *context)
{
    struct circuit *out = circuit_copy(context->output, in);
    for (size_t i = out->processes.count; i-- > 0;) {
        const struct process *p = &out->processes.item[i];
        if (works_along_lines(p) || (process_computes(p) && p->out.tagged))
            out->processes.item[p->edge[0].from].out.tagged = true;
    }
    return out;
}
