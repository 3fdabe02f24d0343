/* The machine that a program is compiled for. */
#include "driver/driver.h"

static const struct machine *machine_of(const struct target *target, const char *name)
{
    return name ? machine_find(name, target->execution == EXECUTION_GRID) : NULL;
}

bool machine_exists(struct session *session, const struct target *target, const char *name)
{
    char names[MACHINES_TEXT];
    if (!name || machine_of(target, name))
        return true;
    diagnostic_help(&session->diagnostics,
                    session_error(session, DIAGNOSTIC_E0903,
                                  "no machine of target '%s' is called '%s'", target->name, name),
                    "machines of this target: %s; fltc explain machines describes them",
                    machine_names(target->execution == EXECUTION_GRID, names));
    return false;
}

const struct target *target_on_machine(struct arena *arena, const struct target *target,
                                       const char *name)
{
    const struct machine *machine = machine_of(target, name);
    if (!machine)
        return target;
    struct target *on_machine = arena_copy(arena, target, sizeof *target);
    on_machine->machine = machine;
    return on_machine;
}
