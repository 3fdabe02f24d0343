/* Modules that streams pass between processes; %s: what their names begin with. */
#ifndef FLTC_EMIT_VERILOG_LIBRARY_H
#define FLTC_EMIT_VERILOG_LIBRARY_H

extern const char verilog_fifo[], verilog_slice[], verilog_split[];

#endif
