/* Setup and teardown of a test: *state is a session of its own. */
#include "session.h"

static inline int open_session(void **state)
{
    *state = session_create(NULL);
    return 0;
}

static inline int close_session(void **state)
{
    session_destroy(*state);
    return 0;
}
