/* SPDX-License-Identifier: Apache-2.0 */
/* The lists of sequences with a handler of their own, as files: cpu/engine/fused.def and fused_it.def. */
#ifndef TESTS_BENCH_LISTS_H
#define TESTS_BENCH_LISTS_H

#include <glib.h>

#include "sequences.h"

#define BUCKETS (1u << 14) /* IT blocks have the numbers from OP_COUNT, in 16 bits */

struct it_sequence { struct fused_it it; double weight; u64 count; };

/* An IT block of a list: its place in the table, and its share of all instructions. */
struct listed_it { u32 number; double weight; };

struct lists {
	struct it_sequence *table; /* of all IT blocks known, BUCKETS of them */
	char *head, *it_head;      /* comments that the files begin with */
	GArray *sequences;         /* struct chosen */
	GArray *it;                /* struct listed_it */
};

/* Empty lists; they live as long as the process. */
void lists_init(struct lists *l);

/* The number of an IT block in the table, where it is entered when it is new. */
u32 lists_it_number(struct it_sequence *table, const struct fused_it *it);

/* Reads lists as lists_write made them; false, with a message, where a file cannot be read or has another line. */
bool lists_read(struct lists *l, const char *path, const char *it_path);

/* Is it among l->sequences, or l->it? */
bool lists_have(const struct lists *l, const struct fused *sequence);
bool lists_have_it(const struct lists *l, u32 number);

/* Writes both files; false, with a message, where that fails. */
bool lists_write(const struct lists *l, const char *path, const char *it_path);

#endif
