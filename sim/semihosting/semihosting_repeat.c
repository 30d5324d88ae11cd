/* SPDX-License-Identifier: Apache-2.0 */
/* Calls whose answers come from the journal: of a machine that has gone back, or that repeats a record. */
#include "sim/semihosting/call.h"

#include <string.h>

enum { SYS_WRITEC = 3, SYS_WRITE0 = 4, SYS_WRITE = 5, PIECE = 256 };

struct answer { u32 result; i32 error; u32 printed; }; /* then what was written to memory, each behind its place */
struct written { u32 addr, bytes; };

void call_note_written(struct call *c, u32 addr, const void *bytes, u32 count)
{
	const struct written head = { addr, count };
	u8 *to = c->s->machine->journal ? state_put(&c->answer, sizeof head + count) : NULL;

	if (!to)
		return;
	memcpy(to, &head, sizeof head);
	memcpy(to + sizeof head, bytes, count);
}

u32 call_keep(struct call *c, u32 result)
{
	const struct answer head = { result, c->s->files.error, (u32)c->printed };
	struct state_buffer entry = { 0 };
	u8 *to = c->s->machine->journal ? state_put(&entry, sizeof head + c->answer.bytes) : NULL;

	if (to) {
		memcpy(to, &head, sizeof head);
		if (c->answer.bytes)
			memcpy(to + sizeof head, c->answer.data, c->answer.bytes);
		journal_add(c->s->machine->journal, JOURNAL_SEMIHOSTING, c->number, entry.data, entry.bytes);
	}
	state_buffer_free(&entry);
	return result;
}

/* SYS_WRITE on the console: what the host took of it. */
static void write_again(struct call *c, int stream, u32 left)
{
	u8 piece[PIECE];

	if (!cpu_peek(c->cpu, c->parameter, c->word, 12) || left > c->word[2])
		return;
	for (u32 done = 0, n; done < c->word[2] - left; done += n) {
		n = c->word[2] - left - done < PIECE ? c->word[2] - left - done : PIECE;
		if (!cpu_peek(c->cpu, c->word[1] + done, piece, n))
			return;
		files_print(&c->s->files, stream, piece, n);
	}
}

static void print_again(struct call *c, const struct answer *a)
{
	if (c->number == SYS_WRITEC)
		sys_writec(c);
	else if (c->number == SYS_WRITE0)
		sys_write0(c);
	else if (c->number == SYS_WRITE)
		write_again(c, (int)a->printed, a->result);
}

u32 call_repeat(struct call *c)
{
	u64 left;
	const u8 *at = journal_next(c->s->machine->journal, JOURNAL_SEMIHOSTING, c->number, &left);
	struct answer a;
	struct written w;

	if (!at || left < sizeof a) {
		machine_strays(c->s->machine, "calls the host by semihosting");
		return (u32)-1;
	}
	memcpy(&a, at, sizeof a);
	at += sizeof a;
	left -= sizeof a;
	for (; left >= sizeof w; at += w.bytes, left -= w.bytes) {
		memcpy(&w, at, sizeof w);
		at += sizeof w;
		left -= sizeof w;
		if (w.bytes > left)
			break;
		cpu_poke(c->cpu, w.addr, at, w.bytes);
	}
	if (a.printed && !machine_in_past(c->s->machine))
		print_again(c, &a);
	c->s->files.error = a.error;
	return a.result;
}
