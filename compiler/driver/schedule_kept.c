/* What a schedule asks for, against what the passes did. */
#include "driver/driver.h"
#include "graph/placement/schedule_check.h"
#include "loop/lower/loop_details.h"

struct schedule_report {
    struct session *session;
    const char *reason, **fault;
    bool good;
};

static void report_schedule(const struct stage *stage, struct span span, const char *where,
                            const char *reason, void *context)
{
    struct schedule_report *report = context;
    struct session *session = report->session;
    report->good = false;
    reason = reason ? reason : report->reason;
    if (reason)
        diagnostic_report(&session->diagnostics, DIAGNOSTIC_E0605, span, stage->name->text,
                          arena_format(session->permanent, "%s", where),
                          arena_format(session->permanent, "%s", reason));
    else
        *report->fault =
            arena_format(session->permanent, "'%s' is not computed %s, and no pass says why",
                         stage->name->text, where);
}

bool schedule_is_kept(struct session *session, const struct graph *asked,
                      const struct pass_result *made, const char *reason, const char **fault)
{
    struct schedule_report report = {session, reason, fault, true};
    schedule_check(session->scratch, asked, made->graph, &made->remarks, report_schedule, &report);
    if (made->program)
        details_check(asked, made->graph, made->program, &made->remarks, report_schedule, &report);
    return report.good;
}
