/* SPDX-License-Identifier: Apache-2.0 */
/* The DMA-350 reaches the DTCM through the core's slave port: while its gate is open, when that has a Secure and a Non-secure block and
 * what it refuses is a bus error, as at reset, and when it is not. A line each, a group of digits for each block: whether a Secure manager's write failed, what then
 * was there, and the same of a Non-secure one. */
#include "guest.h"

enum { STATUS = 0x04, CTRL = 0x0c, SRCADDR = 0x10, DESADDR = 0x18, XSIZE = 0x20, SRCTRANSCFG = 0x28, DESTRANSCFG = 0x2c, XADDRINC = 0x30 };
enum { DONE = 1 << 16, ERROR = 1 << 17, SECURE = 0, NONSECURE = 1 << 10, ATTRIBUTES = 0x8ff };
#define CHANNEL(offset) R32(DMA350 + 0x1000 + (offset))
#define DTGU_CTRL R32(0xe001e600)
#define DTGU_CFG R32(0xe001e604)
#define DTGU_LUT0 R32(0xe001e610)
#define PLACE 0x31060000u
enum { NONSECURE_BLOCK = 1, REPORTS_ERRORS = 2 /* DTGU_CTRL */ };

/* Moves one word; did that fail? */
static int copy(uint32_t from, uint32_t read_as, uint32_t to, uint32_t write_as)
{
	uint32_t status;

	CHANNEL(CTRL) = 0x00200202; /* words, one line, status at the end of each command */
	CHANNEL(SRCADDR) = from;
	CHANNEL(DESADDR) = to;
	CHANNEL(XSIZE) = 0x10001;
	CHANNEL(XADDRINC) = 0x10001;
	CHANNEL(SRCTRANSCFG) = ATTRIBUTES | read_as;
	CHANNEL(DESTRANSCFG) = ATTRIBUTES | write_as;
	CHANNEL(0) = 1;
	while (!((status = CHANNEL(STATUS)) & (DONE | ERROR)))
		;
	CHANNEL(STATUS) = status;
	return (status & ERROR) != 0;
}

static uint32_t port(uint32_t block, uint32_t as)
{
	return (as == SECURE ? 0x34000000 : 0x24000000) + block * (32u << (DTGU_CFG & 15));
}

static void write_and_look(uint32_t block, uint32_t as, uint32_t owner, char value)
{
	char text[] = "00";

	R32(PLACE) = (uint32_t)value;
	text[0] += (char)copy(PLACE, SECURE, port(block, as), as);
	copy(port(block, owner), owner, PLACE, SECURE);
	text[1] = (char)R32(PLACE);
	print(text);
}

static void try(const char *name, char value)
{
	print(name);
	for (uint32_t block = 0; block < 2; block++) {
		const uint32_t owner = block == NONSECURE_BLOCK ? NONSECURE : SECURE;

		print(" ");
		write_and_look(block, SECURE, owner, value++);
		write_and_look(block, NONSECURE, owner, value++);
	}
	print("\n");
}

void ending(void)
{
	try("open", 'a');
	DTGU_LUT0 = 1 << NONSECURE_BLOCK;
	try("errors", 'e');
	DTGU_CTRL &= ~(uint32_t)REPORTS_ERRORS;
	try("dropped", 'i');
	leave(0);
}
