/* SPDX-License-Identifier: Apache-2.0 */
/* Guest program: uses the board's devices as drivers do and prints what it sees on UART0. It prints
 * nothing that depends on how long instructions take, so QEMU's model of the AN547 board, which
 * is independent of ours, must print the same. */
#include <stdint.h>

#define REG(addr) (*(volatile uint32_t *)(addr))

enum {
	UART0 = 0x49303000, UART1 = 0x49304000, FPGAIO = 0x49302000, SCC = 0x49300000,
	SLOW_TIMER = 0x5802f000, SLOW_WATCHDOG = 0x5802e000, SYSTIMER0 = 0x58000000,
	SYSTIMER3 = 0x58003000, COUNTER = 0x58100000, COUNTER_READ = 0x58101000,
	SYSCTRL = 0x58021000, SYSINFO = 0x58020000, CPU_IDENTITY = 0x5001f000,
	CPU_PWRCTRL = 0x50012000, SACFG = 0x50080000, NVIC_ISER = 0xe000e100,
};

static volatile unsigned irqs[128], nmis;

static void put(char c)
{
	REG(UART0) = (uint8_t)c;
}

static void print(const char *text)
{
	while (*text)
		put(*text++);
}

static void print_hex(const char *name, uint32_t value)
{
	print(name);
	put(' ');
	for (int shift = 28; shift >= 0; shift -= 4)
		put("0123456789abcdef"[value >> shift & 15]);
	put('\n');
}

static void leave(void)
{
	register uint32_t r0 __asm__("r0") = 0x18, r1 __asm__("r1") = 0x20026;

	__asm__ volatile("bkpt 0xab" : : "r"(r0), "r"(r1) : "memory");
	for (;;)
		;
}

static void enable_irq(unsigned n)
{
	REG(NVIC_ISER + 4 * (n / 32)) = 1u << n % 32;
}

/* Waits until the interrupt has come `times` times. WFE, as an exception sets the event: one that
 * comes between test and sleep is not slept over. */
static void wait_irq(unsigned n, unsigned times)
{
	while (irqs[n] < times)
		__asm__ volatile("wfe");
}

/* ---- handlers ---- */

void handle_irq(void);
void handle_irq(void)
{
	uint32_t ipsr;

	__asm__ volatile("mrs %0, ipsr" : "=r"(ipsr));
	unsigned n = ipsr - 16;

	irqs[n]++;
	switch (n) {
	case 2:
		REG(SLOW_TIMER + 0xc) = 1;
		break;
	case 3: /* SYSTIMER0, by compare value: mask it */
		REG(SYSTIMER0 + 0x2c) = 3;
		break;
	case 27: /* SYSTIMER3, auto-increment: clear the flag */
		REG(SYSTIMER3 + 0x4c) = 1;
		break;
	case 36: /* UART1 transmitted */
		REG(UART1 + 0xc) = 1;
		break;
	}
}

static void handle_nmi(void)
{
	nmis++;
	REG(SLOW_WATCHDOG + 0xc) = 1;
	REG(SLOW_WATCHDOG + 0x8) = 0;
}

static void handle_fault(void)
{
	print("FAULT\n");
	leave();
}

/* ---- scenarios ---- */

static void identities(void)
{
	static const uint32_t blocks[] = {UART0, SLOW_WATCHDOG, SYSCTRL, SYSINFO, CPU_IDENTITY, CPU_PWRCTRL, SACFG,
					  COUNTER};

	for (unsigned i = 0; i < sizeof(blocks) / sizeof(*blocks); i++) {
		uint32_t id = 0;

		for (unsigned n = 0; n < 4; n++)
			id |= (REG(blocks[i] + 0xfe0 + 4 * n) & 0xff) << 8 * n;
		print_hex("pid", id);
		print_hex("pid4", REG(blocks[i] + 0xfd0));
	}
	print_hex("scc id", REG(SCC + 0xffc));
	print_hex("scc aid", REG(SCC + 0xff8));
	print_hex("sysinfo", REG(SYSINFO));
	print_hex("config0", REG(SYSINFO + 4));
	print_hex("iidr", REG(SYSINFO + 0xfc8));
}

static void uart(void)
{
	REG(UART1 + 0x10) = 0xff017;
	print_hex("bauddiv", REG(UART1 + 0x10));
	REG(UART1 + 0x08) = 5;
	print_hex("ctrl", REG(UART1 + 0x08));
	print_hex("state", REG(UART1 + 0x04));
	enable_irq(36);
	REG(UART1) = 'a';
	wait_irq(36, 1);
	print_hex("uart irqs", irqs[36]);
	print_hex("intstatus", REG(UART1 + 0xc));
}

static void slow_timer(void)
{
	enable_irq(2);
	REG(SLOW_TIMER + 0x8) = 32; /* a millisecond */
	print_hex("value", REG(SLOW_TIMER + 0x4));
	REG(SLOW_TIMER + 0x0) = 9;
	wait_irq(2, 3);
	REG(SLOW_TIMER + 0x0) = 0;
	REG(SLOW_TIMER + 0x4) = 0x12345678;
	print_hex("value", REG(SLOW_TIMER + 0x4));
	print_hex("reload", REG(SLOW_TIMER + 0x8));
	print_hex("intstatus", REG(SLOW_TIMER + 0xc));
}

static void counter(void)
{
	print_hex("cntid", REG(COUNTER + 0x1c));
	print_hex("cntscr", REG(COUNTER + 0x10));
	REG(COUNTER + 0x8) = 0x1000;
	REG(COUNTER + 0xc) = 7;
	print_hex("count low", REG(COUNTER_READ));
	print_hex("count high", REG(COUNTER_READ + 4));
	REG(COUNTER) = 1;
	uint32_t first = REG(COUNTER_READ), loops = 0;

	while (REG(COUNTER_READ) == first && loops < 1000000)
		loops++;
	print(loops < 1000000 ? "counts\n" : "stands\n");
}

static void system_timers(void)
{
	/* 50 ms: QEMU's clock is the host's, on which it may lose the processor before it reads what it has set */
	enum { RELOAD = 1600000 };

	enable_irq(3);
	enable_irq(27);
	print_hex("cfg", REG(SYSTIMER0 + 0x50));
	REG(SYSTIMER0 + 0x28) = 30000;
	REG(SYSTIMER0 + 0x2c) = 1;
	wait_irq(3, 1);
	print_hex("ctl", REG(SYSTIMER0 + 0x2c));
	print(((int32_t)REG(SYSTIMER0 + 0x28)) <= 0 ? "passed\n" : "early\n");
	REG(SYSTIMER3 + 0x48) = RELOAD;
	REG(SYSTIMER3 + 0x4c) = 1;
	REG(SYSTIMER3 + 0x2c) = 1;
	uint32_t low = REG(SYSTIMER3 + 0x40);

	wait_irq(27, 1);
	uint32_t step = REG(SYSTIMER3 + 0x40) - low;

	print(step >= RELOAD ? "moved on\n" : "stands\n");
	REG(SYSTIMER3 + 0x2c) = 0;
	print_hex("aival ctl", REG(SYSTIMER3 + 0x4c));
}

static void watchdog(void)
{
	print_hex("load", REG(SLOW_WATCHDOG));
	print_hex("lock", REG(SLOW_WATCHDOG + 0xc00));
	REG(SLOW_WATCHDOG) = 32;
	REG(SLOW_WATCHDOG + 0x8) = 1;
	while (!nmis)
		;
	print_hex("nmis", nmis);
	print_hex("ris", REG(SLOW_WATCHDOG + 0x10));
	REG(SLOW_WATCHDOG + 0xc00) = 1;
	print_hex("lock", REG(SLOW_WATCHDOG + 0xc00));
	REG(SLOW_WATCHDOG) = 5;
	print_hex("load", REG(SLOW_WATCHDOG));
	REG(SLOW_WATCHDOG + 0xc00) = 0x1acce551;
	print_hex("lock", REG(SLOW_WATCHDOG + 0xc00));
}

static void fpgaio(void)
{
	REG(FPGAIO) = 0x3ff;
	print_hex("leds", REG(FPGAIO));
	REG(FPGAIO + 0x1c) = 0x1234;
	print_hex("prescale", REG(FPGAIO + 0x1c));
	REG(FPGAIO + 0x14) = 0;
	while (REG(FPGAIO + 0x14) < 2)
		;
	print("100 Hz\n");
	REG(FPGAIO + 0x4c) = 0x3ff;
	print_hex("misc", REG(FPGAIO + 0x4c));
}

static void protection(void)
{
	static const uint16_t registers[] = {0x14, 0x60, 0x80, 0xc0};

	for (unsigned i = 0; i < sizeof(registers) / sizeof(*registers); i++) {
		uint32_t old = REG(SACFG + registers[i]);

		REG(SACFG + registers[i]) = 3;
		print_hex("sacfg", REG(SACFG + registers[i]));
		REG(SACFG + registers[i]) = old;
	}
	for (uint32_t mpc = 0x57000000; mpc <= 0x57002000; mpc += 0x1000) {
		print_hex("mpc ctrl", REG(mpc));
		REG(mpc + 0x18) = 0;
		REG(mpc + 0x1c) = 0;
		print_hex("mpc idx", REG(mpc + 0x18));
	}
}

static void system_control(void)
{
	print_hex("syndrome", REG(SYSCTRL + 0x100));
	REG(SYSCTRL + 0x10c) = 0xabcd;
	print_hex("retained", REG(SYSCTRL + 0x10c));
	print_hex("pwrctrl", REG(SYSCTRL + 0x1fc));
	print_hex("sense", REG(SYSCTRL + 0x200));
	REG(SYSCTRL + 0x4) = 5;
	print_hex("cpu", REG(CPU_IDENTITY));
	print_hex("cpu power", REG(CPU_PWRCTRL));
}

void reset(void);
void reset(void)
{
	REG(UART0 + 0x10) = 217;
	REG(UART0 + 0x08) = 1;
	__asm__ volatile("cpsie i");
	identities();
	uart();
	slow_timer();
	counter();
	system_timers();
	watchdog();
	fpgaio();
	protection();
	system_control();
	print("end\n");
	leave();
}

extern uint32_t stack_top[]; /* link.ld */

typedef void vector(void);

__attribute__((section(".vectors"), used)) static vector *const vectors[16 + 128] = {
	(vector *)stack_top, reset, handle_nmi, [3 ... 15] = handle_fault, [16 ... 143] = handle_irq,
};
