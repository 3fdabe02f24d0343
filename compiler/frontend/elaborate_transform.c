/* Transforms along axes, fft(in, [y, x]) and its like: a stage for each axis. What is written as
 * one call is, from the image to the result, a line transform along the last axis named, then along
 * the one before it …; inverse ones go the other way round, so that a transform and its inverse
 * meet at the same axis.
 *   rfft is the fft of which the last axis named keeps floor(N / 2) + 1 samples,
 *   irfft the real part of the ifft of a line whose other half is the conjugate of the one that is given.
 * */
#include "frontend/elaborator.h"
#include "frontend/ast_build.h"

enum call {
#define TRANSFORM_FUNCTION(kind, name, norm, says) kind,
#include "frontend/transform_functions.def"
#undef TRANSFORM_FUNCTION
    CALL_COUNT
};
static const struct {
    const char *name, *says;
    enum transform_norm norm;
} call_info[] = {
#define TRANSFORM_FUNCTION(kind, name, norm, says) {name, says, norm},
#include "frontend/transform_functions.def"
#undef TRANSFORM_FUNCTION
};

static enum call call_named(const char *name)
{
    unsigned i = 0;
    while (i < CALL_COUNT && strcmp(call_info[i].name, name) != 0)
        i++;
    return (enum call)i;
}

bool is_transform_function(const char *name)
{
    return call_named(name) != CALL_COUNT;
}

/* What a call says. */
struct request {
    enum call call;
    const char *text; /* its name */
    const struct ast *node;
    struct image_view image;
    enum transform_norm norm;
    int64_t type;
    unsigned count; /* of axes, in the order of the call */
    struct {
        const struct symbol *name;
        enum transform kind;
    } axis[GRAPH_MAX_RANK];
    const struct expr *extent; /* of irfft, along the last of them */
    const struct ast *written; /* it, by the program */
};

/* ---- Arguments ---- */

static struct diagnostic *report_argument(struct elaborator *el, const struct request *r,
                                          struct span span, const char *takes, const char *given)
{
    struct diagnostic *d = REPORT(el, E0303, span, r->text, takes, given);
    HELP(el, d, "write %s", call_info[r->call].says);
    return d;
}

static bool has_axis(struct elaborator *el, const struct request *r, const struct symbol *name,
                     struct span span)
{
    for (unsigned i = 0; i < r->count; i++)
        if (r->axis[i].name == name) {
            REPORT(el, E0202, span, name->text);
            return false;
        }
    for (unsigned k = 0; k < r->image.rank; k++)
        if (r->image.axis[k] == name)
            return true;
    const struct stage *stage = graph_stage(el->graph, r->image.stage);
    struct diagnostic *d = REPORT(el, E0306, span, stage->name->text, name->text);
    NOTE(el, d, "the axes of '%s' are [%s]", stage->name->text,
         axes_text(el, r->image.axis, r->image.rank));
    return false;
}

static bool read_axes(struct elaborator *el, struct request *r, const struct ast *list)
{
    if (list->kind != AST_LIST || list->as.list->count == 0) {
        report_argument(el, r, list->span, "a list of axes", ast_kind_text(list->kind));
        return false;
    }
    for (size_t i = 0; i < list->as.list->count; i++) {
        const struct ast *item = list->as.list->item[i];
        if (item->kind != AST_NAME) {
            report_argument(el, r, item->span, "names of axes", ast_kind_text(item->kind));
            return false;
        }
        if (!has_axis(el, r, item->as.name, item->span))
            return false;
        r->axis[r->count++].name = item->as.name;
    }
    return true;
}

static bool kind_named(const char *name, enum transform *kind)
{
    for (unsigned t = 0; t < TRANSFORM_COUNT; t++)
        if (strcmp(transform_info[t].name, name) == 0 && !transform_info[t].is_complex) {
            *kind = (enum transform)t;
            return true;
        }
    return false;
}

/* (y: dct3, x: idxst) */
static bool read_kinds(struct elaborator *el, struct request *r, const struct ast *list)
{
    if (list->kind != AST_RULE || list->as.rule.name) {
        report_argument(el, r, list->span, "a transform for each axis", ast_kind_text(list->kind));
        return false;
    }
    for (size_t i = 0; i < list->as.rule.arguments->count; i++) {
        const struct ast *named = list->as.rule.arguments->item[i];
        const struct symbol *axis = named->as.named.name;
        const char *kind = named->as.named.value->as.rule.name->text;
        if (!has_axis(el, r, axis, named->span))
            return false;
        r->axis[r->count].name = axis;
        if (!kind_named(kind, &r->axis[r->count].kind)) {
            struct diagnostic *d =
                report_argument(el, r, named->as.named.value->span, "a transform of real lines",
                                arena_format(el->session->permanent, "'%s'", kind));
            NOTE(el, d, "these are dct1 to dct4, dst1 to dst4 and idxst");
            return false;
        }
        r->count++;
    }
    return true;
}

static bool read_norm(struct elaborator *el, struct request *r, const struct ast *value)
{
    for (unsigned n = 0; n < NORM_COUNT && value->kind == AST_NAME; n++)
        if (strcmp(value->as.name->text, transform_norm_text[n]) == 0) {
            r->norm = (enum transform_norm)n;
            return true;
        }
    const char *given = value->kind == AST_NAME
                            ? arena_format(el->session->permanent, "'%s'", value->as.name->text)
                            : ast_kind_text(value->kind);
    report_argument(el, r, value->span, "the norm none, ortho or inverse", given);
    return false;
}

static bool read_type(struct elaborator *el, struct request *r, struct stage_context *context,
                      const struct ast *value)
{
    if (!elaborate_constant_integer(el, context, value, &r->type))
        return false;
    if (r->type >= 1 && r->type <= 4)
        return true;
    report_argument(el, r, value->span, "a type of 1 to 4",
                    arena_format(el->session->permanent, "%lld", (long long)r->type));
    return false;
}

/* x = in.x, along the last of the axes. */
static bool read_extent(struct elaborator *el, struct request *r, struct stage_context *context,
                        const struct ast *value)
{
    struct stage_context scalar = *context;
    scalar.scalar_only = true;
    const struct operand extent = elaborate_expr(el, &scalar, value);
    if (!extent.expr)
        return false;
    if (!operand_is_integer(extent) || extent.expr->interval.greatest < 1 ||
        extent.expr->interval.least > INT32_MAX) {
        report_argument(el, r, value->span, "an extent of 1 or more",
                        operand_type_text(el, extent));
        return false;
    }
    r->written = value;
    r->extent = sum_normal(el, expr_integer(el->pool, 0), extent.expr, 1);
    if (extent.expr->interval.least < 1)
        add_entry_check(
            el, expr_binary(el->pool, EXPR_LESS_EQUAL, expr_integer(el->pool, 1), r->extent),
            value->span, "the extent of a transform is 1 or more");
    if (extent.expr->interval.greatest > INT32_MAX)
        add_entry_check(
            el,
            expr_binary(el->pool, EXPR_LESS_EQUAL, r->extent, expr_integer(el->pool, INT32_MAX)),
            value->span, "the extent of a transform is less than 2^31");
    return true;
}

static bool read_named(struct elaborator *el, struct request *r, struct stage_context *context,
                       const struct ast *argument)
{
    const char *name = argument->as.named.name->text;
    const struct ast *value = argument->as.named.value;
    if (strcmp(name, "norm") == 0)
        return read_norm(el, r, value);
    if (strcmp(name, "type") == 0 && (r->call == CALL_DCT || r->call == CALL_DST))
        return read_type(el, r, context, value);
    if (r->call == CALL_IRFFT && r->axis[r->count - 1].name == argument->as.named.name)
        return read_extent(el, r, context, value);
    struct diagnostic *d = REPORT(el, E0213, argument->span, r->text, name);
    HELP(el, d, "write %s", call_info[r->call].says);
    return false;
}

static bool is_all_said(struct elaborator *el, const struct request *r)
{
    if (r->norm == NORM_COUNT) {
        struct diagnostic *d = REPORT(el, E0331, r->node->span, r->text, "its norm");
        HELP(
            el, d,
            "norm = ortho keeps energies, none is the plain sum, inverse divides so that it undoes "
            "what none has made");
        return false;
    }
    if (r->call == CALL_IRFFT && !r->extent) {
        struct diagnostic *d =
            REPORT(el, E0331, r->node->span, r->text, "the extent of its result");
        HELP(el, d, "two extents have spectra of one size; write irfft(..., %s = in.%s)",
             r->axis[r->count - 1].name->text, r->axis[r->count - 1].name->text);
        return false;
    }
    return true;
}

static enum transform kind_of(const struct request *r)
{
    switch (r->call) {
    case CALL_FFT:
    case CALL_RFFT:
        return TRANSFORM_FFT;
    case CALL_IFFT:
    case CALL_IRFFT:
        return TRANSFORM_IFFT;
    case CALL_DCT:
        return (enum transform)(TRANSFORM_DCT1 + r->type - 1);
    case CALL_DST:
        return (enum transform)(TRANSFORM_DST1 + r->type - 1);
    case CALL_IDXST:
        return TRANSFORM_IDXST;
    case CALL_TRANSFORM:
    case CALL_COUNT:
        break;
    }
    return TRANSFORM_COUNT;
}

static bool read_arguments(struct elaborator *el, struct request *r, struct stage_context *context)
{
    const struct ast_list *arguments = r->node->as.call.arguments;
    const struct ast *axes = arguments->item[1];
    if (!(r->call == CALL_TRANSFORM ? read_kinds(el, r, axes) : read_axes(el, r, axes)))
        return false;
    for (size_t i = 2; i < arguments->count; i++) {
        if (arguments->item[i]->kind != AST_NAMED) {
            report_argument(el, r, arguments->item[i]->span, "named values behind the axes",
                            ast_kind_text(arguments->item[i]->kind));
            return false;
        }
        if (!read_named(el, r, context, arguments->item[i]))
            return false;
    }
    for (unsigned i = 0; i < r->count && r->call != CALL_TRANSFORM; i++)
        r->axis[i].kind = kind_of(r);
    return is_all_said(el, r);
}

/* ---- The image ---- */

static bool takes(struct elaborator *el, const struct request *r)
{
    const struct stage *stage = graph_stage(el->graph, r->image.stage);
    const struct span span = r->node->as.call.arguments->item[0]->span;
    const bool is_complex = stage_is_complex(stage);
    const bool wants_complex = r->call == CALL_IRFFT;
    const bool takes_both = r->call == CALL_FFT || r->call == CALL_IFFT;
    if (!scalar_is_float(stage->element)) {
        struct diagnostic *d =
            REPORT(el, E0303, span, r->text, "floats", scalar_info[stage->element].text);
        HELP(el, d, "convert them: %s(f32(...), ...)", r->text);
        return false;
    }
    if (is_complex == wants_complex || takes_both)
        return true;
    struct diagnostic *d =
        REPORT(el, E0303, span, r->text, wants_complex ? "complex samples" : "real samples",
               is_complex ? complex_text(stage->element) : scalar_info[stage->element].text);
    if (is_complex)
        HELP(el, d, "transform the parts, re(...) and im(...)%s",
             r->call == CALL_RFFT ? ", or all by fft(...)" : "");
    else
        HELP(el, d, "a spectrum is what rfft(...) gives");
    return false;
}

/* ---- Stages ---- */

/* Coordinates of a stage made of this one, each from 0 along the axis `from_zero`, elsewhere as
 * there. */
static struct stage_axis *axes_like(struct elaborator *el, const struct stage *source,
                                    unsigned from_zero)
{
    struct stage_axis *axis = ARENA_ARRAY(el->arena, struct stage_axis, GRAPH_MAX_RANK + 1);
    for (unsigned k = 0; k < source->rank; k++) {
        axis[k] = source->axis[k];
        axis[k].computed_first = axis[k].computed_extent = NULL;
        if (k == from_zero)
            axis[k].first = expr_integer(el->pool, 0);
    }
    return axis;
}

/* The sample at the coordinates of `axis`; part: of a complex one. */
static const struct expr *sample_at(struct elaborator *el, const struct image_view *image,
                                    const struct stage_axis axis[], unsigned shifted, unsigned part)
{
    const struct stage *source = graph_stage(el->graph, image->stage);
    const struct expr *index[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < source->rank; k++)
        index[k] = k == shifted ? sum_normal(el, source->axis[k].first, axis[k].variable, 1)
                                : axis[k].variable;
    if (stage_is_complex(source))
        index[source->rank - 1] = expr_integer(el->pool, part);
    return operand_sample(el, expr_load(el->pool, image->stage.index, source->element,
                                        source->interval, source->rank, index, NULL))
        .expr;
}

static struct stage stage_like(const struct request *r, const struct symbol *name,
                               enum stage_kind kind, unsigned rank, const struct stage_axis axis[],
                               const struct expr *value)
{
    return (struct stage){.kind = kind,
                          .name = name,
                          .span = r->node->span,
                          .element = value->scalar,
                          .interval = value->interval,
                          .rank = rank,
                          .axis = axis,
                          .value = value};
}

static unsigned axis_of(const struct stage *stage, const struct symbol *name)
{
    unsigned k = 0;
    while (stage->axis[k].name != name)
        k++;
    return k;
}

/* One samples at least; of type 1 two: reported now, or checked on entry. */
static bool check_length(struct elaborator *el, const struct request *r, enum transform kind,
                         const struct stage_axis *axis)
{
    if (kind != TRANSFORM_DCT1 || axis->extent->interval.least >= 2)
        return true;
    if (axis->extent->interval.greatest < 2) {
        struct diagnostic *d = REPORT(el, E0332, r->node->span, axis->name->text);
        HELP(el, d, "other types take one sample: write type = 2, or leave %s out of the axes",
             axis->name->text);
        return false;
    }
    add_entry_check(el,
                    expr_binary(el->pool, EXPR_LESS_EQUAL, expr_integer(el->pool, 2), axis->extent),
                    r->node->span, "a dct of type 1 needs 2 samples or more along its axis");
    return true;
}

static bool add_line_transform(struct elaborator *el, const struct instance *instance,
                               struct request *r, unsigned i, const struct symbol *name)
{
    const struct stage *source = graph_stage(el->graph, r->image.stage);
    const enum transform kind = r->axis[i].kind;
    const unsigned along = axis_of(source, r->axis[i].name);
    const bool is_complex = stage_is_complex(source);
    struct stage_axis *axis = axes_like(el, source, along);
    unsigned rank = source->rank;
    if (!check_length(el, r, kind, &axis[along]))
        return false;
    const struct expr *value = sample_at(el, &r->image, axis, along, 0), *imaginary = NULL;
    if (transform_info[kind].is_complex) {
        imaginary = is_complex ? sample_at(el, &r->image, axis, along, 1)
                               : expr_real(el->pool, value->scalar, 0);
        if (!is_complex && rank == GRAPH_MAX_RANK) {
            report_not_yet(el, r->node->span, "a complex image of so many axes");
            return false;
        }
        if (!is_complex)
            axis[rank++] = complex_axis(el);
    }
    struct stage stage = stage_like(r, name, STAGE_TRANSFORM, rank, axis, value);
    stage.as.transform.kind = kind;
    stage.as.transform.norm = r->norm;
    stage.as.transform.axis = along;
    stage.as.transform.imaginary = imaginary;
    r->image.stage = elaborate_add_stage(el, instance, stage);
    return true;
}

/* The half of a spectrum of real lines that tells all. */
static void add_half(struct elaborator *el, const struct instance *instance, struct request *r,
                     const struct symbol *name)
{
    const struct stage *source = graph_stage(el->graph, r->image.stage);
    const unsigned along = axis_of(source, r->axis[r->count - 1].name);
    struct stage_axis *axis = axes_like(el, source, along);
    const struct expr *index[GRAPH_MAX_RANK];
    axis[along].extent = sum_normal(
        el,
        expr_binary(el->pool, EXPR_DIVIDE, source->axis[along].extent, expr_integer(el->pool, 2)),
        expr_integer(el->pool, 1), 1);
    for (unsigned k = 0; k < source->rank; k++)
        index[k] = axis[k].variable;
    const struct expr *value = expr_load(el->pool, r->image.stage.index, source->element,
                                         source->interval, source->rank, index, NULL);
    r->image.stage = elaborate_add_stage(el, instance,
                                         stage_like(r, name, STAGE_MAP, source->rank, axis, value));
}

static bool is_one_word(const struct ast *node)
{
    return node->kind == AST_NAME || node->kind == AST_INTEGER || node->kind == AST_FIELD ||
           node->kind == AST_PARENTHESES;
}

/* A stage that has as many frequencies as a result of the extent needs: of the other length, more
 * are 0 and fewer are left out. */
static const char *spectrum_of_length(struct elaborator *el, const struct request *r)
{
    const struct ast *spectrum = r->node->as.call.arguments->item[0];
    const char *last = r->axis[r->count - 1].name->text;
    const char *name = spectrum->kind == AST_NAME ? spectrum->as.name->text : "s";
    const char *extent = condition_text(el, r->written);
    struct text left = text_create(el->session->permanent);
    struct text right = text_create(el->session->permanent);
    for (unsigned k = 0; k < r->image.rank; k++) {
        const char *axis = r->image.axis[k]->text;
        const bool halved = strcmp(axis, last) == 0;
        text_print(&right, "%s%s", k ? ", " : "", axis);
        text_print(&left, "%s%s", k ? ", " : "", axis);
        if (halved)
            text_print(&left,
                       is_one_word(r->written) ? " in 0 ..< %s / 2 + 1" : " in 0 ..< (%s) / 2 + 1",
                       extent);
    }
    return arena_format(el->session->permanent, "wide[%s] = %s[%s] border zero;", left.bytes, name,
                        right.bytes);
}

/* The whole line of which a half is given: sample n is the conjugate of sample N - n. */
static bool add_whole(struct elaborator *el, const struct instance *instance, struct request *r,
                      const struct symbol *name)
{
    struct expr_pool *pool = el->pool;
    const struct stage *source = graph_stage(el->graph, r->image.stage);
    const unsigned along = axis_of(source, r->axis[r->count - 1].name);
    struct stage_axis *axis = axes_like(el, source, along);
    const int64_t most = r->extent->interval.greatest;
    const struct interval places = {0, (most < INT32_MAX ? most : INT32_MAX) - 1};
    const struct expr *n =
        expr_variable(pool, VARIABLE_INDEX, axis[along].name, scalar_width(places), places);
    const struct expr *half =
        sum_normal(el, expr_binary(pool, EXPR_DIVIDE, r->extent, expr_integer(pool, 2)),
                   expr_integer(pool, 1), 1);
    const struct expr *same = expr_binary(pool, EXPR_EQUAL, half, source->axis[along].extent);
    if (same->kind == EXPR_INTEGER && !same->as.integer) {
        const struct symbol *axis_name = axis[along].name;
        struct diagnostic *d =
            REPORT(el, E0313, r->node->span, source->name->text, r->text, axis_name->text);
        NOTE(el, d, "a real line of N samples has a spectrum of N / 2 + 1");
        HELP(el, d, "for another length transform %s", spectrum_of_length(el, r));
        return false;
    }
    if (same->kind != EXPR_INTEGER)
        add_entry_check(el, same, r->node->span,
                        arena_format(el->session->permanent,
                                     "irfft needs half as many frequencies along %s as its result "
                                     "has samples, and one more: the first side; the spectrum has "
                                     "the second; for another length transform %s",
                                     r->axis[r->count - 1].name->text, spectrum_of_length(el, r)));
    axis[along].variable = n;
    axis[along].extent = r->extent;
    const struct expr *mirrored = sum_normal(el, r->extent, n, -1);
    struct stage_axis *place = arena_copy(el->arena, axis, source->rank * sizeof *axis);
    place[along].variable = expr_binary(pool, EXPR_MINIMUM, n, mirrored);
    const struct expr *re = sample_at(el, &r->image, place, along, 0);
    const struct expr *im = sample_at(el, &r->image, place, along, 1);
    im = expr_select(pool, expr_binary(pool, EXPR_LESS_EQUAL, n, mirrored), im,
                     expr_unary(pool, EXPR_NEGATE, im));
    const struct expr *is_real =
        expr_binary(pool, EXPR_EQUAL, axis[source->rank - 1].variable, expr_integer(pool, 0));
    const struct expr *value = expr_select(pool, is_real, re, im);
    r->image.stage = elaborate_add_stage(el, instance,
                                         stage_like(r, name, STAGE_MAP, source->rank, axis, value));
    return true;
}

static void add_real_part(struct elaborator *el, const struct instance *instance, struct request *r,
                          const struct symbol *name)
{
    const struct stage *source = graph_stage(el->graph, r->image.stage);
    const struct stage_axis *axis = axes_like(el, source, GRAPH_MAX_RANK);
    const struct expr *value = sample_at(el, &r->image, axis, GRAPH_MAX_RANK, 0);
    r->image.stage = elaborate_add_stage(
        el, instance, stage_like(r, name, STAGE_MAP, source->rank - 1, axis, value));
}

static bool goes_back(enum transform kind)
{
    return kind == TRANSFORM_IFFT || kind == TRANSFORM_DCT3 || kind == TRANSFORM_DST3 ||
           kind == TRANSFORM_IDXST;
}

static bool add_stages(struct elaborator *el, const struct instance *instance, struct request *r,
                       const struct symbol *name)
{
    const bool back = goes_back(r->axis[0].kind);
    const bool map_last = r->call == CALL_IRFFT || (r->call == CALL_RFFT && r->count == 1);
    struct symbol_table *symbols = &el->session->symbols;
    for (unsigned i = 0; i < r->count; i++) {
        const unsigned at = back ? i : r->count - 1 - i;
        const char *axis = r->axis[at].name->text;
        const bool is_last = i + 1 == r->count && !map_last;
        if (r->call == CALL_IRFFT && i + 1 == r->count &&
            !add_whole(el, instance, r, symbol_format(symbols, "%s.whole", name->text)))
            return false;
        if (!add_line_transform(el, instance, r, at,
                                is_last ? name : symbol_format(symbols, "%s.%s", name->text, axis)))
            return false;
        if (r->call == CALL_RFFT && i == 0)
            add_half(el, instance, r,
                     r->count == 1 ? name : symbol_format(symbols, "%s.half", name->text));
    }
    if (r->call == CALL_IRFFT)
        add_real_part(el, instance, r, name);
    return true;
}

struct image_view elaborate_transform_call(struct elaborator *el, struct instance *instance,
                                           struct scope *scope, const struct ast *call,
                                           const struct symbol *name)
{
    const struct ast_list *arguments = call->as.call.arguments;
    const struct image_view none = {0};
    struct request r = {
        .call = call_named(call->as.call.callee->as.name->text), .node = call, .type = 2};
    r.text = call_info[r.call].name;
    r.norm = call_info[r.call].norm;
    struct stage_context context = stage_context_open(
        el, instance, scope, name ? name : symbol_from(&el->session->symbols, r.text), call->span);
    if (arguments->count < 2) {
        report_argument(el, &r, call->span, "an image and its axes",
                        arguments->count ? "1 argument" : "nothing");
        return none;
    }
    if (!is_image_valued(el, instance, scope, arguments->item[0])) {
        const struct operand value = elaborate_expr(el, &context, arguments->item[0]);
        if (value.expr)
            report_argument(el, &r, arguments->item[0]->span, "an image",
                            operand_type_text(el, value));
        return none;
    }
    r.image = elaborate_image(el, instance, scope, arguments->item[0], NULL);
    const size_t first = el->graph->stages.count;
    if (!r.image.valid || !takes(el, &r) || !read_arguments(el, &r, &context) ||
        !add_stages(el, instance, &r, context.name))
        return none;
    note_definition(el, &context, first);
    return r.image;
}
