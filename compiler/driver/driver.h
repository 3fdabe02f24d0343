/* From the text of a program to files, in steps that the commands and the library have in common.
 * Nothing here prints, ends the process or reads a file but by load_modules. */
#ifndef FLTC_DRIVER_DRIVER_H
#define FLTC_DRIVER_DRIVER_H

#include "emit/emit.h"
#include "frontend/elaborate.h"
#include "pass_manager.h"

struct setting { /* of a constant or a parameter */
    const char *name, *value;
    bool used; /* the filter has one of the name */
};

struct word_list { /* a VECTOR */
    const char **item;
    size_t count, capacity;
};

struct setting_list { /* a VECTOR */
    struct setting *item;
    size_t count, capacity;
};

const char *version_text(void);

/* ---- machine.c ---- */

/* Whether the target has a machine of the name, or there is none; else after a message. */
bool machine_exists(struct session *session, const struct target *target, const char *name);
/* The target on that machine, if it has it; else as it is. */
const struct target *target_on_machine(struct arena *arena, const struct target *target,
                                       const char *name);

/* ---- program.c: the graph of the filter that is asked for ---- */

/* That of the name, or the one to compile; false or NULL after a message. */
const struct ast *program_filter(struct session *session, const struct module_set *modules,
                                 const char *name, const struct constant_setting types[],
                                 size_t type_count);
/* options: but for its settings, which are those of `settings` that the filter has a constant for,
 * or a parameter, which becomes one where `fixes_parameters`. They are marked as used. NULL: after
 * a message; without one it is a fault. */
const struct graph *program_graph(struct session *session, const struct module_set *modules,
                                  const struct ast *filter, struct setting_list *settings,
                                  bool fixes_parameters, struct elaborate_options options);
/* The message on the first setting that no constant and no parameter took; NULL: there is none. */
struct diagnostic *program_unused_setting(struct session *session, const struct graph *graph,
                                          const struct setting_list *settings, const char **name);
/* Whether the target takes the functions of C that the program calls; else after a message.
 * modules: NULL of a .graph or .loop file. */
bool program_externals_suit(struct session *session, const struct module_set *modules,
                            const struct target *target);
/* The same of its adaptive images. */
bool program_particles_suit(struct session *session, const struct graph *graph,
                            const struct target *target);

/* ---- schedule_kept.c ---- */

/* Reports what the schedule asks for and the passes did not do; false: something. reason: why,
 * where no pass says it; NULL: that is a fault, which goes to *fault. */
bool schedule_is_kept(struct session *session, const struct graph *asked,
                      const struct pass_result *made, const char *reason, const char **fault);

/* ---- boxes.c ---- */

/* Adds NAME_run_box, the program over boxes of the results, to the files of the filter. graph: as
 * elaborated; options: with which it is emitted; cure: what helps where the filter has none, "leave
 * out --boxes". False: after a message, it has none; or *fault is set. */
bool boxes_add(struct session *session, const struct graph *graph, const struct target *target,
               const struct choices *choices, const struct emit_options *options, const char *cure,
               struct emitted *emitted, const char **fault);

#endif
