/* SPDX-License-Identifier: Apache-2.0 */
/* Calls single kernels on the host, for tests (tests/runtime/kernel_rig.py). */
#ifndef RUNTIME_HOST_RIG_H
#define RUNTIME_HOST_RIG_H

#include "runtime/core/kernel.h"

/* Signature of a kernel by its name with overload; NULL when there is none. */
const char *rig_signature(const char *name);

/* Runs it as the executor does: arguments are checked, then `temp` is the kernel's temporary memory. False with a
 * line in `why`. */
bool rig_call(const char *name, struct value *const *args, unsigned count, void *temp, size_t temp_bytes, char *why,
	      size_t why_bytes);

#endif
