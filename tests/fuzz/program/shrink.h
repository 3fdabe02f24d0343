/* A failing program → a smaller one that fails in the same way. */
#ifndef FLTC_FUZZ_SHRINK_H
#define FLTC_FUZZ_SHRINK_H

#include "program/batch.h"
#include "program/syntax.h"

/* Smaller modules, in the arena of s, that fail, until none of those that are a step smaller does.
 */
const struct module *shrink_module(const struct syntax *s, const struct module *module,
                                   bool (*fails)(const struct module *module, void *context),
                                   void *context);

/* Statements, formals and terms are dropped, expressions replaced by a part or by 1, extents made
 * smaller, while the program fails with the same kind and detail. The result is in the session's
 * permanent arena; program->module and program->sampling are replaced. */
void shrink_program(struct session *session, struct batch_program *program,
                    const struct toolchain *toolchain, const struct finding *finding);

#endif
