/* IR names → identifiers: legal in C99 and C++, stable, readable; numbers only to break ties. */
#include "emit/emission.h"

#include <ctype.h>

/* Names that kernels and the host's functions use themselves. */
static const char *const own[] = {
    "frame",  "threads",    "scratch",   "scratch_bytes",
    "memory", "status",     "region",    "data",
    "all",    "at",         "block",     "bytes",
    "packed", "output_box", "input_box", "i0",
    "i1",     "i2",         "i3",        "i4",
    "i5",     "i6",         "i7",        "team",
    "cpu",    "tiles",      "thread",    "call",
    "tasks",
};

bool name_is_own(const char *name)
{
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (strcmp(own[i], name) == 0)
            return true;
    return false;
}

static bool is_reserved(const char *name, enum name_role role)
{
    return name_is_reserved(name, role, LANGUAGE_C) || name_is_own(name) ||
           strncmp(name, "flt_", 4) == 0 || strncmp(name, "FLT_", 4) == 0;
}

/* Letters, digits and '_' only; other characters become '_'; never "__" nor a leading digit. */
static const char *legal(struct arena *arena, const char *wanted)
{
    struct text text = text_create(arena);
    for (const char *c = wanted; *c; c++) {
        const char put = isalnum((unsigned char)*c) ? *c : '_';
        if (put == '_' && text.length && text.bytes[text.length - 1] == '_')
            continue;
        text_append(&text, &put, 1);
    }
    if (!text.length || isdigit((unsigned char)text.bytes[0]) || text.bytes[0] == '_')
        return arena_format(arena, "n%s", text.length ? text.bytes : "");
    return text.bytes;
}

const char *name_in_c(struct arena *arena, const char *wanted, enum name_role role)
{
    const char *name = legal(arena, wanted);
    /* no trailing '_': what is appended to it begins with one */
    return is_reserved(name, role) ? arena_format(arena, "%s_1", name) : name;
}

static bool is_free(const struct emission *e, const struct symbol *name, enum name_role role,
                    bool local)
{
    return !name_is_word(name->text, role, e->dialect->language) &&
           !hash_map_find(&e->taken, name) && (!local || !hash_map_find(&e->taken_locals, name));
}

static const char *unique(struct emission *e, const char *wanted, enum name_role role, bool local)
{
    const char *base = name_in_c(e->arena, wanted, role), *name = base;
    /* a name that a number is behind is none of a family any more, though it looks like it */
    bool is_good = !name_is_reserved(name, role, e->dialect->language);
    for (unsigned i = 2;; i++) {
        const struct symbol *symbol = symbol_from(&e->session->symbols, name);
        if (is_good && is_free(e, symbol, role, local)) {
            hash_map_put(e->arena, local ? &e->taken_locals : &e->taken, symbol,
                         (void *)(uintptr_t)symbol);
            return symbol->text;
        }
        name = arena_format(e->arena, "%s_%u", base, i);
        is_good = true;
    }
}

const char *name_identifier(struct emission *e, const char *wanted)
{
    return unique(e, wanted, ROLE_GLOBAL, false);
}

static const char *name_in_role(struct emission *e, const void *key, const char *wanted,
                                enum name_role role)
{
    const char *known = hash_map_find(&e->identifiers, key);
    if (!known) {
        known = unique(e, wanted, role, false);
        hash_map_put(e->arena, &e->identifiers, key, (void *)(uintptr_t)known);
    }
    return known;
}

const char *name_of(struct emission *e, const void *key, const char *wanted)
{
    return name_in_role(e, key, wanted, ROLE_LOCAL);
}

/* The name of something outside of functions. It begins with the filter's, as several filters may
 * stand in one translation unit. */
static const char *name_of_global(struct emission *e, const void *key, const char *wanted)
{
    return name_in_role(e, key, arena_format(e->arena, "%s_%s", e->name, wanted), ROLE_GLOBAL);
}

const char *name_of_local(struct emission *e, const void *key, const char *wanted)
{
    const char *known = hash_map_find(&e->locals, key);
    if (!known) {
        known = unique(e, wanted, ROLE_LOCAL, true);
        hash_map_put(e->arena, &e->locals, key, (void *)(uintptr_t)known);
    }
    return known;
}

const char *name_new_local(struct emission *e, const char *wanted)
{
    return unique(e, wanted, ROLE_LOCAL, true);
}

void name_forget_locals(struct emission *e)
{
    const struct hash_map none = {0};
    e->locals = e->taken_locals = none;
}

const char *name_upper(struct emission *e, const char *name)
{
    char *upper = arena_text(e->arena, name, strlen(name));
    for (char *c = upper; *c; c++)
        *c = (char)toupper((unsigned char)*c);
    return upper;
}

const char *name_of_buffer(struct emission *e, const struct buffer *buffer)
{
    if (buffer->space == SPACE_REGISTER || buffer->space == SPACE_TILE ||
        buffer->space == SPACE_SHARED)
        return name_of_local(e, buffer->axis ? (const void *)buffer->axis : (const void *)buffer,
                             buffer->name->text);
    return buffer->space == SPACE_CONSTANT
               ? name_of_global(e, buffer->axis, buffer->name->text)
               : name_of(e, buffer->axis, buffer->name->text);
}

const char *name_of_stride(struct emission *e, const struct buffer *buffer, unsigned axis)
{
    const char *name = buffer->space == SPACE_TILE ? buffer->name->text : name_of_buffer(e, buffer);
    return name_of(e, (const char *)&buffer->axis[axis] + 1,
                   arena_format(e->arena, "%s_stride_%s", name, buffer->axis[axis].name->text));
}

const char *name_of_first(struct emission *e, const char *name)
{
    return name_of(e, name + 1, arena_format(e->arena, "%s_first", name));
}

/* What belongs to a buffer is known by addresses inside of its axes, which nothing else has. */
const char *name_of_lines(struct emission *e, const struct buffer *buffer)
{
    return name_of(e, (const char *)buffer->axis + 2,
                   arena_format(e->arena, "%s_lines", buffer->name->text));
}

const char *name_of_line_bytes(struct emission *e, const struct buffer *buffer)
{
    return name_of(e, (const char *)buffer->axis + 3,
                   arena_format(e->arena, "%s_line_bytes", buffer->name->text));
}

bool buffer_is_in_frame(const struct buffer *buffer)
{
    return buffer_is_in_memory(buffer) || buffer->space == SPACE_PART;
}

bool buffer_is_fixed(const struct buffer *buffer)
{
    return buffer->space == SPACE_CONSTANT || buffer->space == SPACE_SHARED ||
           buffer->space == SPACE_REGISTER || buffer->space == SPACE_FRAME ||
           buffer->space == SPACE_HOST || buffer->space == SPACE_WINDOW ||
           buffer->space == SPACE_LINE ||
           (buffer->space == SPACE_TILE && !buffer_holds_rows(buffer));
}

static bool is_as_long_as_images(const struct buffer *buffer, unsigned from)
{
    bool any = false;
    for (unsigned k = from; k < buffer->rank && buffer->space == SPACE_TILE; k++)
        any = any || buffer->axis[k].extent->kind != EXPR_INTEGER;
    return any;
}

bool buffer_holds_lines(const struct buffer *buffer)
{
    return is_as_long_as_images(buffer, 0);
}

bool buffer_holds_rows(const struct buffer *buffer)
{
    return is_as_long_as_images(buffer, 1);
}

/* Of memory in an image of the caller's: as that lies. */
static bool is_image(const struct emission *e, const struct buffer *buffer)
{
    return buffer->space == SPACE_INPUT || buffer->space == SPACE_OUTPUT ||
           (buffer->space == SPACE_PART && is_image(e, program_buffer(e->program, buffer->within)));
}

bool buffer_has_stride(const struct emission *e, const struct buffer *buffer, unsigned axis)
{
    if (buffer_is_fixed(buffer))
        return false;
    return axis + 1 < buffer->rank || (e->dialect->host->takes_strides && is_image(e, buffer));
}

bool name_is_of_host(const struct emission *e, const struct expr *variable)
{
    bool found = false;
    for (size_t i = 0; i < e->host.count && !found; i++)
        found = e->host.item[i] == variable;
    return found;
}

const char *name_of_variable(struct emission *e, const struct expr *variable)
{
    const char *text = variable->as.variable.name->text;
    if (name_is_of_host(e, variable))
        return name_of(e, variable, text);
    switch (variable->as.variable.kind) {
    case VARIABLE_EXTENT:
    case VARIABLE_PARAMETER:
        return name_of(e, variable, text);
    case VARIABLE_INDEX:
    case VARIABLE_LOCAL:
    case VARIABLE_KIND_COUNT:
        break;
    }
    return name_of_local(e, variable, text);
}

const char *name_of_kernel(struct emission *e, const struct statement *kernel)
{
    return name_of_global(e, kernel, kernel->as.kernel.name->text);
}

static bool is_member(const struct emission *e, const char *name)
{
    bool found = false;
    for (const char *const *m = e->dialect->host->members; m && *m; m++)
        found = found || strcmp(*m, name) == 0;
    return found;
}

static const char *field(struct emission *e, const char *name)
{
    const char *plain = legal(e->arena, name);
    return is_reserved(plain, ROLE_MEMBER) || is_member(e, plain) ||
                   name_is_reserved(plain, ROLE_MEMBER, e->dialect->language)
               ? legal(e->arena, arena_format(e->arena, "%s_", name))
               : plain;
}

const char *name_of_extent_field(struct emission *e, const struct buffer *buffer, unsigned axis)
{
    return field(e, buffer->axis[axis].name->text);
}

const char *name_of_stride_field(struct emission *e, const struct buffer *buffer, unsigned axis)
{
    return arena_format(e->arena, "stride_%s", legal(e->arena, buffer->axis[axis].name->text));
}
