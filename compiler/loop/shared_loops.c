#include "loop/shared_loops.h"

bool threads_share(const struct statement *statement)
{
    return statement->kind == STATEMENT_LOOP && (statement->as.loop.level == LEVEL_THREADS ||
                                                 statement->as.loop.level == LEVEL_WAVEFRONT);
}

static void search_threads(const struct statement *statement, void *user)
{
    const struct statement **found = user;
    if (!*found && threads_share(statement))
        *found = statement;
    if (!*found)
        statement_children(statement, search_threads, found);
}

const struct statement *threads_loop_in(const struct statement *statement)
{
    const struct statement *found = NULL;
    search_threads(statement, &found);
    return found;
}

const struct statement *wavefront_in(const struct statement *loop)
{
    const struct statement *kernel = loop->as.loop.body;
    while (kernel->kind == STATEMENT_BLOCK && kernel->as.block.count == 1)
        kernel = kernel->as.block.item[0];
    const struct statement *threads =
        kernel->kind == STATEMENT_KERNEL ? threads_loop_in(kernel) : NULL;
    return threads && threads->as.loop.level == LEVEL_WAVEFRONT ? kernel : NULL;
}
