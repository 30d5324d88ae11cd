/* SPDX-License-Identifier: Apache-2.0 */
/* Suggestions for misspelt names. */
#ifndef SIM_NEAREST_H
#define SIM_NEAREST_H

/* The best of the names offered so far. Begin with { .word = what was given }. */
struct nearest {
	const char *word;
	const char *best; /* NULL: none offered */
	unsigned distance; /* single-character edits from word to best */
};

/* Considers one valid name; the first of several equally near ones stays. */
void nearest_offer(struct nearest *n, const char *name);

/* "; the nearest is 'PREFIXname'", to be put into a message, or "" when no name has much in common
 * with the word. The result lies in `text`. */
enum { NEAREST_HINT = 160 };
const char *nearest_hint(const struct nearest *n, const char *prefix, char text[NEAREST_HINT]);

#endif
