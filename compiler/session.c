/* Making and ending a compilation. */
#include "session.h"

struct session *session_create(void)
{
    struct arena *permanent = arena_create();
    struct session *session = ARENA_NEW(permanent, struct session);
    session->permanent = permanent;
    session->ir = arena_create();
    session->scratch = arena_create();
    session->symbols.arena = permanent;
    session->sources.arena = permanent;
    session->diagnostics.arena = permanent;
    session->diagnostics.sources = &session->sources;
    session->pool.arena = session->ir;
    return session;
}

void session_destroy(struct session *session)
{
    arena_destroy(session->scratch);
    arena_destroy(session->ir);
    arena_destroy(session->permanent);
}
