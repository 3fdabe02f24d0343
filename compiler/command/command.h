/* The commands of fltc: options in, exit status out. */
#ifndef FLTC_COMMAND_COMMAND_H
#define FLTC_COMMAND_COMMAND_H

#include "driver/driver.h"
#include "expr/evaluate.h"
#include "frontend/elaborate.h"
#include "pass_manager.h"
#include "flt/status.h"
#include "session.h"

#include <stdio.h>

/* What main returns. */
enum exit_status { EXIT_DONE = 0, EXIT_WRONG_INPUT = 1, EXIT_FAULT = 2, EXIT_USAGE = 3 };

struct options {
    const char *command;
#define OPTION(field, name, letter, argument, commands, help) const char *field;
#define OPTION_LIST(field, name, letter, argument, commands, help) struct word_list field;
#include "command/options.def"
#undef OPTION
#undef OPTION_LIST
    struct word_list arguments; /* what is no option: the file, images */
    bool wants_json;
    struct setting_list settings;                  /* --param and --NAME */
    VECTOR(struct constant_setting) type_settings; /* --type */
};

struct peeked_image;
struct command_context {
    struct session *session;
    struct options *options;
    const struct module_set *modules;   /* of command_load; NULL before */
    const struct ast *filter;           /* of command_graph; NULL before */
    VECTOR(struct peeked_image) peeked; /* files that were read for their element type */
    struct float_uses *float_uses;      /* of command_graph, for circuits; NULL for others */
    const struct fixed_format *formats; /* that are tried, of fit */
    size_t format_count;
    const struct choices *choices; /* of --choice; NULL before they are taken */
    bool fixed_as_real; /* graphs are made over real numbers, without schedules */
    bool is_fault;      /* fltc's own was reported */
    struct word_list saved; /* files that results of a run went to; for --stamp */
};

/* False after a message on wrong usage. */
bool options_parse(struct session *session, int count, char **words, struct options *options);
/* The option of the command whose name is nearest to the word, or begins with it, without dashes;
 * NULL: there is none. */
const char *option_near(const char *word, const char *command);
/* The commands that take the option of the name, "emit run"; NULL: there is none. */
const char *option_commands(const char *name);
/* The bytes that --memory gives, as a number or one of K, M or G; 0: it is not given, or wrong. */
uint64_t options_memory(const struct options *options);
/* "NAME VALUE" for each option of the command that is given, but for those that are left out. */
struct word_list options_given(struct arena *arena, const struct options *options,
                               const char *const left_out[], size_t count);
/* Whether messages are JSON: one object a line, and nothing else on standard error. */
bool options_want_json(const struct options *options);
void print_help(void);
void print_version(void);
/* Warns of what a call of the runtime that succeeded tells, if it does. False: that is an error. */
bool command_remark(struct session *session, enum diagnostic_code code,
                    const struct flt_detail *detail);
#define COMMAND_HELP(session, d, ...) diagnostic_help(&(session)->diagnostics, (d), __VA_ARGS__)
/* Reports what the program's schedule asks for and the passes did not do; false: something. */
bool command_schedule_is_kept(struct command_context *c, const struct graph *asked,
                              const struct pass_result *made);
/* A fault of fltc itself, reported at once. */
void report_fault(const char *problem);

#define COMMAND(name, arguments, help) enum exit_status command_##name(struct command_context *c);
#include "command/commands.def"
#undef COMMAND

/* The same, or those of a module of the library, std.NAME. */
const struct module_set *command_load_any(struct command_context *c);
/* The chosen filter's graph, constants set by options; NULL after an error. */
const struct graph *command_graph(struct command_context *c, const struct module_set *modules);
/* The same of the command's file, its messages printed; NULL: *status is what the command ends
 * with. */
const struct graph *command_graph_of_file(struct command_context *c, enum exit_status *status);
/* Where values of parameters are not given to a run: false after a message, if --param names
 * neither a parameter nor a constant. */
bool command_settings_are_known(struct command_context *c, const struct graph *graph);
/* That of --target, or C; also where there is none of that name. */
const struct target *command_target(struct command_context *c);
/* Whether the command can take the one that --target names; else after a message. */
bool command_target_exists(struct command_context *c);
/* What the passes for the target make of it. The graph is NULL after a message: its schedule cannot
 * be kept. */
struct pass_result command_passes(struct command_context *c, const struct graph *graph);
/* The complete schedule of the graph, as the passes made it, in the language's own words. */
const char *command_schedule_text(struct command_context *c, const struct graph *graph,
                                  const struct graph *done);
/* The stage's tile, as a schedule has it: "(y: 32, x: 512)"; "": it has none. */
const char *command_tile_text(struct command_context *c, const struct stage *stage);
/* As boxes_add; its fault is reported. */
bool command_add_boxes(struct command_context *c, const struct graph *graph,
                       const struct target *target, const struct emit_options *options,
                       const char *cure, struct emitted *emitted);
/* Prints the messages since the last time; EXIT_WRONG_INPUT if there has been an error, EXIT_FAULT
 * if it was one of fltc. */
enum exit_status command_finish(struct command_context *c);

/* Parses a number for a parameter of the type; false where it is none or out of range. */
bool parse_value(const char *text, const struct parameter *parameter, struct value *value);

#endif
