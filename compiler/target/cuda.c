/* CUDA C++: kernels of blocks of threads on a device of its own, launched by the host. */
#include "target/target.h"

/* -Bsymbolic: a filter may be called error, or exit */
static const char *const flags[] = {"-O3", "-arch=native", "-shared",    "-Xcompiler", "-fPIC,-w",
                                    "-w",  "-Xlinker",     "-Bsymbolic", NULL};
static const char *const code_flags[] = {"-O3", "-cubin", "-w", NULL};
static const char *const libraries[] = {NULL};
static const struct target_compiler compiler = {
    .variable = "NVCC",
    .name = "nvcc",
    .elsewhere = "/usr/local/cuda/bin/nvcc",
    .kind = "CUDA compiler",
    .flags = flags,
    .libraries = libraries,
    .code_flags = code_flags,
    .cure_missing = "install NVIDIA's CUDA Toolkit, or name its compiler: NVCC=/path/nvcc",
};

const struct target target_cuda = {
    .name = "cuda",
    .description = "CUDA C++",
    .is_public = true,
    .execution = EXECUTION_GRID,
    .times_device = true,
    .fast = {48 * 1024, OWNER_BLOCK},
    .frame_bytes = 2048,
    .block_threads = 1024,
    .compiler = &compiler,
};
