/* The numbers of blocks and threads with which a kernel is launched. */
#include "emit/launch/launch_box.h"

static void measure(const struct statement *statement, void *user)
{
    struct launch_box *box = user;
    if (statement->kind == STATEMENT_LOOP)
        box->extent[statement->as.loop.level] = statement->as.loop.extent;
    statement_children(statement, measure, box);
}

struct launch_box launch_box_of(const struct statement *kernel)
{
    struct launch_box box = {{NULL}};
    measure(kernel, &box);
    return box;
}

int64_t launch_box_threads(const struct launch_box *box)
{
    static const enum parallel_level level[] = {LEVEL_BLOCK_X, LEVEL_BLOCK_Y};
    int64_t threads = 1;
    for (size_t i = 0; i < sizeof level / sizeof level[0]; i++)
        threads *= box->extent[level[i]] ? box->extent[level[i]]->as.integer : 1;
    return threads;
}

void emit_launch_box(struct emission *e, const struct statement *kernel)
{
    static const enum parallel_level level[] = {LEVEL_GRID_X, LEVEL_GRID_Y, LEVEL_GRID_Z,
                                                LEVEL_BLOCK_X, LEVEL_BLOCK_Y};
    const struct launch_box box = launch_box_of(kernel);
    for (size_t i = 0; i < sizeof level / sizeof level[0]; i++) {
        text_print(e->out, ", ");
        if (box.extent[level[i]])
            emit_index(e, &on_host, box.extent[level[i]]);
        else
            text_print(e->out, "1");
    }
}
