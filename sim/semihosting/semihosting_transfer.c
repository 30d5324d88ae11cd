/* SPDX-License-Identifier: Apache-2.0 */
/* SYS_READ and SYS_WRITE. */
#include "sim/semihosting/call.h"

#include <errno.h>
#include <stdlib.h>

enum { CHUNK = 65536 };

/* Moves what fits into the buffer of CHUNK bytes; returns how many of `size` bytes were not moved. Nothing is taken from a
 * file that the memory has no room for. */
static u32 transfer_piece(struct call *c, bool write, u32 addr, u8 *buffer, u32 size)
{
	u32 rest;

	if (write) {
		cpu_peek(c->cpu, addr, buffer, size);
		return files_write(&c->s->files, c->word[0], buffer, size);
	}
	const u32 room = cpu_reaches(c->cpu, addr, size);

	if (!room) {
		call_unreachable(c, addr, size);
		return size;
	}
	rest = files_read(&c->s->files, c->word[0], buffer, room);
	call_poke(c, addr, buffer, room - rest);
	if (!rest && room < size)
		call_unreachable(c, addr + room, size - room);
	return size - room + rest;
}

/* Moves `size` bytes in chunks; returns how many were not moved. A file gets nothing of what is not all there. */
static u32 transfer(struct call *c, bool write)
{
	u32 addr = c->word[1], left = c->word[2];

	if (write && cpu_reaches(c->cpu, addr, left) < left) {
		call_unreachable(c, addr, left);
		return left;
	}
	u8 *buffer = malloc(CHUNK);

	if (!buffer)
		c->s->files.error = ENOMEM;
	while (buffer && left && !machine_stop_asked(c->s->machine)) {
		const u32 piece = left < CHUNK ? left : CHUNK, rest = transfer_piece(c, write, addr, buffer, piece);

		left -= piece - rest;
		addr += piece - rest;
		if (rest)
			break;
	}
	free(buffer);
	return left;
}

int sys_write(struct call *c)
{
	c->printed = files_console(&c->s->files, c->word[0]);
	return (int)transfer(c, true);
}

int sys_read(struct call *c)
{
	return (int)transfer(c, false);
}
