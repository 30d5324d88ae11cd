/* SPDX-License-Identifier: Apache-2.0 */
/* NVIC registers: Armv8-M ARM D1.2 (NVIC_ISER .. NVIC_IPR, STIR). Non-secure sees only the
 * interrupts that ITNS gives it. */
#include "cpu/sys/hooks.h"
#include "cpu/sys/nvic.h"

/* Interrupts of word `index` that exist and that the view may touch. */
static u32 visible(const struct cpu *c, const struct scs_access *a)
{
	if (a->index >= c->config.irqs / 32)
		return 0;
	return a->secure ? 0xFFFFFFFF : c->sys->irq_ns[a->index];
}

SCS_READ(nvic_bits_read)
{
	const struct cpu_sys *s = c->sys;
	const u32 *words;
	switch (a->row) {
	case SCS_NVIC_ISER: case SCS_NVIC_ICER: words = s->irq_enabled; break;
	case SCS_NVIC_ISPR: case SCS_NVIC_ICPR: words = s->irq_pending; break;
	case SCS_NVIC_IABR: words = s->irq_active; break;
	default: words = s->irq_ns; break;
	}
	return words[a->index] & visible(c, a);
}

/* Clearing a pending level that is still asserted has no lasting effect. */
static void set_pending(struct cpu *c, unsigned word, u32 set)
{
	for (; set; set &= set - 1)
		exc_set_pending(c, EXC_IRQ0 + 32 * word + (unsigned)__builtin_ctz(set), false, true);
}

SCS_WRITE(nvic_bits_write)
{
	struct cpu_sys *s = c->sys;
	u32 bits = value & visible(c, a);
	switch (a->row) {
	case SCS_NVIC_ISER: s->irq_enabled[a->index] |= bits; break;
	case SCS_NVIC_ICER: s->irq_enabled[a->index] &= ~bits; break;
	case SCS_NVIC_ISPR: set_pending(c, a->index, bits); break;
	case SCS_NVIC_ICPR:
		s->irq_pending[a->index] &= ~(bits & ~(s->irq_level[a->index] & ~s->irq_active[a->index]));
		break;
	default:
		s->irq_ns[a->index] = bits;
		break;
	}
	nvic_changed(s);
}

/* Lanes of the four interrupts of an IPR word that the view may touch. */
static u32 prio_lanes(const struct cpu *c, const struct scs_access *a)
{
	u32 lanes = 0;
	struct scs_access word = *a;
	word.index = a->index / 8;
	u32 may = visible(c, &word) >> (a->index % 8 * 4);
	for (unsigned i = 0; i < 4; i++)
		lanes |= may >> i & 1 ? 0xFFu << 8 * i : 0;
	return lanes;
}

SCS_READ(nvic_prio_read)
{
	u32 value = 0;
	for (unsigned i = 0; i < 4; i++)
		value |= (u32)c->sys->irq_prio[4 * a->index + i] << 8 * i;
	return value & prio_lanes(c, a);
}

SCS_WRITE(nvic_prio_write)
{
	u32 lanes = a->lanes & prio_lanes(c, a);
	for (unsigned i = 0; i < 4; i++)
		if (lanes >> 8 * i & 0xFF)
			c->sys->irq_prio[4 * a->index + i] = scs_priority(c, value >> 8 * i);
	nvic_changed(c->sys);
}

SCS_WRITE(stir_write)
{
	unsigned irq = value & 0x1FF;
	struct scs_access word = *a;
	word.index = irq / 32;
	if (irq < c->config.irqs && visible(c, &word) >> (irq % 32) & 1)
		exc_set_pending(c, EXC_IRQ0 + irq, false, true);
}
