/* SPDX-License-Identifier: Apache-2.0 */
/* Batches: cases as a file for the guest, results read back, QEMU run on it. */
#ifndef TESTS_DIFFERENTIAL_BATCH_H
#define TESTS_DIFFERENTIAL_BATCH_H

#include "tests/differential/gen.h"

/* A growing byte buffer. */
struct buffer { u8 *data; u64 bytes, room; };
void buffer_add(struct buffer *b, const void *data, u64 bytes);
/* Appends a file; false: it cannot be read. */
bool buffer_load(struct buffer *b, const char *path);
void buffer_free(struct buffer *b);

/* Starts a batch file; then cases are appended, each cut after `units` units. */
void batch_begin(struct buffer *b, u64 seed);
void batch_add(struct buffer *b, const struct gen_case *c, u32 units);

/* Result number by number: at = 0 for the first; returns NULL behind the last or on damage. */
const struct case_out *result_next(const u8 *data, u64 bytes, u64 *at);
const u32 *result_pairs(const struct case_out *r);
bool result_equal(const struct case_out *a, const struct case_out *b);

/* Runs QEMU on a batch in its own directory; waits in qemu_finish. NULL: cannot be started. */
struct qemu;
struct qemu *qemu_start(const char *elf, const struct buffer *batch);
/* True when it ended well; takes the results and removes the directory. */
bool qemu_finish(struct qemu *q, struct buffer *results);

#endif
