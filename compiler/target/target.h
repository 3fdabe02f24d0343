/* What a target has. Passes ask for facts, never which target it is. */
#ifndef FLTC_TARGET_TARGET_H
#define FLTC_TARGET_TARGET_H

#include <stdbool.h>

struct dialect;
struct circuit_language;

/* How a kernel is executed. */
enum execution_model {
    EXECUTION_CORES,    /* loops on cores that have caches */
    EXECUTION_GRID,     /* a launch of blocks of threads */
    EXECUTION_DATAFLOW, /* a circuit that samples flow through */
};

/* Who has fast memory to itself. */
enum memory_owner { OWNER_NONE, OWNER_CORE, OWNER_BLOCK };

/* The program of the system that compiles what is emitted, for commands that run filters. */
struct target_compiler {
    const char *variable;                        /* of the environment, which may name it */
    const char *name, *elsewhere;                /* on the PATH; where it is besides, or NULL */
    const char *kind;                            /* "C compiler" */
    const char *const *flags, *const *libraries; /* each ends with NULL */
    const char *cure_missing;                    /* what to do where there is none */
    const char *cure_refused; /* where it refuses emitted code; NULL: nothing is known */
    bool may_be_missing;      /* filters are interpreted then */
};

struct target {
    const char *name;
    const char *description;
    bool is_public; /* listed in the help */
    enum execution_model execution;
    bool has_threads;      /* loops over cores */
    bool has_vectors;      /* loops in vector lanes */
    bool has_cache_bypass; /* stores past the caches */
    /* Kernels run where the program around them does: they call its functions of C and its
     * libraries, and are compiled for several of its processors. */
    bool runs_on_host;
    struct {
        unsigned bytes; /* for what the owner computes in a tile */
        enum memory_owner owner;
    } fast;
    unsigned byte_cost;     /* of a byte moved to or from memory, in operations of a vector lane */
    unsigned load_cost;     /* of a sample that is read in fast memory, in the same */
    unsigned launch_cost;   /* of one kernel more, in operations of a thread, one after another */
    unsigned frame_bytes;   /* of values that kernels are handed, at most */
    unsigned block_threads; /* most threads of a block; 0: there are no blocks */
    struct { /* of a circuit */
        unsigned adders_a_clock; /* that may follow each other between two registers */
        bool registers_memory;   /* a register stands behind memory of lines */
        double megahertz;          /* 0: the usual clock */
        unsigned long long memory; /* bits of lines and FIFOs, at most; 0: as many as it needs */
        unsigned pixels;         /* samples of a line that a token has; 0 or 1: one */
        unsigned ready_chain;    /* processes that one `ready` may run through */
        const struct circuit_language *language;
    } circuit;
    const struct dialect *dialect;
    const struct target_compiler *compiler; /* NULL: no command runs its filters */
};

/* What passes may need; a set is a sum. */
enum target_fact {
#define FACT(name, bit, text, condition) FACT_##name = 1 << bit,
#include "target/facts.def"
#undef FACT
};

extern const struct target *const target_list[]; /* ends with NULL */
/* NULL where no target has the name. */
const struct target *target_find(const char *name);
/* "c cuda opencl": those that are public. */
const char *target_names(char text[128]);
/* The set of its facts. */
unsigned target_facts(const struct target *target);
enum { FACTS_TEXT = 128 };
/* The words of a set, separated by a space; "" for none. */
const char *target_facts_text(unsigned facts, char text[FACTS_TEXT]);
/* Memory of a block of threads; 0: none. */
unsigned target_shared_bytes(const struct target *target);

#endif
