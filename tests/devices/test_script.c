/* SPDX-License-Identifier: Apache-2.0 */
/* Virtual interfaces with a script that is a table of answers and notes what it is asked. */
#include "rig.h"
#include "devices/script.h"

#include <stdio.h>
#include <string.h>

#define VSI0 0x4ff00000
#define VIO 0x4fef0000
#define RAM 0x20000000u /* DTCM */
#define MICROSECONDS(n) ((n) * (SCHED_TICKS_PER_SECOND / 1000000))

enum { IRQ_ENABLE = 0, IRQ_SET = 4, IRQ_CLEAR = 8, IRQ_STATUS = 12, TIMER = 0x100, INTERVAL = 0x104, COUNT = 0x108, DMA = 0x200, ADDRESS = 0x204,
       BLOCK_BYTES = 0x208, BLOCKS = 0x20c, INDEX = 0x210, REGS = 0x300 };
enum { RUN = 1, PERIODIC = 2, INTERRUPT = 4, TRANSFER = 8, TO_PERIPHERAL = 2, MOST = 64 };

struct fake {
	struct script_host host;
	char asked[512];   /* "wrTimer(0, 7) " ... */
	u32 answer[HOOKS]; /* where answers bit n is set */
	u32 answers;
	u8 data[MOST];     /* what the latest wrDataDMA had; rdDataDMA gives it, with the first byte counted up */
	bool silent;       /* it gives no bytes: it has failed */
};

static void asked(void *ctx, struct script_call *c)
{
	static const char *const names[] = {
#define H(name, numbers, gives) #name,
		SCRIPT_HOOKS(H)
#undef H
	};
	struct fake *f = ctx;
	const size_t n = strlen(f->asked);

	snprintf(f->asked + n, sizeof f->asked - n, "%s(%x,%x) ", names[c->hook], c->number[0], c->number[1]);
	if (f->answers >> c->hook & 1)
		c->answer = f->answer[c->hook];
	if (c->hook == HOOK_wrDataDMA)
		memcpy(f->data, c->data, c->bytes);
	if (c->hook == HOOK_rdDataDMA && !f->silent) {
		f->data[0]++;
		c->data = f->data;
	}
}

static struct rig *rig_with(struct fake *f, const char *device, u32 hooks)
{
	struct rig *r = rig_new(false);

	*f = (struct fake){ .host = { .call = asked, .ctx = f, .hooks = hooks, .bus = r->bus } };
	script_connect(device_set_find(r->set, device), &f->host);
	return r;
}

static void expect_asked(struct fake *f, const char *text)
{
	cr_expect(eq(str, f->asked, (char *)text));
	f->asked[0] = 0;
}

static void answer(struct fake *f, enum script_hook hook, u32 value)
{
	f->answer[hook] = value;
	f->answers |= 1u << hook;
}

Test(script, registers_are_what_the_script_says)
{
	struct fake f;
	struct rig *r = rig_with(&f, "VSI0", UINT32_MAX);

	rig_write(r, VSI0 + REGS + 4 * 63, 5);
	answer(&f, HOOK_wrRegs, 6);
	rig_write(r, VSI0 + REGS, 7);
	answer(&f, HOOK_rdRegs, 0xdeadbeef);
	cr_expect(eq(u32, rig_read(r, VSI0 + REGS + 8), 0xdeadbeef));
	cr_expect(eq(u32, *device_reg(device_set_find(r->set, "VSI0"), REGS), 6), "what it makes of a value that is written");
	expect_asked(&f, "wrRegs(3f,5) wrRegs(0,7) rdRegs(2,0) ");
	answer(&f, HOOK_wrDMA, 0xffffffff);
	rig_write(r, VSI0 + BLOCK_BYTES, 8);
	rig_write(r, VSI0 + DMA, 0);
	cr_expect(eq(u32, rig_read(r, VSI0 + BLOCK_BYTES), 0xffffffff), "any bits");
	cr_expect(eq(u32, rig_read(r, VSI0 + DMA), 3), "only bits that exist");
	expect_asked(&f, "wrDMA(2,8) wrDMA(0,0) ");
	rig_write(r, VSI0 + INTERVAL, 9);
	expect_asked(&f, "wrTimer(1,9) ");
	rig_free(r);
}

Test(script, without_functions_registers_keep_what_is_written)
{
	struct fake f;
	struct rig *r = rig_with(&f, "VSI0", 1u << HOOK_rdIRQ);

	rig_write(r, VSI0 + REGS, 7);
	cr_expect(eq(u32, rig_read(r, VSI0 + REGS), 7));
	rig_write(r, VSI0 + IRQ_ENABLE, 1);
	rig_write(r, VSI0 + IRQ_SET, 1);
	cr_expect(r->irq[224]);
	rig_write(r, VSI0 + IRQ_CLEAR, 1);
	cr_expect(r->irq[224] == 0);
	expect_asked(&f, "");
	rig_free(r);
}

/* Block, timerEvent, status: Arm's scripts only work in this order. */
Test(script, overflow_in_order)
{
	struct fake f;
	struct rig *r = rig_with(&f, "VSI0", UINT32_MAX);

	rig_write(r, VSI0 + IRQ_ENABLE, 3);
	rig_write(r, VSI0 + ADDRESS, RAM);
	rig_write(r, VSI0 + BLOCK_BYTES, 4);
	rig_write(r, VSI0 + BLOCKS, 2);
	rig_write(r, VSI0 + DMA, RUN);
	rig_write(r, VSI0 + INTERVAL, 5);
	rig_write(r, VSI0 + TIMER, RUN | INTERRUPT | TRANSFER);
	f.asked[0] = 0;
	answer(&f, HOOK_rdIRQ, 4);
	rig_wait(r, MICROSECONDS(5) - 1);
	expect_asked(&f, "");
	rig_wait(r, 1);
	expect_asked(&f, "rdDataDMA(4,0) timerEvent(0,0) rdIRQ(0,0) wrIRQ(5,0) ");
	cr_expect(r->irq[224]);
	cr_expect(eq(u32, rig_read(r, VSI0 + TIMER), INTERRUPT | TRANSFER), "it runs once");
	rig_wait(r, MICROSECONDS(50));
	cr_expect(eq(u32, rig_read(r, VSI0 + COUNT), 1));
	expect_asked(&f, "");
	rig_free(r);
}

Test(script, a_script_decides_about_interrupts)
{
	struct fake f;
	struct rig *r = rig_with(&f, "VSI0", UINT32_MAX);

	rig_write(r, VSI0 + IRQ_ENABLE, 2);
	rig_write(r, VSI0 + INTERVAL, 5);
	answer(&f, HOOK_wrIRQ, 0);
	rig_write(r, VSI0 + TIMER, RUN | PERIODIC | INTERRUPT);
	rig_wait(r, MICROSECONDS(5));
	cr_expect(r->irq[224] == 0, "it refuses");
	answer(&f, HOOK_rdIRQ, 2);
	answer(&f, HOOK_wrIRQ, 2);
	rig_wait(r, MICROSECONDS(5));
	cr_expect(r->irq[224], "timerEvent has set a bit of its own");
	answer(&f, HOOK_rdIRQ, 1);
	cr_expect(eq(u32, rig_read(r, VSI0 + IRQ_STATUS), 1));
	cr_expect(r->irq[224] == 0, "not enabled");
	rig_free(r);
}

/* As Arm's driver for recorded data does: blocks of any size, an interval of 0, and the count is read when the timer has been stopped. */
Test(script, odd_blocks_at_once)
{
	struct fake f;
	struct rig *r = rig_with(&f, "VSI0", UINT32_MAX);

	rig_write(r, RAM, 0x44434241);
	rig_write(r, RAM + 4, 0x48474645);
	rig_write(r, VSI0 + ADDRESS, RAM + 1);
	rig_write(r, VSI0 + BLOCK_BYTES, 5);
	rig_write(r, VSI0 + BLOCKS, 1);
	rig_write(r, VSI0 + DMA, RUN | TO_PERIPHERAL);
	rig_write(r, VSI0 + INTERVAL, 0);
	f.asked[0] = 0;
	rig_write(r, VSI0 + TIMER, RUN | TRANSFER);
	rig_wait(r, MICROSECONDS(1));
	cr_expect(eq(u32, rig_read(r, VSI0 + TIMER), TRANSFER));
	expect_asked(&f, "wrTimer(0,9) wrDataDMA(5,0) timerEvent(0,0) rdIRQ(0,0) ");
	cr_expect(zero(int, memcmp(f.data, "BCDEF\0", 6)));
	rig_write(r, VSI0 + TIMER, RUN | PERIODIC);
	rig_wait(r, MICROSECONDS(10));
	rig_write(r, VSI0 + TIMER, 0);
	cr_expect(eq(u32, rig_read(r, VSI0 + COUNT), 10));
	rig_wait(r, MICROSECONDS(10));
	cr_expect(eq(u32, rig_read(r, VSI0 + COUNT), 10));
	rig_write(r, VSI0 + TIMER, RUN);
	cr_expect(zero(u32, rig_read(r, VSI0 + COUNT)));
	rig_free(r);
}

static u32 word(struct rig *r, u32 addr)
{
	return rig_read(r, addr);
}

Test(script, blocks_go_round_in_both_directions)
{
	struct fake f;
	struct rig *r = rig_with(&f, "VSI0", UINT32_MAX);

	rig_write(r, VSI0 + ADDRESS, RAM);
	rig_write(r, VSI0 + BLOCK_BYTES, 8);
	rig_write(r, VSI0 + BLOCKS, 4);
	rig_write(r, VSI0 + DMA, RUN);
	rig_write(r, VSI0 + INTERVAL, 5);
	rig_write(r, VSI0 + TIMER, RUN | PERIODIC | TRANSFER);
	for (u32 i = 1; i <= 6; i++) {
		rig_wait(r, MICROSECONDS(5));
		cr_expect(eq(u32, rig_read(r, VSI0 + INDEX), i % 4));
	}
	cr_expect(eq(u32, word(r, RAM), 5));
	cr_expect(eq(u32, word(r, RAM + 8), 6));
	cr_expect(eq(u32, word(r, RAM + 16), 3));
	cr_expect(eq(u32, word(r, RAM + 24), 4));
	cr_expect(zero(u32, word(r, RAM + 32)));
	rig_write(r, VSI0 + DMA, RUN | TO_PERIPHERAL);
	cr_expect(eq(u32, rig_read(r, VSI0 + INDEX), 2), "it was not disabled");
	rig_write(r, RAM + 16, 0x12345678);
	rig_write(r, RAM + 20, 0x9abcdef0);
	rig_wait(r, MICROSECONDS(5));
	cr_expect(zero(int, memcmp(f.data, "\x78\x56\x34\x12\xf0\xde\xbc\x9a", 8)));
	rig_write(r, VSI0 + DMA, 0);
	cr_expect(zero(u32, rig_read(r, VSI0 + INDEX)));
	f.asked[0] = 0;
	rig_wait(r, MICROSECONDS(5));
	expect_asked(&f, "timerEvent(0,0) rdIRQ(0,0) ");
	rig_free(r);
}

/* Up to the last byte of a memory, beyond, at the end of all addresses, and what a script that has failed gives. */
Test(script, blocks_at_ends_of_memory)
{
	static const struct { u32 address, bytes, blocks; bool moved; } cases[] = {
		{ RAM + 0x80000 - 64, 64, 1, true }, { RAM + 0x80000 - 60, 64, 1, false }, { 0xfffffff0, 64, 1, false }, { 0x5fff0000, 4, 1, false },
		{ RAM, 0xfffffffc, 1, false }, { VSI0, 64, 1, false },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct fake f;
		struct rig *r = rig_with(&f, "VSI0", UINT32_MAX);

		rig_write(r, VSI0 + ADDRESS, cases[i].address);
		rig_write(r, VSI0 + BLOCK_BYTES, cases[i].bytes);
		rig_write(r, VSI0 + BLOCKS, cases[i].blocks);
		rig_write(r, VSI0 + DMA, RUN);
		rig_write(r, VSI0 + INTERVAL, 1);
		rig_write(r, VSI0 + TIMER, RUN | PERIODIC | TRANSFER);
		rig_wait(r, MICROSECONDS(3));
		cr_expect(eq(int, strstr(f.asked, "rdDataDMA") != NULL, cases[i].moved), "%zu", i);
		cr_expect(eq(u32, r->messages, !cases[i].moved), "%zu: told once", i);
		cr_expect(cases[i].moved || strstr(r->last_message, "VSI002"), "%s", r->last_message);
		rig_free(r);
	}
}

Test(script, no_bytes_and_no_script)
{
	struct fake f;
	struct rig *r = rig_with(&f, "VSI0", 1u << HOOK_rdDataDMA);

	f.silent = true;
	rig_write(r, RAM, 77);
	rig_write(r, VSI0 + ADDRESS, RAM);
	rig_write(r, VSI0 + BLOCK_BYTES, 4);
	rig_write(r, VSI0 + DMA, RUN);
	rig_write(r, VSI0 + INTERVAL, 1);
	rig_write(r, VSI0 + TIMER, RUN | PERIODIC | TRANSFER);
	rig_wait(r, MICROSECONDS(2));
	cr_expect(eq(u32, word(r, RAM), 77));
	cr_expect(zero(u32, r->messages));
	rig_write(r, VSI0 + DMA, RUN | TO_PERIPHERAL);
	rig_wait(r, MICROSECONDS(2));
	cr_expect(eq(u32, r->messages, 1));
	cr_expect(strstr(r->last_message, "VSI001") && strstr(r->last_message, "wrDataDMA"), "%s", r->last_message);
	rig_free(r);
}

Test(script, signals_and_values)
{
	struct fake f;
	struct rig *r = rig_with(&f, "VIO", UINT32_MAX);

	rig_write(r, VIO + 0, 0xf0);
	rig_write(r, VIO + 4, 0x5a);
	rig_write(r, VIO + 8, 0x0f);
	answer(&f, HOOK_rdSignal, 9);
	cr_expect(eq(u32, rig_read(r, VIO + 12), 9));
	rig_write(r, VIO + 16 + 4 * 63, 0xffffffff);
	answer(&f, HOOK_rdValue, 3);
	cr_expect(eq(u32, rig_read(r, VIO + 16 + 4), 3));
	expect_asked(&f, "wrSignal(f0,5a) rdSignal(f,0) wrValue(3f,ffffffff) rdValue(1,0) ");
	f.host.hooks = 0;
	rig_write(r, VIO + 16, 8);
	cr_expect(eq(u32, rig_read(r, VIO + 16), 8));
	cr_expect(eq(u32, rig_read(r, VIO + 12), 9), "what it was last");
	rig_free(r);
}
