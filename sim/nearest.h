/* SPDX-License-Identifier: Apache-2.0 */
/* Suggestions for misspelt names. */
#ifndef SIM_NEAREST_H
#define SIM_NEAREST_H

/* Number of single-character edits between two words (Levenshtein). */
unsigned edit_distance(const char *a, const char *b);

#endif
