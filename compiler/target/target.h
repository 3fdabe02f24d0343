/* Facts about a target. Passes ask for facts, never for the name of the target. */
#ifndef FLTC_TARGET_TARGET_H
#define FLTC_TARGET_TARGET_H

#include "target/machine.h"

#include <stddef.h>

/* How a kernel is executed. */
enum execution_model {
    EXECUTION_CORES,    /* loops on cores that have caches */
    EXECUTION_GRID,     /* a launch of blocks of threads */
    EXECUTION_DATAFLOW, /* a circuit that samples flow through */
};

/* Who owns a piece of fast memory. */
enum memory_owner { OWNER_NONE, OWNER_CORE, OWNER_BLOCK };

/* The system's compiler for emitted code, which commands call to run filters. */
struct target_compiler {
    const char *variable;                        /* the environment variable that may name it */
    const char *name, *elsewhere;                /* its name on the PATH; another path, or NULL */
    const char *kind;                            /* "C compiler" */
    const char *const *flags, *const *libraries; /* each ends with NULL */
    const char *cure_missing;                    /* what to do if it is missing */
    const char *cure_refused; /* what to do if it refuses emitted code; NULL: unknown */
    bool may_be_missing;      /* without it, filters are interpreted */
    /* With which it makes a file of a device's machine code (machine_code.h); ends with NULL. NULL:
     * it makes none. */
    const char *const *code_flags;
};

struct target {
    const char *name;
    const char *description;
    bool is_public; /* listed in the help */
    enum execution_model execution;
    bool has_threads;      /* loops over cores */
    bool has_vectors;      /* loops in vector lanes */
    bool has_cache_bypass; /* non-temporal stores */
    /* Kernels run in the host process: they can call its C functions and libraries, and can be
     * compiled for several processors. */
    bool runs_on_host;
    bool times_device; /* emitted code can read the clock of the device that it runs on */
    struct {
        unsigned bytes; /* that its language allows a tile of the owner; 0: any number */
        enum memory_owner owner;
    } fast;
    const struct machine *machine; /* that it is compiled for; NULL: the generic one */
    unsigned frame_bytes;          /* greatest size of the values passed to kernels */
    unsigned block_threads;        /* most threads of a block; 0: there are no blocks */
    struct {                       /* of a circuit */
        unsigned adders_a_clock;   /* that may be in sequence between two registers */
        bool registers_memory;     /* line memories have an output register */
        double megahertz;          /* of the clock that it is made for */
        const char *part;          /* the device in files for the vendor's tools */
        unsigned long long memory; /* greatest number of bits of lines and FIFOs; 0: no limit */
        unsigned pixels;           /* samples of a line per token; 0 or 1: one */
        unsigned ready_chain;      /* processes that a `ready` may pass through in a clock */
    } circuit;
    const struct target_compiler *compiler; /* NULL: no command runs its filters */
};

/* What passes may need; a set is a sum. */
enum target_fact {
#define FACT(name, bit, text, condition) FACT_##name = 1 << bit,
#include "target/facts.def"
#undef FACT
};

extern const struct target *const target_list[]; /* ends with NULL */
/* NULL if no target has the name. */
const struct target *target_find(const char *name);
/* The names of public targets: "c cuda opencl". */
const char *target_names(char text[128]);
/* The set of its facts. */
unsigned target_facts(const struct target *target);
enum { FACTS_TEXT = 128 };
/* The words of a set of facts, separated by spaces; "" for none. */
const char *target_facts_text(unsigned facts, char text[FACTS_TEXT]);
const struct machine *target_machine(const struct target *target);
/* Bytes of fast memory for the data of a tile of its owner, a core or a block of threads. */
unsigned target_fast_bytes(const struct target *target);
/* Those of a block of threads; 0: none. */
unsigned target_shared_bytes(const struct target *target);

#endif
