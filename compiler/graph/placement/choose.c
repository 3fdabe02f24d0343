/* Choices: pins, seeds, machines. */
#include "graph/placement/choose.h"

#include "graph/placement/line_groups.h"

#include <string.h>

#define POWERS(n) (-(n))

const struct choice_info choice_list[CHOICE_COUNT] = {
#define CHOICE(row, name, cores, grid, least, greatest, purpose, draws, meaning)                   \
    {name, least, greatest, purpose, draws, meaning},
#include "graph/placement/choices.def"
#undef CHOICE
};

enum choice choice_named(const char *name, size_t length)
{
    unsigned i = 0;
    while (i < CHOICE_COUNT && (strlen(choice_list[i].name) != length ||
                                strncmp(choice_list[i].name, name, length) != 0))
        i++;
    return (enum choice)i;
}

int64_t choice_of_machine(const struct target *target, enum choice choice)
{
    const struct machine *machine = target_machine(target);
    const bool is_grid = target->execution == EXECUTION_GRID;
    switch (choice) {
#define CHOICE(row, name, cores, grid, least, greatest, purpose, draws, meaning)                   \
    case CHOICE_##row:                                                                             \
        return is_grid ? (grid) : (cores);
#include "graph/placement/choices.def"
#undef CHOICE
    case CHOICE_COUNT:
        break;
    }
    return 0;
}

/* A pseudo-random number that depends on the seed, the stage and the purpose. */
static uint64_t random_choice(uint64_t seed, uint32_t stage, unsigned purpose)
{
    uint64_t v =
        seed + 0x9e3779b97f4a7c15u * (stage + 1u) + 0xd1b54a32d192ed03u * (uint64_t)purpose;
    v = (v ^ (v >> 30)) * 0xbf58476d1ce4e5b9u;
    v = (v ^ (v >> 27)) * 0x94d049bb133111ebu;
    return v ^ (v >> 31);
}

/* Every choice begins with this question, so it notes the row. */
static bool is_pinned(const struct pass_context *context, enum choice choice)
{
    const struct choices *choices = context->choices;
    if (choices && choices->asked)
        choices->asked[choice] = true;
    return choices && choices->pinned[choice];
}

/* Whether the seed decides. */
static bool is_random(const struct pass_context *context, enum choice choice)
{
    return context->random_schedule && choice_list[choice].draws && !is_pinned(context, choice);
}

static int64_t drawn(const struct pass_context *context, uint32_t stage, enum choice choice,
                     unsigned axis, int64_t least, int64_t greatest)
{
    const struct choice_info *info = &choice_list[choice];
    const uint64_t number = random_choice(context->random_schedule, stage, info->purpose + axis);
    const uint64_t few = (uint64_t)(greatest - least + 1);
    if (info->draws < 0)
        return INT64_C(1) << number % (uint64_t)-info->draws;
    return least + (int64_t)(number % ((uint64_t)info->draws < few ? (uint64_t)info->draws : few));
}

static int64_t choose_one(const struct pass_context *context, uint32_t stage, enum choice choice,
                          unsigned axis, int64_t usual, int64_t least, int64_t greatest)
{
    const int64_t value = is_pinned(context, choice) ? context->choices->value[choice]
                          : is_random(context, choice)
                              ? drawn(context, stage, choice, axis, least, greatest)
                              : usual;
    return value < least ? least : value > greatest ? greatest : value;
}

int64_t choice_value(const struct pass_context *context, enum choice choice)
{
    return is_pinned(context, choice) ? context->choices->value[choice]
                                      : choice_of_machine(context->target, choice);
}

int64_t choose(const struct pass_context *context, uint32_t stage, enum choice choice,
               int64_t least, int64_t greatest)
{
    return choose_along(context, stage, choice, 0, least, greatest);
}

int64_t choose_or(const struct pass_context *context, uint32_t stage, enum choice choice,
                  int64_t usual, int64_t least, int64_t greatest)
{
    return choose_one(context, stage, choice, 0, usual, least, greatest);
}

int64_t choose_along(const struct pass_context *context, uint32_t stage, enum choice choice,
                     unsigned axis, int64_t least, int64_t greatest)
{
    return choose_one(context, stage, choice, axis, choice_of_machine(context->target, choice),
                      least, greatest);
}

int64_t choose_power(const struct pass_context *context, uint32_t stage, enum choice choice,
                     int64_t least, int64_t greatest)
{
    int64_t value = choose(context, stage, choice, least, greatest);
    while (value & (value - 1))
        value &= value - 1;
    return value;
}

bool choose_whether(const struct pass_context *context, uint32_t stage, enum choice choice,
                    bool usual)
{
    const struct choice_info *info = &choice_list[choice];
    if (is_pinned(context, choice))
        return context->choices->value[choice] != 0;
    return is_random(context, choice)
               ? random_choice(context->random_schedule, stage, info->purpose) %
                         (uint64_t)info->draws !=
                     0
               : usual;
}
