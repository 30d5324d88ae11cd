/* SPDX-License-Identifier: Apache-2.0 */
/* Performance counters: a 48-bit cycle counter and event counters of 32 bits.
 *
 * Cycles, idle and active time follow simulated time, whenever they are looked at; all other
 * events land when the operation that caused them ends. Of PMCCNTR_CFG only "free running"
 * (no start event) and "while the NPU works" (any start event) are told apart. Overflow of
 * the cycle counter is noticed when the counter is next brought up to date. */
#include "npu/private.h"

enum { PMCR_ENABLE = 1, PMCR_RESET_EVENTS = 2, PMCR_RESET_CYCLES = 4, PMCR_MASK = 8 };

#define CYCLE_BIT (UINT32_C(1) << 31)
#define CYCLE_MASK ((UINT64_C(1) << 48) - 1)

static const u16 numbers[NPU_EVENTS] = {
#define EVENT(number, id, name, name85) [NPU_EVENT_##id] = number,
#include "npu/event.def"
#undef EVENT
};

static const char *const names[NPU_EVENTS][2] = {
#define EVENT(number, id, name, name85) [NPU_EVENT_##id] = { name, name85 },
#include "npu/event.def"
#undef EVENT
};

static inline bool has_event(const struct npu_config *config, enum npu_event e)
{
	return names[e][config->product == NPU_U85][0] != '\0';
}

const char *npu_event_name(const struct npu_config *config, enum npu_event e)
{
	return has_event(config, e) ? names[e][config->product == NPU_U85] : NULL;
}

u16 npu_event_number(enum npu_event e)
{
	return numbers[e];
}

static u32 valid(const struct npu *n)
{
	return CYCLE_BIT | ((1u << n->options.config->pmu_counters) - 1);
}

void npu_pmu_reset(struct npu *n)
{
	u64 seen = n->s.pmu.seen;
	n->s.pmu = (struct npu_pmu){ .seen = seen };
}

bool npu_pmu_counting(const struct npu *n)
{
	const struct npu_pmu *p = &n->s.pmu;
	return (p->control & PMCR_ENABLE) && !((p->control & PMCR_MASK) && p->masked);
}

static void overflow(struct npu *n, u32 bit)
{
	n->s.pmu.overflow |= bit;
	if (n->s.pmu.interrupts & bit) {
		n->s.status |= STATUS_PMU_IRQ;
		npu_update_irq(n);
	}
}

static void add_event(struct npu *n, u16 number, u64 amount)
{
	struct npu_pmu *p = &n->s.pmu;

	for (unsigned i = 0; i < n->options.config->pmu_counters; i++) {
		if (!(p->enabled & 1u << i) || p->type[i] != number || number == 0)
			continue;
		u64 sum = p->count[i] + amount;
		p->count[i] = (u32)sum;
		if (sum >> 32)
			overflow(n, 1u << i);
	}
}

static void add_cycles(struct npu *n, u64 cycles, bool active)
{
	struct npu_pmu *p = &n->s.pmu;
	bool has_start_event = (n->s.reg[NPU_REG_PMCCNTR_CFG] & 0x3ff) != 0;

	if (!(p->enabled & CYCLE_BIT) || (has_start_event && !active))
		return;
	u64 sum = p->cycles + cycles;
	p->cycles = sum & CYCLE_MASK;
	if (sum & ~CYCLE_MASK)
		overflow(n, CYCLE_BIT);
}

void npu_pmu_sync(struct npu *n)
{
	u64 now = npu_now(n), cycles = now - n->s.pmu.seen;
	bool active = n->s.status & STATUS_RUNNING;

	n->s.pmu.seen = now;
	n->result.event[NPU_EVENT_CYCLE] += cycles;
	n->result.event[active ? NPU_EVENT_NPU_ACTIVE : NPU_EVENT_NPU_IDLE] += cycles;
	if (active)
		n->result.total_cycles += cycles;
	if (!npu_pmu_counting(n) || cycles == 0)
		return;
	add_cycles(n, cycles, active);
	add_event(n, numbers[NPU_EVENT_CYCLE], cycles);
	add_event(n, numbers[active ? NPU_EVENT_NPU_ACTIVE : NPU_EVENT_NPU_IDLE], cycles);
}

void npu_pmu_init(struct npu *n)
{
	for (unsigned e = 0; e < NPU_EVENTS; e++)
		n->counted[e / 64] |= (u64)has_event(n->options.config, e) << e % 64;
}

void npu_pmu_add(struct npu *n, const struct npu_cost *cost)
{
	const bool counts = npu_pmu_counting(n);

	for (unsigned i = 0; i < NPU_EVENT_WORDS; i++)
		for (u64 left = cost->happened[i] & n->counted[i]; left; left &= left - 1) {
			const unsigned e = 64 * i + (unsigned)__builtin_ctzll(left);
			n->result.event[e] += cost->event[e];
			if (counts)
				add_event(n, numbers[e], cost->event[e]);
		}
}

u32 npu_pmu_read(struct npu *n, enum npu_register r)
{
	const struct npu_pmu *p = &n->s.pmu;

	npu_pmu_sync(n);
	switch (r) {
	case NPU_REG_PMCR:
		return p->control | (u32)n->options.config->pmu_counters << 11;
	case NPU_REG_PMCNTENSET:
	case NPU_REG_PMCNTENCLR:
		return p->enabled;
	case NPU_REG_PMOVSSET:
	case NPU_REG_PMOVSCLR:
		return p->overflow;
	case NPU_REG_PMINTSET:
	case NPU_REG_PMINTCLR:
		return p->interrupts;
	case NPU_REG_PMCCNTR:
		return (u32)p->cycles;
	case NPU_REG_PMCCNTR_HI:
		return (u32)(p->cycles >> 32);
	default:
		if (r >= NPU_REG_PMEVTYPER0)
			return p->type[r - NPU_REG_PMEVTYPER0];
		return p->count[r - NPU_REG_PMEVCNTR0];
	}
}

static void write_control(struct npu_pmu *p, u32 value)
{
	p->control = value & (PMCR_ENABLE | PMCR_MASK);
	if (value & PMCR_RESET_EVENTS)
		for (unsigned i = 0; i < ARRAY_LEN(p->count); i++)
			p->count[i] = 0;
	if (value & PMCR_RESET_CYCLES)
		p->cycles = 0;
}

void npu_pmu_write(struct npu *n, enum npu_register r, u32 value)
{
	struct npu_pmu *p = &n->s.pmu;
	u32 bits = value & valid(n);

	npu_pmu_sync(n);
	switch (r) {
	case NPU_REG_PMCR: write_control(p, value); break;
	case NPU_REG_PMCNTENSET: p->enabled |= bits; break;
	case NPU_REG_PMCNTENCLR: p->enabled &= ~bits; break;
	case NPU_REG_PMOVSSET: p->overflow |= bits; break;
	case NPU_REG_PMOVSCLR: p->overflow &= ~bits; break;
	case NPU_REG_PMINTSET: p->interrupts |= bits; break;
	case NPU_REG_PMINTCLR: p->interrupts &= ~bits; break;
	case NPU_REG_PMCCNTR: p->cycles = (p->cycles & ~(u64)UINT32_MAX) | value; break;
	case NPU_REG_PMCCNTR_HI:
		p->cycles = (u32)p->cycles | (u64)(value & 0xffff) << 32;
		break;
	default:
		if (r >= NPU_REG_PMEVTYPER0 && r <= NPU_REG_PMEVTYPER7)
			p->type[r - NPU_REG_PMEVTYPER0] = value & 0x3ff;
		else if (r >= NPU_REG_PMEVCNTR0 && r <= NPU_REG_PMEVCNTR7)
			p->count[r - NPU_REG_PMEVCNTR0] = value;
		break;
	}
}
