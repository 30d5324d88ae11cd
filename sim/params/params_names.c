/* SPDX-License-Identifier: Apache-2.0 */
/* Names of parameters: which one is meant, and what to say of one that there is not. */
#include "sim/params/params_names.h"
#include "sim/params/nearest.h"

#include <stdio.h>
#include <string.h>

/* True for the number of a serial port, which '#' in a parameter's name stands for. */
static bool is_port(char c)
{
	return c >= '0' && c < '0' + CONFIG_UARTS;
}

static bool matches(const char *pattern, const char *name, unsigned *digit)
{
	for (; *pattern && *name; pattern++, name++) {
		if (*pattern == '#' && is_port(*name))
			*digit = (unsigned)(*name - '0');
		else if (*pattern != *name)
			return false;
	}
	return *pattern == *name;
}

static const struct board_param *find(const struct board *board, const char *name, unsigned *digit)
{
	for (const struct board_param *p = board->params; p->name; p++)
		if (matches(p->name, name, digit))
			return p;
	return NULL;
}

const struct board_param *params_find(const struct board *board, const char *name, unsigned *digit)
{
	const struct board_param *p = find(board, name, digit);

	for (const char *dot = strchr(name, '.'); dot && !p; dot = strchr(dot + 1, '.'))
		p = find(board, dot + 1, digit);
	return p;
}

bool params_of_plugin(const char *name)
{
	static const char *const plugins[] = { "TRACE.", "REMOTE_CONNECTION.", "GDBServer.", "DEBUG." };

	for (size_t i = 0; i < ARRAY_LEN(plugins); i++)
		if (!strncmp(name, plugins[i], strlen(plugins[i])))
			return true;
	return false;
}

/* Offers every parameter; one that lies at the same place of a deeper tree ("cpu0.FPU" on
 * Corstone-320) is the nearest whatever its name begins with. */
static void find_nearest(const struct board *board, struct nearest *near)
{
	const size_t length = strlen(near->word);

	for (const struct board_param *p = board->params; p->name; p++) {
		const char *tail = length && strlen(p->name) > length ? p->name + strlen(p->name) - length : NULL;
		unsigned digit;

		nearest_offer(near, p->name);
		if (tail && tail[-1] == '.' && matches(tail, near->word, &digit)) {
			near->best = p->name;
			near->distance = 0;
			return;
		}
	}
}

void params_explain_unknown(const struct board *board, const char *name, char *why, size_t why_size)
{
	struct nearest near = { .word = name };
	char hint[NEAREST_HINT], best[128], *digit;

	find_nearest(board, &near);
	snprintf(best, sizeof best, "%s", near.best);
	near.best = best;
	digit = strchr(best, '#');
	if (digit)
		*digit = strlen(name) > (size_t)(digit - best) && is_port(name[digit - best]) ? name[digit - best] : '0';
	snprintf(why, why_size, "there is no parameter '%.100s'%s (--list-params lists all)", name, nearest_hint(&near, "", hint));
}

/* Length of a parameter's name without its last component: of the part that it belongs to. */
static size_t part_length(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot ? (size_t)(dot - name) : 0;
}

static bool same_part(const char *pattern, const char *name, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (pattern[i] != name[i] && !(pattern[i] == '#' && is_port(name[i])))
			return false;
	return part_length(pattern) == length;
}

/* A part inside one of the board's own that its table does not know, and not one of those misspelt. */
static bool is_absent_part(const struct board *board, const char *name)
{
	enum { MISSPELT = 3 };
	struct nearest near = { .word = name };
	const size_t first = strcspn(name, "."), length = part_length(name);
	bool ours = false;

	for (const struct board_param *p = board->params; p->name && length > first; p++) {
		ours |= strcspn(p->name, ".") == first && !strncmp(p->name, name, first);
		if (same_part(p->name, name, length))
			return false;
		nearest_offer(&near, p->name);
	}
	return ours && near.distance > MISSPELT;
}

/* Other tools may name the whole system first. */
bool params_of_absent_part(const struct board *board, const char *name)
{
	const char *dot = strchr(name, '.');

	return is_absent_part(board, name) || (dot && is_absent_part(board, dot + 1));
}
