/* SPDX-License-Identifier: Apache-2.0 */
/* Random SAU and MPU regions of both states, seen through TT and through loads and stores of
 * every kind that may fault; a hash of it all is printed now and then. */
#include "keep_alive.h"
#include "random.h"
#include "tz.h"

static u32 seed = 0x87654321, faults;
static u32 arena[4096] __attribute__((aligned(4096)));

static u32 random(void) { return next_random(&seed); }

NS_NAKED static void ns_touch(void)
{
	__asm("cmp r1, #1\n beq 1f\n bhi 2f\n ldr.w r0, [r0]\n bx lr\n 1: str.w r0, [r0]\n bx lr\n 2: tt r0, r0\n bx lr");
}

static u32 tt(u32 addr) { u32 v; __asm volatile("tt %0, %1" : "=r"(v) : "r"(addr)); return v; }
static u32 ttt(u32 addr) { u32 v; __asm volatile("ttt %0, %1" : "=r"(v) : "r"(addr)); return v; }
static u32 tta(u32 addr) { u32 v; __asm volatile("tta %0, %1" : "=r"(v) : "r"(addr)); return v; }
static u32 ttat(u32 addr) { u32 v; __asm volatile("ttat %0, %1" : "=r"(v) : "r"(addr)); return v; }

static void touch(u32 addr, u32 how)
{
	switch (how & 7) {
	case 0: __asm volatile("ldr.w r2, [%0]" :: "r"(addr) : "r2", "memory"); break;
	case 1: __asm volatile("str.w %0, [%0]" :: "r"(addr) : "memory"); break;
	case 2: __asm volatile("ldrt r2, [%0]" :: "r"(addr) : "r2", "memory"); break;
	case 3: __asm volatile("strt %0, [%0]" :: "r"(addr) : "memory"); break;
	case 4: __asm volatile("ldrb.w r2, [%0]" :: "r"(addr) : "r2", "memory"); break;
	case 5: __asm volatile("strh.w %0, [%0]" :: "r"(addr) : "memory"); break;
	case 6: note(call_ns(ns_touch, addr & ~3u, 0)); break;
	default: call_ns(ns_touch, addr & ~3u, 1); break;
	}
}

static u32 somewhere(void)
{
	u32 r = random();
	/* Aligned: QEMU checks only the first byte of an access inside a page. */
	return (u32)arena + (r & 0x3FFC) % (sizeof(arena) - 8);
}

static u32 inside(u32 last)
{
	u32 end = (u32)arena + sizeof(arena) - 32;
	return last > end ? end : last & ~31u;
}

static void random_mpu(u32 ns)
{
	u32 n = random() & 3, base = somewhere() & ~31u, r = random();
	u32 last = r & 1 ? base + (r >> 8 & 0x1FE0) : base + (r >> 8 & 0xE0);
	u32 alias = ns ? 0x20000 : 0;
	R32(0xE000ED98 + alias) = 4 + n; /* 0-3 keep the program alive */
	R32(0xE000ED9C + alias) = base | (r >> 24 & 7);
	R32(0xE000EDA0 + alias) = inside(last) | (r >> 4 & 1);
}

static void random_sau(void)
{
	u32 base = somewhere() & ~31u, r = random();
	SAU_RNR = 4 + (r & 3);
	SAU_RBAR = base;
	SAU_RLAR = inside(base + (r >> 8 & 0x1FE0)) | (r >> 4 & 3);
}

void scenario(void)
{
	SHCSR = SHCSR_ALL;
	quiet = 1;
	sau_on();
	NS_ALIAS(SHCSR) = SHCSR_ALL;
	print_hex("arena", (u32)arena);
	line();
	keep_alive(0, 0x20006000);
	keep_alive(0x20000, 0x20006000);
	for (u32 i = 0; i < 30000; i++) {
		u32 r = random();
		switch (r >> 28) {
		case 0: random_mpu(0); break;
		case 1: random_mpu(1); break;
		case 2: random_sau(); break;
		case 3: MPU_CTRL = r >> 8 & 5; break;
		case 4: NS_ALIAS(MPU_CTRL) = r >> 8 & 5; break;
		default: break;
		}
		BARRIER();
		u32 addr = somewhere();
		note(tt(addr));
		note(ttt(addr));
		note(tta(addr));
		note(ttat(addr));
		note(call_ns(ns_touch, addr, 2));
		last_frame = 0;
		touch(addr, r);
		if (last_frame) {
			faults++;
			note((u32)last_frame);
			note(last_frame[6]);
			note(last_return);
		}
		for (u32 k = 0; k < ns_count; k++)
			note(ns_log[k]);
		ns_count = 0;
		if (i % 1000 == 999) {
			print_hex("step", i);
			print_hex("hash", hash);
			print_hex("faults", faults);
			line();
		}
	}
}
