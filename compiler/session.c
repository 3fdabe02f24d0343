/* Making and ending a compilation. */
#include "session.h"

struct session *session_create(struct arena *given)
{
    struct arena *permanent = given ? given : arena_create_family(NULL);
    struct session *session = ARENA_NEW(permanent, struct session);
    session->permanent = permanent;
    session->ir = arena_sibling(permanent);
    session->scratch = arena_sibling(permanent);
    session->symbols.arena = permanent;
    session->sources.arena = permanent;
    session->diagnostics.arena = permanent;
    session->diagnostics.sources = &session->sources;
    session->pool.arena = session->ir;
    return session;
}

void session_destroy(struct session *session)
{
    arena_destroy_family(session->permanent);
}

struct diagnostic *session_error(struct session *session, enum diagnostic_code code,
                                 const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = arena_vformat(session->permanent, format, arguments);
    va_end(arguments);
    return diagnostic_report(&session->diagnostics, code, (struct span){0, 0}, text);
}
