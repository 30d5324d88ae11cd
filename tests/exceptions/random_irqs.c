/* SPDX-License-Identifier: Apache-2.0 */
/* Random priorities, masks, targets and pends in both Security states; every handler adds what it
 * sees to a hash that is printed now and then. */
#include "random.h"
#include "tz.h"

static u32 seed = 0x12345678, depth, handled;

static u32 random(void) { return next_random(&seed); }

static void pend_something(void)
{
	u32 r = random();
	if (r & 1)
		NVIC_ISPR = 1u << (r >> 8 & 15);
	else if (r & 2)
		ICSR = 1u << 28;
	else if (r & 4)
		NS_ALIAS(ICSR) = 1u << 28;
	else if (r & 8)
		NS_ALIAS(ICSR) = 1u << 26;
	BARRIER();
}

static void drain(void)
{
	for (u32 i = 0; i < ns_count; i++)
		note(ns_log[i]);
	ns_count = 0;
}

static void secure_handler(void)
{
	depth++;
	handled++;
	drain();
	note(MRS(ipsr));
	note(ICSR);
	note(NVIC_IABR);
	note(NVIC_ISPR);
	note(SHCSR);
	note(MRS(control));
	if (depth < 4 && random() & 1)
		pend_something();
	note(ICSR);
	depth--;
}

static void set_priority(u32 r)
{
	u32 prio = r >> 16 & 0xE0; /* QEMU has eight bits, the boards three */
	if (r & 0x100)
		IRQ_PRIO(r & 15) = prio;
	else if (r & 0x200)
		SYS_PRIO(14) = prio;
	else if (r & 0x400)
		R8(0xE002ED14 + 14) = prio;
	else
		R8(0xE002ED14 + 15) = prio;
}

static void step(void)
{
	u32 r = random(), v = random();
	switch (r >> 24 & 15) {
	case 0: case 1: set_priority(v); break;
	case 2: NVIC_ISER = v & 0xFFFF; break;
	case 3: NVIC_ICER = v & 0x1111 << (r & 3); break;
	case 4: NVIC_ITNS = v & 0xFFFF; break;
	case 5: AIRCR = 0x05FA0000 | (v & 0x4700) | (v & 0x10000 ? 0x2000 : 0); break;
	case 6: NS_ALIAS(AIRCR) = 0x05FA0000 | (v & 0x700); break;
	case 7: MSR(basepri, v & 0xE0); break;
	case 8: MSR(basepri_ns, v & 0xE0); break;
	case 9: MSR(primask, v & 1); break;
	case 10: MSR(primask_ns, v & 1); break;
	case 11: MSR(faultmask_ns, v & 1); break;
	case 12: NVIC_ICPR = v & 0xFFFF; break;
	default: pend_something(); break;
	}
	BARRIER();
	drain();
	note(NVIC_ISPR);
	note(ICSR);
	note(NS_ALIAS(ICSR));
	note(NS_ALIAS(NVIC_ISER));
	note(MRS(faultmask_ns));
}

void scenario(void)
{
	sau_on();
	handler[14] = secure_handler;
	for (u32 i = 0; i < 16; i++)
		handler[16 + i] = secure_handler;
	NVIC_ISER = 0xFFFF;
	for (u32 i = 0; i < 20000; i++) {
		if (i % 64 == 0) { /* open everything now and then, so that nothing waits for ever */
			MSR(basepri, 0);
			MSR(basepri_ns, 0);
			MSR(primask, 0);
			MSR(primask_ns, 0);
			MSR(faultmask_ns, 0);
			NVIC_ISER = 0xFFFF;
			BARRIER();
		}
		step();
		if (i % 500 == 499) {
			print_hex("step", i);
			print_hex("hash", hash);
			print_hex("handled", handled);
			line();
		}
	}
}
