#include "command/dumps.h"
#include "replace.h"

/* A numbered file of the folder. */
static void write_text(struct session *session, const char *path, const struct text *text)
{
    struct flt_replacement file;
    if (flt_replace_begin(path, &file)) {
        fwrite(text->bytes, 1, text->length, file.stream);
        if (flt_replace_close(&file) && flt_replace_finish(&file))
            return;
        flt_replace_discard(&file);
    }
    diagnostic_report(&session->diagnostics, DIAGNOSTIC_E0902, (struct span){0, 0}, path,
                      arena_text(session->permanent, file.reason, strlen(file.reason)));
}

static void print_text(const struct pass_text *made, void *context)
{
    const struct command_context *c = context;
    if (c->options->dump_dir)
        write_text(c->session,
                   arena_format(c->session->permanent, "%s/%02u_%s.%s", c->options->dump_dir,
                                made->number, made->pass, made->kind),
                   made->text);
    else
        fwrite(made->text->bytes, 1, made->text->length, stdout);
}

static void print_time(const char *pass, double seconds, void *context)
{
    (void)context;
    fprintf(stderr, "%-22s %9.3f ms\n", pass, seconds * 1e3);
}

void dumps_take(struct command_context *c, struct pass_options *options)
{
    options->dump = c->options->dump;
    options->print = print_text;
    options->time = c->options->time_passes ? print_time : NULL;
    options->print_context = c;
}
