/* SPDX-License-Identifier: Apache-2.0 */
/* The inputs of a target that lie in the tree: together they reach all that libFuzzer has reached (tests/fuzz/corpus.sh).
 * A file is compressed by zstd; in it an input is its size as a decimal number, a newline, its bytes. */
#ifndef TESTS_FUZZ_CORPUS_H
#define TESTS_FUZZ_CORPUS_H

#include "tests/fuzz/fuzz.h"

/* Reads the file; returns how many inputs it has, 0 with a message when there is no file. Ends the process if it is damaged. */
unsigned corpus_read(const char *path);

/* Input `index`, less than what corpus_read returned; returns its size. */
size_t corpus_input(unsigned index, u8 out[FUZZ_MAX_BYTES]);

#endif
