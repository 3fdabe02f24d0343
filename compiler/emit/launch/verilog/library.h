/* Modules between processes. %s: the prefix of their names; for a FIFO also the kind of its memory
 * and its attributes. */
#ifndef FLTC_EMIT_VERILOG_LIBRARY_H
#define FLTC_EMIT_VERILOG_LIBRARY_H

extern const char verilog_align[], verilog_fifo[], verilog_slice[], verilog_split[];

#endif
