#include "emit/launch/verilog/verilog.h"

static const char text[] =
    "# rtl-sim: the circuit in Verilator against the C of the filter. lint: what "
    "Verilator\n"
    "# and Icarus Verilog say of it. area: what yosys makes of it for Xilinx devices of series 7.\n"
    "VERILATOR ?= verilator\n"
    "YOSYS     ?= yosys\n"
    "CC        ?= cc\n"
    "FRAMES    ?= 3\n"
    "SEED      ?= 1\n\n"
    "rtl-sim: obj_%s/V%s\n"
    "\t./obj_%s/V%s $(FRAMES) $(SEED)\n"
    "obj_%s/V%s: %s.v %s_rtl.cpp %s_model.c\n"
    "\t$(CC) -O2 -std=c99 -c %s_model.c -o %s_model.o\n"
    "\t$(VERILATOR) -Wno-fatal --cc --exe --build -DFLT_WATCH -CFLAGS '-O1 -I..' --Mdir obj_%s \\\n"
    "\t  --top-module %s %s.v %s_rtl.cpp ../%s_model.o > obj_%s.log 2>&1 || { cat obj_%s.log; exit "
    "1; }\n"
    "lint:\n"
    "\t$(VERILATOR) --lint-only -Wall -Wno-DECLFILENAME -Wno-UNUSED --top-module %s %s.v\n"
    "\tiverilog -g2001 -Wall -t null -s %s %s.v\n"
    "area:\n"
    "\t$(YOSYS) -q -p 'read_verilog %s.v; synth_xilinx -family xc7 -flatten -top %s; tee -o "
    "%s_area.txt stat'\n"
    "clean:\n"
    "\trm -rf obj_%s obj_%s.log %s_model.o %s_area.txt\n"
    ".PHONY: rtl-sim lint area clean\n";

/* The text with each %s replaced by the stem. */
struct emitted_file verilog_makefile(struct verilog *v)
{
    struct text out = text_create(v->session->ir);
    for (const char *at = text; *at;) {
        const char *next = strstr(at, "%s");
        text_append(&out, at, next ? (size_t)(next - at) : strlen(at));
        if (!next)
            break;
        text_append(&out, v->stem, strlen(v->stem));
        at = next + 2;
    }
    return (struct emitted_file){"Makefile", out.bytes, out.length};
}

struct emitted_file verilog_constraints(struct verilog *v)
{
    struct text out = text_create(v->session->ir);
    text_print(&out,
               "# The clock of %s where it is synthesized by itself:\n"
               "#   read_verilog %s.v; read_xdc -mode out_of_context %s.xdc\n"
               "#   synth_design -mode out_of_context -top %s -part %s\n"
               "# In a design the clock comes with what drives aclk.\n"
               "create_clock -period %s -name aclk [get_ports aclk]\n",
               v->stem, v->stem, v->stem, v->stem, v->target->circuit.part,
               circuit_period(v->arena, v->target));
    return (struct emitted_file){arena_format(v->session->ir, "%s.xdc", v->stem), out.bytes,
                                 out.length};
}
