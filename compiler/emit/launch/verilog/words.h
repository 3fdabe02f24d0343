/* Reserved words: no module and no net can have these names. */
#ifndef FLTC_EMIT_VERILOG_WORDS_H
#define FLTC_EMIT_VERILOG_WORDS_H

/* Words of IEEE 1364-2001 and, as tools read this as SystemVerilog too, of IEEE 1800-2017; and what
 * modules of the library are called. Ends with NULL. */
extern const char *const verilog_words[];

#endif
