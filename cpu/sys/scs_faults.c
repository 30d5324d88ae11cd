/* SPDX-License-Identifier: Apache-2.0 */
/* System handler priorities and states, fault status and address registers: Armv8-M ARM D1.2
 * (SHPR, SHCSR, CFSR, HFSR, BFAR, SFSR). Bus fault state belongs to the state BusFault targets. */
#include "cpu/sys/debug.h"
#include "cpu/sys/hooks.h"
#include "cpu/sys/nvic.h"

#define BFSR_MASK 0x0000FF00u

/* True when the view owns NMI, HardFault and BusFault. */
static bool owns_bus(const struct cpu_sys *s, bool secure)
{
	return secure || scs_aircr(s) & AIRCR_BFHFNMINS;
}

/* The state of exception num in this view; NULL: RAZ/WI. */
static struct sys_exception *view(struct cpu_sys *s, unsigned num, bool secure)
{
	bool visible = exc_banked(num) || secure || exc_targets_secure(s, num, false) == secure;
	return visible ? exc_slot(s, num, secure) : NULL;
}

static bool has_priority(unsigned num)
{
	return (num >= EXC_MEM && num <= EXC_SECURE) || num == EXC_SVC || num == EXC_DEBUG ||
	       num >= EXC_PENDSV;
}

SCS_READ(shpr_read)
{
	u32 value = 0;
	for (unsigned i = 0; i < 4; i++) {
		unsigned num = 4 + 4 * a->index + i;
		struct sys_exception *e = has_priority(num) ? view(c->sys, num, a->secure) : NULL;
		value |= e ? (u32)e->prio << 8 * i : 0;
	}
	return value;
}

SCS_WRITE(shpr_write)
{
	for (unsigned i = 0; i < 4; i++) {
		unsigned num = 4 + 4 * a->index + i;
		struct sys_exception *e = has_priority(num) ? view(c->sys, num, a->secure) : NULL;
		if (e && a->lanes >> 8 * i & 0xFF)
			e->prio = scs_priority(c, value >> 8 * i);
	}
	nvic_changed(c->sys);
}

/* Bits of SHCSR: exception, what the bit shows. */
enum shcsr_what { ACTIVE, PENDING, ENABLED };
static const struct { u8 bit, num, what; } shcsr_map[] = {
	{ 0, EXC_MEM, ACTIVE }, { 1, EXC_BUS, ACTIVE }, { 2, EXC_HARD, ACTIVE }, { 3, EXC_USAGE, ACTIVE },
	{ 4, EXC_SECURE, ACTIVE }, { 5, EXC_NMI, ACTIVE }, { 7, EXC_SVC, ACTIVE }, { 8, EXC_DEBUG, ACTIVE },
	{ 10, EXC_PENDSV, ACTIVE }, { 11, EXC_SYSTICK, ACTIVE }, { 12, EXC_USAGE, PENDING },
	{ 13, EXC_MEM, PENDING }, { 14, EXC_BUS, PENDING }, { 15, EXC_SVC, PENDING },
	{ 16, EXC_MEM, ENABLED }, { 17, EXC_BUS, ENABLED }, { 18, EXC_USAGE, ENABLED },
	{ 19, EXC_SECURE, ENABLED }, { 20, EXC_SECURE, PENDING }, { 21, EXC_HARD, PENDING },
};

static bool *shcsr_bit(struct cpu_sys *s, unsigned i, bool secure)
{
	struct sys_exception *e = view(s, shcsr_map[i].num, secure);
	if (!e)
		return NULL;
	return shcsr_map[i].what == ACTIVE ? &e->active : shcsr_map[i].what == PENDING ? &e->pending : &e->enabled;
}

SCS_READ(shcsr_read)
{
	u32 value = 0;
	for (unsigned i = 0; i < ARRAY_LEN(shcsr_map); i++) {
		bool *bit = shcsr_bit(c->sys, i, a->secure);
		value |= bit && *bit ? 1u << shcsr_map[i].bit : 0;
	}
	return value;
}

SCS_WRITE(shcsr_write)
{
	for (unsigned i = 0; i < ARRAY_LEN(shcsr_map); i++) {
		bool *bit = shcsr_bit(c->sys, i, a->secure);
		bool set = value >> shcsr_map[i].bit & 1;
		unsigned num = shcsr_map[i].num;
		/* NMIACT and HARDFAULTACT can only be cleared, and only by Secure software (or through
		 * the alias, when BFHFNMINS is set). */
		if (shcsr_map[i].what == ACTIVE && (num == EXC_NMI || num == EXC_HARD) &&
		    (set || !owns_bus(c->sys, a->secure)))
			continue;
		if (bit)
			*bit = set;
	}
	debug_update_target(c);
	nvic_changed(c->sys);
	access_select(c);
}

SCS_READ(cfsr_read)
{
	struct cpu_sys *s = c->sys;
	u32 bus = owns_bus(s, a->secure) ? s->reg[BANK_NS][SCS_CFSR] & BFSR_MASK : 0;
	return (s->reg[a->secure][SCS_CFSR] & ~BFSR_MASK) | bus;
}

SCS_WRITE(cfsr_write)
{
	struct cpu_sys *s = c->sys;
	u32 clear = value & a->lanes;
	s->reg[a->secure][SCS_CFSR] &= ~(clear & ~BFSR_MASK);
	if (owns_bus(s, a->secure))
		s->reg[BANK_NS][SCS_CFSR] &= ~(clear & BFSR_MASK);
}

SCS_READ(hfsr_read) { return owns_bus(c->sys, a->secure) ? c->sys->reg[BANK_NS][SCS_HFSR] : 0; }

SCS_WRITE(hfsr_write)
{
	if (owns_bus(c->sys, a->secure))
		c->sys->reg[BANK_NS][SCS_HFSR] &= ~value;
}

SCS_WRITE(dfsr_write) { (void)a; c->sys->reg[BANK_NS][SCS_DFSR] &= ~value; }
SCS_READ(bfar_read) { return owns_bus(c->sys, a->secure) ? c->sys->reg[BANK_NS][SCS_BFAR] : 0; }

SCS_WRITE(bfar_write)
{
	if (owns_bus(c->sys, a->secure))
		c->sys->reg[BANK_NS][SCS_BFAR] = value;
}

SCS_WRITE(sfsr_write) { (void)a; c->sys->reg[BANK_S][SCS_SFSR] &= ~value; }
