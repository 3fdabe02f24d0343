/* NAME_run_box, of a filter that is emitted for boxes: its header declares it, and the file of the
 * program over boxes (graph/box_outputs.h), NAME_box, defines it. */
#include "emit/emission.h"
#include "emit/host/host.h"

static bool is_fixed(const struct buffer *image, unsigned axis)
{
    return image->axis[axis].extent->kind == EXPR_INTEGER;
}

/* What the structure of an image of the filter is called, behind its symbol. */
static const char *structure_of(struct emission *e, size_t image)
{
    const struct boxes_of *of = e->options->boxes_of;
    return of ? of->image[image] : name_of_buffer(e, image_of(e, image));
}

/* ---- Declarations ---- */

/* struct unsharp_in_part: an image, and what of it is in memory. */
static void print_part(struct emission *e, const char *symbol, const struct buffer *input)
{
    const char *name = name_of_buffer(e, input);
    text_print(
        e->out,
        "/* A part of '%s'. image: the extents are those of the whole image, data is the first "
        "sample of the part. */\n"
        "struct %s_%s_part {\n    struct %s_%s image;\n",
        input->name->text, symbol, name, symbol, name);
    for (unsigned k = 0; k < input->rank; k++)
        text_print(e->out, "    int32_t first_%s, end_%s;\n", name_of_extent_field(e, input, k),
                   name_of_extent_field(e, input, k));
    text_print(e->out, "};\n\n");
}

/* own: parameters of the filter itself, before those of the program over boxes. */
static void print_arguments(struct emission *e, const char *symbol, size_t own)
{
    for (size_t i = 0; i < e->program->inputs.count; i++) {
        text_print(e->out, "const struct %s_%s_part *%s, ", symbol, structure_of(e, i),
                   name_of_buffer(e, image_of(e, i)));
    }
    for (size_t i = 0; i < own; i++) {
        const struct parameter *p = &e->program->parameters.item[i];
        text_print(e->out, "%s %s, ", scalar_info[p->scalar].c_type,
                   name_of_variable(e, p->variable));
    }
    for (size_t i = e->program->inputs.count; i < image_count(e); i++) {
        text_print(e->out, "const struct %s_%s *%s, ", symbol, structure_of(e, i),
                   name_of_buffer(e, image_of(e, i)));
    }
    text_print(e->out, "const int64_t *box");
}

static const char *last_parameters(struct emission *e)
{
    const struct host_dialect *host = e->dialect->host;
    return arena_format(e->arena, ",\n    %sscratch, size_t scratch_bytes, %s",
                        host->object ? host->object : "void *", host->run_parameters);
}

/* The handle of a device, which is that of the program over boxes. */
static const char *handle_of_box(struct emission *e, const char *box)
{
    return e->dialect->host->handle_of ? arena_format(e->arena, "struct %s_device *device, ", box)
                                       : "";
}

void boxes_print_header(struct emission *e)
{
    const size_t own = e->program->parameters.count;
    if (!e->options->boxes)
        return;
    const char *box = arena_format(e->arena, "%s_box", e->name);
    text_print(e->out, "\n");
    if (e->dialect->host->handle_of)
        text_print(e->out, "struct %s_device; /* opened by %s_open, of %s.h */\n\n", box, box, box);
    for (size_t i = 0; i < e->program->inputs.count; i++)
        print_part(e, e->name, image_of(e, i));
    text_print(
        e->out,
        "/* Computes a part of the results from parts of the inputs; returns a status.\n"
        " * box: as for %s_region_of_...: first, end along each axis of each result. A result "
        "has the extents of its box, a part of an input holds what its region_of gives, or "
        "more: else %s_BAD_BOX. No other sample is read. The samples are those of "
        "%s_run.%s */\nint %s_run_box(",
        e->name, name_upper(e, e->name), e->name,
        e->dialect->host->takes_tasks
            ? "\n * scratch: as for that function; NULL: from malloc, unless there are tasks."
            : "",
        e->name);
    text_print(e->out, "%s", handle_of_box(e, box));
    print_arguments(e, e->name, own);
    text_print(e->out, "%s);\n\n", last_parameters(e));
    text_print(e->out,
               "/* Bytes of scratch memory that it needs; SIZE_MAX if an argument is wrong. */\n"
               "size_t %s_run_box_scratch_bytes(",
               e->name);
    print_arguments(e, e->name, own);
    text_print(e->out, "%s);\n", e->dialect->host->parameter);
}

/* ---- Definitions, in the file of the program over boxes ---- */

/* The images of the filter itself, whole. */
static const char *whole_arguments(struct emission *e, size_t own)
{
    struct text text = text_create(e->arena);
    for (size_t i = 0; i < e->program->inputs.count; i++)
        text_print(&text, "%s&%s->image", i ? ", " : "", name_of_buffer(e, image_of(e, i)));
    for (size_t i = 0; i < own; i++)
        text_print(&text, "%s%s", text.length ? ", " : "",
                   name_of_variable(e, e->program->parameters.item[i].variable));
    return text.length ? text.bytes : "";
}

static void print_checks_of_box(struct emission *e, const char *symbol, size_t own)
{
    const char *upper = name_upper(e, symbol);
    unsigned at = 0, most = 1;
    text_print(e->out, "    if (");
    for (size_t i = 0; i < image_count(e); i++) {
        text_print(e->out, "!%s || ", name_of_buffer(e, image_of(e, i)));
        most = image_of(e, i)->rank > most ? image_of(e, i)->rank : most;
    }
    text_print(e->out, "!box)\n        return %s_NULL_POINTER;\n", upper);
    for (size_t i = e->program->inputs.count; i < image_count(e); i++)
        for (unsigned k = 0; k < image_of(e, i)->rank; k++, at += 2)
            text_print(e->out,
                       "    if (box[%u] < -INT32_MAX || box[%u] >= box[%u] || box[%u] > INT32_MAX\n"
                       "        || box[%u] - box[%u] > INT32_MAX)\n"
                       "        return %s_BAD_BOX;\n",
                       at, at, at + 1, at + 1, at + 1, at, upper);
    for (size_t i = 0; i < e->program->inputs.count; i++) {
        const struct buffer *input = image_of(e, i);
        const char *name = name_of_buffer(e, input);
        text_print(e->out,
                   "    {\n        int64_t flt_region[%u];\n"
                   "        const int flt_status = %s_region_of_%s(%s, box, flt_region);\n"
                   "        if (flt_status != %s_OK)\n            return flt_status;\n",
                   2 * most, symbol, structure_of(e, i), whole_arguments(e, own), upper);
        for (unsigned k = 0; k < input->rank; k++)
            text_print(
                e->out,
                "        if (%s->first_%s < 0 || flt_region[%u] < %s->first_%s || flt_region[%u] > "
                "%s->end_%s\n"
                "            || %s->end_%s > %s->image.%s)\n            return %s_BAD_BOX;\n",
                name, name_of_extent_field(e, input, k), 2 * k, name,
                name_of_extent_field(e, input, k), 2 * k + 1, name,
                name_of_extent_field(e, input, k), name, name_of_extent_field(e, input, k), name,
                name_of_extent_field(e, input, k), upper);
        text_print(e->out, "    }\n");
    }
}

/* part_0, …: the images that the program over boxes takes. */
static void print_images_of_box(struct emission *e)
{
    for (size_t i = 0; i < image_count(e); i++) {
        const struct buffer *image = image_of(e, i);
        const char *name = name_of_buffer(e, image);
        const bool is_input = image->space != SPACE_OUTPUT;
        text_print(e->out, "    const struct %s_%s flt_part_%zu = {%s->%sdata", e->name, name, i,
                   name, is_input ? "image." : "");
        for (unsigned k = 0; k < image->rank; k++) {
            const char *field = name_of_extent_field(e, image, k);
            if (is_input) /* of nothing that is read there may be nothing */
                text_print(e->out, ", %s->end_%s > %s->first_%s ? %s->end_%s - %s->first_%s : 1",
                           name, field, name, field, name, field, name, field);
            else
                text_print(e->out, ", %s->%s", name, field);
        }
        for (unsigned k = 0; k < image->rank; k++)
            text_print(e->out, ", %s->%s%s", name, is_input ? "image." : "",
                       name_of_stride_field(e, image, k));
        for (const char *const *m = e->dialect->host->members; m && *m; m++)
            text_print(e->out, ", %s->%s%s", name, is_input ? "image." : "", *m);
        text_print(e->out, "};\n");
    }
}

/* Its arguments, in the order of graph/box_outputs.h. */
static const char *arguments_of_box(struct emission *e, size_t own)
{
    struct text text = text_create(e->arena);
    const size_t inputs = e->program->inputs.count;
    unsigned at = 0;
    for (size_t i = 0; i < inputs; i++)
        text_print(&text, "%s&flt_part_%zu", i ? ", " : "", i);
    for (size_t i = 0; i < own; i++)
        text_print(&text, "%s%s", text.length ? ", " : "",
                   name_of_variable(e, e->program->parameters.item[i].variable));
    for (int first = 0; first < 2; first++)
        for (size_t i = 0; i < inputs; i++)
            for (unsigned k = 0; k < image_of(e, i)->rank; k++)
                if (!is_fixed(image_of(e, i), k))
                    text_print(&text, ", %s->%s%s", name_of_buffer(e, image_of(e, i)),
                               first ? "first_" : "image.",
                               name_of_extent_field(e, image_of(e, i), k));
    for (size_t i = inputs; i < image_count(e); i++)
        for (unsigned k = 0; k < image_of(e, i)->rank; k++, at += 2)
            text_print(&text, "%s(int32_t)box[%u], (int32_t)(box[%u] - box[%u])",
                       text.length ? ", " : "", at, at + 1, at);
    for (size_t i = inputs; i < image_count(e); i++)
        text_print(&text, "%s&flt_part_%zu", text.length ? ", " : "", i);
    return text.bytes;
}

/* Checks behind those of the filter itself are those of boxes. */
static void print_status_of_box(struct emission *e, const char *symbol, size_t checks)
{
    text_print(e->out,
               "    return flt_status >= %ld && flt_status < %ld ? %s_BAD_BOX : flt_status;\n}\n\n",
               status_of_check(checks), status_of_check(e->program->checks.count),
               name_upper(e, symbol));
}

void boxes_print_source(struct emission *e)
{
    const struct boxes_of *of = e->options->boxes_of;
    if (!of)
        return;
    const struct host_dialect *host = e->dialect->host;
    text_print(e->out, "int %s_run_box(%s", of->symbol, handle_of_box(e, e->name));
    print_arguments(e, of->symbol, of->parameters);
    text_print(e->out, "%s)\n{\n    int flt_status;\n", last_parameters(e));
    print_checks_of_box(e, of->symbol, of->parameters);
    text_print(e->out, "    {\n");
    print_images_of_box(e);
    const char *arguments = arguments_of_box(e, of->parameters);
    if (host->takes_tasks)
        text_print(e->out,
                   "    if (!scratch && !tasks)\n        flt_status = %s(%s%s);\n    else\n"
                   "        flt_status = %s_run_by(%s, %sscratch, scratch_bytes, %s);\n",
                   e->name, arguments, host->argument, e->name, arguments,
                   e->prepared ? "NULL, 0, " : "", host->run_arguments);
    else
        text_print(e->out, "    flt_status = %s_run(%s%s, scratch, scratch_bytes, %s);\n", e->name,
                   host->handle_of ? "device, " : "", arguments, host->run_arguments);
    text_print(e->out, "    }\n");
    print_status_of_box(e, of->symbol, of->checks);
    text_print(e->out, "size_t %s_run_box_scratch_bytes(", of->symbol);
    print_arguments(e, of->symbol, of->parameters);
    text_print(e->out, "%s)\n{\n    if (", host->parameter);
    for (size_t i = 0; i < image_count(e); i++)
        text_print(e->out, "!%s || ", name_of_buffer(e, image_of(e, i)));
    text_print(e->out, "!box)\n        return SIZE_MAX;\n    {\n");
    print_images_of_box(e);
    text_print(e->out, "    return %s_scratch_bytes(%s%s);\n    }\n}\n\n", e->name, arguments,
               host->argument);
}
