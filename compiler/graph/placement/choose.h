/* What passes choose by numbers: rows of choices.def, each pinned by --choice, or drawn by the seed
 * of a random schedule, or as the machine has it. */
#ifndef FLTC_GRAPH_PLACEMENT_CHOOSE_H
#define FLTC_GRAPH_PLACEMENT_CHOOSE_H

#include "graph_pass.h"

enum choice {
#define CHOICE(row, name, cores, grid, least, greatest, purpose, draws, meaning) CHOICE_##row,
#include "graph/placement/choices.def"
#undef CHOICE
    CHOICE_COUNT
};

struct choice_info {
    const char *name;
    int64_t least, greatest; /* that a pin may have */
    unsigned purpose;
    int draws;
    const char *meaning;
};
extern const struct choice_info choice_list[CHOICE_COUNT];

/* Zeroed: nothing is pinned. */
struct choices {
    bool pinned[CHOICE_COUNT];
    int64_t value[CHOICE_COUNT];
    bool *asked; /* by row: passes chose by it; NULL: nobody wants to know */
};

/* CHOICE_COUNT: no row has the name. */
enum choice choice_named(const char *name, size_t length);
/* What a row has for the target's machine. */
int64_t choice_of_machine(const struct target *target, enum choice choice);

/* No limit but that of the row. */
enum { CHOICE_MOST = INT32_MAX };
/* What is pinned, or the machine's: no seed draws it. */
int64_t choice_value(const struct pass_context *context, enum choice choice);
/* A number from `least` to `greatest` for the stage of that index. */
int64_t choose(const struct pass_context *context, uint32_t stage, enum choice choice,
               int64_t least, int64_t greatest);
/* The same; where nothing is pinned and no seed given, the nearest to `usual`. */
int64_t choose_or(const struct pass_context *context, uint32_t stage, enum choice choice,
                  int64_t usual, int64_t least, int64_t greatest);
/* The greatest power of two that is no more than the number; 0 of 0. */
int64_t choose_power(const struct pass_context *context, uint32_t stage, enum choice choice,
                     int64_t least, int64_t greatest);
/* A number along an axis, of which each has draws of its own. */
int64_t choose_along(const struct pass_context *context, uint32_t stage, enum choice choice,
                     unsigned axis, int64_t least, int64_t greatest);
/* The answer to a question. */
bool choose_whether(const struct pass_context *context, uint32_t stage, enum choice choice,
                    bool usual);

#endif
