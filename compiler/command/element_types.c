/* What the type variables of a filter stand for when it runs on files: the samples of the file that
 * is given for the first image of that type, where the filter allows them; else f32. */
#include "command/pictures.h"

static enum scalar type_for(const struct ast *filter, const struct symbol *variable,
                            enum scalar from)
{
    const bool converted = !element_type_allowed(filter, variable, from) &&
                           element_type_allowed(filter, variable, SCALAR_F32);
    return converted ? SCALAR_F32 : from;
}

static bool is_given(const struct options *options, const struct symbol *variable)
{
    for (size_t i = 0; i < options->type_settings.count; i++)
        if (strcmp(options->type_settings.item[i].name, variable->text) == 0)
            return true;
    return false;
}

bool pictures_types(struct command_context *c, const struct ast *filter)
{
    const struct ast_list *formals = filter->as.filter.formals;
    struct image_files files[MOST_PICTURES] = {0};
    size_t count = 0;
    for (size_t i = 0; i < formals->count && count < MOST_PICTURES; i++)
        if (formals->item[i]->as.formal.role == FORMAL_IMAGE)
            files[count++].name = formals->item[i]->as.formal.name->text;
    size_t position = 0;
    files_deal(c, count, files);
    for (size_t i = 0; i < formals->count && position < count; i++) {
        if (formals->item[i]->as.formal.role != FORMAL_IMAGE)
            continue;
        const struct word_list *paths = &files[position++].path;
        const char *path = paths->count ? paths->item[0] : NULL;
        const struct symbol *variable = element_variable(formals->item[i]);
        const struct flt_image *image;
        if (!path || !variable || is_given(c->options, variable))
            continue;
        image = picture_peek(c, path);
        if (!image)
            return false;
        const enum scalar scalar = type_for(filter, variable, (enum scalar)image->element);
        VECTOR_PUSH(c->session->permanent, &c->options->type_settings,
                    (struct constant_setting){variable->text, scalar_info[scalar].text});
    }
    return true;
}
