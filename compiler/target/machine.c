/* The list of machines, and what follows from their figures. */
#include "target/machine.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { CLOCKS_OF_OPERATION = 4 }; /* until a thread has its result */

const struct machine machine_list[] = {
#define MACHINE(name, description, is_device, ...) {name, description, is_device, __VA_ARGS__},
#include "target/machines.def"
#undef MACHINE
    {.name = NULL},
};

const struct machine *machine_find(const char *name, bool is_device)
{
    for (const struct machine *m = machine_list; m->name; m++)
        if (m->is_device == is_device && strcmp(m->name, name) == 0)
            return m;
    return NULL;
}

const char *machine_names(bool is_device, char text[MACHINES_TEXT])
{
    size_t length = 0;
    text[0] = 0;
    for (const struct machine *m = machine_list; m->name; m++)
        if (m->is_device == is_device)
            length += (size_t)snprintf(text + length, MACHINES_TEXT - length, "%s%s",
                                       length ? ", " : "", m->name);
    return text;
}

unsigned machine_byte_cost(const struct machine *machine)
{
    return (unsigned)lround(machine->f32_rate / (2 * machine->bytes_a_second));
}

unsigned machine_load_cost(const struct machine *machine)
{
    return machine->lanes / machine->banks;
}

double machine_kernel_cost(const struct machine *machine)
{
    return machine->launch_seconds * machine->f32_rate / 2;
}

/* A lane has a product and a sum a clock. */
static double clock_rate(const struct machine *machine)
{
    return machine->f32_rate / (2.0 * machine->lanes * machine->multiprocessors);
}

unsigned machine_launch_cost(const struct machine *machine)
{
    return (unsigned)lround(machine->launch_seconds * clock_rate(machine) / CLOCKS_OF_OPERATION);
}

/* A bank gives or takes a word a clock. A thread waits for words as for operations of its own. */
struct machine_time machine_time_of(const struct machine *machine, double bytes,
                                    struct machine_steps all, struct machine_steps own)
{
    const double clock = clock_rate(machine), banks = machine->banks * machine->multiprocessors;
    const double steps = own.operations + own.words * machine_load_cost(machine);
    return (struct machine_time){
        .memory = bytes / machine->bytes_a_second,
        .operations = 2 * all.operations / machine->f32_rate,
        .words = all.words / (banks * clock),
        .thread = steps * CLOCKS_OF_OPERATION / clock,
        .launch = machine->launch_seconds,
    };
}

double machine_longest(const struct machine_time *time, const char **word)
{
    const double longest =
        fmax(fmax(time->memory, time->words), fmax(time->operations, time->thread));
    *word = longest < time->launch        ? "its launch"
            : longest == time->memory     ? "memory"
            : longest == time->operations ? "operations"
            : longest == time->words      ? "shared memory"
                                          : "one thread";
    return longest;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

int64_t machine_resident_blocks(const struct machine *machine, int64_t threads, int64_t registers,
                                int64_t shared_bytes)
{
    if (!machine->resident_blocks)
        return 0;
    const int64_t unit = machine->register_unit, warp = machine->warp;
    const int64_t whole = (threads + warp - 1) / warp * warp;
    const int64_t own = (registers + unit - 1) / unit * unit * whole;
    int64_t blocks = least(machine->resident_blocks, machine->resident_threads / whole);
    blocks = least(blocks, machine->registers / own);
    return least(blocks, machine->shared_bytes / (shared_bytes + machine->block_bytes));
}
