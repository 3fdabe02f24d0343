/* NAME_self_check: runs NAME on images that the emitted file makes, and compares a hash of the
 * results with the one that the compiler found by interpreting the program. Its parts are
 *   texts/check_images.h, texts/check_digest.h: the images and the hash, which the compiler finds
 *       by the very same text;
 *   struct flt_trial, NAME_try: extents, parameters and the hash of one trial; runs it.
 * Inputs and results lie in one block, each from a multiple of 64 bytes on. */
#include "emit/emission.h"
#include "emit/host/host.h"

/* In build/launch_texts.c. */
extern const char launch_text_check_images[], launch_text_check_digest[];

char self_check_kind(enum scalar scalar)
{
    const struct scalar_info *info = &scalar_info[scalar];
    return info->class == CLASS_BOOL    ? 'b'
           : info->class == CLASS_FLOAT ? 'f'
           : info->interval.least < 0   ? 'i'
                                        : 'u';
}

static size_t input_axes(const struct emission *e)
{
    size_t axes = 0;
    for (size_t i = 0; i < e->program->inputs.count; i++)
        axes += image_of(e, i)->rank;
    return axes;
}

/* "struct f_device *device, int threads": what NAME takes beside images and parameters. */
static const char *own_parameters(struct emission *e)
{
    const struct host_dialect *const host = e->dialect->host;
    const char *handle = host->handle_of ? host->handle_of(e) : "";
    return arena_format(e->arena, "%s%s", handle,
                        *host->parameter ? host->parameter + strlen(", ") : "");
}

/* The same without what separates it from what follows; "void": nothing. */
static const char *only_own_parameters(struct emission *e)
{
    const char *all = own_parameters(e);
    const size_t length = strlen(all);
    if (!length)
        return "void";
    return text_ends_in(all, ", ") ? arena_text(e->arena, all, length - strlen(", ")) : all;
}

void self_check_print_function(struct emission *e)
{
    const struct self_check *const check = e->options->self_check;
    const char *upper = name_upper(e, e->name);
    if (!check)
        return;
    text_print(
        e->out,
        "\n/* Whether this file, as it was compiled, gives the results of the language on this "
        "machine: runs\n"
        " * %s on %d small images that it makes, and compares hashes of the results.\n"
        " * Returns %s_OK, %s_WRONG_RESULT, or what %s returns. All that is no number\n"
        " * counts as the same. Takes %.0f bytes from malloc for images until it returns.",
        e->name, SELF_CHECK_TRIALS, upper, upper, e->name, check->most_bytes);
    if (check->rounds)
        text_print(e->out, "\n * The schedule that fltc chose decides the last bits of these "
                           "results: hashes are of those.");
    text_print(e->out, "%s%s */\nint %s_self_check(%s);\n",
               e->dialect->host->handle_of ? "\n * device: as for " : "",
               e->dialect->host->handle_of ? arena_format(e->arena, "%s.", e->name)
               : *e->dialect->host->argument
                   ? arena_format(e->arena, "\n * threads: as for %s_run.", e->name)
                   : "",
               e->name, only_own_parameters(e));
}

/* Extents of inputs, parameters, what samples are, and the hash. */
static void print_trial_type(struct emission *e)
{
    text_print(e->out,
               "/* Images that %s_self_check makes, and what they must give. */\n"
               "struct flt_trial {\n",
               e->name);
    if (input_axes(e))
        text_print(e->out, "    int32_t extent[%zu]; /* of all inputs */\n", input_axes(e));
    for (size_t i = 0; i < e->program->parameters.count; i++)
        text_print(e->out, "    %s parameter_%zu;\n",
                   scalar_info[e->program->parameters.item[i].scalar].c_type, i);
    text_print(e->out, "    int content;\n    uint64_t digest;\n};\n\n");
}

static void print_trial(struct emission *e, const struct self_check_trial *trial)
{
    text_print(e->out, "        {");
    for (size_t i = 0, n = 0; i < e->program->inputs.count; i++)
        for (unsigned k = 0; k < image_of(e, i)->rank; k++, n++)
            text_print(e->out, "%s%lld%s", n ? ", " : "{", (long long)trial->extent[i][k],
                       n + 1 == input_axes(e) ? "}, " : "");
    for (size_t i = 0; i < e->program->parameters.count; i++) {
        emit_value(e, &on_host, trial->parameter[i]);
        text_print(e->out, ", ");
    }
    text_print(e->out, "%d, UINT64_C(0x%016llx)},\n", trial->content,
               (unsigned long long)trial->digest);
}

/* Extents and packed strides of an input. */
static void print_input(struct emission *e, size_t i, size_t axis)
{
    const struct buffer *buffer = image_of(e, i);
    text_print(e->out, "    memset(&image_%zu, 0, sizeof image_%zu);\n", i, i);
    for (unsigned k = 0; k < buffer->rank; k++)
        text_print(e->out, "    image_%zu.%s = trial->extent[%zu];\n", i,
                   name_of_extent_field(e, buffer, k), axis + k);
    print_packed_strides(e, buffer, arena_format(e->arena, "image_%zu.", i));
}

/* The number of samples of each image, and where it lies in the block. */
static void print_places(struct emission *e)
{
    for (size_t i = 0; i < image_count(e); i++) {
        const struct buffer *buffer = image_of(e, i);
        text_print(e->out, "    const size_t count_%zu = %s", i, buffer->rank ? "" : "1");
        for (unsigned k = 0; k < buffer->rank; k++)
            text_print(e->out, "%s(size_t)image_%zu.%s", k ? " * " : "", i,
                       name_of_extent_field(e, buffer, k));
        text_print(e->out, ";\n    const size_t place_%zu = ", i);
        if (i == 0)
            text_print(e->out, "0;\n");
        else
            text_print(e->out, "place_%zu + (count_%zu * %u + 63) / 64 * 64;\n", i - 1, i - 1,
                       scalar_info[image_of(e, i - 1)->scalar].bytes);
    }
    const size_t last = image_count(e) - 1;
    text_print(e->out, "    block = (char *)malloc(place_%zu + count_%zu * %u);\n", last, last,
               scalar_info[image_of(e, last)->scalar].bytes);
}

static void print_filling(struct emission *e)
{
    for (size_t i = 0; i < image_count(e); i++) {
        const struct buffer *buffer = image_of(e, i);
        const char *is_read = i < e->program->inputs.count ? "const " : "";
        text_print(e->out, "        image_%zu.data = (%s%s *)(%svoid *)(block + place_%zu);\n", i,
                   is_read, scalar_info[buffer->scalar].c_type, is_read, i);
        if (i < e->program->inputs.count)
            text_print(e->out,
                       "        flt_check_fill(block + place_%zu, count_%zu, trial->content, "
                       "'%c', %u, &state);\n",
                       i, i, self_check_kind(buffer->scalar), scalar_info[buffer->scalar].bytes);
    }
}

/* Results are hashed with their extents. */
static void print_hashing(struct emission *e)
{
    for (size_t i = e->program->inputs.count; i < image_count(e); i++) {
        const struct buffer *buffer = image_of(e, i);
        for (unsigned k = 0; k < buffer->rank; k++)
            text_print(e->out, "        hash = flt_check_hash(hash, (uint64_t)image_%zu.%s);\n", i,
                       name_of_extent_field(e, buffer, k));
        text_print(e->out,
                   "        hash = flt_check_digest(hash, block + place_%zu, count_%zu, '%c', "
                   "%u);\n",
                   i, i, self_check_kind(buffer->scalar), scalar_info[buffer->scalar].bytes);
    }
}

/* &image_0, trial->parameter_0, &image_1 */
static const char *arguments_of(struct emission *e)
{
    struct text text = text_create(e->arena);
    const size_t inputs = e->program->inputs.count, parameters = e->program->parameters.count;
    for (size_t i = 0; i < image_count(e) + parameters; i++)
        text_print(&text,
                   i < inputs                ? "%s&image_%zu"
                   : i < inputs + parameters ? "%strial->parameter_%zu"
                                             : "%s&image_%zu",
                   i ? ", " : "",
                   i < inputs                ? i
                   : i < inputs + parameters ? i - inputs
                                             : i - parameters);
    return text.bytes;
}

static void print_try(struct emission *e)
{
    const struct host_dialect *const host = e->dialect->host;
    const char *upper = name_upper(e, e->name), *arguments = arguments_of(e);
    const char *own = own_parameters(e);
    const bool is_handle_alone = text_ends_in(own, ", ");
    text_print(e->out, "static int %s_try(const struct flt_trial *trial%s%s)\n{\n", e->name,
               *own ? ", " : "", is_handle_alone ? only_own_parameters(e) : own);
    for (size_t i = 0; i < image_count(e); i++)
        text_print(e->out, "    struct %s_%s image_%zu;\n", e->name,
                   name_of_buffer(e, image_of(e, i)), i);
    text_print(e->out, "    uint64_t hash = 0%s;\n    char *block;\n    int status;\n",
               e->program->inputs.count ? ", state = (uint64_t)trial->content" : "");
    size_t axis = 0;
    for (size_t i = 0; i < e->program->inputs.count; axis += image_of(e, i++)->rank)
        print_input(e, i, axis);
    for (size_t i = e->program->inputs.count; i < image_count(e); i++)
        text_print(e->out, "    memset(&image_%zu, 0, sizeof image_%zu);\n", i, i);
    text_print(e->out,
               "    status = %s_extents(%s);\n    if (status != %s_OK)\n        return status;\n",
               e->name, arguments, upper);
    if (host->takes_tasks) /* or the memory is lost with the thread */
        text_print(e->out, "    const int flt_held = flt_hold();\n");
    print_places(e);
    text_print(e->out, "    status = %s_NO_MEMORY;\n    if (block) {\n", upper);
    print_filling(e);
    text_print(e->out, "        status = %s(%s%s%s);\n    }\n    if (status == %s_OK) {\n", e->name,
               host->handle_of ? "device, " : "", arguments, host->argument, upper);
    print_hashing(e);
    text_print(e->out,
               "        if (hash != trial->digest)\n            status = %s_WRONG_RESULT;\n    }\n"
               "    free(block);\n%s    return status;\n}\n\n",
               upper, host->takes_tasks ? "    flt_release(flt_held);\n" : "");
}

void self_check_print_host(struct emission *e)
{
    const struct self_check *const check = e->options->self_check;
    const struct host_dialect *const host = e->dialect->host;
    const char *upper = name_upper(e, e->name);
    if (!check)
        return;
    if (e->program->inputs.count)
        text_print(e->out, "%s\n", launch_text_check_images);
    text_print(e->out, "%s\n", launch_text_check_digest);
    print_trial_type(e);
    print_try(e);
    text_print(e->out,
               "int %s_self_check(%s)\n{\n    static const struct flt_trial trial[%d] = {\n",
               e->name, only_own_parameters(e), SELF_CHECK_TRIALS);
    for (int i = 0; i < SELF_CHECK_TRIALS; i++)
        print_trial(e, &check->trial[i]);
    text_print(e->out,
               "    };\n    int status = %s_OK;\n"
               "    for (int i = 0; i < %d && status == %s_OK; i++)\n"
               "        status = %s_try(&trial[i]%s%s);\n    return status;\n}\n",
               upper, SELF_CHECK_TRIALS, upper, e->name, host->handle_of ? ", device" : "",
               host->argument);
}
