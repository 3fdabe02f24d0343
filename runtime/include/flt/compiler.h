/* libfltc: the text of a program → source files, in the process of the caller.
 *
 *     struct flt_request request = {sizeof request, .path = "unsharp.flt", .text = text, .length = length};
 *     struct flt_compilation made = flt_compile(&request);
 *     if (made.status == FLT_COMPILED)
 *         for (size_t i = 0; i < made.file_count; i++) ... made.file[i].name, made.file[i].text ...
 *     else
 *         fputs(made.message_text, stderr);
 *     flt_compilation_free(&made);
 *
 * Nothing is printed or written, no process is started and no signal is handled. Calls may run at
 * the same time. A call takes 2 to 100 ms and 5 to 50 MB, which flt_compilation_free returns. */
#ifndef FLT_COMPILER_H
#define FLT_COMPILER_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum flt_request_flag {
    FLT_WITH_INTERFACE = 1, /* also NAME.json, and NAME_call of flt/filter.h */
    FLT_WITH_BOXES = 2,     /* also NAME_box.c, with NAME_run_box */
    FLT_FAST = 4,           /* floats may be reordered and rounded less often */
    /* Programs may call functions of C: what they declare is taken as it is written, and no header
     * is read. Without it such programs are refused, as their code would run with your rights. */
    FLT_TRUSTS_DECLARATIONS = 8
};

struct flt_request {
    size_t size;         /* sizeof (struct flt_request), for fields that later versions add */
    const char *path;    /* of the program, for messages; files that it imports lie beside it */
    const char *text;    /* UTF-8, not NULL-terminated; NULL: that of the file */
    size_t length;       /* of the text, in bytes */
    unsigned flags;      /* a sum of flt_request_flag */
    const char *filter;  /* NULL: the one to compile, as for fltc */
    const char *target;  /* "c", "cuda", "opencl" or "simulator"; NULL: "c" */
    const char *machine; /* one of `fltc explain machines`; NULL: the target's own */
    /* "sigma=2": of constants, and of parameters, which become constants; ends with NULL. */
    const char *const *settings;
    const char *const *types; /* "T=u8": of type variables; ends with NULL */
    const char *stem;         /* what the names of the files begin with; NULL: the filter's name */
    /* The text of a file, of the program or one that it imports, in memory that lives as long as
     * the call; it returns NULL where there is none. Called in the thread of the call. NULL: files
     * are read. */
    const char *(*text_of)(void *context, const char *path, size_t *length);
    void *context; /* of text_of */
};

enum flt_compilation_status {
    FLT_COMPILED,
    FLT_REFUSED,        /* the program or the request is wrong, which messages explain */
    FLT_COMPILER_FAULT, /* a defect of fltc: message_text is one line about it */
    FLT_NO_MEMORY
};

struct flt_file {
    const char *name; /* without a folder: "unsharp.c" */
    const char *text; /* ends with a NUL, which is not counted */
    size_t length;
};

struct flt_compilation {
    int status;                  /* of flt_compilation_status */
    const struct flt_file *file; /* source, header, then interface and boxes */
    size_t file_count;           /* 0 unless FLT_COMPILED */
    const char *messages;     /* JSON, an object a line as of `fltc --diagnostics=json`; "": none */
    const char *message_text; /* the same for people, with the lines of the program */
    void *memory;             /* of all these */
};

struct flt_compilation flt_compile(const struct flt_request *request);
void flt_compilation_free(struct flt_compilation *compilation);
/* "MAJOR.MINOR.PATCH" */
const char *flt_compiler_version(void);

#ifdef __cplusplus
}
#endif
#endif
