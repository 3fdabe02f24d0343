/* How much of a long test is run; the environment tells. FLTC_LONG: more of everything. SHARE=K/N:
 * the Kth of N shares of its items. Without them: all of what is not long. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static bool is_long(void)
{
    return getenv("FLTC_LONG") != NULL;
}

static bool is_in_share(uint64_t item)
{
    const char *const share = getenv("SHARE");
    unsigned number, count;
    if (!share || sscanf(share, "%u/%u", &number, &count) != 2 || count == 0)
        return true;
    return item % count == number % count;
}
