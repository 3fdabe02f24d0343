/* --machine and --choice, and lists of what they may give. */
#ifndef FLTC_COMMAND_CHOICES_H
#define FLTC_COMMAND_CHOICES_H

#include "command/command.h"

/* Sets what --choice pins; false after a message. */
bool choices_take(struct command_context *c);
/* The options that pin them: " --choice rows=8 --choice band=64"; "": there are none. */
const char *choices_text(struct arena *arena, const struct choices *choices);
/* Prints the machines, or the choices with their values for the target. */
void machines_print(void);
void choices_print(const struct target *target);

#endif
