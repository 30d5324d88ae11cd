/* SPDX-License-Identifier: Apache-2.0 */
/* The state of one core. Private to cpu/.
 *
 * Data only in `core`, `fp` and `sys` (copying them is a snapshot); host handles are in the rest.
 * While an engine runs, the condition flags and the remaining-cycle count live in host registers;
 * everything here is exact ("spilled") whenever code outside the engine's fast path runs. */
#ifndef CPU_STATE_H
#define CPU_STATE_H

#include "cpu/cpu.h"
#include "cpu/engine/jump.h"
#include "cpu/sys/pay.h"

enum { BANK_NS = 0, BANK_S = 1 };

enum cpu_activity {
	CPU_RUNNING,
	CPU_SLEEPING,  /* WFI/WFE/SLEEPONEXIT: exception_wake ends it */
	CPU_LOCKED_UP,
	CPU_RESETTING, /* AIRCR.SYSRESETREQ was written */
	CPU_HELD,      /* cpu_hold */
};

/* One MVE register, or four S / two D registers. Host is little-endian or the accessors swap. */
union vec {
	u8 b[16]; i8 sb[16];
	u16 h[8]; i16 sh[8];
	u32 w[4]; i32 sw[4];
	u64 d[2]; i64 sd[2];
};

struct cpu_core {
	/* r[13] is the stack pointer in use; the ones not in use are in sys.sp[][]. r[15] is the
	 * address of the instruction being executed (slow operations) or to be executed next. */
	u32 r[16];
	u32 apsr;      /* N Z C V in 31:28, Q 27, GE 19:16; NZCV only valid when spilled */
	u32 ipsr;      /* exception number, 0 = Thread mode */
	u32 epsr_it;   /* ITSTATE (8 bits) or ECI, as in Arm ARM: EPSR.IT/ICI/ECI */
	u32 eci;       /* ECI when not in an IT block and beat-wise execution is resumed, else 0 */
	bool secure;   /* current Security state */
	bool psp_used; /* r[13] is a PSP */
	bool btype;    /* EPSR.B (PACBTI) */
	bool event;    /* event register of WFE */
	bool excl_valid; /* local exclusive monitor */
	u32 excl_addr, excl_bytes;
	u32 next_pc;   /* slow operations: address after this instruction; they may change it */
	u32 next_it;   /* likewise ITSTATE after this instruction (an exception return replaces it) */
	u8 activity;   /* enum cpu_activity; the run loop looks at it after every slow operation */
	bool fp_ready; /* FP/MVE instructions may run without cpu_fp_prepare; sys clears it */
	u64 cycles;    /* spilled */
	u64 insns;     /* spilled */
	/* Loop tail predication: LTPSIZE is FPSCR[18:16], kept in fp.ltpsize. */
};

struct cpu_fp {
	union vec q[8];  /* Q0..Q7 = D0..D15 = S0..S31 */
	u32 fpscr;       /* FPSCR but LTPSIZE: fp_get_fpscr has all of it */
	u32 ltpsize;     /* 4: no tail predication */
	u32 vpr;         /* P0 15:0, MASK01 19:16, MASK23 23:20 */
};

struct observed; /* cpu/observed.h */
struct caches;
struct cpu_sys; /* cpu/sys/sys.h: SCS registers, banks, NVIC, faults, MPU, SAU, DWT, PMU, FPB */

struct cpu {
	struct cpu_core core;
	struct cpu_fp fp;
	/* access permission of the current state, one byte per 4 KiB page: bit 0 read, 1 write,
	 * 2 execute; 0 = unknown or special, take the slow path. */
	u8 *page_ok; /* another table after a change of state: reload after every slow operation */
	const struct cut_page *cut; /* granules of cut pages, in the current state; NULL: there are none */
	u8 *mem; /* bus base: host address of guest address 0 */
	/* For the engine's fast path: cached stack limit of r[13]; decoded pages by guest page
	 * number; all ones while a branch-free IT block's condition holds. */
	u32 sp_limit;
	u8 unaligned; /* bits of page_ok that let an unaligned access be made at once; 0: it must be looked at */
	u32 it_mask;
	u32 zero; /* what a select reads in place of register 15 */
	bool bti, pac; /* PACBTI-M in the current state: branch targets are checked, pointers authenticated */
	i32 taken_extra; /* cost of a taken conditional branch over an untaken one, << 16 */
	u64 catch_faults;  /* for a debugger: a bit per enum fault */
	bool fault_caught; /* one was raised since cpu_run looked */
	bool break_asked;  /* cpu_break_after */
	struct code_page **code;
	struct observed *observed; /* NULL: nobody listens */
	struct caches *caches; /* cpu/sys/caches.h; NULL: all memories are as fast as the TCMs */
	u8 *lines; /* by line of the address space: what costs nothing (enum line_free); NULL without caches */
	u32 fetched[2]; /* lines in the fetch buffer (cpu/sys/caches.h) */
	struct jump jumps[JUMPS]; /* of indirect jumps of translated code */
	struct pay pay; /* what accesses past the caches cost; nothing in it without caches */
	struct cpu_sys *sys;
	struct sys_host *sys_host; /* cpu/sys: permission tables, scheduler id */
	struct cpu_config config;
	struct bus *bus;
	struct sched *sched;
	const struct diag *diag;
	struct engine *engine; /* cpu/engine: slots, decode cache, dispatch */
};

static inline u32 fp_get_fpscr(const struct cpu *c)
{
	return c->fp.fpscr | c->fp.ltpsize << 16;
}

/* N Z C V QC AHP DN FZ RMode FZ16 and the cumulative flags; LTPSIZE apart. */
static inline void fp_set_fpscr(struct cpu *c, u32 value)
{
	c->fp.fpscr = value & 0xFFC8009F;
	c->fp.ltpsize = value >> 16 & 7;
}

#endif
