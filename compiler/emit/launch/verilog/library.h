/* Modules that streams pass between processes; %s: what their names begin with. Of a FIFO also the
 * kind of its memory, and the attributes of that. */
#ifndef FLTC_EMIT_VERILOG_LIBRARY_H
#define FLTC_EMIT_VERILOG_LIBRARY_H

extern const char verilog_fifo[], verilog_slice[], verilog_split[];

#endif
