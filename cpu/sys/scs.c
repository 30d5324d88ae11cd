/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses to the private peripheral bus, served from the table scs.def.
 * Armv8-M ARM B7.3: unprivileged accesses and those of the wrong width are bus errors here;
 * 0xE002E000 is the Non-secure view for Secure code. */
#include "cpu/sys/hooks.h"
#include "cpu/sys/state.h"
#include "memory/sorted.h"

enum row_bank { COMMON, BANKED, SECURE };
enum row_flags {
	RO = 0, RW = 1, BYTES = 2, UNPRIV = 4,
	FLAG_BITS = 3, /* above them: what locks it */
	LOCK_SVTAIRCR = 1 << (FLAG_BITS + CPU_LOCK_SVTAIRCR), LOCK_SAU = 1 << (FLAG_BITS + CPU_LOCK_SAU),
	LOCK_SMPU = 1 << (FLAG_BITS + CPU_LOCK_SMPU), LOCK_TCM = 1 << (FLAG_BITS + CPU_LOCK_TCM),
	LOCK_ITGU = 1 << (FLAG_BITS + CPU_LOCK_ITGU), LOCK_DTGU = 1 << (FLAG_BITS + CPU_LOCK_DTGU),
	LOCK_NSVTOR = 1 << (FLAG_BITS + CPU_LOCK_NSVTOR), LOCK_NSMPU = 1 << (FLAG_BITS + CPU_LOCK_NSMPU),
	LOCK_PAHB = 1 << (FLAG_BITS + CPU_LOCK_PAHB),
	NON_SECURE_LOCKS = LOCK_NSVTOR | LOCK_NSMPU,
};

static const struct scs_row {
	u32 addr;
	u16 words, flags;
	u8 bank;
	u32 reset, mask;
	scs_read_hook *read;
	scs_write_hook *write;
	scs_after_hook *after;
} rows[SCS_COUNT] = {
#define R(addr, count, name, bank, flags, reset, mask, read, write, after) \
	[SCS_##name] = { addr, count, flags, bank, reset, mask, read, write, after },
#include "cpu/sys/scs.def"
#undef R
};

/* Row that covers addr, by binary search; NULL when none. */
static const struct scs_row *find(u32 addr)
{
	unsigned above = sorted_above(&rows[0].addr, sizeof(rows[0]), SCS_COUNT, addr);
	if (!above)
		return NULL;
	const struct scs_row *row = &rows[above - 1];
	return addr - row->addr < 4u * row->words ? row : NULL;
}

static u32 *plain_word(struct cpu *c, const struct scs_row *row, bool secure)
{
	unsigned bank = row->bank == COMMON ? BANK_NS : row->bank == SECURE ? BANK_S : secure;
	return &c->sys->reg[bank][row - rows];
}

void scs_reset(struct cpu *c)
{
	for (unsigned i = 0; i < SCS_COUNT; i++)
		c->sys->reg[BANK_NS][i] = c->sys->reg[BANK_S][i] = rows[i].reset;
}

SCS_WRITE(scs_ignore) { (void)c; (void)a; (void)value; }

/* The NVIC's registers have room for 496 interrupts (Armv8-M ARM, NVIC_ITNSn: n = 0 to 15), of which
 * there are SYS_MAX_IRQS: software writes the rest with the others. */
static bool beyond_last_interrupt(u32 addr)
{
	const u32 bits_first = 0xE000E100, priorities_first = 0xE000E400, priorities = 496;
	if (addr >= bits_first && addr < priorities_first)
		return (addr & 0x7C) == 4 * SYS_IRQ_WORDS;
	return addr >= priorities_first + SYS_MAX_IRQS && addr < priorities_first + priorities;
}

/* What reads as zero without a word: registers that identify components, and those of interrupts that
 * no core has. */
static bool silent(u32 addr)
{
	return (addr & 0xFFF) >= 0xF00 || beyond_last_interrupt(addr);
}

/* CoreSight identification (PIDR, CIDR) of ITM, DWT, FPB, PMU and SCS: they share the core's part
 * number, 0xD22 or 0xD23, and its variant as revision. */
static u32 identification(const struct cpu *c, u32 addr)
{
	u32 page = addr >> 12 & 0xFF, part = c->config.cpuid >> 4 & 0xFFF, variant = c->config.cpuid >> 20 & 15;
	if (page > 3 && page != 0xE)
		return 0;
	switch (addr & 0xFFF) {
	case 0xFD0: return 0x04;
	case 0xFE0: return part & 0xFF;
	case 0xFE4: return 0xB0 | part >> 8;
	case 0xFE8: return variant << 4 | 0x0B;
	case 0xFF0: return 0x0D;
	case 0xFF4: return 0x90;
	case 0xFF8: return 0x05;
	case 0xFFC: return 0xB1;
	default: return 0;
	}
}

static void report_unknown(struct cpu *c, u32 addr, bool write)
{
	struct cpu_sys *s = c->sys;
	if (silent(addr))
		return;
	for (unsigned i = 0; i < s->unknown_count; i++)
		if (s->unknown[i] == addr)
			return;
	if (s->unknown_count < ARRAY_LEN(s->unknown))
		s->unknown[s->unknown_count++] = addr;
	else
		return;
	diag_report(c->diag, DIAG_NOT_MODELLED, "CPU010",
		    "%s of system register 0x%08x, which this core does not have (pc 0x%08x): "
		    "reads as zero, writes are ignored", write ? "write" : "read", addr, c->core.r[15]);
}

/* Resolves view and row. False: bus error. *row NULL: read as zero, write ignored. */
static bool resolve(struct cpu *c, u32 *addr, unsigned bytes, bool secure, bool privileged,
		    bool write, const struct scs_row **row, struct scs_access *a)
{
	a->secure = secure || !c->config.security;
	*row = NULL;
	if (*addr >> 12 == 0xE002E) {
		if (!privileged)
			return false;
		if (!secure)
			return true;
		a->secure = false;
		*addr -= 0x20000;
	}
	const struct scs_row *found = find(*addr & ~3u);
	if (!found) {
		if (!privileged)
			return false;
		report_unknown(c, *addr, write);
		return true;
	}
	if (!privileged && !(found->flags & UNPRIV))
		return false;
	if (found == &rows[SCS_STIR] && !privileged && !(c->sys->reg[secure][SCS_CCR] & CCR_USERSETMPEND))
		return false;
	if (bytes != 4 && !(found->flags & BYTES) && write)
		return true;
	if (found->bank == SECURE && !a->secure)
		return true;
	a->index = ((*addr & ~3u) - found->addr) / 4;
	a->row = (enum scs_id)(found - rows);
	a->lanes = (bytes == 4 ? 0xFFFFFFFF : (1u << 8 * bytes) - 1) << 8 * (*addr & 3);
	*row = found;
	return true;
}

/* Each copy of a banked register has a lock of its own. */
static bool locked(const struct cpu *c, const struct scs_row *row, bool secure)
{
	const u32 copy = row->bank != BANKED ? ~0u : secure ? ~(u32)NON_SECURE_LOCKS : NON_SECURE_LOCKS;
	return row->flags & copy & scs_locks(c->sys) << FLAG_BITS;
}

void cpu_lock_set(void *cpu, unsigned number, bool level)
{
	u16 *locks = &((struct cpu *)cpu)->sys->locks, bit = (u16)(1u << number);
	*locks = level ? *locks | bit : *locks & (u16)~bit;
}

void cpu_lock_tie(struct cpu *c, u32 mask)
{
	c->sys->locks_tied = (u16)mask;
}

bool scs_load(struct cpu *c, u32 addr, unsigned bytes, bool secure, bool privileged, u32 *value)
{
	const struct scs_row *row;
	struct scs_access a;
	*value = 0;
	if (!resolve(c, &addr, bytes, secure, privileged, false, &row, &a))
		return false;
	if (!row) {
		*value = bytes == 4 ? identification(c, addr) : 0;
		return true;
	}
	u32 word = row->read ? row->read(c, &a) : *plain_word(c, row, a.secure);
	*value = (word & a.lanes) >> 8 * (addr & 3);
	return true;
}

bool scs_store(struct cpu *c, u32 addr, unsigned bytes, bool secure, bool privileged, u32 value)
{
	const struct scs_row *row;
	struct scs_access a;
	if (!resolve(c, &addr, bytes, secure, privileged, true, &row, &a))
		return false;
	if (!row || !(row->flags & RW) || locked(c, row, a.secure))
		return true;
	value <<= 8 * (addr & 3);
	if (row->write) {
		row->write(c, &a, value);
	} else {
		u32 *word = plain_word(c, row, a.secure), mask = row->mask & a.lanes;
		*word = (*word & ~mask) | (value & mask);
	}
	if (row->after)
		row->after(c);
	return true;
}
