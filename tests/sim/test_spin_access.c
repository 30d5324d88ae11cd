/* SPDX-License-Identifier: Apache-2.0 */
/* What one instruction does to memory, for every encoding group; encodings from GNU as. */
#include "sim/spin_access.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>

enum { HERE = 0x10000100, R1 = 0x20001000, R2 = 0x40, STACK = 0x20004000 };
enum { N = ACCESS_NONE, R = ACCESS_READ, W = ACCESS_WRITE, X = ACCESS_OTHER };

static const struct { u16 h0, h1; u8 kind; u32 addr, bytes; const char *text; } rows[] = {
	{ 0x4804, 0, R, HERE + 4 + 16, 4, "ldr r0, [pc, #16]" },
	{ 0x5088, 0, W, R1 + R2, 4, "str r0, [r1, r2]" },
	{ 0x5288, 0, W, R1 + R2, 2, "strh r0, [r1, r2]" },
	{ 0x5488, 0, W, R1 + R2, 1, "strb r0, [r1, r2]" },
	{ 0x5688, 0, R, R1 + R2, 1, "ldrsb r0, [r1, r2]" },
	{ 0x5888, 0, R, R1 + R2, 4, "ldr r0, [r1, r2]" },
	{ 0x5a88, 0, R, R1 + R2, 2, "ldrh r0, [r1, r2]" },
	{ 0x5c88, 0, R, R1 + R2, 1, "ldrb r0, [r1, r2]" },
	{ 0x5e88, 0, R, R1 + R2, 2, "ldrsh r0, [r1, r2]" },
	{ 0x67c8, 0, W, R1 + 124, 4, "str r0, [r1, #124]" },
	{ 0x6848, 0, R, R1 + 4, 4, "ldr r0, [r1, #4]" },
	{ 0x77c8, 0, W, R1 + 31, 1, "strb r0, [r1, #31]" },
	{ 0x7808, 0, R, R1, 1, "ldrb r0, [r1]" },
	{ 0x8048, 0, W, R1 + 2, 2, "strh r0, [r1, #2]" },
	{ 0x8fc8, 0, R, R1 + 62, 2, "ldrh r0, [r1, #62]" },
	{ 0x9002, 0, W, STACK + 8, 4, "str r0, [sp, #8]" },
	{ 0x98ff, 0, R, STACK + 1020, 4, "ldr r0, [sp, #1020]" },
	{ 0xb503, 0, W, STACK - 12, 12, "push {r0, r1, lr}" },
	{ 0xbd10, 0, R, STACK, 8, "pop {r4, pc}" },
	{ 0xc10c, 0, W, R1, 8, "stmia r1!, {r2, r3}" },
	{ 0xc91c, 0, R, R1, 12, "ldmia r1!, {r2, r3, r4}" },
	{ 0xbeab, 0, X, 0, 0, "bkpt 0xab" },
	{ 0xdf00, 0, X, 0, 0, "svc 0" },
	{ 0xde00, 0, N, 0, 0, "udf #0" },
	{ 0xbf00, 0, N, 0, 0, "nop" },
	{ 0xe7fe, 0, N, 0, 0, "b ." },
	{ 0x2001, 0, N, 0, 0, "movs r0, #1" },
	{ 0x1888, 0, N, 0, 0, "adds r0, r1, r2" },
	{ 0xb100, 0, N, 0, 0, "cbz r0, .+4" },
	{ 0xe891, 0x0300, R, R1, 8, "ldmia.w r1, {r8, r9}" },
	{ 0xe921, 0x4300, W, R1 - 12, 12, "stmdb r1!, {r8, r9, lr}" },
	{ 0xe92d, 0x4ff0, W, STACK - 36, 36, "push {r4-r11, lr}" },
	{ 0xe8bd, 0x8ff0, R, STACK, 36, "pop {r4-r11, pc}" },
	{ 0xe89f, 0x0003, N, 0, 0, "clrm {r0, r1}" },
	{ 0xe9d1, 0x0202, R, R1 + 8, 8, "ldrd r0, r2, [r1, #8]" },
	{ 0xe941, 0x0202, W, R1 - 8, 8, "strd r0, r2, [r1, #-8]" },
	{ 0xe8e1, 0x0202, W, R1, 8, "strd r0, r2, [r1], #8" },
	{ 0xe971, 0x02ff, R, R1 - 1020, 8, "ldrd r0, r2, [r1, #-1020]!" },
	{ 0xe851, 0x0f01, R, R1 + 4, 8, "ldrex r0, [r1, #4]" },
	{ 0xe841, 0x2000, X, 0, 0, "strex r0, r2, [r1]" },
	{ 0xe8d1, 0x0f4f, R, R1, 8, "ldrexb r0, [r1]" },
	{ 0xe8d1, 0x0faf, R, R1, 8, "lda r0, [r1]" },
	{ 0xe8c1, 0x0faf, X, 0, 0, "stl r0, [r1]" },
	{ 0xe8d1, 0xf002, R, R1 + R2, 2, "tbb [r1, r2]" },
	{ 0xe8d1, 0xf012, R, R1 + 2 * R2, 2, "tbh [r1, r2, lsl #1]" },
	{ 0xe841, 0xf000, N, 0, 0, "tt r0, r1" },
	{ 0xf8d1, 0x0fff, R, R1 + 4095, 4, "ldr.w r0, [r1, #4095]" },
	{ 0xf841, 0x0cff, W, R1 - 255, 4, "str.w r0, [r1, #-255]" },
	{ 0xf841, 0x0b04, W, R1, 4, "str.w r0, [r1], #4" },
	{ 0xf801, 0x0f08, W, R1 + 8, 1, "strb.w r0, [r1, #8]!" },
	{ 0xf931, 0x0032, R, R1 + 8 * R2, 2, "ldrsh.w r0, [r1, r2, lsl #3]" },
	{ 0xf841, 0x0022, W, R1 + 4 * R2, 4, "str.w r0, [r1, r2, lsl #2]" },
	{ 0xf85f, 0x0020, R, HERE + 4 - 32, 4, "ldr.w r0, [pc, #-32]" },
	{ 0xf851, 0x0e04, R, R1 + 4, 4, "ldrt r0, [r1, #4]" },
	{ 0xed91, 0x0a00, X, 0, 0, "vldr s0, [r1]" },
	{ 0xed2d, 0x0a01, X, 0, 0, "vpush {s0}" },
	{ 0xee30, 0x0a81, N, 0, 0, "vadd.f32 s0, s1, s2" },
	{ 0xf3bf, 0x8f4f, N, 0, 0, "dsb sy" },
	{ 0xf040, 0xc003, N, 0, 0, "wls lr, r0, .+8" },
	{ 0xf3ef, 0x8010, N, 0, 0, "mrs r0, primask" },
	{ 0xf04f, 0x0001, N, 0, 0, "mov.w r0, #1" },
};

Test(spin_access, every_group)
{
	const struct cpu_config config = {
		.clock_hz = 25000000, .irqs = 32, .priority_bits = 3, .security = true, .cpi_mul = 1, .cpi_div = 1,
	};
	struct bus *bus = bus_new(NULL);
	struct sched sched;

	sched_init(&sched);
	cr_assert(bus && bus_add_ram(bus, "code", 0x10000000, 0x1000, BUS_CPU));

	struct cpu *cpu = cpu_new(&config, bus, &sched, NULL);

	cr_assert(cpu != NULL);
	cpu_reset(cpu);
	cpu_set_reg(cpu, 1, R1);
	cpu_set_reg(cpu, 2, R2);
	cpu_set_reg(cpu, 13, STACK);
	cpu_set_reg(cpu, 15, HERE);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		cr_assert(cpu_poke(cpu, HERE, &rows[i].h0, 2) && cpu_poke(cpu, HERE + 2, &rows[i].h1, 2));
		const struct access a = access_next(cpu);

		cr_expect(a.kind == rows[i].kind, "%s: kind %d", rows[i].text, a.kind);
		cr_expect(a.addr == rows[i].addr && a.bytes == rows[i].bytes, "%s: 0x%08x, %u bytes", rows[i].text,
			  a.addr, a.bytes);
	}
	cpu_set_reg(cpu, 15, 0x30000000);
	cr_expect(eq(int, access_next(cpu).kind, ACCESS_OTHER), "code that cannot be read");
	cpu_free(cpu);
	bus_free(bus);
}
