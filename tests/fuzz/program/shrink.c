/* Edits of a syntax tree are numbered in the order of a walk; one after the other is tried. Many
 * give programs that are refused: those fail in another way and are not taken. */
#include "program/shrink.h"
#include "program/generate.h"
#include "program/syntax.h"

#include <stdio.h>

struct edit {
    const struct syntax *s;
    unsigned wanted, seen; /* edits, from 1 */
    bool done;
};

/* Whether this edit is the one to make. */
static bool takes(struct edit *e)
{
    if (e->done)
        return false;
    e->done = ++e->seen == e->wanted;
    return e->done;
}

static const struct ast *edited(struct edit *e, const struct ast *node);

static const struct ast_list *edited_list(struct edit *e, const struct ast_list *list,
                                          unsigned least)
{
    if (!list || e->done)
        return list;
    struct ast_list *out = ast_list(e->s->arena);
    for (size_t i = 0; i < list->count; i++) {
        if (list->count > least && takes(e))
            continue;
        ast_list_add(e->s->arena, out, edited(e, list->item[i]));
    }
    return out;
}

/* Something simpler in place of an expression, or NULL. Each is smaller by some measure: else the
 * same edit would be taken for ever. */
static const struct ast *replacement(struct edit *e, const struct ast *node)
{
    switch ((int)node->kind) {
    case AST_UNARY:
        return takes(e) ? node->as.unary.operand : NULL;
    case AST_PARENTHESES:
    case AST_FAST:
        return takes(e) ? node->as.inner : NULL;
    case AST_BINARY:
        if (node->as.binary.left->kind == AST_ARRAY)
            return takes(e) ? node->as.binary.left : NULL;
        if (takes(e))
            return node->as.binary.left;
        return takes(e) ? node->as.binary.right : NULL;
    case AST_CALL:
        for (size_t i = 0; i < node->as.call.arguments->count; i++)
            if (node->as.call.callee->kind == AST_NAME && takes(e))
                return node->as.call.arguments->item[i];
        break;
    case AST_CONVERSION:
        return takes(e) ? node->as.conversion.operand : NULL;
    case AST_BORDERED:
        return takes(e) ? node->as.bordered.operand : NULL;
    case AST_ELSE:
        return takes(e) ? node->as.otherwise.other : NULL;
    case AST_BLOCK:
        return takes(e) ? node->as.block.value : NULL;
    case AST_RANGE:
        return node->as.range.first != node->as.range.last && takes(e)
                   ? range_node(e->s, node->as.range.first, node->as.range.first, true)
                   : NULL;
    case AST_INTEGER:
        return node->as.integer > 1 && takes(e) ? integer_node(e->s, 1) : NULL;
    case AST_REAL:
        return node->as.real != 1 && takes(e) ? real_node(e->s, 1) : NULL;
    default:
        return NULL;
    }
    return NULL;
}

static bool is_expression(const struct ast *node)
{
    return node->kind == AST_BINARY || node->kind == AST_CALL || node->kind == AST_CONVERSION ||
           node->kind == AST_BLOCK || node->kind == AST_UNARY;
}

static void edit_children(struct edit *e, struct ast *n)
{
    switch ((int)n->kind) {
    case AST_FILTER:
        if (n->as.filter.fast && takes(e))
            n->as.filter.fast = false;
        n->as.filter.body = edited_list(e, n->as.filter.body, 1);
        n->as.filter.formals = edited_list(e, n->as.filter.formals, 1);
        break;
    case AST_FORMAL:
        if (n->as.formal.range && takes(e))
            n->as.formal.range = NULL;
        break;
    case AST_CONSTANT:
        n->as.constant.value = edited(e, n->as.constant.value);
        break;
    case AST_DEFINE:
        if (n->as.define.type && takes(e))
            n->as.define.type = NULL;
        n->as.define.brackets =
            edited_list(e, n->as.define.brackets, (unsigned)n->as.define.brackets->count);
        n->as.define.value = edited(e, n->as.define.value);
        break;
    case AST_FOR:
        n->as.loop.binding = edited(e, n->as.loop.binding);
        n->as.loop.body = edited_list(e, n->as.loop.body, 1);
        break;
    case AST_UNARY:
        n->as.unary.operand = edited(e, n->as.unary.operand);
        break;
    case AST_BINARY:
        n->as.binary.left = edited(e, n->as.binary.left);
        n->as.binary.right = edited(e, n->as.binary.right);
        break;
    case AST_PARENTHESES:
    case AST_FAST:
        n->as.inner = edited(e, n->as.inner);
        break;
    case AST_CALL:
        n->as.call.callee = edited(e, n->as.call.callee);
        n->as.call.arguments = edited_list(
            e, n->as.call.arguments,
            n->as.call.callee->kind == AST_NAME ? 0 : (unsigned)n->as.call.arguments->count);
        break;
    case AST_INDEX:
        if (n->as.index.where && takes(e))
            n->as.index.where = NULL;
        n->as.index.base = edited(e, n->as.index.base);
        n->as.index.items = edited_list(e, n->as.index.items, 1);
        if (n->as.index.where)
            n->as.index.where = edited(e, n->as.index.where);
        break;
    case AST_CONVERSION:
        n->as.conversion.operand = edited(e, n->as.conversion.operand);
        break;
    case AST_BORDERED:
        n->as.bordered.operand = edited(e, n->as.bordered.operand);
        break;
    case AST_ELSE:
        n->as.otherwise.value = edited(e, n->as.otherwise.value);
        n->as.otherwise.other = edited(e, n->as.otherwise.other);
        break;
    case AST_BLOCK:
        n->as.block.lets = edited_list(e, n->as.block.lets, 1);
        n->as.block.value = edited(e, n->as.block.value);
        break;
    case AST_LIST:
        n->as.list = edited_list(e, n->as.list, 1);
        break;
    case AST_NAMED:
        n->as.named.value = edited(e, n->as.named.value);
        break;
    case AST_RANGE:
        n->as.range.first = edited(e, n->as.range.first);
        n->as.range.last = edited(e, n->as.range.last);
        break;
    case AST_BINDING:
        n->as.binding.range = edited(e, n->as.binding.range);
        break;
    case AST_LET:
        n->as.let.value = edited(e, n->as.let.value);
        break;
    }
}

static const struct ast *edited(struct edit *e, const struct ast *node)
{
    if (!node || e->done)
        return node;
    const struct ast *simpler = replacement(e, node);
    if (simpler)
        return simpler;
    if (node->kind == AST_BINDING && takes(e)) /* y in a .. b → y */
        return name_node(e->s, node->as.binding.name);
    if (is_expression(node) && takes(e))
        return integer_node(e->s, 1);
    struct ast copy = *node;
    edit_children(e, &copy);
    return e->done ? ast_node(e->s->arena, copy) : node;
}

/* The module after edit `wanted`, or NULL where there are fewer. */
static const struct module *edit_module(const struct syntax *s, const struct module *module,
                                        unsigned wanted)
{
    struct edit e = {.s = s, .wanted = wanted};
    struct module *out = ARENA_NEW(s->arena, struct module);
    struct ast_list *items = ast_list(s->arena);
    for (size_t i = 0; i < module->items->count; i++) {
        if (i + 1 < module->items->count && takes(&e))
            continue;
        ast_list_add(s->arena, items, edited(&e, module->items->item[i]));
    }
    out->items = items;
    return e.done ? out : NULL;
}

const struct module *shrink_module(const struct syntax *s, const struct module *module,
                                   bool (*fails)(const struct module *module, void *context),
                                   void *context)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned n = 1;;) {
            const struct module *smaller = edit_module(s, module, n);
            if (!smaller)
                break;
            if (fails(smaller, context)) {
                module = smaller;
                changed = true;
            } else
                n++;
        }
    }
    return module;
}

struct attempt {
    struct batch_program program;
    const struct toolchain *toolchain;
    const struct finding *finding;
    unsigned left;
};

static bool fails_alike(struct attempt *a)
{
    struct batch_result result = {0};
    struct batch_times times = {0};
    if (a->left == 0)
        return false;
    a->left--;
    batch_run(1, &a->program, a->toolchain, &result, &times);
    return result.finding.kind == a->finding->kind &&
           strcmp(result.finding.detail, a->finding->detail) == 0;
}

static void shrink_extents(struct attempt *a)
{
    static const char *const name[] = {"y", "x", "z", "c", "t"};
    static const int64_t smaller[] = {1, 2, 3, 5, 9};
    for (size_t n = 0; n < sizeof name / sizeof name[0]; n++)
        for (size_t i = 0; i < sizeof smaller / sizeof smaller[0]; i++) {
            struct sampling *sampling = &a->program.sampling;
            const struct sampling before = *sampling;
            struct sampling_axis *axis = &sampling->axis[sampling->axis_count++];
            snprintf(axis->name, sizeof axis->name, "%s", name[n]);
            axis->extent = smaller[i];
            if (fails_alike(a))
                break;
            *sampling = before;
        }
}

static bool module_fails(const struct module *module, void *context)
{
    struct attempt *a = context;
    const struct module *before = a->program.module;
    a->program.module = module;
    const bool fails = fails_alike(a);
    a->program.module = before;
    return fails;
}

void shrink_program(struct session *session, struct batch_program *program,
                    const struct toolchain *toolchain, const struct finding *finding)
{
    const struct syntax s = {session->permanent, &session->symbols};
    const bool compiles = finding->kind == FOUND_COMPILE || finding->kind == FOUND_RESULT ||
                          strcmp(finding->detail, "emitted code") == 0;
    struct attempt a = {*program, compiles ? toolchain : NULL, finding, compiles ? 400 : 3000};
    if (!a.program.module)
        a.program.module =
            generate_module(session, program->seed, program->favourite, program->suffix);
    a.program.module = shrink_module(&s, a.program.module, module_fails, &a);
    shrink_extents(&a);
    *program = a.program;
}
