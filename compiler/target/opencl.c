/* OpenCL C 1.2: kernels of blocks of threads on a device, which a driver compiles. */
#include "target/target.h"

/* -Bsymbolic: a filter may be called error, or exit */
static const char *const flags[] = {"-std=gnu17",     "-O2", "-shared", "-fPIC", "-w",
                                    "-Wl,-Bsymbolic", NULL};
static const char *const libraries[] = {"-lOpenCL", "-lm", NULL};
static const struct target_compiler compiler = {
    .variable = "CC",
    .name = "cc",
    .kind = "C compiler",
    .flags = flags,
    .libraries = libraries,
    .cure_missing = "install gcc or clang, or name one: CC=gcc",
    .cure_refused = "it needs OpenCL's headers and library (Debian: opencl-c-headers, "
                    "ocl-icd-opencl-dev)",
};

const struct target target_opencl = {
    .name = "opencl",
    .description = "OpenCL C 1.2, in a file of C",
    .is_public = true,
    .execution = EXECUTION_GRID,
    .fast = {32 * 1024, OWNER_BLOCK},
    .frame_bytes = 640, /* of the 1,024 that kernels may take, with pointers, strides and extents */
    .block_threads = 256,
    .compiler = &compiler,
};
