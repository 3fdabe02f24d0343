/* Terms of adaptive images: functions that nothing is known of, for all cells and for one. */
#include "interpret/particle_terms.h"

enum { PLACE_AXES = 3 };

void particle_argument(struct particle_arguments *arguments, struct value value)
{
    VECTOR_PUSH(arguments->arena, &arguments->all, value);
}

/* Of the type of the others. */
static struct value number_value(enum scalar scalar, int64_t number)
{
    return scalar_is_float(scalar) ? value_from_real(scalar, (long double)number)
                                   : (struct value){.integer = number};
}

void particle_argument_number(struct particle_arguments *arguments, int64_t number)
{
    particle_argument(arguments, number_value(arguments->scalar, number));
}

struct value particle_terms_apply(const struct particle_arguments *arguments, const char *function)
{
    return terms_function(arguments->terms, function, arguments->scalar, arguments->all.count,
                          arguments->all.item, number_value(arguments->scalar, 0));
}

void particle_terms_place(const struct particle_arguments *arguments, const char *function)
{
    terms_place(arguments->terms, arguments->scalar, particle_terms_apply(arguments, function));
}

const struct expr *particle_terms_cell(const struct particle_arguments *arguments,
                                       struct value applied, const int64_t place[])
{
    struct value of_cell[1 + PLACE_AXES] = {applied};
    for (int a = 0; a < PLACE_AXES; a++)
        of_cell[1 + a] = number_value(arguments->scalar, place[a]);
    return terms_function(arguments->terms, "cell", arguments->scalar, 1 + PLACE_AXES, of_cell,
                          number_value(arguments->scalar, 0))
        .term;
}
