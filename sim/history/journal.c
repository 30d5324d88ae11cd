/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/history/journal.h"

#include <string.h>

struct journal_head { u64 bytes; u32 kind, number; };

static bool next_is(const struct journal *j, enum journal_kind kind, u32 number, struct journal_head *head)
{
	const u64 left = j->entries.bytes - j->at;

	if (left < sizeof *head)
		return false;
	memcpy(head, j->entries.data + j->at, sizeof *head);
	return head->kind == kind && head->number == number && head->bytes <= left - sizeof *head;
}

bool journal_holds(const struct journal *j, enum journal_kind kind, u32 number)
{
	struct journal_head head;

	return next_is(j, kind, number, &head);
}

const u8 *journal_next(struct journal *j, enum journal_kind kind, u32 number, u64 *bytes)
{
	const u8 *entry = j->entries.data + j->at;
	struct journal_head head;

	if (!next_is(j, kind, number, &head))
		return NULL;
	j->at += sizeof head + head.bytes;
	*bytes = head.bytes;
	return entry + sizeof head;
}

void journal_add(struct journal *j, enum journal_kind kind, u32 number, const void *data, u64 bytes)
{
	const struct journal_head head = { bytes, kind, number };
	u8 *to = j ? state_put(&j->entries, sizeof head + bytes) : NULL;

	if (!to)
		return;
	memcpy(to, &head, sizeof head);
	memcpy(to + sizeof head, data, bytes);
	j->at = j->entries.bytes;
}

void journal_cut(struct journal *j)
{
	if (!j->closed)
		j->entries.bytes = j->at;
}

void journal_forget(struct journal *j, u64 bytes)
{
	memmove(j->entries.data, j->entries.data + bytes, j->entries.bytes - bytes);
	j->entries.bytes -= bytes;
	j->at -= bytes;
}

void journal_free(struct journal *j)
{
	state_buffer_free(&j->entries);
	j->at = 0;
}
