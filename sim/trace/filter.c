/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/trace/filter.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool number(const char *text, u64 *out)
{
	char *end;

	errno = 0;
	*out = strtoull(text, &end, 0);
	return !errno && end != text && !*end && *text != '-';
}

/* "LOW-HIGH", both as numbers. */
static bool range(char *text, u32 *low, u32 *high)
{
	char *middle = strchr(text, '-');
	u64 from, to;

	if (!middle)
		return false;
	*middle = 0;
	if (!number(text, &from) || !number(middle + 1, &to) || from > to || to > UINT32_MAX)
		return false;
	*low = (u32)from;
	*high = (u32)to;
	return true;
}

/* A function's addresses; without a machine only the form is checked. */
static bool function(const struct machine *m, const char *name, struct trace_filter *f)
{
	for (unsigned i = 0; m && i < m->image_count; i++)
		for (unsigned k = 0; k < m->images[i].function_count; k++) {
			const struct image_function *fn = &m->images[i].functions[k];

			if (strcmp(fn->name, name) != 0)
				continue;
			f->low = fn->addr;
			f->high = fn->addr + (fn->size ? fn->size : 2) - 1;
			return true;
		}
	return !m && *name;
}

static bool filter(const struct machine *m, char *word, struct trace_filter *f)
{
	char *value = strchr(word, '=');

	if (!value)
		return false;
	*value++ = 0;
	f->given |= !strcmp(word, "from") || !strcmp(word, "to") ? FILTER_TIME : !strcmp(word, "shortest") ? FILTER_SHORTEST : FILTER_INSTRUCTIONS;
	if (!strcmp(word, "function"))
		return function(m, value, f);
	if (!strcmp(word, "range"))
		return range(value, &f->low, &f->high);
	if (!strcmp(word, "from"))
		return number(value, &f->from);
	if (!strcmp(word, "to"))
		return number(value, &f->to);
	if (!strcmp(word, "shortest"))
		return number(value, &f->shortest);
	if (strcmp(word, "state") != 0 || (strcmp(value, "secure") != 0 && strcmp(value, "nonsecure") != 0))
		return false;
	f->secure = *value == 's';
	f->nonsecure = !f->secure;
	return true;
}

bool trace_parse(const struct machine *m, char *text, char **name, char **path, struct trace_filter *f, char *why, size_t why_size)
{
	char *rest = text, *word = strsep(&rest, ",");

	*f = (struct trace_filter){ .high = UINT32_MAX, .to = UINT64_MAX, .secure = true, .nonsecure = true, .shortest = 100 };
	*name = word;
	*path = strchr(word, '=');
	if (*path)
		*(*path)++ = 0;
	if (*path && !**path) {
		snprintf(why, why_size, "%s: give a file after '='", word);
		return false;
	}
	while ((word = strsep(&rest, ","))) {
		char shown[80];

		snprintf(shown, sizeof shown, "%s", word);
		if (!filter(m, word, f)) {
			snprintf(why, why_size, "'%s' cannot be; filters: function=NAME (one of the program's), range=LOW-HIGH, from=CYCLE, to=CYCLE, "
				 "state=secure|nonsecure, shortest=CYCLES", shown);
			return false;
		}
	}
	if (f->from <= f->to)
		return true;
	snprintf(why, why_size, "from=%" PRIu64 " lies behind to=%" PRIu64 ": nothing would be kept", f->from, f->to);
	return false;
}

bool trace_filters_fit(const char *name, unsigned filters, const struct trace_filter *f, char *why, size_t why_size)
{
	if (!(f->given & ~filters))
		return true;
	snprintf(why, why_size, "%s takes no filter%s%s%s%s", name, filters ? " but" : "", filters & FILTER_INSTRUCTIONS ? " function= range= state=" : "",
		 filters & FILTER_TIME ? " from= to=" : "", filters & FILTER_SHORTEST ? " shortest=" : "");
	return false;
}
