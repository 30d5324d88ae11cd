/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/params/nearest.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 127 };

static unsigned least(unsigned a, unsigned b, unsigned c)
{
	const unsigned ab = a < b ? a : b;

	return ab < c ? ab : c;
}

/* Number of single-character edits between two words (Levenshtein). */
static unsigned edit_distance(const char *a, const char *b)
{
	unsigned row[LONGEST + 1];
	const size_t n = strnlen(b, LONGEST);

	for (unsigned j = 0; j <= n; j++)
		row[j] = j;
	for (unsigned i = 1; *a; a++, i++) {
		unsigned diagonal = row[0];

		row[0] = i;
		for (unsigned j = 1; j <= n; j++) {
			const unsigned above = row[j];

			row[j] = least(above + 1, row[j - 1] + 1, diagonal + (*a != b[j - 1]));
			diagonal = above;
		}
	}
	return row[n];
}

void nearest_offer(struct nearest *n, const char *name)
{
	const unsigned distance = edit_distance(n->word, name);

	if (n->best && distance >= n->distance)
		return;
	n->best = name;
	n->distance = distance;
}

const char *nearest_hint(const struct nearest *n, const char *prefix, char text[NEAREST_HINT])
{
	*text = 0;
	if (n->best && n->distance <= (strlen(n->word) + 1) / 2)
		snprintf(text, NEAREST_HINT, "; the nearest is '%s%s'", prefix, n->best);
	return text;
}
