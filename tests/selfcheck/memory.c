/* NAME_self_check, CHECK, where each call of malloc fails in turn: the status says so, and nothing
 * is leaked. */
#include <stdio.h>
#include <stdlib.h>

int CHECK(int threads);
void *__real_malloc(size_t bytes);
void __real_free(void *memory);
void *__wrap_malloc(size_t bytes);
void __wrap_free(void *memory);

static int calls, failing, held;

void *__wrap_malloc(size_t bytes)
{
    void *const memory = ++calls == failing ? NULL : __real_malloc(bytes);
    held += memory != NULL;
    return memory;
}

void __wrap_free(void *memory)
{
    held -= memory != NULL;
    __real_free(memory);
}

int main(void)
{
    enum { OK = 0, NO_MEMORY = 7 };
    const int first = CHECK(1), all = calls;
    if (first != OK || held != 0)
        return fprintf(stderr, "status %d, %d blocks are held\n", first, held), 1;
    for (failing = 1; failing <= all; failing++) {
        calls = 0;
        const int status = CHECK(1);
        if (status != NO_MEMORY || held != 0)
            return fprintf(stderr, "call %d fails: status %d, %d blocks are held\n", failing,
                           status, held),
                   1;
    }
    return all > 0 ? OK : 1;
}
