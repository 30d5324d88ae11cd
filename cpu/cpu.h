/* SPDX-License-Identifier: Apache-2.0 */
/* The Cortex-M core as the rest of the simulator sees it. Everything else in cpu/ is private. */
#ifndef CPU_CPU_H
#define CPU_CPU_H

#include "memory/bus.h"
#include "memory/diag.h"
#include "memory/sched.h"
#include "memory/types.h"

struct cpu;

enum cpu_model { CPU_CORTEX_M55, CPU_CORTEX_M85 };
enum cpu_timing { CPU_TIMING_IPC1, CPU_TIMING_M55, CPU_TIMING_M85 };
enum cpu_engine { CPU_ENGINE_TAIL, CPU_ENGINE_SWITCH, CPU_ENGINE_STEP };

/* What the board's attribution unit says about an address. */
struct cpu_idau {
	bool secure, nsc, exempt;
	u8 region;
};

/* A memory that the core reaches over its bus, for the estimated timings. In the core's cycles: from a read's request to its first beat
 * of 8 bytes, and from one beat to the next (at least 1). */
#define CPU_MEMORIES 16
#define CPU_LATENCY_MAX 1000
#define CPU_BEAT_MAX 100
struct cpu_memory {
	u32 base, bytes;
	u16 latency, beat;
};

/* What the board fixes; copied, may be freed after cpu_new. */
struct cpu_config {
	enum cpu_model model;
	enum cpu_timing timing;
	enum cpu_engine engine;
	u64 clock_hz;
	u32 initsvtor, initnsvtor;
	u32 cpuid;              /* value of CPUID */
	unsigned irqs;          /* external interrupts, multiple of 32, at most 480 */
	unsigned priority_bits; /* 3..8 */
	unsigned mpu_s_regions, mpu_ns_regions, sau_regions; /* 0..16, 0..16, 0..8 */
	unsigned itcm_size_code, dtcm_size_code; /* CFGITCMSZ, CFGDTCMSZ: 2^(n-1) KiB */
	unsigned tgu_block[2];                   /* ITGUBLKSZ, DTGUBLKSZ: gates with blocks of 2^(n+5) bytes */
	unsigned icache_size, dcache_size;       /* bytes, 0 or powers of two */
	struct cpu_memory memories[CPU_MEMORIES]; /* those with wait states; all others have none */
	unsigned memory_count;                    /* 0: no wait states and no caches are estimated */
	bool fpu, mve_int, mve_fp, dsp, security, pacbti;
	u32 cpi_mul, cpi_div;   /* ipc1 timing: cycles = instructions * mul / div */
	/* IDAU of the board: attribution of an address. NULL: everything Secure-exempt rules only. */
	void (*idau)(void *ctx, u32 addr, struct cpu_idau *out);
	void *idau_ctx;
	/* Semihosting (BKPT 0xAB): returns true when handled; r0/r1 in regs[0..1], result to regs[0]. */
	bool (*semihost)(void *ctx, struct cpu *cpu, u32 regs[2]);
	void *semihost_ctx;
	/* Of 256 parts of the time, how many others take of the memory with wait states at addr, now. NULL: none ever do. It may change at
	 * events and by register accesses. */
	u32 (*taken)(void *ctx, u32 addr);
	void *taken_ctx;
	/* Text that software writes to stimulus port 0 of the ITM. NULL: it is dropped. */
	void (*itm)(void *ctx, u8 byte);
	void *itm_ctx;
};

enum cpu_stop {
	CPU_STOP_HORIZON,   /* reached the tick asked for */
	CPU_STOP_SLEEP,     /* WFI/WFE with nothing pending */
	CPU_STOP_LOCKUP,    /* cpu_lockup_text has the cause */
	CPU_STOP_RESET,     /* AIRCR.SYSRESETREQ */
	CPU_STOP_REQUESTED, /* cpu_request_stop, e.g. by a device or semihosting */
	CPU_STOP_BREAK,     /* breakpoint (debugger) */
	CPU_STOP_FAULT,     /* cpu_catch_faults: a fault was raised, whose handler is not entered yet */
	CPU_STOP_WATCH,     /* cpu_break_after */
	CPU_STOP_COUNT,     /* cpu_set_last_instruction: so many have been executed */
};

struct cpu *cpu_new(const struct cpu_config *config, struct bus *bus, struct sched *sched,
		    const struct diag *diag); /* NULL: out of host memory */
void cpu_free(struct cpu *c); /* NULL: nothing to free */

/* How the fast engine works in this build and on this host: "translated code", or "handlers" or "plain functions" and why:
 * "handlers, as the host refuses executable memory". */
const char *cpu_engine_kind(void);

struct state_list;
/* Registers all of the core's state. It may be saved while the core does not run, and goes on in any engine. */
void cpu_state(struct cpu *c, struct state_list *list);

/* Architectural reset; then SP = word at VTOR_S and PC = word at VTOR_S + 4. */
void cpu_reset(struct cpu *c);
/* The board holds the core (CPUWAIT): it executes nothing, as if it slept, until it is reset once more. */
void cpu_hold(struct cpu *c);
bool cpu_held(const struct cpu *c);
/* After CPU_STOP_RESET: the board grants no reset, the core goes on. */
void cpu_reset_refused(struct cpu *c);
/* Changes the Secure vector base that the next reset takes (board register or loader). */
void cpu_set_initsvtor(struct cpu *c, u32 base);
/* Overrides the start after a reset (ELF entry; SP 0 = leave). */
void cpu_set_start(struct cpu *c, u32 pc, u32 sp);

/* Runs until `until` ticks of sched time or an earlier stop. sched->next may get earlier while
 * it runs (device write); the CPU then stops there. Events are run by the caller. */
enum cpu_stop cpu_run(struct cpu *c, u64 until);

/* Executes one instruction (an exception that is due is entered before it); CPU_STOP_HORIZON when
 * that went well, else why none was executed. The caller looks after events. */
enum cpu_stop cpu_step(struct cpu *c);

/* Lets sleeping time pass: the clock of a sleeping core jumps to `tick`. */
void cpu_sleep_until(struct cpu *c, u64 tick);

/* Can none of the exceptions that the core's own timers raise preempt what runs now: masked, or not
 * more urgent? */
bool cpu_timers_blocked(const struct cpu *c);

/* External interrupt line `number` (0 = IRQ0); NMI. Signature fits struct irq_line. */
void cpu_irq_set(void *cpu, unsigned number, bool level);
void cpu_nmi_set(void *cpu, unsigned unused, bool level);

/* Input `number` of enum cpu_lock: while it is high, writes to the registers that it locks are ignored.
 * Signature fits struct irq_line. */
enum cpu_lock {
	CPU_LOCK_SVTAIRCR, /* VTOR_S, AIRCR.PRIS, AIRCR.BFHFNMINS */
	CPU_LOCK_SAU,      /* SAU_CTRL, RNR, RBAR, RLAR */
	CPU_LOCK_SMPU,     /* Secure MPU_CTRL, RNR, RBAR, RLAR */
	CPU_LOCK_TCM,      /* ITCMCR, DTCMCR */
	CPU_LOCK_ITGU, CPU_LOCK_DTGU, /* CTRL, LUTn */
	CPU_LOCK_NSVTOR,   /* VTOR_NS */
	CPU_LOCK_NSMPU,    /* Non-secure MPU_CTRL, RNR, RBAR, RLAR */
	CPU_LOCK_PAHB,     /* PAHBCR */
	CPU_LOCKS
};
void cpu_lock_set(void *cpu, unsigned number, bool level);
/* Ties the inputs in `mask` high, a bit for each, and leaves the others to their lines: neither a reset nor a
 * line that goes low unlocks what is tied. */
void cpu_lock_tie(struct cpu *c, u32 mask);

/* Input `number` of enum cpu_debug_signal, which allows debug, is low or high again. All are high until then, and stay as they are over
 * resets. */
enum cpu_debug_signal { CPU_DBGEN, CPU_NIDEN, CPU_SPIDEN, CPU_SPNIDEN };
void cpu_debug_low(void *cpu, unsigned number, bool low);

/* Accesses of other managers through the slave port: does the gate of a TCM (0 ITCM, 1 DTCM) let one at `offset` pass? Is one that
 * does not pass a bus error, or does it read zero and write nothing? */
bool cpu_port_allows(const struct cpu *c, unsigned tcm, u32 offset, bool secure);
bool cpu_port_errs(const struct cpu *c, unsigned tcm);

/* Leave cpu_run at the next instruction boundary. From a signal handler or another thread it takes some tens of
 * thousands of cycles more. */
void cpu_request_stop(struct cpu *c);

/* cpu_run ends with CPU_STOP_COUNT as soon as cpu_instructions() is `count` (UINT64_MAX, as at first: never), before
 * it looks at exceptions and events. */
void cpu_set_last_instruction(struct cpu *c, u64 count);

/* cpu_run ends with CPU_STOP_WATCH after the instruction being executed, or exception being entered. */
void cpu_break_after(struct cpu *c);

/* What an event of that kind is that the core has scheduled, for people. */
const char *cpu_event_name(unsigned kind);

u64 cpu_cycles(const struct cpu *c);       /* exact, also inside a device access */
u64 cpu_instructions(const struct cpu *c); /* likewise */

/* Registers for debugger, reports and tests. Numbers: 0-15 r0-pc, then enum cpu_reg. */
enum cpu_reg {
	CPU_REG_XPSR = 16, CPU_REG_MSP, CPU_REG_PSP, CPU_REG_PRIMASK, CPU_REG_BASEPRI,
	CPU_REG_FAULTMASK, CPU_REG_CONTROL, CPU_REG_MSPLIM, CPU_REG_PSPLIM,
	CPU_REG_MSP_S, CPU_REG_PSP_S, CPU_REG_MSP_NS, CPU_REG_PSP_NS,
	CPU_REG_SECURE, /* 1 in Secure state */
	CPU_REG_FPSCR, CPU_REG_VPR,
	/* the bank of each Security state: + 1 Secure */
	CPU_REG_MSPLIM_NS, CPU_REG_MSPLIM_S, CPU_REG_PSPLIM_NS, CPU_REG_PSPLIM_S, CPU_REG_PRIMASK_NS, CPU_REG_PRIMASK_S,
	CPU_REG_BASEPRI_NS, CPU_REG_BASEPRI_S, CPU_REG_FAULTMASK_NS, CPU_REG_FAULTMASK_S, CPU_REG_CONTROL_NS, CPU_REG_CONTROL_S,
	CPU_REG_S0 = 64, /* .. S31 = 95 */
};
u32 cpu_get_reg(const struct cpu *c, unsigned reg);
/* A core that sleeps or is locked up goes on where its pc is set to. */
void cpu_set_reg(struct cpu *c, unsigned reg, u32 value);
/* S0 to S31 at once. */
void cpu_get_floats(const struct cpu *c, u32 out[32]);

/* Reads guest memory as the core would see it now, without side effects (no devices); false: not RAM. */
bool cpu_peek(struct cpu *c, u32 addr, void *out, u32 bytes);
bool cpu_poke(struct cpu *c, u32 addr, const void *in, u32 bytes);
/* How many of the bytes from addr on these two can have. */
u32 cpu_reaches(const struct cpu *c, u32 addr, u32 bytes);
/* One aligned access of 1, 2 or 4 bytes to anything at addr, with all rights: registers of the core and of devices do
 * what they do when a program reads or writes them. False: nothing is there, or it refuses. */
bool cpu_debug_access(struct cpu *c, u32 addr, unsigned bytes, bool write, u32 *value);

/* Latest fault as a debugger would explain it: cause, status registers, stacked pc. Empty: none. */
struct cpu_fault_info {
	bool valid, lockup;
	u32 exception; /* number taken */
	u32 pc, addr;
	bool addr_valid;
	u32 cfsr, hfsr, sfsr; /* as the handler finds them */
	char cause[160];
};
void cpu_fault_info(const struct cpu *c, struct cpu_fault_info *out);
/* The fault that led to the latest: the latest came on the way into its handler, or in there; in a chain
 * of such faults the first of them. Empty: the latest stands alone. */
void cpu_first_fault_info(const struct cpu *c, struct cpu_fault_info *out);

/* Kinds of fault by name ("UNDEFINSTR"), 0 and up; NULL: no more. */
const char *cpu_fault_kind(unsigned kind);
/* cpu_run ends with CPU_STOP_FAULT where a fault of these kinds (a bit each) is raised; 0: with none. */
void cpu_catch_faults(struct cpu *c, u64 kinds);

/* cpu_run ends with CPU_STOP_BREAK before the instruction at `addr`, once exceptions that are due have been entered;
 * called again, it goes on with that instruction. What has no breakpoint runs as fast as ever, and the times are the
 * same. False: out of host memory. */
bool cpu_add_breakpoint(struct cpu *c, u32 addr);
void cpu_remove_breakpoint(struct cpu *c, u32 addr);
/* The next instruction is executed even where a breakpoint lies on it. */
void cpu_pass_breakpoint(struct cpu *c);

/* Text of the instruction whose first halfword is the high half of `encoding`, its second, if it has one, the low half, as
 * arm-none-eabi-objdump prints it. Returns its length in bytes (2 or 4). */
unsigned cpu_disassemble(u32 pc, u32 encoding, char *text, size_t size);

#endif
