/* Linked into programs that count branches, with --wrap=_exit: a child that ends by _exit keeps its
 * counts, too. */
#include <unistd.h>

void __gcov_dump(void);
_Noreturn void __real__exit(int status);
_Noreturn void __wrap__exit(int status);

_Noreturn void __wrap__exit(int status)
{
    __gcov_dump();
    __real__exit(status);
}
