/* Setup and teardown of a test: *state is a session of its own. */
#include "session.h"

static int open_session(void **state)
{
    *state = session_create();
    return 0;
}

static int close_session(void **state)
{
    session_destroy(*state);
    return 0;
}
