/* Optimal string alignment distance: Damerau-Levenshtein, no piece edited twice. */
#include "diagnostics/suggest.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

enum { LONGEST = 64 }; /* longer names are compared by case alone */

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Both lengths ≤ LONGEST. Only three rows of the table are kept: row i is the distances of the
 * first i bytes of a to all beginnings of b. */
static unsigned edit_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    unsigned rows[3][LONGEST + 1];
    for (unsigned j = 0; j <= b_length; j++)
        rows[0][j] = j;
    for (unsigned i = 1; i <= a_length; i++) {
        unsigned *row = rows[i % 3];
        const unsigned *above = rows[(i + 2) % 3], *above_that = rows[(i + 1) % 3];
        row[0] = i;
        for (unsigned j = 1; j <= b_length; j++) {
            const unsigned replaced = above[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = least(replaced, 1 + least(above[j], row[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], above_that[j - 2] + 1);
        }
    }
    return rows[a_length % 3][b_length];
}

static bool near_enough(const char *wanted, const char *candidate, unsigned *distance)
{
    *distance = 0;
    if (strcasecmp(wanted, candidate) == 0)
        return true;
    const size_t length = strlen(wanted), candidate_length = strlen(candidate);
    if (length > LONGEST || candidate_length > LONGEST)
        return false;
    *distance = edit_distance(wanted, length, candidate, candidate_length);
    return *distance <= (length < 3 ? 1 : length / 3);
}

void suggest_consider(struct suggestion *suggestion, const char *wanted, const char *candidate)
{
    unsigned distance;
    if (near_enough(wanted, candidate, &distance) &&
        (!suggestion->best || distance < suggestion->distance))
        *suggestion = (struct suggestion){.best = candidate, .distance = distance};
}
