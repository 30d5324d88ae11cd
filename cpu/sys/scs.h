/* SPDX-License-Identifier: Apache-2.0 */
/* The private peripheral bus (0xE0000000-0xE00FFFFF) and the bits of its registers that other
 * parts of the system side look at. Private to cpu/sys/. */
#ifndef CPU_SYS_SCS_H
#define CPU_SYS_SCS_H

#include "cpu/sys/sys.h"

enum aircr_bits {
	AIRCR_VECTCLRACTIVE = 1 << 1, AIRCR_SYSRESETREQ = 1 << 2, AIRCR_SYSRESETREQS = 1 << 3,
	AIRCR_PRIGROUP = 7 << 8, AIRCR_BFHFNMINS = 1 << 13, AIRCR_PRIS = 1 << 14,
};
enum scr_bits { SCR_SLEEPONEXIT = 2, SCR_SLEEPDEEP = 4, SCR_SLEEPDEEPS = 8, SCR_SEVONPEND = 16 };
enum ccr_bits {
	CCR_USERSETMPEND = 1 << 1, CCR_UNALIGN_TRP = 1 << 3, CCR_DIV_0_TRP = 1 << 4,
	CCR_BFHFNMIGN = 1 << 8, CCR_STKOFHFNMIGN = 1 << 10, CCR_DC = 1 << 16, CCR_IC = 1 << 17, CCR_TRD = 1 << 20,
};
enum demcr_bits { DEMCR_MON_EN = 1 << 16, DEMCR_MON_PEND = 1 << 17, DEMCR_MON_STEP = 1 << 18,
		  DEMCR_MON_REQ = 1 << 19, DEMCR_SDME = 1 << 20, DEMCR_MONPRKEY = 1 << 23, DEMCR_TRCENA = 1 << 24 };
enum fpccr_bits {
	FPCCR_LSPACT = 1 << 0, FPCCR_USER = 1 << 1, FPCCR_S = 1 << 2, FPCCR_THREAD = 1 << 3,
	FPCCR_HFRDY = 1 << 4, FPCCR_MMRDY = 1 << 5, FPCCR_BFRDY = 1 << 6, FPCCR_SFRDY = 1 << 7,
	FPCCR_MONRDY = 1 << 8, FPCCR_SPLIMVIOL = 1 << 9, FPCCR_UFRDY = 1 << 10, FPCCR_TS = 1 << 26,
	FPCCR_CLRONRETS = 1 << 27, FPCCR_CLRONRET = 1 << 28, FPCCR_LSPENS = 1 << 29,
	FPCCR_LSPEN = 1 << 30,
};
#define FPCCR_ASPEN (1u << 31)
enum nsacr_bits { NSACR_CP10 = 1 << 10, NSACR_CP11 = 1 << 11 };
enum cppwr_bits { CPPWR_SU10 = 1 << 20, CPPWR_SUS10 = 1 << 21 };
enum mpu_ctrl_bits { MPU_ENABLE = 1, MPU_HFNMIENA = 2, MPU_PRIVDEFENA = 4 };
enum dfsr_bits { DFSR_HALTED = 1 << 0, DFSR_BKPT = 1 << 1, DFSR_DWTTRAP = 1 << 2, DFSR_PMU = 1 << 5 };
enum hfsr_bits { HFSR_VECTTBL = 1 << 1, HFSR_FORCED = 1 << 30 };
#define HFSR_DEBUGEVT (1u << 31)

/* One access to a register row, as its hooks see it. */
struct scs_access {
	bool secure;      /* the view: Secure access and not through the Non-secure alias */
	u32 lanes;        /* bits of the word that are accessed */
	unsigned index;   /* word inside the row */
	enum scs_id row;
};
typedef u32 scs_read_hook(struct cpu *c, const struct scs_access *a);
typedef void scs_write_hook(struct cpu *c, const struct scs_access *a, u32 value);
typedef void scs_after_hook(struct cpu *c);

/* Every hook the table names. */
#define SCS_READ(name) u32 name(struct cpu *c, const struct scs_access *a)
#define SCS_WRITE(name) void name(struct cpu *c, const struct scs_access *a, u32 value)

static inline bool scs_covers(u32 addr) { return addr >> 20 == 0xE00; }
/* One access of 1, 2 or 4 bytes, aligned. False: bus error. Unknown registers are RAZ/WI and
 * reported once. */
bool scs_load(struct cpu *c, u32 addr, unsigned bytes, bool secure, bool privileged, u32 *value);
bool scs_store(struct cpu *c, u32 addr, unsigned bytes, bool secure, bool privileged, u32 value);
void scs_reset(struct cpu *c);

/* Inputs that lock registers and are high: a bit for each of enum cpu_lock. */
static inline u32 scs_locks(const struct cpu_sys *s) { return (u32)s->locks | s->locks_tied; }

/* AIRCR has one word for the shared bits (Secure bank) and a banked PRIGROUP. */
static inline u32 scs_aircr(const struct cpu_sys *s) { return s->reg[BANK_S][SCS_AIRCR]; }
static inline unsigned scs_prigroup(const struct cpu_sys *s, bool secure)
{
	return s->reg[secure][SCS_AIRCR] >> 8 & 7;
}
/* A priority as registers keep it: the bits that are implemented. */
static inline u8 scs_priority(const struct cpu *c, u32 value)
{
	return (u8)(value & 0xFFu << (8 - c->config.priority_bits));
}
static inline bool scs_sevonpend(const struct cpu_sys *s, bool secure)
{
	return s->reg[secure][SCS_SCR] & SCR_SEVONPEND;
}

#endif
