/* What printers of circuits ask of streams and windows. */
#ifndef FLTC_EMIT_CIRCUIT_PARTS_H
#define FLTC_EMIT_CIRCUIT_PARTS_H

#include "hardware/registers.h"

/* Bits of one element, of all elements of a token, and of a port that carries them in whole
 * bytes. */
unsigned element_bits(const struct stream *stream);
unsigned token_bits(const struct stream *stream);
unsigned port_bits(const struct stream *stream);
/* What an edge brings. */
const struct stream *process_edge(const struct circuit *circuit, const struct process *p,
                                  unsigned edge);
/* By table: whether it is written and the process reads it. */
const bool *written_tables_read(struct arena *arena, const struct circuit *circuit,
                                const struct process *p);
/* What a port is called: the result, or the source's name, by process, of `names`. */
const char *port_name(const struct circuit *circuit, const struct process *p,
                      const char *const names[]);

#endif
