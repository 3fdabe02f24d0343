/* How designs are built: by any compiler of C++, and by the vendor. */
#include "emit/launch/hls/hls.h"

const char hls_vendor_makefile[] =
    "csynth:\n"
    "\t@command -v v++ > /dev/null || { echo \"csynth and cosim need v++ of Vitis on the PATH\" "
    ">&2; exit 1; }\n"
    "\tv++ -c --mode hls --config hls_config.cfg --work_dir work_%s\n"
    "cosim: csynth\n"
    "\tvitis-run --mode hls --cosim --config hls_config.cfg --work_dir work_%s\n"
    "clean:\n"
    "\trm -rf csim_%s bounded_%s %s.o %s_model.o work_%s %s_hls\n"
    ".PHONY: csim csim-bounded lint csynth cosim clean\n";

const char hls_tcl[] = "# C simulation, synthesis and simulation of its result.\n"
                       "# vitis-run --mode hls --tcl run_hls.tcl, or vitis_hls -f run_hls.tcl\n"
                       "open_project -reset %s_hls\n"
                       "set_top %t\n"
                       "add_files %s.%e -cflags \"%f\"\n"
                       "add_files -tb \"%s_tb.cpp %s_model.c\" -cflags \"%f\"\n"
                       "open_solution -reset solution -flow_target vivado\n"
                       "set_part %p\n"
                       "create_clock -period %c -name default\n"
                       "csim_design\n"
                       "csynth_design\n"
                       "cosim_design -random_stall\n"
                       "exit\n";

const char hls_config[] =
    "# v++ -c --mode hls --config hls_config.cfg --work_dir work_%s\n"
    "# vitis-run --mode hls --csim (or --cosim) --config hls_config.cfg --work_dir work_%s\n"
    "part=%p\n"
    "\n"
    "[hls]\n"
    "flow_target=vivado\n"
    "clock=%cns\n"
    "syn.file=%s.%e\n"
    "syn.cflags=%f\n"
    "syn.top=%t\n"
    "tb.file=%s_tb.cpp\n"
    "tb.file=%s_model.c\n"
    "tb.cflags=%f\n"
    "cosim.random_stall=true\n"
    "package.output.format=ip_catalog\n";
