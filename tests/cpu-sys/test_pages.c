/* SPDX-License-Identifier: Apache-2.0 */
/* Permission tables: pages that MPU and SAU regions cut, what a change of regions forgets, code in such pages
 * on every engine. */
#include "tests/cpu-sys/rig.h"

#include <criterion/criterion.h>

#define MPU_CTRL 0xE000ED94u
#define DATA 0x30000000u
#define CODE 0x10003000u
#define PAGE(addr) c->page_ok[(addr) >> 12]
enum { ANYTHING = PERM_READ | PERM_WRITE | PERM_EXECUTE | PERM_NORMAL };
enum { READ_WRITE = 1 << 1, PRIVILEGED = 0, READ_ONLY = 3 << 1, NEVER = 1 };

static struct rig *r;
static struct cpu *c;
static void setup(void) { r = rig_new(); c = r->c; }
static void teardown(void) { rig_free(r); }
TestSuite(pages, .init = setup, .fini = teardown);

static void region(unsigned i, u32 base, u32 last, u32 access)
{
	rig_write(r, 0xE000ED98, i);
	rig_write(r, 0xE000ED9C, base | access);
	rig_write(r, 0xE000EDA0, (last & ~31u) | 1);
}

static void mpu_on(void)
{
	rig_write(r, 0xE000EDC0, 0xFF); /* attribute 0: Normal */
	rig_write(r, MPU_CTRL, 5);      /* with the background map */
}

static bool may(u32 addr, u32 bytes, u8 right) { return c->cut && access_granules(c, addr, bytes, right); }

Test(pages, granules_of_a_cut_page_are_known_after_one_access)
{
	region(0, DATA + 0x40, DATA + 0x7F, READ_ONLY | NEVER);
	region(1, DATA + 0x80, DATA + 0x9F, PRIVILEGED | NEVER);
	mpu_on();
	cr_assert_null(c->cut);
	rig_write(r, DATA, 1);
	cr_assert_eq(PAGE(DATA), PERM_READ | PERM_NORMAL); /* all of it may be read */
	cr_assert(may(DATA + 0x3C, 4, PERM_WRITE | PERM_READ | PERM_EXECUTE));
	cr_assert_not(may(DATA + 0x3C, 8, PERM_WRITE));
	cr_assert(may(DATA + 0x3C, 8, PERM_READ));
	cr_assert_not(may(DATA + 0x40, 4, PERM_EXECUTE));
	cr_assert(may(DATA + 0x80, 0x80, PERM_WRITE));
	cr_assert_not(may(DATA + 0xFFC, 8, PERM_READ)); /* beyond the page */
	cr_assert_not(may(DATA + 0x1000, 4, PERM_READ)); /* not looked at yet */
}

Test(pages, unprivileged_code_has_its_own_granules)
{
	u32 value;
	region(0, DATA + 0x40, DATA + 0x7F, READ_WRITE | NEVER);
	region(2, 0x10000000, 0x1000FFFF, READ_ONLY);
	mpu_on();
	rig_write(r, DATA, 1);
	cr_assert_eq(PAGE(DATA) & PERM_WRITE, PERM_WRITE);
	c->sys->control[BANK_S] |= CONTROL_NPRIV;
	access_select(c);
	cr_assert_eq(PAGE(DATA), 0);
	cr_assert(cpu_load(c, DATA + 0x40, 4, ACC_NORMAL, &value));
	cr_assert_not(PAGE(DATA) & (PERM_READ | PERM_WRITE));
	cr_assert(may(DATA + 0x40, 0x40, PERM_READ | PERM_WRITE));
	cr_assert_not(may(DATA + 0x3C, 4, PERM_READ));
	cr_assert_not(cpu_store(c, DATA + 0x3C, 4, ACC_NORMAL, 1));
}

Test(pages, a_region_that_changes_forgets_its_own_pages_only)
{
	region(0, DATA + 0x1000, DATA + 0x1FFF, READ_WRITE | NEVER);
	mpu_on();
	rig_write(r, DATA, 1);
	rig_write(r, DATA + 0x1000, 1);
	rig_write(r, DATA + 0x2000, 1);
	region(0, DATA + 0x2000, DATA + 0x2FFF, READ_ONLY | NEVER);
	cr_assert_neq(PAGE(DATA), 0);
	cr_assert_not(PAGE(DATA + 0x1000) & ANYTHING);
	cr_assert_not(PAGE(DATA + 0x2000) & ANYTHING);
	cr_assert_not(cpu_store(c, DATA + 0x2000, 4, ACC_NORMAL, 1));
}

Test(pages, switching_the_mpu_forgets_nothing)
{
	region(0, DATA, DATA + 0xFFF, READ_ONLY | NEVER);
	rig_write(r, DATA, 1);
	u8 off = PAGE(DATA);
	cr_assert(off & PERM_WRITE);
	mpu_on();
	cr_assert_eq(rig_read(r, DATA), 1);
	cr_assert_eq(PAGE(DATA), PERM_READ | PERM_NORMAL);
	rig_write(r, MPU_CTRL, 4);
	cr_assert_eq(PAGE(DATA), off);
	rig_write(r, MPU_CTRL, 5);
	cr_assert_eq(PAGE(DATA), PERM_READ | PERM_NORMAL);
	rig_write(r, MPU_CTRL, 1); /* without the background map all is forgotten */
	cr_assert_eq(PAGE(DATA), 0);
}

Test(pages, code_takes_the_write_permission_of_granules_and_gives_it_back)
{
	region(0, DATA + 0x40, DATA + 0x7F, READ_ONLY | NEVER);
	mpu_on();
	rig_write(r, DATA, 1);
	u32 phys = bus_ram_page(r->bus, DATA, BUS_CPU);
	bus_flag_page(r->bus, phys, PAGE_CODE);
	cr_assert_not(may(DATA, 4, PERM_WRITE));
	bus_unflag_page(r->bus, phys, PAGE_CODE);
	rig_write(r, DATA, 2);
	cr_assert(may(DATA, 4, PERM_WRITE));
}

Test(pages, two_cut_pages_of_one_place_in_the_cache)
{
	u64 granules[2];
	region(0, DATA + 0x40, DATA + 0x7F, READ_ONLY | NEVER);
	region(1, 0x10000020, 0x1000003F, READ_ONLY);
	mpu_on();
	rig_write(r, DATA, 1);
	cr_assert(may(DATA, 4, PERM_WRITE));
	rig_read(r, 0x10000000); /* page numbers equal but for the upper bits */
	cr_assert_not(may(DATA, 4, PERM_WRITE));
	cr_assert_eq(PAGE(DATA), 0);
	cr_assert(access_executable(c, 0x10000000, granules));
	cr_assert_eq(granules[0], ~0ull);
}

struct test_gate { bool open; unsigned refused; };

static bool gate_allows(void *ctx, u32 addr, struct bus_attr attr)
{
	const struct test_gate *g = ctx;
	return g->open && attr.secure;
}

static enum bus_status gate_refuse(void *ctx, u32 addr, struct bus_attr attr, bool write)
{
	struct test_gate *g = ctx;
	g->refused++;
	return BUS_REFUSED;
}

static const struct bus_gate_ops gate_ops = { gate_allows, gate_refuse };

Test(pages, gated_memory_is_as_fast_until_the_gate_changes)
{
	struct test_gate gate = { .open = true };
	u32 value;
	cr_assert(bus_add_gate(r->bus, DATA, 0x1000, &gate_ops, &gate));
	cr_assert_not(bus_add_gate(r->bus, DATA + 0x800, 0x1000, &gate_ops, &gate), "there is one");
	rig_write(r, DATA, 1);
	rig_write(r, DATA + 0x1000, 1);
	cr_assert(PAGE(DATA) & PERM_WRITE);
	gate.open = false;
	bus_gates_changed(r->bus);
	cr_assert_eq(PAGE(DATA), 0);
	cr_assert_not(cpu_load(c, DATA, 4, ACC_NORMAL, &value));
	cr_assert_eq(gate.refused, 1);
	cr_assert_eq(rig_read(r, DATA + 0x1000), 1);
	cr_assert_eq(gate.refused, 1);
}

/* Code up to a granule's end; what follows may not be executed. Wide: an ADD.W lies across the border. */
static void run_into_a_border(bool wide)
{
	u32 border = CODE + 0x60;
	for (u32 at = CODE; at < border + 0x20; at += 4)
		rig_poke(r, at, 0x30013001);                /* adds r0, #1 twice */
	if (wide) {
		rig_poke(r, border - 4, 0xF1003001);        /* adds r0, #1; add.w r0, r0, #1 */
		rig_poke(r, border, 0x30010001);
	}
	region(0, border, border + 0x1F, READ_ONLY | NEVER);
	mpu_on();
	rig_write(r, 0xE000ED24, 1 << 16); /* MEMFAULTENA */
	rig_poke(r, rig_handler(4), 0xE7FEE7FE);
	c->core.r[0] = 0;
	c->core.r[15] = CODE;
	cpu_run(c, 1000 * sched_period(25000000));
	cr_assert_eq(c->core.ipsr, 4);
	cr_assert_eq(rig_peek(r, RIG_STACK - 0x20), wide ? 47 : 48, "r0 in the frame");
	cr_assert_eq(rig_peek(r, RIG_STACK - 8), wide ? border - 2 : border);
	cr_assert_eq(rig_read(r, 0xE000ED28), 1);
}

static const enum cpu_engine engines[] = { CPU_ENGINE_TAIL, CPU_ENGINE_SWITCH, CPU_ENGINE_STEP };

Test(pages, code_stops_at_the_border_of_a_region)
{
	for (unsigned i = 0; i < 6; i++) {
		teardown();
		setup();
		c->config.engine = engines[i / 2];
		run_into_a_border(i % 2);
	}
}

/* Code that makes its own page execute never stops there, not at the end of the page. */
Test(pages, code_that_forbids_itself_faults_at_once)
{
	static const u16 program[] = {
		0x6001,                 /* str r1, [r0]: RLAR, region enabled */
		0x3201, 0x3201, 0xE7FE, /* adds r2, #1; b . */
	};
	for (unsigned i = 0; i < 3; i++) {
		teardown();
		setup();
		c->config.engine = engines[i];
		mpu_on();
		rig_write(r, 0xE000ED24, 1 << 16);
		rig_write(r, 0xE000ED98, 0);
		rig_write(r, 0xE000ED9C, CODE | READ_ONLY | NEVER);
		rig_poke(r, rig_handler(4), 0xE7FEE7FE);
		cr_assert(cpu_poke(c, CODE, program, sizeof(program)));
		c->core.r[0] = 0xE000EDA0;
		c->core.r[1] = CODE | 1;
		c->core.r[2] = 0;
		c->core.r[15] = CODE;
		cpu_run(c, 100 * sched_period(25000000));
		cr_assert_eq(c->core.ipsr, 4);
		cr_assert_eq(rig_peek(r, RIG_STACK - 0x18), 0, "r2 in the frame");
		cr_assert_eq(rig_peek(r, RIG_STACK - 8), CODE + 2);
	}
}
