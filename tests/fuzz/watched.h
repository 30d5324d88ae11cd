/* SPDX-License-Identifier: Apache-2.0 */
/* A folder that a guest may write to, watched from outside: nothing beside it may change. */
#ifndef TESTS_FUZZ_WATCHED_H
#define TESTS_FUZZ_WATCHED_H

#include <stdbool.h>

/* The guest's folder; the first call makes it, and it goes when the program ends. */
const char *watched_folder(void);

/* Empties the folder; with `traps` there are two files in it and links out of it. Files are limited to some hundred KiB up to the check. */
void watched_prepare(bool traps);

/* Ends the program when anything outside the folder is not as it was. */
void watched_check(void);

#endif
