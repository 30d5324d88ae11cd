/* SPDX-License-Identifier: Apache-2.0 */
/* Reads FlatBuffers in place (flatbuffers.dev, "Internals"). Every access is checked against the buffer's end. What lies
 * outside reads as absent and sets `bad`, which stays: a reader asks once, at its end. */
#ifndef RUNTIME_PROGRAM_FLAT_H
#define RUNTIME_PROGRAM_FLAT_H

#include <stdbool.h>
#include <stdint.h>

struct flat {
	const uint8_t *bytes;
	uint32_t size;
	bool bad;
};

/* Positions in the buffer; 0: absent. */
struct flat_table { uint32_t at, vtable, fields; };
struct flat_vector { uint32_t at, count; }; /* at: of element 0 */

/* Whether the four bytes behind the root's offset are these. */
bool flat_has_identifier(const struct flat *f, const char *identifier);

/* The root table. */
struct flat_table flat_root(struct flat *f);

/* Integer of `bytes` bytes (1 to 8) in field number `id`, zero-extended; `otherwise` when the field is not there. */
uint64_t flat_number(struct flat *f, struct flat_table t, unsigned id, unsigned bytes, uint64_t otherwise);

/* Table, vector of elements of `bytes` bytes, and string (its length in *bytes, ends with a zero) in a field. An absent
 * string is "". */
struct flat_table flat_child(struct flat *f, struct flat_table t, unsigned id);
struct flat_vector flat_vector(struct flat *f, struct flat_table t, unsigned id, unsigned bytes);
const char *flat_string(struct flat *f, struct flat_table t, unsigned id, uint32_t *bytes);

/* Element of a vector: an integer, zero-extended, or a table. */
uint64_t flat_element(struct flat *f, struct flat_vector v, uint32_t index, unsigned bytes);
struct flat_table flat_table_element(struct flat *f, struct flat_vector v, uint32_t index);

#endif
