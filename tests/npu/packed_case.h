/* SPDX-License-Identifier: Apache-2.0 */
/* A test case in one file: an uncompressed ustar archive of a model, its inputs and golden outputs (pack.py). */
#ifndef TESTS_NPU_PACKED_CASE_H
#define TESTS_NPU_PACKED_CASE_H

#include "memory/types.h"

struct packed_case {
	u8 *bytes;
	u64 size;
};

/* A file inside a case; the bytes belong to the case. */
struct packed_file {
	char name[101];
	u8 *data;
	u64 size;
};

/* Reads the archive; false when it cannot be read. Free with packed_case_free. */
bool packed_case_read(struct packed_case *c, const char *path);
void packed_case_free(struct packed_case *c);

/* File number `index`, from 0; false when there are no more. */
bool packed_case_at(const struct packed_case *c, unsigned index, struct packed_file *out);
/* By name; false when there is none. */
bool packed_case_find(const struct packed_case *c, const char *name, struct packed_file *out);

#endif
