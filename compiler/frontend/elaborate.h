/* Syntax trees → graph of one filter. A call makes an instance of the called filter's body over the
 * actual axes, types and intervals, so an expression is typed and built in one step: a typed tree
 * would have to be copied for every instance. */
#ifndef FLTC_FRONTEND_ELABORATE_H
#define FLTC_FRONTEND_ELABORATE_H

#include "frontend/load_modules.h"
#include "graph/graph.h"

struct constant_setting { /* --levels 6: a const of the filter set from outside */
    const char *name, *value;
};

struct example_requirement {
    const struct ast *node;
    int condition, left, right; /* results of the graph; -1: none */
};

/* I and F in place of those that are written in the type. */
struct fixed_format {
    const struct ast *type;
    int whole, fraction;
};

struct float_uses;

struct elaborate_options {
    const struct constant_setting *settings;
    size_t setting_count;
    const struct constant_setting *types; /* --type T=u8 */
    size_t type_count;
    bool default_types;  /* those that are not given are f32, or what the bounds allow */
    bool integers_first; /* … or rather u8 */
    const char *target;  /* whose schedules are taken; NULL: the C target's */
    bool fast;           /* as if each filter were declared so */
    bool far_reach; /* for tests: stages that are extended are made as if it were much further */
    const struct fixed_format *formats;
    size_t format_count;
    bool fixed_as_real; /* fixed-point types are f64, without ends and steps */
    struct float_uses *float_uses; /* NULL, or takes the places where floats are made */
    bool callable;      /* reads without a border rule are left to callers, as in a library */
};

/* Whether the type is written fixed<…> or ufixed<…>. */
bool is_fixed_type(const struct ast *type);
/* What a schedule says of the stage, as its directive: "unroll out by (y: 4);" */
const char *directive_text(struct arena *arena, const struct stage *stage,
                           enum stage_detail detail);
/* NULL after an error. */
const struct graph *elaborate_filter(struct session *session, const struct module_set *modules,
                                     const struct ast *filter,
                                     const struct elaborate_options *options);

/* The filter to compile: the named one; without a name the only one of the main module that no
 * other there calls, else the one named as the file. NULL after an error. */
const struct ast *elaborate_choose(struct session *session, const struct module_set *modules,
                                   const char *name);
/* An example as a graph without inputs. Its results are, for each requirement, the condition (of
 * samples that must all be true), and the sides of a comparison. */
struct example {
    const struct graph *graph;
    VECTOR(struct example_requirement) requirements;
};
/* NULL after an error. */
const struct example *elaborate_example(struct session *session, const struct module_set *modules,
                                        const struct ast *node);
/* The type variable that the elements of an image of the signature are, or NULL. */
const struct symbol *element_variable(const struct ast *formal);
/* Whether the filter's bounds let the variable stand for the type. */
bool element_type_allowed(const struct ast *filter, const struct symbol *variable,
                          enum scalar scalar);
/* Every filter of the main module, for checking; the graphs are dropped. The filter that would be
 * compiled needs its border rules, and so do those that nothing in the module calls, which --filter
 * can choose; the others may leave them to callers. visit, which may be NULL, is called with each
 * graph that leaves nothing to callers. False: a filter was refused without a message, which is a
 * fault of fltc. */
bool elaborate_all(struct session *session, const struct module_set *modules,
                   void (*visit)(const struct graph *graph, void *context), void *context);

#endif
