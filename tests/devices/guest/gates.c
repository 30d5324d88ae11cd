/* SPDX-License-Identifier: Apache-2.0 */
/* Guest program: which accesses the peripheral protection controllers let pass. Random settings, and an access by both Security
 * states, with privilege and without; what SECPPCINTSTAT has then is printed on UART0. QEMU's model of the AN547 board must print the same. */
#include <stdint.h>

#define REG(addr) (*(volatile uint32_t *)(addr))

enum { UART0 = 0x59303000, SACFG = 0x50080000, NSACFG = 0x40080000, PPCS = 9, ACCESSES = 3000 };

/* A device of each block, under its Non-secure address; devices without a gate, too. */
static const uint32_t blocks[] = {
	0x40012000, 0x4001f000, 0x41100000, 0x41101000, 0x41400000, 0x48020000, 0x48101000, 0x48102000, 0x49200000, 0x49202000, 0x49203000,
	0x49205000, 0x49206000, 0x49300000, 0x49301000, 0x49302000, 0x49304000, 0x4930a000, 0x4930b000,
};
static const uint8_t registers[PPCS] = { 0x50, 0x60, 0x64, 0x70, 0x74, 0x80, 0x84, 0x88, 0x8c };

static uint32_t random(uint32_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 17;
	*seed ^= *seed << 5;
	return *seed * 0x9e3779b1u >> 16;
}

static void print_hex(uint32_t value, char end)
{
	for (int shift = 28; shift >= 0; shift -= 4)
		REG(UART0) = (uint8_t)"0123456789abcdef"[value >> shift & 15];
	REG(UART0) = (uint8_t)end;
}

static void leave(void)
{
	register uint32_t r0 __asm__("r0") = 0x18, r1 __asm__("r1") = 0x20026;

	__asm__ volatile("bkpt 0xab" : : "r"(r0), "r"(r1) : "memory");
	for (;;)
		;
}

static void handle_fault(void)
{
	print_hex(REG(0xe000ed28), '!');
	leave();
}

/* What is refused reads as zero: SECRESPCFG is 0. */
static void read_by(uint32_t addr, int privileged)
{
	uint32_t value;

	if (privileged)
		__asm__ volatile("ldr.w %0, [%1]\n dsb" : "=r"(value) : "r"(addr) : "memory");
	else
		__asm__ volatile("ldrt %0, [%1]\n dsb" : "=r"(value) : "r"(addr) : "memory");
}

static void set_all(uint32_t *seed)
{
	for (unsigned i = 0; i < PPCS; i++) {
		REG(SACFG + registers[i]) = random(seed) & 1 ? ~0u : 0;
		REG(SACFG + 0x40 + registers[i]) = random(seed) & 1 ? ~0u : 0;
		REG(NSACFG + 0x40 + registers[i]) = random(seed) & 1 ? ~0u : 0;
	}
}

void reset(void);
void reset(void)
{
	uint32_t seed = 20261126;

	REG(UART0 + 0x10) = 217;
	REG(UART0 + 0x08) = 1;
	REG(0xe000edd8) = 0; /* SAU: the Non-secure numbers are Non-secure */
	REG(0xe000eddc) = 0x40000000;
	REG(0xe000ede0) = 0x4fffffe1;
	REG(0xe000edd0) = 1;
	__asm__ volatile("dsb\n isb");
	REG(SACFG + 0x28) = ~0u; /* QEMU's controllers keep nothing in mind without their interrupt */
	for (unsigned i = 0; i < ACCESSES; i++) {
		const uint32_t r = random(&seed), addr = blocks[r % (sizeof(blocks) / sizeof(*blocks))] | (r & 0x4000 ? 0x10000000 : 0);

		set_all(&seed);
		REG(SACFG + 0x24) = ~0u;
		read_by(addr, r & 0x8000);
		REG(SACFG + 0x88) = 0; /* for UART0 */
		print_hex(addr, r & 0x8000 ? 'p' : 'u');
		print_hex(REG(SACFG + 0x20), '\n');
	}
	REG(UART0) = 'e';
	REG(UART0) = 'n';
	REG(UART0) = 'd';
	REG(UART0) = '\n';
	leave();
}

extern uint32_t stack_top[]; /* link.ld */

typedef void vector(void);

__attribute__((section(".vectors"), used)) static vector *const vectors[16] = {
	(vector *)stack_top, reset, [2 ... 15] = handle_fault,
};
