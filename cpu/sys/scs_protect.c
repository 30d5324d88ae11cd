/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of the MPU and the SAU. */
#include "cpu/sys/hooks.h"

SCS_READ(mpu_type_read)
{
	return (a->secure ? c->config.mpu_s_regions : c->config.mpu_ns_regions) << 8;
}

/* With the MPU off other permission tables apply: switching it forgets nothing. */
SCS_WRITE(mpu_ctrl_write)
{
	u32 *word = &c->sys->reg[a->secure][SCS_MPU_CTRL], changed = *word ^ value;
	*word = value & (MPU_ENABLE | MPU_HFNMIENA | MPU_PRIVDEFENA);
	if (changed & MPU_PRIVDEFENA)
		access_flush_mpu(c, a->secure, 0, 0xFFFFFFFF);
	c->sys->permissions_changed = true;
	access_select(c);
}

SCS_WRITE(mpu_mair_write)
{
	u32 *word = &c->sys->reg[a->secure][a->row];
	if (*word != value)
		access_flush_mpu(c, a->secure, 0, 0xFFFFFFFF);
	*word = value;
}

/* RBAR, RLAR and their aliases: alias n addresses region (RNR with its low two bits = n). */
static unsigned mpu_region(const struct cpu *c, const struct scs_access *a)
{
	unsigned region = c->sys->reg[a->secure][SCS_MPU_RNR], alias = a->index / 2;
	return alias ? (region & ~3u) | alias : region;
}

static u32 *mpu_word(struct cpu *c, const struct scs_access *a)
{
	unsigned region = mpu_region(c, a);
	if (region >= (a->secure ? c->config.mpu_s_regions : c->config.mpu_ns_regions))
		return NULL;
	return a->index & 1 ? &c->sys->mpu_rlar[a->secure][region] : &c->sys->mpu_rbar[a->secure][region];
}

SCS_READ(mpu_region_read)
{
	u32 *word = mpu_word(c, a);
	return word ? *word : 0;
}

/* What the region covers is no longer known. */
static void region_changes(struct cpu *c, bool secure, unsigned region)
{
	u32 rlar = c->sys->mpu_rlar[secure][region], base = c->sys->mpu_rbar[secure][region] & ~31u;
	if (rlar & 1 && base <= (rlar | 31))
		access_flush_mpu(c, secure, base, rlar | 31);
}

/* What the region covered before and covers now: a kernel's code keeps its permissions over a switch of
 * tasks. */
SCS_WRITE(mpu_region_write)
{
	u32 *word = mpu_word(c, a);
	if (!word || *word == value)
		return;
	region_changes(c, a->secure, mpu_region(c, a));
	*word = value;
	region_changes(c, a->secure, mpu_region(c, a));
}

SCS_READ(sau_type_read) { (void)a; return c->config.sau_regions; }

static u32 *sau_word(struct cpu *c, const struct scs_access *a)
{
	u32 region = c->sys->reg[BANK_S][SCS_SAU_RNR];
	if (region >= c->config.sau_regions)
		return NULL;
	return a->index ? &c->sys->sau_rlar[region] : &c->sys->sau_rbar[region];
}

SCS_READ(sau_region_read)
{
	u32 *word = sau_word(c, a);
	return word ? *word : 0;
}

SCS_WRITE(sau_region_write)
{
	u32 *word = sau_word(c, a);
	if (!word)
		return;
	*word = value & (a->index ? 0xFFFFFFE3 : 0xFFFFFFE0);
	access_flush(c);
}
