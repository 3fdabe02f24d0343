/* Names on standard input, a line each → those that emitted code would have as they are.
 * reserved ROLE LANGUAGE...: member, local or global; c, cuda, opencl, hls, verilog. Exit status 0:
 * there are none, 1: some are printed, 2: wrong usage. */
#include "emit/launch/reserved.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *word;
    unsigned value;
} role[] = {{"member", ROLE_MEMBER}, {"local", ROLE_LOCAL}, {"global", ROLE_GLOBAL}},
  language[] = {{"c", LANGUAGE_C},
                {"cuda", LANGUAGE_CUDA},
                {"opencl", LANGUAGE_OPENCL},
                {"hls", LANGUAGE_HLS},
                {"verilog", LANGUAGE_VERILOG}};
enum { ROLES = sizeof role / sizeof *role, LANGUAGES = sizeof language / sizeof *language };

/* Names that emitted code never has: with '_' in front or twice, or of the compiler's own. */
static bool is_spelled_otherwise(const char *name)
{
    return *name == '_' || strstr(name, "__") || strncmp(name, "flt_", 4) == 0 ||
           strncmp(name, "FLT_", 4) == 0;
}

int main(int argc, char **argv)
{
    char name[1000];
    unsigned as = ROLES, of = 0;
    bool any = false;
    for (unsigned i = 0; argc > 1 && i < ROLES; i++)
        if (strcmp(argv[1], role[i].word) == 0)
            as = role[i].value;
    for (int k = 2; k < argc; k++)
        for (unsigned i = 0; i < LANGUAGES; i++)
            if (strcmp(argv[k], language[i].word) == 0)
                of |= language[i].value;
    if (as == ROLES || !of)
        return 2;
    while (scanf("%999s", name) == 1)
        if (!is_spelled_otherwise(name) && !name_is_reserved(name, (enum name_role)as, of)) {
            printf("%s\n", name);
            any = true;
        }
    return any;
}
