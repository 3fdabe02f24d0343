/* Facts about streams that the printers of circuits need. */
#ifndef FLTC_EMIT_CIRCUIT_PARTS_H
#define FLTC_EMIT_CIRCUIT_PARTS_H

#include "hardware/registers.h"
#include "target/target.h"

/* Bits of one element, of all elements of a token, and of a port that carries them in whole
 * bytes. */
unsigned element_bits(const struct stream *stream);
unsigned token_bits(const struct stream *stream);
unsigned port_bits(const struct stream *stream);
/* The stream of an edge. */
const struct stream *process_edge(const struct circuit *circuit, const struct process *p,
                                  unsigned edge);
/* By table: whether the table is written and the process reads it. */
const bool *written_tables_read(struct arena *arena, const struct circuit *circuit,
                                const struct process *p);
/* The period of the target's clock in ns: "6.667", "10". */
const char *circuit_period(struct arena *arena, const struct target *target);
/* The name of a port: the name of its result or source. names: by process. */
const char *port_name(const struct circuit *circuit, const struct process *p,
                      const char *const names[]);

#endif
