/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/fuzz/json_check.h"

#include <string.h>

enum { DEPTH = 64 };

struct text {
	const char *at, *end;
	unsigned depth;
};

static bool value(struct text *t);

static void skip(struct text *t)
{
	while (t->at < t->end && strchr(" \t\r\n", *t->at) && *t->at)
		t->at++;
}

static bool take(struct text *t, char c)
{
	skip(t);
	if (t->at == t->end || *t->at != c)
		return false;
	t->at++;
	return true;
}

static bool word(struct text *t, const char *name)
{
	const size_t size = strlen(name);

	if ((size_t)(t->end - t->at) < size || memcmp(t->at, name, size) != 0)
		return false;
	t->at += size;
	return true;
}

static bool digits(struct text *t)
{
	const char *from = t->at;

	while (t->at < t->end && *t->at >= '0' && *t->at <= '9')
		t->at++;
	return t->at > from;
}

static bool number(struct text *t)
{
	word(t, "-");
	const bool zero = t->at < t->end && *t->at == '0';

	if (zero)
		t->at++;
	else if (!digits(t))
		return false;
	if (word(t, ".") && !digits(t))
		return false;
	if (word(t, "e") || word(t, "E"))
		return (void)(word(t, "+") || word(t, "-")), digits(t);
	return true;
}

static bool escape(struct text *t)
{
	if (t->at == t->end)
		return false;
	if (*t->at != 'u')
		return *t->at && strchr("\"\\/bfnrt", *t->at++);
	t->at++;
	for (unsigned i = 0; i < 4; i++, t->at++)
		if (t->at == t->end || !*t->at || !strchr("0123456789abcdefABCDEF", *t->at))
			return false;
	return true;
}

/* One character beyond ASCII: the first byte says how many follow. */
static bool utf8(struct text *t)
{
	const u8 first = (u8)*t->at++;
	unsigned more = first >= 0xf0 && first < 0xf5 ? 3 : first >= 0xe0 && first < 0xf0 ? 2 : first >= 0xc2 && first < 0xe0 ? 1 : 4;

	for (; more && more < 4; more--, t->at++)
		if (t->at == t->end || ((u8)*t->at & 0xc0) != 0x80)
			return false;
	return !more;
}

static bool string(struct text *t)
{
	if (!take(t, '"'))
		return false;
	while (t->at < t->end && *t->at != '"') {
		const u8 c = (u8)*t->at;

		if (c < 0x20)
			return false;
		if (c == '\\' ? (t->at++, !escape(t)) : c < 0x80 ? (t->at++, false) : !utf8(t))
			return false;
	}
	return take(t, '"');
}

static bool members(struct text *t, char close, bool keys)
{
	if (take(t, close))
		return true;
	do {
		if (keys && (!string(t) || !take(t, ':')))
			return false;
		if (!value(t))
			return false;
	} while (take(t, ','));
	return take(t, close);
}

static bool value(struct text *t)
{
	bool ok;

	skip(t);
	if (t->at == t->end || t->depth++ == DEPTH)
		return false;
	switch (*t->at) {
	case '{':
	case '[':
		ok = *t->at++ == '{' ? members(t, '}', true) : members(t, ']', false);
		break;
	case '"':
		ok = string(t);
		break;
	default:
		ok = word(t, "true") || word(t, "false") || word(t, "null") || number(t);
	}
	t->depth--;
	return ok;
}

const char *json_check(const char *text, size_t size)
{
	struct text t = { text, text + size, 0 };

	if (!value(&t))
		return t.at;
	skip(&t);
	return t.at == t.end ? NULL : t.at;
}
