/* SPDX-License-Identifier: Apache-2.0 */
/* An ExecuTorch program (.pte) in memory: its methods, segments and named data. Nothing is copied. */
#ifndef RUNTIME_PROGRAM_PROGRAM_H
#define RUNTIME_PROGRAM_PROGRAM_H

#include "runtime/program/data_file.h"

#define PROGRAM_ALIGNMENT 16 /* of the bytes of a program, so that tensors in it are aligned */

struct program {
	struct flat flat;           /* the part before the segments */
	struct flat_table root;
	const uint8_t *segments;    /* where offsets of segments count from; NULL: none */
	size_t segment_bytes;       /* to the end of the file */
	struct data_file *data;     /* its data in another file; NULL: none was given. Set it before a method is loaded */
};

/* Whether the bytes begin as a program does. */
bool program_is(const void *bytes, size_t size);

/* Opens the bytes, which must stay and be aligned to PROGRAM_ALIGNMENT. False with a line in `why`. */
bool program_open(struct program *p, const void *bytes, size_t size, char *why, size_t why_bytes);

/* A method by its name; NULL or "": "forward", else the first. Absent (at is 0) when there is none. */
struct flat_table program_method(struct program *p, const char *name);

/* A segment, or the named data `key` (not ended by a zero) of the program or its data file. */
struct span program_segment(struct program *p, uint64_t index);
struct span program_named_data(struct program *p, const char *key, size_t key_bytes);

/* What a list of offsets into a segment (SubsegmentOffsets) gives to entry `index`, `bytes` long. */
struct span program_part(struct program *p, struct flat_table list, uint64_t index, size_t bytes);

/* Data of a reference (BackendDelegateDataReference). */
struct span program_delegate_data(struct program *p, struct flat_table reference);

#endif
