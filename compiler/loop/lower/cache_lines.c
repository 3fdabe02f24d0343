#include "loop/lower/cache_lines.h"

#include "analysis/regions.h"

static const struct expr *skew_of(struct pass_context *context, struct program *program,
                                  const struct buffer *buffer)
{
    for (size_t i = 0; i < program->skews.count; i++)
        if (program->skews.item[i].buffer.index == buffer->id.index)
            return program->skews.item[i].variable;
    const int64_t most = CACHE_LINE / (int64_t)scalar_info[buffer->scalar].bytes - 1;
    const struct expr *variable =
        expr_variable(context->pool, VARIABLE_EXTENT,
                      symbol_format(&context->session->symbols, "%s.skew", buffer->name->text),
                      SCALAR_I32, (struct interval){0, most});
    VECTOR_PUSH(context->output, &program->skews, (struct cache_skew){variable, buffer->id});
    return variable;
}

const struct expr *cache_lag(struct pass_context *context, struct program *program,
                             const struct buffer *buffer, const struct expr *place)
{
    struct expr_pool *pool = context->pool;
    const int64_t in_line = CACHE_LINE / (int64_t)scalar_info[buffer->scalar].bytes;
    if (!context->target->has_cache_bypass ||
        (buffer->space != SPACE_OUTPUT && buffer->space != SPACE_PART))
        return expr_integer(pool, 0);
    const struct expr *behind_first =
        region_sum(pool, place, buffer->axis[buffer->rank - 1].first, -1);
    return expr_binary(pool, EXPR_REMAINDER,
                       region_sum(pool, skew_of(context, program, buffer), behind_first, 1),
                       expr_integer(pool, in_line));
}
