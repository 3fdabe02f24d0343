/* select_idioms: loop → loop. Loops that emitted code computes by a function get a level that says
 * so.
 *   before: loop x from 0 extent in.x vector { store out[x] = curve[in[x]] }
 *   after:  loop x from 0 extent in.x looked_up { store out[x] = curve[in[x]] } */
#include "loop/idioms.h"
#include "loop_pass.h"

struct selection {
    const struct program *in;
    struct pass_context *context;
};

static const struct statement *visit(const struct statement *statement, void *user)
{
    struct selection *s = user;
    statement = statement_rebuild(s->context->output, statement, visit, s);
    if (statement->kind != STATEMENT_LOOP)
        return statement;
    struct lookup lookup;
    struct statement loop = *statement;
    loop.as.loop.level = LEVEL_LOOKED_UP;
    return lookup_of(s->in, s->context->scratch, statement, &lookup)
               ? statement_new(s->context->output, loop)
               : statement;
}

const struct program *select_idioms(const struct program *in, struct pass_context *context)
{
    struct program *out = program_copy(context->output, in);
    struct selection s = {in, context};
    out->body = visit(in->body, &s);
    return out;
}
