/* SPDX-License-Identifier: Apache-2.0 */
/* Text that grows: answers to a debugger. Bytes may be any, also 0. */
#ifndef SIM_GDB_TEXT_H
#define SIM_GDB_TEXT_H

#include "memory/types.h"

/* All zero: empty. Where host memory is short the text ends early. */
struct text { char *data; size_t bytes, room; };

void text_clear(struct text *t); /* empty; keeps its memory */
void text_free(struct text *t);  /* empty; gives it back */
void text_bytes(struct text *t, const void *data, size_t bytes); /* appends */
/* Appends at most 1023 characters. */
void text_add(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_hex(struct text *t, const void *data, size_t bytes); /* two digits a byte */

/* Reads hexadecimal digits at *at up to the first other character, which *at points to then. False: there are
 * none, or more than the number holds. */
bool hex_number(const char **at, u64 *out);
/* Two digits a byte. False: there are fewer. */
bool hex_bytes(const char *from, u8 *to, size_t bytes);

#endif
