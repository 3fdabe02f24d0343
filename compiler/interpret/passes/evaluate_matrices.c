/* evaluate_matrices: graph → graph. What states become over a segment of constant coefficients is
 * evaluated, as evaluate_tables does with other tables, and within its limits.
 *   before: s.response[k, i] = a s.response[k, i - 1] …   out.matrix[k, i in 4160 ..] = s.response[k, i - 1]
 *   after:  out.matrix = { 1.2e-17 … } */
#include "interpret/fold_tables.h"

const struct graph *evaluate_matrices(const struct graph *in, struct pass_context *context)
{
    return fold_tables(in, context);
}
