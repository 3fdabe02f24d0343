#include "command/print_numbers.h"
#include "command/conversion.h"

#include <errno.h>
#include <math.h>

bool result_is_number(const struct result *result)
{
    return result->stage->rank == (stage_is_complex(result->stage) ? 1 : 0);
}

void print_value(struct text *text, enum scalar scalar, struct fixed_point fixed,
                 struct value value)
{
    if (scalar == SCALAR_BOOL)
        text_print(text, value.integer ? "true" : "false");
    else if (scalar_is_float(scalar))
        text_real(text, (double)value_real(scalar, value), scalar == SCALAR_F64 ? 64 : 32);
    else if (fixed.is)
        text_real(text, ldexp((double)value.integer, -fixed.fraction), 64);
    else
        text_print(text, "%lld", (long long)value.integer);
}

/* "[0, 2]": the place of a sample along the axes, of which there may be none. */
static void print_place(struct text *text, const struct flt_image *image, int rank, size_t at)
{
    size_t place[FLT_MAX_RANK];
    for (int k = rank; k-- > 0; at /= (size_t)image->extent[k])
        place[k] = at % (size_t)image->extent[k];
    for (int k = 0; k < rank; k++)
        text_print(text, "%s%zu%s", k ? ", " : "[", place[k], k + 1 == rank ? "]" : "");
}

bool print_number(struct command_context *c, const struct result *result, const char *file,
                  bool is_taken)
{
    const struct flt_image *image = &result->image;
    const bool is_complex = flt_image_is_complex(image);
    const enum scalar scalar = (enum scalar)image->element;
    const size_t parts = is_complex ? 2 : 1, bytes = flt_element_bytes(image->element);
    FILE *out = is_taken ? stderr : stdout;
    struct arena *arena = arena_sibling(c->session->permanent);
    bool good = true;
    for (size_t i = 0; good && i < image_samples(image); i += parts) {
        const char *sample = (const char *)image->data + i * bytes;
        struct text text = text_create(arena);
        text_print(&text, "%s%s%s", file ? file : "", file ? ": " : "", result->output->name->text);
        print_place(&text, image, image->rank - is_complex, i / parts);
        text_print(&text, is_complex ? " = %s(" : " = ", scalar == SCALAR_F64 ? "c64" : "c32");
        print_value(&text, scalar, result->stage->fixed, value_read(sample, scalar));
        if (is_complex) {
            text_print(&text, ", ");
            print_value(&text, scalar, result->stage->fixed, value_read(sample + bytes, scalar));
            text_print(&text, ")");
        }
        good = fprintf(out, "%s\n", text.bytes) > 0;
    }
    good = fflush(out) == 0 && good;
    arena_destroy(arena);
    if (!good)
        session_error(c->session, DIAGNOSTIC_E0904, "cannot write standard output: %s",
                      strerror(errno));
    return good;
}
