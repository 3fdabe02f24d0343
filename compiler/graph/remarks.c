#include "graph/remarks.h"

#include "graph_pass.h"

#include <stdarg.h>

const char *remark_reason(const struct remarks *remarks, const struct symbol *stage,
                          unsigned subject)
{
    for (size_t i = 0; i < remarks->items.count; i++)
        if (remarks->items.item[i].stage == stage && remarks->items.item[i].subject == subject)
            return remarks->items.item[i].reason;
    return NULL;
}

void decline_named(struct pass_context *context, const struct symbol *stage, struct span span,
                   unsigned subject, const char *reason)
{
    VECTOR_PUSH(context->session->permanent, &context->remarks.items,
                (struct remark){stage, subject, span, reason});
}

void decline(struct pass_context *context, const struct stage *stage, unsigned subject,
             const char *format, ...)
{
    const struct detail *detail =
        subject < DETAIL_COUNT ? stage_says(stage, (enum stage_detail)subject) : NULL;
    if (subject < DETAIL_COUNT && !detail)
        return;
    va_list arguments;
    va_start(arguments, format);
    decline_named(context, stage->name,
                  detail            ? detail->span
                  : stage->schedule ? stage->schedule->span
                                    : stage->span,
                  subject, arena_vformat(context->session->permanent, format, arguments));
    va_end(arguments);
}

void decline_all(struct pass_context *context, const struct stage *stage, const char *reason)
{
    for (unsigned subject = 0; subject < REMARK_SUBJECTS; subject++)
        decline(context, stage, subject, "%s", reason);
}
