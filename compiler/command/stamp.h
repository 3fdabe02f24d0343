/* --stamp: beside each result a file of text that tells what it was made of, to be checked again by
 * sha256sum -c or shasum -c. */
#ifndef FLTC_COMMAND_STAMP_H
#define FLTC_COMMAND_STAMP_H

#include "command/execute.h"

/* Whether all that a run reads and saves is in files. False after a message. */
bool stamp_suits(const struct execution *x);
/* After a run has saved its results to the files of c->saved: writes FILE.stamp for each, and
 * empties the list. Its lines are, in this order,
 *   # fltc VERSION, target NAME, filter NAME
 *   # NAME = VALUE      for each parameter, and each constant that is set
 *   # OPTION VALUE      for each option that may change samples
 *   HASH  FILE          for the program, its imports and headers, each file of --with, each image,
 *                       and the result: SHA-256 of the file, as sha256sum writes it.
 * Names are those of the command line. False after a message. */
bool stamp_write(struct execution *x);

#endif
