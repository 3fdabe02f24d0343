/* Another entry point, with the same signature for all filters, for the commands that compile and
 * run them. */
#include "emit/emission.h"
#include "emit/host/host.h"

void print_generic_images(struct emission *e)
{
    const size_t inputs = e->program->inputs.count, outputs = e->program->outputs.count;
    for (size_t i = 0; i < inputs + outputs; i++) {
        const bool output = i >= inputs;
        const struct buffer *buffer = buffer_of(e, output ? e->program->outputs.item[i - inputs]
                                                          : e->program->inputs.item[i]);
        text_print(e->out, "    %sstruct %s_%s image_%zu = {(%s%s *)data[%zu]",
                   output ? "" : "const ", e->name, name_of_buffer(e, buffer), i,
                   output ? "" : "const ", scalar_info[buffer->scalar].c_type, i);
        for (unsigned k = 0; k < buffer->rank; k++)
            text_print(e->out, ", extents[%zu][%u]", i, k);
        for (unsigned k = 0; k < buffer->rank; k++)
            text_print(e->out, ", strides[%zu][%u]", i, k);
        text_print(e->out, e->dialect->host->object ? ", NULL, 0};\n" : "};\n");
    }
}

const char *generic_arguments(struct emission *e)
{
    const size_t inputs = e->program->inputs.count, outputs = e->program->outputs.count;
    struct text arguments = text_create(e->arena);
    for (size_t i = 0; i < inputs; i++)
        text_print(&arguments, "%s&image_%zu", i ? ", " : "", i);
    for (size_t i = 0; i < e->program->parameters.count; i++)
        text_print(&arguments, "%s*(const %s *)parameters[%zu]", i || inputs ? ", " : "",
                   scalar_info[e->program->parameters.item[i].scalar].c_type, i);
    for (size_t i = 0; i < outputs; i++)
        text_print(&arguments, "%s&image_%zu", arguments.length ? ", " : "", inputs + i);
    return arguments.length ? arguments.bytes : "";
}

/* int flt_generic_run(int what, void *const *data, int32_t *const *extents,
 *                     const ptrdiff_t *const *strides, const void *const *parameters, int threads)
 * Images and parameters in the order of the signature, the output last. what 0: set the output's
 * extents; 1: run. */
void emit_generic_entry(struct emission *e)
{
    text_print(
        e->out,
        "/* Called by the command that compiled this file. */\n"
        "#ifdef __cplusplus\nextern \"C\" {\n#endif\n"
        "int flt_generic_run%s(int what, void *const *data, int32_t *const *extents,\n"
        "                    const ptrdiff_t *const *strides, const void *const *parameters, "
        "int threads);\n"
        "const char *flt_generic_text%s(int status);\n"
        "#ifdef __cplusplus\n}\n#endif\n"
        "const char *flt_generic_text%s(int status)\n{\n    return %s_status_text(status);\n}\n"
        "int flt_generic_run%s(int what, void *const *data, int32_t *const *extents,\n"
        "                    const ptrdiff_t *const *strides, const void *const *parameters, "
        "int threads)\n{\n",
        e->options->entry_suffix, e->options->entry_suffix, e->options->entry_suffix, e->name,
        e->options->entry_suffix);
    print_generic_images(e);
    const char *const arguments = generic_arguments(e);
    text_print(e->out,
               "    (void)parameters;\n    if (what == 0) {\n"
               "        const int status = %s_extents(%s);\n",
               e->name, arguments);
    for (size_t i = 0; i < e->program->outputs.count; i++) {
        const struct buffer *buffer = buffer_of(e, e->program->outputs.item[i]);
        const size_t image = e->program->inputs.count + i;
        for (unsigned k = 0; k < buffer->rank; k++)
            text_print(e->out, "        extents[%zu][%u] = image_%zu.%s;\n", image, k, image,
                       name_of_extent_field(e, buffer, k));
    }
    text_print(e->out, "        return status;\n    }\n%s%s    return %s(%s%s%s);\n}\n",
               *e->dialect->host->argument ? "" : "    (void)threads;\n",
               e->dialect->host->generic_begin ? e->dialect->host->generic_begin(e) : "", e->name,
               e->dialect->host->generic_begin ? "device, " : "", arguments,
               e->dialect->host->argument);
    if (e->dialect->host->print_entry)
        e->dialect->host->print_entry(e);
}
