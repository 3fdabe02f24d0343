/* schedule_streams: circuit → circuit. Puts a FIFO where tokens wait, as deep as most of them are
 * there at once, and says when results come.
 *   before: difference takes in at once, and up 3 lines later
 *   after:  in → FIFO of 409 tokens → difference */
#include "circuit_pass.h"
#include "hardware/schedule.h"

const struct circuit *schedule_streams(const struct circuit *in, struct pass_context *context)
{
    return circuit_scheduled(context->output, context->scratch, in);
}
