/* The list of targets. */
#include "target/target.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define TARGET(name) extern const struct target target_##name;
#include "target/targets.def"
#undef TARGET

const struct target *const target_list[] = {
#define TARGET(name) &target_##name,
#include "target/targets.def"
#undef TARGET
    NULL,
};

const struct target *target_find(const char *name)
{
    for (size_t i = 0; target_list[i]; i++)
        if (strcmp(target_list[i]->name, name) == 0)
            return target_list[i];
    return NULL;
}

const char *target_names(char text[128])
{
    size_t length = 0;
    text[0] = 0;
    for (size_t i = 0; target_list[i]; i++)
        if (target_list[i]->is_public)
            length += (size_t)snprintf(text + length, 128 - length, "%s%s", length ? " " : "",
                                       target_list[i]->name);
    return text;
}

unsigned target_facts(const struct target *target)
{
    unsigned facts = 0;
#define FACT(name, bit, text, condition) facts |= (condition) ? FACT_##name : 0u;
#include "target/facts.def"
#undef FACT
    return facts;
}

const char *target_facts_text(unsigned facts, char text[FACTS_TEXT])
{
    static const char *const word[] = {
#define FACT(name, bit, text, condition) [bit] = text,
#include "target/facts.def"
#undef FACT
    };
    size_t length = 0;
    text[0] = 0;
    for (unsigned bit = 0; bit < sizeof word / sizeof word[0]; bit++)
        if (facts >> bit & 1)
            length += (size_t)snprintf(text + length, FACTS_TEXT - length, "%s%s",
                                       length ? " " : "", word[bit]);
    return text;
}

const struct machine *target_machine(const struct target *target)
{
    return target->machine ? target->machine
                           : machine_find("generic", target->execution == EXECUTION_GRID);
}

unsigned target_fast_bytes(const struct target *target)
{
    const unsigned bytes = target_machine(target)->shared_bytes, most = target->fast.bytes;
    return most && most < bytes ? most : bytes;
}

unsigned target_shared_bytes(const struct target *target)
{
    return target->fast.owner == OWNER_BLOCK ? target_fast_bytes(target) : 0;
}
