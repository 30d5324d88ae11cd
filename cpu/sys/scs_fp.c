/* SPDX-License-Identifier: Apache-2.0 */
/* FP access and context control registers: Armv8-M ARM D1.2 (CPACR, NSACR, FPCCR). */
#include "cpu/sys/hooks.h"

void fp_access_changed(struct cpu *c) { c->core.fp_ready = false; }

/* CP10 and CP11 are one unit: CP11 follows CP10. CP0-CP7 have nothing attached. */
SCS_WRITE(cpacr_write)
{
	u32 field = value >> 20 & 3;
	c->sys->reg[a->secure][SCS_CPACR] = c->config.fpu ? field << 20 | field << 22 : 0;
	fp_access_changed(c);
}

/* Bits of CPPWR of CP10 and CP11: each state-unknown bit has one above it that keeps it from Non-secure
 * state. */
static u32 cppwr_open(const struct cpu *c, bool secure)
{
	enum { UNKNOWN = 0x00500000, SECURE_ONLY = UNKNOWN << 1 };
	return secure ? UNKNOWN | SECURE_ONLY : UNKNOWN & ~(c->sys->reg[BANK_NS][SCS_CPPWR] >> 1);
}

SCS_READ(cppwr_read) { return c->sys->reg[BANK_NS][SCS_CPPWR] & cppwr_open(c, a->secure); }

SCS_WRITE(cppwr_write)
{
	u32 *word = &c->sys->reg[BANK_NS][SCS_CPPWR], bits = cppwr_open(c, a->secure);
	*word = (*word & ~bits) | (c->config.fpu ? value & bits : 0);
	fp_access_changed(c);
}

SCS_READ(nsacr_read) { (void)a; return c->sys->reg[BANK_S][SCS_NSACR]; }

SCS_WRITE(nsacr_write)
{
	(void)a;
	c->sys->reg[BANK_S][SCS_NSACR] = c->config.fpu && value & NSACR_CP10 ? NSACR_CP10 | NSACR_CP11 : 0;
	fp_access_changed(c);
}

#define FPCCR_BANKED (FPCCR_ASPEN | FPCCR_LSPACT | FPCCR_USER | FPCCR_THREAD | FPCCR_MMRDY | \
		      FPCCR_SPLIMVIOL | FPCCR_UFRDY)
#define FPCCR_COMMON (FPCCR_LSPEN | FPCCR_CLRONRET)
#define FPCCR_BUS (FPCCR_HFRDY | FPCCR_BFRDY)
#define FPCCR_SECURE (FPCCR_S | FPCCR_TS | FPCCR_LSPENS | FPCCR_CLRONRETS | FPCCR_SFRDY)

/* Bits of the shared (Secure) word that a view reads. */
static u32 shared_bits(const struct cpu_sys *s, bool secure)
{
	u32 bits = FPCCR_COMMON;
	bool bus = scs_aircr(s) & AIRCR_BFHFNMINS, monitor = s->reg[BANK_NS][SCS_DEMCR] & DEMCR_SDME;
	bits |= secure || bus ? (u32)FPCCR_BUS : 0;
	bits |= secure || !monitor ? (u32)FPCCR_MONRDY : 0;
	return bits | (secure ? (u32)FPCCR_SECURE : 0);
}

SCS_READ(fpccr_read)
{
	const struct cpu_sys *s = c->sys;
	return (s->reg[a->secure][SCS_FPCCR] & FPCCR_BANKED) |
	       (s->reg[BANK_S][SCS_FPCCR] & shared_bits(s, a->secure));
}

SCS_WRITE(fpccr_write)
{
	struct cpu_sys *s = c->sys;
	u32 *own = &s->reg[a->secure][SCS_FPCCR], *shared = &s->reg[BANK_S][SCS_FPCCR];
	u32 bits = shared_bits(s, a->secure);
	if (!a->secure) { /* LSPENS and CLRONRETS make their bits read-only to Non-secure */
		bits &= *shared & FPCCR_LSPENS ? ~(u32)FPCCR_LSPEN : 0xFFFFFFFF;
		bits &= *shared & FPCCR_CLRONRETS ? ~(u32)FPCCR_CLRONRET : 0xFFFFFFFF;
	}
	*own = (*own & ~FPCCR_BANKED) | (value & FPCCR_BANKED);
	*shared = (*shared & ~bits) | (value & bits);
	fp_access_changed(c);
}
