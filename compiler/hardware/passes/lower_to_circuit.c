/* lower_to_circuit: graph → circuit. Makes a pipe of each stage, and windows of what it reads at
 * other places.
 *   before: out[y, x] = in[y - 1 clamp, x] + in[y + 1 clamp, x]
 *   after:  source in → window in.column along lines, taps -1 .. 1 → pipe out → sink out.out
 * The graph is one that circuit_from_graph does not refuse, which whoever runs the pass has asked.
 * */
#include "circuit_pass.h"
#include "hardware/lower.h"

#include <assert.h>

const struct circuit *lower_to_circuit(const struct graph *in, struct pass_context *context)
{
    struct refusal refusal;
    const struct circuit *out = circuit_from_graph(context->session, in, &refusal);
    assert(out && "a graph that can stream");
    return out;
}
