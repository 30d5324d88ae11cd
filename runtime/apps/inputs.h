/* SPDX-License-Identifier: Apache-2.0 */
/* The file of make-runner's --input: all inputs, one behind the other. Compiles on the host, too. */
#ifndef RUNTIME_APPS_INPUTS_H
#define RUNTIME_APPS_INPUTS_H

#include "runtime/executor/method.h"

/* Bytes of the file that an input takes. */
size_t input_bytes(const struct value *v);

/* Those of all inputs of a method. */
uint64_t inputs_bytes(const struct method *m);

/* Whether the file has all inputs and no more. False with a line in `why`. */
bool inputs_fit(uint64_t given, uint64_t wanted, char *why, size_t why_bytes);

#endif
