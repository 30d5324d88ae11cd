/* SPDX-License-Identifier: Apache-2.0 */
#include "lists.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void lists_init(struct lists *l)
{
	l->table = g_new0(struct it_sequence, BUCKETS);
	l->head = l->it_head = NULL;
	l->sequences = g_array_new(FALSE, TRUE, sizeof(struct chosen));
	l->it = g_array_new(FALSE, TRUE, sizeof(struct listed_it));
}

u32 lists_it_number(struct it_sequence *table, const struct fused_it *it)
{
	u32 h = 2166136261u;

	for (const u8 *p = (const u8 *)it, *end = p + sizeof(*it); p < end; p++)
		h = (h ^ *p) * 16777619u;
	for (h = h >> 7 & (BUCKETS - 1); table[h].it.count; h = (h + 1) & (BUCKETS - 1))
		if (!memcmp(&table[h].it, it, sizeof(*it)))
			return h;
	table[h].it = *it;
	return h;
}

static bool same_sequence(const struct fused *a, const struct fused *b)
{
	return a->count == b->count && a->same == b->same && !memcmp(a->op, b->op, a->count * sizeof(*a->op)) &&
	       !memcmp(a->length, b->length, a->count);
}

bool lists_have(const struct lists *l, const struct fused *sequence)
{
	for (unsigned i = 0; i < l->sequences->len; i++)
		if (same_sequence(&g_array_index(l->sequences, struct chosen, i).sequence, sequence))
			return true;
	return false;
}

bool lists_have_it(const struct lists *l, u32 number)
{
	for (unsigned i = 0; i < l->it->len; i++)
		if (g_array_index(l->it, struct listed_it, i).number == number)
			return true;
	return false;
}

/* ---- writing ---- */

/* "it_", condition, operations with length and "else", and which operands are the same. */
static void add_it_name(GString *row, const struct fused_it *it)
{
	g_string_append_printf(row, "it_%u", it->cond);
	for (unsigned k = 0; k < it->count; k++)
		g_string_append_printf(row, "_%s%u%u", op_infos[it->op[k]].name, it->length[k], it->otherwise[k]);
	if (it->count > 1)
		g_string_append_printf(row, "_%" PRIu64, it->same);
}

static void add_sequence(GString *rows, unsigned place, const struct chosen *c, const struct it_sequence *table)
{
	const struct fused *x = &c->sequence;

	g_string_append_printf(rows, "F%u(%u, ", x->count, place % FUSED_PARTS);
	for (unsigned k = 0; k < x->count; k++) {
		if (x->op[k] < OP_COUNT)
			g_string_append(rows, op_infos[x->op[k]].name);
		else
			add_it_name(rows, &table[x->op[k] - OP_COUNT].it);
		g_string_append_printf(rows, ", %u, ", x->length[k]);
	}
	g_string_append_printf(rows, "%" PRIu64 ") /* %.2f %% */\n", x->same, c->gain * 100);
}

static void add_it(GString *rows, const struct listed_it *l, const struct it_sequence *table)
{
	const struct fused_it *it = &table[l->number].it;

	g_string_append_printf(rows, "IT%u(", it->count);
	add_it_name(rows, it);
	g_string_append_printf(rows, ", %u", it->cond);
	for (unsigned k = 0; k < it->count; k++)
		g_string_append_printf(rows, ", %s, %u, %u", op_infos[it->op[k]].name, it->length[k], it->otherwise[k]);
	if (it->count > 1)
		g_string_append_printf(rows, ", %" PRIu64, it->same);
	g_string_append_printf(rows, ") /* %.2f %% */\n", l->weight * 100);
}

static bool write_file(const char *path, const GString *text)
{
	g_autoptr(GError) error = NULL;

	if (g_file_set_contents(path, text->str, (gssize)text->len, &error))
		return true;
	fprintf(stderr, "%s\n", error->message);
	return false;
}

bool lists_write(const struct lists *l, const char *path, const char *it_path)
{
	g_autoptr(GString) rows = g_string_new(l->head), it_rows = g_string_new(l->it_head);

	for (unsigned i = 0; i < l->sequences->len; i++)
		add_sequence(rows, i, &g_array_index(l->sequences, struct chosen, i), l->table);
	for (unsigned i = 0; i < l->it->len; i++)
		add_it(it_rows, &g_array_index(l->it, struct listed_it, i), l->table);
	return write_file(path, rows) && write_file(it_path, it_rows);
}

/* ---- reading ---- */

/* What stands between the parentheses of a row, part by part; behind them its percents. */
struct row { char **part; unsigned count; double percent; };

/* "NAME(a, b, c) / * 1.00 % * /"; false: something else. */
static bool split_row(const char *line, struct row *r)
{
	const char *open = strchr(line, '('), *close = strchr(line, ')');

	if (!open || !close || sscanf(close, ") /* %lf %% */", &r->percent) != 1)
		return false;
	g_autofree char *inner = g_strndup(open + 1, (gsize)(close - open - 1));
	r->part = g_strsplit(inner, ", ", -1);
	r->count = g_strv_length(r->part);
	return true;
}

static bool op_named(const char *name, u16 *op)
{
	for (u16 i = 0; i < OP_COUNT; i++)
		if (!strcmp(op_infos[i].name, name)) {
			*op = i;
			return true;
		}
	return false;
}

/* An IT block of the list by its name. */
static bool it_named(const struct lists *l, const char *name, u16 *op)
{
	for (unsigned i = 0; i < l->it->len; i++) {
		g_autoptr(GString) known = g_string_new(NULL);
		u32 number = g_array_index(l->it, struct listed_it, i).number;
		add_it_name(known, &l->table[number].it);
		if (!strcmp(known->str, name)) {
			*op = (u16)(OP_COUNT + number);
			return true;
		}
	}
	return false;
}

static u64 number(const char *text)
{
	return strtoull(text, NULL, 10);
}

/* Name, condition, operations of three parts each, and from two on which operands are the same. */
static bool read_it_row(struct lists *l, const struct row *r)
{
	struct fused_it it = { .cond = r->count > 1 ? (u8)number(r->part[1]) : 0, .count = (u8)((r->count - 2) / 3) };

	if (r->count < 5 || it.count > FUSED_IT_LEN || r->count != 2u + 3u * it.count + (it.count > 1))
		return false;
	for (unsigned k = 0; k < it.count; k++) {
		u16 op;
		if (!op_named(r->part[2 + 3 * k], &op))
			return false;
		it.op[k] = op;
		it.length[k] = (u8)number(r->part[3 + 3 * k]);
		it.otherwise[k] = (u8)number(r->part[4 + 3 * k]);
	}
	it.same = it.count > 1 ? number(r->part[r->count - 1]) : 0;
	struct listed_it listed = { lists_it_number(l->table, &it), r->percent / 100 };
	g_array_append_val(l->it, listed);
	return true;
}

/* The part, operations of two parts each, and which operands are the same. */
static bool read_sequence_row(struct lists *l, const struct row *r)
{
	struct chosen c = { .gain = r->percent / 100 };
	unsigned n = r->count / 2 - 1;

	if (r->count % 2 || n < 2 || n > ARRAY_LEN(c.sequence.op))
		return false;
	c.sequence.count = (u8)n;
	for (unsigned k = 0; k < n; k++) {
		if (!op_named(r->part[1 + 2 * k], &c.sequence.op[k]) && !it_named(l, r->part[1 + 2 * k], &c.sequence.op[k]))
			return false;
		c.sequence.length[k] = (u8)number(r->part[2 + 2 * k]);
	}
	c.sequence.same = number(r->part[r->count - 1]);
	g_array_append_val(l->sequences, c);
	return true;
}

/* The comment at the beginning becomes *head, each row is read. */
static bool read_file(struct lists *l, const char *path, char **head, bool (*read_row)(struct lists *, const struct row *))
{
	g_autofree char *text = NULL;
	g_autoptr(GString) comment = g_string_new(NULL);
	g_autoptr(GError) error = NULL;

	if (!g_file_get_contents(path, &text, NULL, &error)) {
		fprintf(stderr, "%s\n", error->message);
		return false;
	}
	g_auto(GStrv) line = g_strsplit(text, "\n", -1);
	unsigned i = 0;
	for (; line[i] && (g_str_has_prefix(line[i], "/*") || g_str_has_prefix(line[i], " *")); i++)
		g_string_append_printf(comment, "%s\n", line[i]);
	for (; line[i] && line[i][0]; i++) {
		struct row r = { 0 };
		bool good = split_row(line[i], &r) && read_row(l, &r);
		g_strfreev(r.part);
		if (!good) {
			fprintf(stderr, "%s:%u: not a row of such a list\n", path, i + 1);
			return false;
		}
	}
	*head = g_strdup(comment->str);
	return true;
}

bool lists_read(struct lists *l, const char *path, const char *it_path)
{
	return read_file(l, it_path, &l->it_head, read_it_row) && read_file(l, path, &l->head, read_sequence_row);
}
