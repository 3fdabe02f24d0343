/* select_idioms: loop → loop. Loops that emitted code computes by a function get a level that says
 * so; a turned loop of which other passes have made more than a copy becomes a plain one.
 *   before: loop x from 0 extent in.x vector { store out[x] = curve[in[x]] }
 *   after:  loop x from 0 extent in.x looked_up { store out[x] = curve[in[x]] } */
#include "loop/idioms.h"
#include "loop_pass.h"

struct selection {
    const struct program *in;
    struct pass_context *context;
};

static enum parallel_level level_of(const struct selection *s, const struct statement *loop)
{
    struct transposition transposition;
    struct lookup lookup;
    struct arena *scratch = s->context->scratch;
    const enum parallel_level level = loop->as.loop.level;
    if (level == LEVEL_TURNED)
        return transposition_of(s->in, s->context->pool, scratch, loop, &transposition)
                   ? level
                   : LEVEL_SERIAL;
    return lookup_of(s->in, scratch, loop, &lookup) ? LEVEL_LOOKED_UP : level;
}

static const struct statement *visit(const struct statement *statement, void *user)
{
    struct selection *s = user;
    statement = statement_rebuild(s->context->output, statement, visit, s);
    if (statement->kind != STATEMENT_LOOP)
        return statement;
    const enum parallel_level level = level_of(s, statement);
    struct statement loop = *statement;
    loop.as.loop.level = level;
    loop.as.loop.bypassing = loop.as.loop.bypassing && level != LEVEL_SERIAL;
    return level == statement->as.loop.level ? statement : statement_new(s->context->output, loop);
}

const struct program *select_idioms(const struct program *in, struct pass_context *context)
{
    struct program *out = program_copy(context->output, in);
    struct selection s = {in, context};
    out->body = visit(in->body, &s);
    return out;
}
