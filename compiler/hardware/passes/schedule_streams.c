/* schedule_streams: circuit → circuit. Inserts a FIFO where tokens wait, deep enough for the
 * greatest number of waiting tokens, and computes the clocks of results.
 *   before: difference takes in at once, and up 3 lines later
 *   after:  in → FIFO of 409 tokens → difference */
#include "circuit_pass.h"
#include "hardware/schedule.h"

const struct circuit *schedule_streams(const struct circuit *in, struct pass_context *context)
{
    return circuit_scheduled(context->output, context->scratch, in);
}
