/* How much of a test is run; the environment tells. FULL=1: more of everything. SHARE=K/N: the Kth
 * of N shares of its items. Without them: all of what is not long. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static inline bool is_long(void)
{
    const char *const full = getenv("FULL");
    return full && *full;
}

struct share {
    unsigned number, count;
};

static inline struct share share_asked_for(void)
{
    const char *const words = getenv("SHARE");
    struct share share;
    if (!words || sscanf(words, "%u/%u", &share.number, &share.count) != 2 || share.count == 0)
        share = (struct share){1, 1};
    return share;
}

static inline bool is_in_share(uint64_t item)
{
    const struct share share = share_asked_for();
    return item % share.count == share.number % share.count;
}

/* How many of so many random trials are the share. */
static inline int share_of(int trials)
{
    const int count = (int)share_asked_for().count;
    return (trials + count - 1) / count;
}
