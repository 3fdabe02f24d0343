/* Reads what expr_print.h prints. After a mistake (reader.ir.failed) all results are harmless
 * stand-ins; nothing is NULL. */
#ifndef FLTC_EXPR_EXPR_READ_H
#define FLTC_EXPR_EXPR_READ_H

#include "expr/expr_print.h"

struct expr_reader {
    struct ir_reader ir;
    struct expr_pool *pool;
    struct hash_map known;              /* spelling → what a variable or %3 stands for */
    struct hash_map ids;                /* spelling of a stage or buffer → id + 1 */
    VECTOR(struct expr_source) sources; /* by id */
    bool widened; /* passes may have widened intervals beyond 64 bits */
};

struct expr_reader expr_reader_open(struct session *session, const char *name, const char *text,
                                    size_t length);
/* The lines `variable x : index i32 0 .. 99`. */
void expr_read_variables(struct expr_reader *reader);
/* The lines `%1 = add(x, 1)`, if any stand here. */
void expr_read_shared(struct expr_reader *reader);
const struct expr *expr_read(struct expr_reader *reader);
/* A variable of the table. */
const struct expr *expr_read_variable(struct expr_reader *reader, enum variable_kind kind);
enum scalar expr_read_type(struct expr_reader *reader, struct interval *interval);

/* Takes the name of a new stage or buffer, which gets the next id and can be read from now on.
 * Its type follows later, in sources.item[id]. */
const struct symbol *expr_read_new_source(struct expr_reader *reader, uint32_t *id);
/* Takes the name (or #7) of a stage or buffer that was read before. */
uint32_t expr_read_source(struct expr_reader *reader);

#endif
