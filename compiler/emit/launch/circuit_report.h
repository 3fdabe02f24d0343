/* Reports the resources and timing of a circuit, in two files: text and JSON. */
#ifndef FLTC_EMIT_CIRCUIT_REPORT_H
#define FLTC_EMIT_CIRCUIT_REPORT_H

#include "emit/emit.h"
#include "hardware/circuit.h"

/* Appends stem_report.txt and stem_report.json to the files. megahertz: the clock rate. */
void emit_circuit_report(struct session *session, const struct circuit *circuit, const char *stem,
                         double megahertz, struct emitted *emitted);

#endif
