/* What a circuit takes and when it gives its results, as two files: for people, and as JSON. */
#ifndef FLTC_EMIT_CIRCUIT_REPORT_H
#define FLTC_EMIT_CIRCUIT_REPORT_H

#include "emit/emit.h"
#include "hardware/circuit.h"

/* stem_report.txt and stem_report.json, behind the other files. megahertz: of the clock. */
void emit_circuit_report(struct session *session, const struct circuit *circuit, const char *stem,
                         double megahertz, struct emitted *emitted);

#endif
