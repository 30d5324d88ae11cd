/* SPDX-License-Identifier: Apache-2.0 */
/* Packets m, M, X, vFlash... and qCRC. Memory is copied; what is no memory is accessed in units of up to four bytes, as
 * a program would. What a look at them changes is taken back: the way to a place in the past runs again without it, and would
 * come to another one. */
#include "sim/gdb/session.h"

#include <stdlib.h>
#include <string.h>

/* The largest aligned piece at addr of at most `bytes`. */
static unsigned piece_at(u32 addr, u32 bytes)
{
	return !(addr & 3) && bytes >= 4 ? 4 : !(addr & 1) && bytes >= 2 ? 2 : 1;
}

/* Bytes up to the page's end. */
static u32 in_page(u32 addr, u32 bytes)
{
	const u32 room = BUS_PAGE_SIZE - addr % BUS_PAGE_SIZE;

	return bytes < room ? bytes : room;
}

/* One piece at addr, of memory up to the page's end, else of a device; its size, 0: nothing is there, or it refuses. `get` or `put` is NULL. */
static u32 move_piece(struct gdb *g, u32 addr, u8 *get, const u8 *put, u32 bytes)
{
	u32 n = in_page(addr, bytes), value = 0;

	if (get ? cpu_peek(g->machine->cpu, addr, get, n) : cpu_poke(g->machine->cpu, addr, put, n))
		return n;
	n = piece_at(addr, bytes);
	if (put)
		memcpy(&value, put, n);
	if (!cpu_debug_access(g->machine->cpu, addr, n, put != NULL, &value))
		return 0;
	if (get)
		memcpy(get, &value, n);
	return n;
}

static bool is_memory(struct gdb *g, u32 addr)
{
	u8 byte;

	return cpu_peek(g->machine->cpu, addr, &byte, 1);
}

static void drop(void *ctx, enum diag_kind kind, const char *id, const char *text)
{
	(void)ctx, (void)kind, (void)id, (void)text;
}

/* Bytes at addr as the core sees them; returns how many could be read. */
static u32 get(struct gdb *g, u32 addr, u8 *to, u32 bytes)
{
	const u8 *asked = file_io_window(g, addr, bytes);
	const struct diag messages = g->machine->messages;
	const bool undo = g->history_kept && !g->asking.now;
	struct state_buffer before = { 0 };
	u32 done = 0;

	if (asked)
		memcpy(to, asked, bytes);
	if (asked)
		return bytes;
	for (u32 n = 1; done < bytes && n; done += n) {
		if (undo && !before.bytes && !is_memory(g, addr + done) && history_save(&g->history, &before))
			g->machine->messages.emit = drop; /* they are about programs, and that they have come would be forgotten */
		n = move_piece(g, addr + done, to + done, NULL, bytes - done);
	}
	g->machine->messages = messages;
	if (before.bytes)
		history_undo(&g->history, &before);
	return done;
}

static bool put(struct gdb *g, u32 addr, const u8 *from, u32 bytes)
{
	u8 *asked = file_io_window(g, addr, bytes);
	u32 done = 0;

	if (g->asking.now) { /* the program is inside an instruction */
		if (asked)
			memcpy(asked, from, bytes);
		return asked != NULL;
	}
	reverse_over_fault(g); /* now: when a register is changed later it would take this back */
	session_changed(g);
	for (u32 n = 1; done < bytes && n; done += n)
		n = move_piece(g, addr + done, NULL, from + done, bytes - done);
	program_note(g, addr, from, done);
	return done == bytes;
}

/* ADDR,LENGTH and the character `end`. */
static bool range(const char **rest, char end, u32 *addr, u32 *bytes)
{
	u64 a, n;

	if (!hex_number(rest, &a) || *(*rest)++ != ',' || !hex_number(rest, &n) || **rest != end || a > UINT32_MAX ||
	    n > UINT32_MAX || a + n > (UINT64_C(1) << 32))
		return false;
	*rest += end != 0;
	*addr = (u32)a;
	*bytes = (u32)n;
	return true;
}

void memory_read(struct gdb *g, const char *rest)
{
	u8 data[PACKET_MAX / 2];
	u32 addr, bytes;

	if (!range(&rest, 0, &addr, &bytes)) {
		answer_error(g, ERROR_WRONG);
		return;
	}
	const u32 got = get(g, addr, data, bytes < sizeof data ? bytes : sizeof data);
	if (bytes && !got)
		answer_error(g, ERROR_MEMORY);
	text_hex(&g->reply, data, got);
}

void memory_write_hex(struct gdb *g, const char *rest)
{
	u8 data[PACKET_MAX / 2];
	u32 addr, bytes;

	if (!range(&rest, ':', &addr, &bytes) || bytes > sizeof data || !hex_bytes(rest, data, bytes))
		answer_error(g, ERROR_WRONG);
	else if (put(g, addr, data, bytes))
		answer_ok(g);
	else
		answer_error(g, ERROR_MEMORY);
}

/* Bytes of the packet from `rest` on. */
static u32 left(const struct gdb *g, const char *rest)
{
	return (u32)(g->in.data + g->in.bytes - rest);
}

void memory_write_binary(struct gdb *g, const char *rest)
{
	u32 addr, bytes;

	if (!range(&rest, ':', &addr, &bytes) || bytes != left(g, rest))
		answer_error(g, ERROR_WRONG);
	else if (put(g, addr, (const u8 *)rest, bytes))
		answer_ok(g);
	else
		answer_error(g, ERROR_MEMORY);
}

/* Flash is written in place: boards' flash is modelled as memory. */
void memory_flash_erase(struct gdb *g, const char *rest)
{
	u8 erased[BUS_PAGE_SIZE];
	u32 addr, bytes;

	memset(erased, 0xff, sizeof erased);
	if (!range(&rest, 0, &addr, &bytes)) {
		answer_error(g, ERROR_WRONG);
		return;
	}
	reverse_over_fault(g);
	session_changed(g);
	for (u32 done = 0, n; done < bytes; done += n) {
		n = in_page(addr + done, bytes - done);
		if (!cpu_poke(g->machine->cpu, addr + done, erased, n)) {
			answer_error(g, ERROR_MEMORY);
			return;
		}
		program_note(g, addr + done, erased, n);
	}
	answer_ok(g);
}

void memory_flash_write(struct gdb *g, const char *rest)
{
	u64 addr;

	if (!hex_number(&rest, &addr) || *rest++ != ':' || addr + left(g, rest) > UINT64_C(1) << 32)
		answer_error(g, ERROR_WRONG);
	else if (put(g, (u32)addr, (const u8 *)rest, left(g, rest)))
		answer_ok(g);
	else
		answer_error(g, ERROR_MEMORY);
}

/* gdb's manual, "General Query Packets": CRC-32 with polynomial 0x04c11db7, most significant bit first, from all ones. What a byte at the top
 * changes: */
static void crc_table(u32 table[256])
{
	for (u32 i = 0; i < 256; i++) {
		table[i] = i << 24;
		for (unsigned bit = 0; bit < 8; bit++)
			table[i] = table[i] << 1 ^ (table[i] >> 31 ? 0x04c11db7 : 0);
	}
}

void memory_crc(struct gdb *g, const char *rest)
{
	u32 addr, bytes, sum = UINT32_MAX, table[256];
	u8 page[BUS_PAGE_SIZE];

	if (!range(&rest, 0, &addr, &bytes)) {
		answer_error(g, ERROR_WRONG);
		return;
	}
	crc_table(table);
	for (u32 done = 0, n; done < bytes; done += n) {
		n = in_page(addr + done, bytes - done);
		if (!cpu_peek(g->machine->cpu, addr + done, page, n)) {
			answer_error(g, ERROR_MEMORY);
			return;
		}
		for (u32 i = 0; i < n; i++)
			sum = sum << 8 ^ table[sum >> 24 ^ page[i]];
	}
	text_add(&g->reply, "C%x", sum);
}
