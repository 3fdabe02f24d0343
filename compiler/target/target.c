/* The list of targets. */
#include "target/target.h"

#include <stddef.h>
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
