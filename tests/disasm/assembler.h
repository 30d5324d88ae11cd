/* SPDX-License-Identifier: Apache-2.0 */
/* The assembler's opinion: is a text an instruction of Armv8.1-M, and with these bits? */
#ifndef TESTS_DISASM_ASSEMBLER_H
#define TESTS_DISASM_ASSEMBLER_H

#include "tests/disasm/objdump.h"

/* Sets valid[i] where the assembler makes the sample's encoding of the sample's text without a
 * complaint. False: it cannot be run. */
bool assembler_accepts(const struct sample *samples, unsigned count, bool *valid);

#endif
