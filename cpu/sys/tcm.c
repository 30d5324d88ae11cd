/* SPDX-License-Identifier: Apache-2.0 */
/* TCMs and the gates in front of them (Cortex-M55 TRM 4.9, 4.10). Index 0: ITCM, 1: DTCM.
 *
 * A gate has a table with a bit for each block of its TCM, 1 = Non-secure; a block takes accesses of its own state only. DBFEN says
 * whether data that is refused is a bus fault, or reads zero and is ignored when written; a fetch that is refused always
 * is a fault. DEREN says the same of what comes through the slave port, whether the TCM is enabled or not. A gate is open until software first writes its table: programs without TrustZone use both aliases. */
#include "cpu/sys/hooks.h"
#include "cpu/sys/protect.h"

enum tgu_ctrl { DBFEN = 1, DEREN = 2 };
enum { TABLE_LOG2 = 9, SMALLEST_LOG2 = 5 }; /* 16 words; blocks of 32 bytes */
#define PRESENT 0x80000000u

static unsigned size_code(const struct cpu *c, unsigned tcm)
{
	return tcm ? c->config.dtcm_size_code : c->config.itcm_size_code;
}

static unsigned size_log2(const struct cpu *c, unsigned tcm) { return 9 + size_code(c, tcm); }

/* As the board has it, but at least as large that the table reaches the end of the TCM. */
static unsigned block_log2(const struct cpu *c, unsigned tcm)
{
	const unsigned wanted = SMALLEST_LOG2 + c->config.tgu_block[tcm], size = size_log2(c, tcm);

	return wanted + TABLE_LOG2 < size ? size - TABLE_LOG2 : wanted;
}

static unsigned blocks_log2(const struct cpu *c, unsigned tcm)
{
	const unsigned block = block_log2(c, tcm), size = size_log2(c, tcm);

	return size > block ? size - block : 0;
}

bool tcm_gated(const struct cpu *c, u32 addr) { return addr >> 29 < 2 && c->sys->tgu_used[addr >> 29]; }

/* Does the gate keep an access out? */
static bool gate_closed(const struct cpu *c, unsigned tcm, u32 offset, bool ns)
{
	const struct cpu_sys *s = c->sys;
	const u32 block = offset >> block_log2(c, tcm);

	return c->config.security && s->tgu_used[tcm] && ns != (s->tgu_lut[tcm][block / 32] >> block % 32 & 1);
}

static u32 gate_ctrl(const struct cpu *c, unsigned tcm)
{
	return c->sys->reg[BANK_S][tcm ? SCS_DTGU_CTRL : SCS_ITGU_CTRL];
}

bool cpu_port_allows(const struct cpu *c, unsigned tcm, u32 offset, bool secure)
{
	return !size_code(c, tcm) || offset >> size_log2(c, tcm) || !gate_closed(c, tcm, offset, !secure);
}

bool cpu_port_errs(const struct cpu *c, unsigned tcm)
{
	return gate_ctrl(c, tcm) & DEREN;
}

enum tcm_answer tcm_answer(const struct cpu *c, u32 addr, bool ns, bool fetch)
{
	const unsigned tcm = addr >> 29;
	const u32 offset = addr & 0x0FFFFFFF;
	const struct cpu_sys *s = c->sys;

	if (tcm > 1 || !size_code(c, tcm) || offset >> size_log2(c, tcm))
		return TCM_TAKES;
	if (!(s->reg[BANK_NS][tcm ? SCS_DTCMCR : SCS_ITCMCR] & 1))
		return TCM_REFUSES;
	if (!gate_closed(c, tcm, offset, ns))
		return TCM_TAKES;
	return fetch || gate_ctrl(c, tcm) & DBFEN ? TCM_REFUSES : TCM_DROPS;
}

/* EN is the only writable bit; SZ shows the size. */
SCS_WRITE(tcm_write)
{
	u32 *word = &c->sys->reg[BANK_NS][a->row];
	*word = (*word & ~1u) | (value & 1);
	access_flush(c);
}

static bool is_dtgu(const struct scs_access *a)
{
	return a->row == SCS_DTGU_CFG || a->row == SCS_DTGU_LUT;
}

SCS_READ(tgu_cfg_read)
{
	const unsigned tcm = is_dtgu(a);

	return size_code(c, tcm) ? PRESENT | blocks_log2(c, tcm) << 8 | (block_log2(c, tcm) - SMALLEST_LOG2) : 0;
}

SCS_READ(tgu_lut_read) { return c->sys->tgu_lut[is_dtgu(a)][a->index]; }

/* Only the words and bits of blocks exist. */
SCS_WRITE(tgu_lut_write)
{
	const unsigned tcm = is_dtgu(a), log2 = blocks_log2(c, tcm);

	if (!size_code(c, tcm) || a->index * 32 >> log2)
		return;
	c->sys->tgu_lut[tcm][a->index] = log2 < 5 ? value & ((1u << (1u << log2)) - 1) : value;
	c->sys->tgu_used[tcm] = true;
	access_flush(c);
}
