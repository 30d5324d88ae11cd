/* SPDX-License-Identifier: Apache-2.0 */
/* The database is XML around tables of comma-separated values, one after the other:
 *
 *   <table name="queue"><![CDATA["offset","cmdstream_id","optimised_id" ...
 *
 * queue: offset of an operation -> optimised: the compiler's operator -> source: the network's. Vela 5 has a table `perf` as well,
 * with the names of results. Other tables and columns are of no interest. */
#include "sim/network/npu_names.h"

#include "loader/file.h"
#include "sim/params/message.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT = 96, NONE = -1 };

/* A row, of which some columns were asked for. */
struct row { long long key, to; char text[TEXT], more[TEXT]; };
struct rows { struct row *row; u32 count, room; bool there, failed; };

struct npu_names { struct name { u32 offset; char text[3 * TEXT]; } *name; u32 count; };

/* ---- comma-separated values ---- */

/* The next value of a line, without quotes; advances *at, which ends at the line's end. */
static void take(const char **at, const char *end, char *out, size_t size)
{
	const bool quoted = *at < end && **at == '"';
	size_t n = 0;

	*at += quoted;
	for (; *at < end && **at != (quoted ? '"' : ','); ++*at)
		if (n + 1 < size && **at != '\r')
			out[n++] = **at;
	out[n] = 0;
	while (*at < end && **at != ',')
		++*at;
	*at += *at < end;
}

/* Number of a named column of a header line, NONE: there is none. */
static int column(const char *at, const char *end, const char *name)
{
	char text[TEXT];

	for (int i = 0; name && at < end; i++) {
		take(&at, end, text, sizeof text);
		if (!strcmp(text, name))
			return i;
	}
	return NONE;
}

static void value(const char *at, const char *end, int number, char *out, size_t size)
{
	*out = 0;
	for (int i = 0; i <= number; i++)
		take(&at, end, out, size);
}

static const char *line_end(const char *at, const char *end)
{
	const char *newline = memchr(at, '\n', (size_t)(end - at));

	return newline ? newline : end;
}

static struct row *add(struct rows *r)
{
	if (r->count == r->room) {
		const u32 room = r->room ? 2 * r->room : 256;
		struct row *more = realloc(r->row, room * sizeof *more);

		if (!more) {
			r->failed = true;
			return NULL;
		}
		r->row = more;
		r->room = room;
	}
	return &r->row[r->count++];
}

static int by_key(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return x->key < y->key ? -1 : x->key > y->key;
}

/* ---- tables ---- */

/* Which columns of which table. NULL: not wanted. */
struct wanted { const char *table, *key, *to, *text, *more; };

static bool find_table(const char *file, const char *name, const char **at, const char **end)
{
	char head[TEXT];

	snprintf(head, sizeof head, "<table name=\"%s\">", name);
	*at = strstr(file, head);
	*at = *at ? strstr(*at, "<![CDATA[") : NULL;
	*end = *at ? strstr(*at, "]]>") : NULL;
	if (!*end)
		return false;
	*at += strlen("<![CDATA[");
	while (*at < *end && (**at == '\n' || **at == '\r'))
		++*at;
	return true;
}

static void read_row(struct rows *r, const char *at, const char *end, const int index[4])
{
	char number[2][32];
	struct row *row = at < end && *at != '\r' ? add(r) : NULL;

	if (!row)
		return;
	for (unsigned i = 0; i < 2; i++)
		value(at, end, index[i], number[i], sizeof number[i]);
	value(at, end, index[2], row->text, sizeof row->text);
	value(at, end, index[3], row->more, sizeof row->more);
	row->key = strtoll(number[0], NULL, 10);
	row->to = strtoll(number[1], NULL, 10);
}

static void read_table(const char *file, const struct wanted *w, struct rows *r)
{
	const char *at, *end, *names[] = { w->key, w->to, w->text, w->more };
	int index[ARRAY_LEN(names)];

	if (!find_table(file, w->table, &at, &end))
		return;
	for (unsigned i = 0; i < ARRAY_LEN(names); i++)
		index[i] = column(at, line_end(at, end), names[i]);
	r->there = index[0] != NONE && (!w->to || index[1] != NONE);
	for (at = line_end(at, end); r->there && at < end; at = line_end(at, end))
		if (++at < end)
			read_row(r, at, line_end(at, end), index);
	if (r->count)
		qsort(r->row, r->count, sizeof *r->row, by_key);
}

static const struct row *find(const struct rows *r, long long key)
{
	return r->count ? bsearch(&(struct row){ .key = key }, r->row, r->count, sizeof *r->row, by_key) : NULL;
}

/* ---- names ---- */

enum { QUEUE, OPTIMISED, SOURCE, RESULTS, STREAMS, TABLES };
static const struct wanted wanted[TABLES] = {
	[QUEUE] = { "queue", "offset", "optimised_id", NULL, NULL },
	[OPTIMISED] = { "optimised", "id", "source_id", "operator", NULL },
	[SOURCE] = { "source", "id", NULL, "operator", "ext_key" },
	[RESULTS] = { "perf", "optimised_id", NULL, "name", NULL },
	[STREAMS] = { "cmdstream", "id", NULL, NULL, NULL },
};

/* False: the database does not know where the operation came from. */
static bool make_name(const struct rows *table, const struct row *queued, struct name *out)
{
	const struct row *optimised = find(&table[OPTIMISED], queued->to), *result = find(&table[RESULTS], queued->to);
	const struct row *source = optimised ? find(&table[SOURCE], optimised->to) : NULL;
	const bool named = result && *result->text;
	char text[sizeof out->text];

	if (!optimised)
		return false;
	out->offset = (u32)queued->key;
	snprintf(text, sizeof text, "%.*s%s%.*s%s%.*s%s", TEXT / 2, source ? source->text : optimised->text, source && *source->more ? " #" : "", 20,
		 source ? source->more : "", named ? " (" : "", TEXT, named ? result->text : "", named ? ")" : "");
	message_escape(out->text, sizeof out->text, text); /* it is printed in tables on terminals */
	return true;
}

static bool make_names(const struct rows *table, struct npu_names *n)
{
	n->name = calloc(table[QUEUE].count + 1, sizeof *n->name);
	for (u32 i = 0; n->name && i < table[QUEUE].count; i++)
		n->count += make_name(table, &table[QUEUE].row[i], &n->name[n->count]);
	return n->name != NULL;
}

static enum failure fail(enum failure failure, const char *path, const char *cause, char *why, size_t why_size)
{
	snprintf(why, why_size, "%s: %s", path, cause);
	return failure;
}

enum failure npu_names_read(struct npu_names **out, const char *path, char *why, size_t why_size)
{
	struct rows table[TABLES] = { 0 };
	struct file_bytes file;
	bool failed = false;
	enum failure failure = FAIL_NONE;

	*out = NULL;
	if (!file_read(path, &file, why, why_size))
		return FAIL_NO_INPUT;
	for (unsigned i = 0; i < TABLES; i++) {
		read_table((const char *)file.data, &wanted[i], &table[i]);
		failed |= table[i].failed;
	}
	file_free(&file);
	if (!table[QUEUE].there || !table[OPTIMISED].there || !table[SOURCE].there)
		failure = fail(FAIL_BAD_INPUT, path, "is no debug database of Vela (--enable-debug-db)", why, why_size);
	else if (table[STREAMS].count > 1)
		failure = fail(FAIL_BAD_INPUT, path, "has several command streams, whose operations cannot be told apart", why, why_size);
	else if (failed || !(*out = calloc(1, sizeof **out)) || !make_names(table, *out))
		failure = fail(FAIL_INTERNAL, path, "host memory is short", why, why_size);
	for (unsigned i = 0; i < TABLES; i++)
		free(table[i].row);
	if (failure) {
		npu_names_free(*out);
		*out = NULL;
	}
	return failure;
}

void npu_names_free(struct npu_names *n)
{
	if (n)
		free(n->name);
	free(n);
}

static int by_offset(const void *key, const void *name)
{
	const u32 offset = *(const u32 *)key, at = ((const struct name *)name)->offset;

	return offset < at ? -1 : offset > at;
}

const char *npu_names_find(const struct npu_names *n, u32 offset)
{
	const struct name *found = n && n->count ? bsearch(&offset, n->name, n->count, sizeof *n->name, by_offset) : NULL;

	return found ? found->text : NULL;
}
