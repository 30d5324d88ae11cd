/* SPDX-License-Identifier: Apache-2.0 */
/* The system side of the core: exceptions, protection, TrustZone, system control space.
 * Armv8-M Architecture Reference Manual (DDI0553), Cortex-M55 TRM (101051). Private to cpu/.
 *
 * exception.c takes and returns from exceptions, frame.c moves frames to and from the stack,
 * nvic.c decides priorities, fault.c raises faults, fpstate.c owns the lazy FP context;
 * access.c checks memory accesses with sau.c and mpu.c; scs.c serves the private peripheral bus
 * from the register table scs.def. */
#ifndef CPU_SYS_SYS_H
#define CPU_SYS_SYS_H

#include "cpu/access.h"
#include "cpu/fault.h"
#include "cpu/state.h"
#include "cpu/sys/pmu.h"
#include "cpu/sysop.h"

#define SYS_MAX_IRQS 480
#define SYS_IRQ_WORDS (SYS_MAX_IRQS / 32)
#define SYS_MPU_REGIONS 16
#define SYS_SAU_REGIONS 8
#define SYS_PMU_COUNTERS 8
#define SYS_DWT_COMPARATORS 4
#define SYS_FPB_COMPARATORS 8
#define SYS_DWT_PROFILE 5

/* Exception numbers (B3.8). */
enum exc {
	EXC_NONE = 0, EXC_RESET = 1, EXC_NMI = 2, EXC_HARD = 3, EXC_MEM = 4, EXC_BUS = 5,
	EXC_USAGE = 6, EXC_SECURE = 7, EXC_SVC = 11, EXC_DEBUG = 12, EXC_PENDSV = 14,
	EXC_SYSTICK = 15, EXC_IRQ0 = 16,
};

enum control_bits {
	CONTROL_NPRIV = 1 << 0, CONTROL_SPSEL = 1 << 1, CONTROL_FPCA = 1 << 2, CONTROL_SFPA = 1 << 3,
	CONTROL_BTI_EN = 1 << 4, CONTROL_UBTI_EN = 1 << 5, CONTROL_PAC_EN = 1 << 6,
	CONTROL_UPAC_EN = 1 << 7, CONTROL_PACBTI = 0xF0,
};

/* Row numbers of the register table. */
enum scs_id {
#define R(addr, count, name, bank, flags, reset, mask, read, write, after) SCS_##name,
#include "cpu/sys/scs.def"
#undef R
	SCS_COUNT
};

struct sys_exception { bool pending, active, enabled; u8 prio; };

struct sys_timer { /* SysTick of one Security state */
	u64 since; /* ticks: time at which the counter showed `value` */
	u32 value, load;
	bool enabled, interrupt, countflag, external;
};

struct sys_counter { u32 base; u64 since; }; /* value = base + (source now - since) while counting */

struct sys_pmu {
	struct sys_counter event[SYS_PMU_COUNTERS], cycles;
	u32 type[SYS_PMU_COUNTERS];
	u8 count[SYS_PMU_COUNTERS]; /* enum pmu_count of type[] */
	u32 enabled, interrupt, overflow, ctrl, filter;
};

/* What cpu_fault_info tells of a fault. */
struct sys_fault_record {
	bool valid, escalated, addr_valid, secure, lockup, vector_read;
	u8 kind, exception, lockup_exception;
	u32 pc, addr, cfsr, hfsr, sfsr;
	u8 status; /* enum bus_status of a bus fault */
};

struct cpu_sys {
	u32 reg[2][SCS_COUNT]; /* registers kept as plain words, by bank */
	u32 sp[2][2];          /* [bank][process]; the one in use lives in core.r[13] */
	u32 splim[2][2];
	u32 control[2];        /* nPRIV, SPSEL and PACBTI bits; FPCA and SFPA are below */
	bool fpca, sfpa;
	bool primask[2], faultmask[2];
	u8 basepri[2];
	bool thumb_clear;      /* EPSR.T = 0: the next instruction is an INVSTATE UsageFault */
	bool preserving;       /* lazy FP state is being stored, with the rights of the code it belongs to */
	u32 pac_key[2][8];     /* [bank][P_0..3, U_0..3] */

	/* System exceptions by bank; those that are not banked use BANK_NS (exc_slot). */
	struct sys_exception exc[2][16];
	u32 irq_pending[SYS_IRQ_WORDS], irq_active[SYS_IRQ_WORDS], irq_enabled[SYS_IRQ_WORDS];
	u32 irq_level[SYS_IRQ_WORDS], irq_ns[SYS_IRQ_WORDS];
	u8 irq_prio[SYS_MAX_IRQS];
	bool nmi_level;
	bool dirty;            /* something that decides the next exception changed */
	bool candidate_dirty;  /* ... other than masks and active exceptions */
	u16 ready;             /* exception that preempts now, 0 = none; valid unless dirty */
	bool ready_secure;
	u16 candidate;         /* most urgent that is pending and enabled, 0 = none; valid unless candidate_dirty */
	i16 candidate_priority;
	bool candidate_secure;
	bool sleep_event;      /* asleep by WFE rather than WFI */

	bool permissions_changed; /* the running engine must look at its page again */
	u32 debug_low; /* a bit per enum cpu_debug_signal */
	u16 locks, locks_tied; /* a bit per enum cpu_lock: the line is high; the input is for the whole run */
	u32 mpu_rbar[2][SYS_MPU_REGIONS], mpu_rlar[2][SYS_MPU_REGIONS];
	u32 sau_rbar[SYS_SAU_REGIONS], sau_rlar[SYS_SAU_REGIONS];
	u32 tgu_lut[2][16];    /* [ITGU, DTGU] */
	bool tgu_used[2];      /* software has written the table: the gate is enforced */

	struct sys_timer systick[2];
	struct sys_counter cyccnt, profile[SYS_DWT_PROFILE];
	bool counted_secure;   /* what the counters count since they were last looked at is of Secure state */
	u32 dwt_comp[SYS_DWT_COMPARATORS], dwt_function[SYS_DWT_COMPARATORS],
		dwt_vmask[SYS_DWT_COMPARATORS];
	u32 fpb_comp[SYS_FPB_COMPARATORS];
	bool mon_step;         /* DEMCR.MON_STEP with MON_EN */
	struct sys_pmu pmu;
	u64 count[COUNT_END];  /* by enum pmu_count */
	u64 count_wanted;      /* those that the engines must count now, a bit each */
	u64 place;             /* of COUNT_PLACES: the latest instruction's first access to data, while one is wanted */
	bool placed;           /* it has made one */
	u8 itcm_reads, itcm_bytes; /* of the instruction being executed, while the timing counts them; else 0 */

	u32 unknown[32], unknown_count; /* registers already reported as not there */
	u16 sched_device;      /* id of our events */
	u32 start_pc, start_sp; /* cpu_set_start */
	bool start_set;
	struct sys_fault_record fault;       /* the latest */
	struct sys_fault_record first_fault; /* the one with which it began, as cpu_first_fault_info has it */
};

/* Host side: not part of a snapshot. */
struct sys_host;

/* c->config, bus, sched, diag must be set; NULL sys when the host is out of memory. */
bool sys_new(struct cpu *c);
void sys_free(struct cpu *c);
/* Cold reset of core, fp and system state; SP and PC from the vector table. */
void sys_reset(struct cpu *c);

#endif
