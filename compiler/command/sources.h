/* The files that a program is made from: what output depends on, and what it must not overwrite. */
#ifndef FLTC_COMMAND_SOURCES_H
#define FLTC_COMMAND_SOURCES_H

#include "command/command.h"

/* Modules, the main one first, and the headers of the C functions that they declare; each once. */
struct word_list sources_of(struct command_context *c, const struct module_set *modules);
/* Whether the path is none of the command's own sources, headers and files behind --with, by
 * whatever name or link. False after a message. */
bool sources_are_spared(struct command_context *c, const char *path);

#endif
