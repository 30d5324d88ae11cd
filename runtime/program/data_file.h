/* SPDX-License-Identifier: Apache-2.0 */
/* Data that a program keeps in a file of its own (.ptd, ExecuTorch's FlatTensor "FT01"): blobs by name. Nothing is
 * copied. */
#ifndef RUNTIME_PROGRAM_DATA_FILE_H
#define RUNTIME_PROGRAM_DATA_FILE_H

#include "runtime/program/flat.h"

#include <stddef.h>

struct span {
	const uint8_t *data; /* NULL: there is none */
	size_t bytes;
};

struct data_file {
	struct flat flat;
	struct flat_table root;
	const uint8_t *segments; /* where offsets of segments count from */
	size_t segment_bytes;
};

#define DATA_FILE_ALIGNMENT 16 /* of the bytes of a file, so that tensors in it are aligned */

/* Opens the bytes, which must stay and be aligned. False with a line in `why`. */
bool data_file_open(struct data_file *d, const void *bytes, size_t size, char *why, size_t why_bytes);

/* The data `key` (not ended by a zero). */
struct span data_file_find(struct data_file *d, const char *key, size_t key_bytes);

/* Segment number `index` of a list of segments; those of programs are alike. */
struct span data_segment(struct flat *f, struct flat_vector segments, uint64_t index, const uint8_t *base, size_t bytes);

/* What a list of named data gives as the number of a segment; false when the key is not among them. */
bool data_segment_of(struct flat *f, struct flat_vector names, const char *key, size_t key_bytes, uint64_t *index);

#endif
