/* SPDX-License-Identifier: Apache-2.0 */
/* Protected memory system architecture v8: Armv8-M ARM B9, pseudocode MPUCheck,
 * DefaultMemoryAttributes, DefaultPermissions. */
#include "cpu/sys/protect.h"
#include "cpu/sys/nvic.h"
#include "cpu/sys/scs.h"

enum { PERM_ALL = PERM_READ | PERM_WRITE | PERM_EXECUTE };

/* Default map by 512 MiB: Code, SRAM, Peripheral, RAM x2, Device x2, System. */
static void default_map(u32 addr, struct mpu_result *out)
{
	enum { THROUGH = CACHE_ALLOCATES_READ, BACK = CACHE_ALLOCATES_READ | CACHE_ALLOCATES_WRITE | CACHE_WRITES_BACK };
	static const struct { u8 perm, cache; bool device; } map[8] = {
		{ PERM_ALL, THROUGH, false }, { PERM_ALL, BACK, false }, { PERM_READ | PERM_WRITE, 0, true },
		{ PERM_ALL, BACK, false }, { PERM_ALL, THROUGH, false }, { PERM_READ | PERM_WRITE, 0, true },
		{ PERM_READ | PERM_WRITE, 0, true }, { PERM_READ | PERM_WRITE, 0, true },
	};
	out->perm = map[addr >> 29].perm;
	out->device = map[addr >> 29].device;
	out->cacheable = !out->device;
	out->cache = map[addr >> 29].cache;
}

/* MAIR attribute: the upper nibble is 0 for Device memory, else the lower one, of the inner caches, 4 for what
 * they leave alone: bit 0 write-allocate, bit 1 read-allocate, bit 2 write-back (0b01RW and 0b11RW). */
static void region_memory(const struct cpu *c, bool secure, u32 rlar, struct mpu_result *out)
{
	unsigned index = rlar >> 1 & 7;
	u32 mair = c->sys->reg[secure][index < 4 ? SCS_MPU_MAIR : SCS_MPU_MAIR1] >> index % 4 * 8;
	out->device = !(mair >> 4 & 0xF);
	out->cacheable = !out->device && (mair & 0xF) != 4;
	out->cache = out->cacheable ? (u8)((mair & 2 ? CACHE_ALLOCATES_READ : 0) | (mair & 1 ? CACHE_ALLOCATES_WRITE : 0) |
					   (mair & 4 ? CACHE_WRITES_BACK : 0)) : 0;
}

static u8 region_perm(u32 rbar, u32 rlar, bool privileged)
{
	unsigned ap = rbar >> 1 & 3; /* bit 0: unprivileged too, bit 1: read-only */
	u8 perm = 0;
	if (privileged || ap & 1)
		perm = ap & 2 ? PERM_READ : PERM_READ | PERM_WRITE;
	bool never = rbar & 1 || (rlar & 1 << 4 && privileged); /* XN, PXN */
	if (perm && !never)
		perm |= PERM_EXECUTE;
	return perm;
}

static unsigned match_regions(const struct cpu *c, u32 addr, bool secure, struct mpu_result *out)
{
	unsigned regions = secure ? c->config.mpu_s_regions : c->config.mpu_ns_regions, hits = 0;
	for (unsigned i = 0; i < regions; i++) {
		u32 rlar = c->sys->mpu_rlar[secure][i];
		if (!region_holds(addr, c->sys->mpu_rbar[secure][i], rlar, &out->first, &out->last))
			continue;
		hits++;
		out->region = (u8)i;
	}
	return hits;
}

/* At a negative priority: for lazy FP state that of the code it belongs to, for all else that of now. */
static bool negative(const struct cpu_sys *s, bool secure)
{
	return s->preserving ? !(s->reg[BANK_S][SCS_FPCCR] & FPCCR_HFRDY) : nvic_negative(s, secure);
}

bool mpu_enabled(const struct cpu *c, bool secure)
{
	u32 ctrl = c->sys->reg[secure][SCS_MPU_CTRL];
	return ctrl & MPU_ENABLE && (ctrl & MPU_HFNMIENA || !negative(c->sys, secure));
}

void mpu_lookup(const struct cpu *c, u32 addr, bool secure, bool privileged, struct mpu_result *out)
{
	u32 ctrl = c->sys->reg[secure][SCS_MPU_CTRL];
	*out = (struct mpu_result){ .first = addr & ~(BUS_PAGE_SIZE - 1), .last = addr | (BUS_PAGE_SIZE - 1) };
	if (!mpu_enabled(c, secure) || scs_covers(addr)) {
		default_map(addr, out);
		return;
	}
	unsigned hits = match_regions(c, addr, secure, out);
	if (hits == 0) {
		if (privileged && ctrl & MPU_PRIVDEFENA)
			default_map(addr, out);
	} else if (hits == 1) {
		u32 rlar = c->sys->mpu_rlar[secure][out->region];
		out->region_valid = true;
		out->perm = region_perm(c->sys->mpu_rbar[secure][out->region], rlar, privileged);
		region_memory(c, secure, rlar, out);
	}
	if (addr >= 0xE0000000) /* the System region is execute-never whatever the MPU says */
		out->perm &= ~PERM_EXECUTE;
}
