/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/values.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool value_u64(const char *text, u64 *out)
{
	const bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	char *end;

	if (strspn(text, "0123456789abcdefABCDEFxX") != strlen(text) || !*text)
		return false;
	errno = 0;
	*out = strtoull(text, &end, hex ? 16 : 10);
	return !errno && !*end;
}

bool value_u32(const char *text, u32 *out)
{
	u64 v;

	if (!value_u64(text, &v) || v > UINT32_MAX)
		return false;
	*out = (u32)v;
	return true;
}

bool value_bool(const char *text, bool *out)
{
	static const char *const words[2][3] = { { "0", "false", "off" }, { "1", "true", "on" } };

	for (unsigned v = 0; v < 2; v++)
		for (unsigned i = 0; i < 3; i++)
			if (!strcasecmp(text, words[v][i])) {
				*out = v;
				return true;
			}
	return false;
}

bool value_seconds(const char *text, double *out)
{
	char *end;

	*out = strtod(text, &end);
	return end != text && !*end && isfinite(*out) && *out >= 0;
}

bool value_data_file(char *text, bool with_size, struct data_file *out)
{
	char *at = strrchr(text, '@'), *instance = strchr(text, '='), *space, *comma;

	if (!at || at == text)
		return false;
	*at++ = 0;
	out->path = instance && instance < at && !strchr(text, '/') ? instance + 1 : text;
	if (instance && instance < at && strchr(text, '/') && strchr(text, '/') > instance)
		out->path = instance + 1;
	out->size = 0;
	comma = strchr(at, ',');
	if (with_size) {
		if (!comma)
			return false;
		*comma = 0;
		if (!value_u64(comma + 1, &out->size))
			return false;
	}
	space = strrchr(at, ':');
	return *out->path && value_u32(space ? space + 1 : at, &out->addr);
}
