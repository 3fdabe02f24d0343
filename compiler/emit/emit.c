/* Loop program → a header and a source file. The body is printed first, so that the helpers and
 * headers that it uses are known when the top of the file is printed. */
#include "emit/emission.h"
#include "emit/host/host.h"
#include "emit/unit_names.h"

/* What functions and structures of the filter are named, behind its own name. */
static const char *const part[] = {"status",     "status_text",  "extents",         "scratch_bytes",
                                   "run",        "run_by",       "is_fast",         "frame",
                                   "kernels",    "measure",      "measure_exactly", "layout",
                                   "check",      "check_shapes", "status_of",       "launch",
                                   "take_parts", "share",        "take_own",        "wavefront",
                                   "take_steps"};
enum { PARTS = sizeof part / sizeof *part };
/* The same of a filter that checks itself. */
static const char *const part_of_check[] = {"self_check", "try"};
enum { PARTS_OF_CHECK = sizeof part_of_check / sizeof *part_of_check };
/* The same of a filter with NAME_call. */
static const char *const part_of_entry[] = {"call", "filter", "json"};
enum { PARTS_OF_ENTRY = sizeof part_of_entry / sizeof *part_of_entry };

static bool is_reserved(const struct emission *e, const char *name, const char *behind)
{
    return name_is_word(arena_format(e->arena, "%s_%s", name, behind), ROLE_GLOBAL,
                        LANGUAGE_C | e->dialect->language);
}

/* Structures of images: those of `size` would be called size_t if an image is `t`. */
static bool has_reserved_image(const struct emission *e, const char *name, const buffer_id *image,
                               size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (is_reserved(e, name, program_buffer(e->program, image[i])->name->text))
            return true;
    return false;
}

static bool has_reserved_part(struct emission *e, const char *name)
{
    for (size_t i = 0; i < PARTS; i++)
        if (is_reserved(e, name, part[i]))
            return true;
    /* R_OK, W_OK and X_OK of unistd.h; F_OK is 0, as the status is. */
    if (is_reserved(e, name_upper(e, name), "OK") && strcmp(name, "f") != 0)
        return true;
    return has_reserved_image(e, name, e->program->inputs.item, e->program->inputs.count) ||
           has_reserved_image(e, name, e->program->outputs.item, e->program->outputs.count);
}

static const char *filter_name(struct emission *e)
{
    const char *wanted = e->program->name->text, *name = wanted;
    for (unsigned i = 1; has_reserved_part(e, name); i++)
        name = arena_format(e->arena, "%s_%u", wanted, i);
    return name_identifier(e, name);
}

/* "in_part" and, of the program over boxes, "box_in": images of such names have other
 * structures. */
static void reserve_structures_of_boxes(struct emission *e)
{
    for (size_t i = 0; i < image_count(e); i++) {
        const char *name = image_of(e, i)->name->text;
        if (image_of(e, i)->space != SPACE_OUTPUT)
            name_identifier(e, arena_format(e->arena, "%s_part", name));
        name_identifier(e, arena_format(e->arena, "box_%s", name));
    }
}

static void reserve_functions(struct emission *e)
{
    e->name = filter_name(e);
    for (size_t i = 0; i < PARTS; i++)
        name_identifier(e, arena_format(e->arena, "%s_%s", e->name, part[i]));
    for (size_t i = 0; e->options->self_check && i < PARTS_OF_CHECK; i++)
        name_identifier(e, arena_format(e->arena, "%s_%s", e->name, part_of_check[i]));
    if (e->options->boxes || e->options->boxes_of)
        name_identifier(e, "box");
    if (e->options->boxes)
        reserve_structures_of_boxes(e);
    for (size_t i = 0; e->options->entry && i < PARTS_OF_ENTRY; i++)
        name_identifier(e, arena_format(e->arena, "%s_%s", e->name, part_of_entry[i]));
    for (size_t i = 0; i < e->program->inputs.count; i++)
        name_identifier(
            e, arena_format(e->arena, "%s_region_of_%s", e->name,
                            program_buffer(e->program, e->program->inputs.item[i])->name->text));
}

/* Names of the signature first, so that they are as in the program. */
static void reserve_signature(struct emission *e)
{
    for (size_t i = 0; i < e->program->inputs.count; i++)
        name_of_buffer(e, program_buffer(e->program, e->program->inputs.item[i]));
    for (size_t i = 0; i < e->program->parameters.count; i++)
        name_of_variable(e, e->program->parameters.item[i].variable);
    for (size_t i = 0; i < e->program->outputs.count; i++)
        name_of_buffer(e, program_buffer(e->program, e->program->outputs.item[i]));
}

/* The source so far, what it defines for itself under names that are its own. */
static void name_apart(struct emission *e)
{
    const struct text named = unit_names(e->arena, e->out->bytes + e->unit_at, e->name);
    e->out->length = e->unit_at;
    text_append(e->out, named.bytes, named.length);
}

static void end_line(struct text *out)
{
    while (out->length > 1 && out->bytes[out->length - 2] == '\n')
        out->bytes[--out->length] = 0;
}

static void print_source(struct emission *e)
{
    struct text kernels = text_create(e->arena), host = text_create(e->arena);
    struct text frame = text_create(e->arena);
    struct text *out = e->out;
    find_floats(e);
    find_bypasses(e);
    find_host_variables(e);
    e->out = &frame;
    emit_frame(e);
    e->out = &kernels;
    emit_kernels(e);
    const struct helper_set of_kernels = e->helpers;
    if (e->dialect->embed)
        e->helpers = (struct helper_set){0};
    e->out = &host;
    emit_host(e);
    e->out = out;

    e->dialect->open_file(e);
    text_print(out, "/* Floor division by powers of two is written as a shift. */\n"
                    "typedef char flt_shift_is_arithmetic[(-1 >> 1) == -1 ? 1 : -1];\n\n");
    helpers_print(e, e->dialect->embed ? helpers_in_c : e->dialect->helpers);
    if (e->dialect->print_before_kernels)
        e->dialect->print_before_kernels(e, kernels.bytes, host.bytes);
    text_append(out, frame.bytes, frame.length);
    if (e->dialect->embed) {
        e->helpers = of_kernels;
        e->dialect->embed(e, &kernels);
    } else {
        text_append(out, kernels.bytes, kernels.length);
    }
    e->dialect->print_before_host(e, host.bytes);
    if (e->options->profiles)
        text_print(out,
                   "#include <time.h>\ndouble flt_kernel_seconds[%zu], "
                   "flt_kernel_counts[%zu];\n\n"
                   "static double flt_seconds(void)\n{\n    struct timespec now;\n"
                   "    timespec_get(&now, TIME_UTC);\n"
                   "    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;\n}\n\n",
                   e->kernels.count + 1, e->kernels.count + 1);
    if (e->options->times_device)
        text_print(out, "double flt_kernel_seconds[1];\n\n");
    if (e->dialect->host->asks_fused)
        text_print(out, "int %s_is_fast(void)\n{\n    return FLT_FAST;\n}\n\n", e->name);
    text_append(out, host.bytes, host.length);
    end_line(out);
    name_apart(e);
    if (e->dialect->close_file)
        e->dialect->close_file(e);
}

struct emitted emit_program(struct session *session, const struct program *program,
                            const struct target *target, const struct emit_options *options)
{
    struct arena *scratch = session->scratch, *lasting = session->ir;
    const struct arena_mark mark = arena_mark(scratch);
    struct emission e = {.session = session,
                         .arena = scratch,
                         .program = program,
                         .target = target,
                         .dialect = dialect_of(target),
                         .options = options};
    struct text source = text_create(scratch), header = text_create(scratch);
    externals_reserve(&e);
    reserve_functions(&e);
    given_find(&e); /* before images: structures are called after both */
    reserve_signature(&e);
    prepared_find(&e);
    e.out = &source;
    print_source(&e);
    e.out = &header;
    emit_header(&e);
    const char *const interface = options->interface ? interface_text(&e, false) : NULL;
    struct emitted emitted = {.symbol = arena_text(lasting, e.name, strlen(e.name))};
    for (size_t i = 0; i < e.kernels.count; i++)
        VECTOR_PUSH(lasting, &emitted.kernels, e.kernels.item[i]);
    for (size_t i = 0; i < image_count(&e); i++) {
        const char *name = name_of_buffer(&e, image_of(&e, i));
        VECTOR_PUSH(lasting, &emitted.images, arena_text(lasting, name, strlen(name)));
    }
    const char *const ending[] = {dialect_of(target)->ending, ".h"};
    const struct text *const text[] = {&source, &header};
    for (int i = 0; i < 2; i++) {
        struct emitted_file file = {.name =
                                        arena_format(lasting, "%s%s", options->stem, ending[i])};
        const struct text folded = fold_lines(scratch, text[i]->bytes);
        file.text = arena_text(lasting, folded.bytes, folded.length);
        file.length = folded.length;
        VECTOR_PUSH(lasting, &emitted.files, file);
    }
    if (interface) {
        const size_t length = strlen(interface);
        VECTOR_PUSH(lasting, &emitted.files,
                    ((struct emitted_file){arena_format(lasting, "%s.json", options->stem),
                                           arena_text(lasting, interface, length), length}));
    }
    arena_release(scratch, mark);
    return emitted;
}
