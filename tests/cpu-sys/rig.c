/* SPDX-License-Identifier: Apache-2.0 */
/* The rig of the system-side tests. */
#include "tests/cpu-sys/rig.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

static void idau(void *ctx, u32 addr, struct cpu_idau *out)
{
	(void)ctx;
	*out = (struct cpu_idau){ .secure = addr >> 28 & 1, .region = addr >> 28 };
	out->nsc = addr >> 28 == 1;
}

static void emit(void *ctx, enum diag_kind kind, const char *id, const char *text)
{
	struct rig *r = ctx;
	(void)kind, (void)text;
	r->reports++;
	snprintf(r->last_report, sizeof(r->last_report), "%s", id);
}

static const struct cpu_config m55 = {
	.model = CPU_CORTEX_M55, .timing = CPU_TIMING_IPC1, .clock_hz = 25000000,
	.initsvtor = RIG_VECTORS, .initnsvtor = 0, .cpuid = 0x411FD220, .irqs = 480, .priority_bits = 8,
	.mpu_s_regions = 16, .mpu_ns_regions = 16, .sau_regions = 8, .icache_size = 65536,
	.dcache_size = 65536, .fpu = true, .mve_int = true, .mve_fp = true, .dsp = true, .security = true,
	.cpi_mul = 1, .cpi_div = 1, .idau = idau,
};

void rig_poke(struct rig *r, u32 addr, u32 value) { cr_assert(cpu_poke(r->c, addr, &value, 4)); }

u32 rig_peek(struct rig *r, u32 addr)
{
	u32 value = 0;
	cr_assert(cpu_peek(r->c, addr, &value, 4));
	return value;
}

static struct rig *make(const struct cpu_config *config)
{
	struct rig *r = calloc(1, sizeof(*r));
	r->diag = (struct diag){ emit, r };
	r->bus = bus_new(&r->diag);
	sched_init(&r->sched);
	u8 views = BUS_CPU;
	cr_assert(bus_add_ram(r->bus, "code", 0x00000000, 0x10000, views));
	cr_assert(bus_add_alias(r->bus, "code S", 0x10000000, 0x10000, views, 0x00000000));
	cr_assert(bus_add_ram(r->bus, "data", 0x20000000, 0x10000, views));
	cr_assert(bus_add_alias(r->bus, "data S", 0x30000000, 0x10000, views, 0x20000000));
	r->c = cpu_new(config, r->bus, &r->sched, &r->diag);
	cr_assert_not_null(r->c);
	rig_poke(r, RIG_VECTORS, RIG_STACK);
	rig_poke(r, RIG_VECTORS + 4, RIG_PC | 1);
	for (unsigned num = 2; num < 64; num++)
		rig_poke(r, RIG_VECTORS + 4 * num, rig_handler(num) | 1);
	cpu_reset(r->c);
	return r;
}

struct rig *rig_new(void) { return make(&m55); }
struct cpu_config rig_config(void) { return m55; }
struct rig *rig_new_of(const struct cpu_config *config) { return make(config); }

struct rig *rig_new_m85(void)
{
	struct cpu_config config = m55;
	config.model = CPU_CORTEX_M85;
	config.cpuid = 0x411FD230;
	config.pacbti = true;
	return make(&config);
}

struct rig *rig_new_timed(enum cpu_timing timing)
{
	struct cpu_config config = m55;
	config.timing = timing;
	config.itcm_size_code = 7; /* 64 KiB: all of the code */
	return make(&config);
}

struct rig *rig_new_engine(enum cpu_engine engine) { return rig_new_with(engine, CPU_TIMING_IPC1); }

struct rig *rig_new_with(enum cpu_engine engine, enum cpu_timing timing)
{
	struct cpu_config config = m55;
	config.engine = engine;
	config.timing = timing;
	return make(&config);
}

void rig_free(struct rig *r)
{
	cpu_free(r->c);
	bus_free(r->bus);
	free(r);
}

void rig_write(struct rig *r, u32 addr, u32 value)
{
	cr_assert(cpu_store(r->c, addr, 4, ACC_NORMAL, value), "store to %08X", addr);
}

u32 rig_read(struct rig *r, u32 addr)
{
	u32 value = 0;
	cr_assert(cpu_load(r->c, addr, 4, ACC_NORMAL, &value), "load from %08X", addr);
	return value;
}

void rig_pass(struct rig *r, u64 cycles)
{
	r->c->core.cycles += cycles;
	sched_run(&r->sched, r->sched.now + cycles * sched_period(m55.clock_hz));
}

bool rig_bx(struct rig *r, u32 target)
{
	r->c->core.next_pc = r->c->core.r[15] + 2;
	r->c->core.next_it = 0;
	bool done = sysop_branch(r->c, target);
	if (done) {
		r->c->core.r[15] = r->c->core.next_pc;
		r->c->core.epsr_it = r->c->core.next_it;
	}
	return done;
}
