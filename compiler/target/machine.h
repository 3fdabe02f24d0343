/* Machines that code of a target runs on: rows of machines.def. What passes need of one follows
 * from its figures. */
#ifndef FLTC_TARGET_MACHINE_H
#define FLTC_TARGET_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

struct machine {
    const char *name, *description;
    bool is_device; /* blocks of threads; else cores, each with a cache of its own */
    /* Of a multiprocessor, or of a core: */
    unsigned lanes;        /* operations of f32 that it begins in a clock */
    unsigned banks;        /* samples of 32 bits that its fast memory gives in a clock */
    unsigned shared_bytes; /* its fast memory: what blocks share, or the core's own cache */
    unsigned warp;         /* threads that go together; 1: a core */
    unsigned resident_threads, registers; /* registers: of 32 bits, of all its threads */
    unsigned resident_blocks;             /* 0: not known, nor the next two */
    unsigned register_unit;               /* a thread has a multiple of so many */
    unsigned block_bytes;                 /* of fast memory, that a block takes beside its own */
    /* Of the machine: */
    unsigned multiprocessors; /* or cores */
    unsigned sector;          /* bytes that memory gives at once */
    unsigned access_bytes;    /* that a thread loads or stores at once */
    unsigned l2_bytes;        /* of the cache that all share */
    double f32_rate;          /* operations a second; a product and a sum are two */
    double f64_rate;
    double bytes_a_second;    /* of memory */
    double launch_seconds;    /* of a kernel; 0: a call */
    const char *architecture; /* of a device, as its compiler calls it */
};

extern const struct machine machine_list[]; /* ends with a NULL name */
/* NULL: none of these cores, or devices, has the name. */
const struct machine *machine_find(const char *name, bool is_device);
enum { MACHINES_TEXT = 128 };
/* The names of devices, or of cores: "generic, h100". */
const char *machine_names(bool is_device, char text[MACHINES_TEXT]);

/* What costs as much, in operations of one lane: a byte moved to or from memory, a sample read from
 * fast memory, another kernel; and in sequential operations of a thread: another kernel. */
unsigned machine_byte_cost(const struct machine *machine);
unsigned machine_load_cost(const struct machine *machine);
double machine_kernel_cost(const struct machine *machine);
unsigned machine_launch_cost(const struct machine *machine);
/* Blocks that a multiprocessor holds at a time; 0: not known. */
int64_t machine_resident_blocks(const struct machine *machine, int64_t threads, int64_t registers,
                                int64_t shared_bytes);

/* What threads do. Compilers compute once what samples have in common, so that stencils take fewer
 * operations. */
struct machine_steps {
    double operations; /* with loads and stores, but those of registers */
    double words;      /* from and to shared memory and the caches of multiprocessors */
};
/* What a kernel takes at least, in seconds. */
struct machine_time {
    double memory, operations, words; /* all of them, at the rates of the machine */
    double thread;                    /* one thread's operations, one after another */
    double launch;
};
/* bytes: from and to memory; all, own: of all threads, and of the one that has most to do. */
struct machine_time machine_time_of(const struct machine *machine, double bytes,
                                    struct machine_steps all, struct machine_steps own);
/* The longest, besides the launch; and what that is, in a word. */
double machine_longest(const struct machine_time *time, const char **word);

#endif
