/* SPDX-License-Identifier: Apache-2.0 */
/* What the drivers of real programs share. */
#include <stdlib.h>
#include <string.h>

#include "../programs/bench.h"

/* Text of words, lines and numbers, always the same; and a check value of bytes. */
void real_text(char *to, unsigned bytes);
unsigned real_sum(unsigned sum, const void *bytes, unsigned count);
