/* SPDX-License-Identifier: Apache-2.0 */
/* Memory protection: alignment, MPU, attribution, permission pages. */
#include "tests/cpu-sys/rig.h"

#include <criterion/criterion.h>

static struct rig *r;
static struct cpu *c;
static void setup(void) { r = rig_new(); c = r->c; }
static void teardown(void) { rig_free(r); }
TestSuite(access, .init = setup, .fini = teardown);

#define CFSR 0xE000ED28u
#define DATA 0x30000000u
#define PAGE(addr) c->page_ok[(addr) >> 12]

static void mpu_region(unsigned i, u32 base, u32 last, u32 ap, bool xn)
{
	rig_write(r, 0xE000ED98, i);
	rig_write(r, 0xE000ED9C, base | ap << 1 | xn);
	rig_write(r, 0xE000EDA0, (last & ~31u) | 1);
}

static void sau_region(unsigned i, u32 base, u32 last, bool nsc)
{
	rig_write(r, 0xE000EDD8, i);
	rig_write(r, 0xE000EDDC, base);
	rig_write(r, 0xE000EDE0, (last & ~31u) | nsc << 1 | 1);
}

Test(access, ram_page_becomes_fast)
{
	cr_assert_eq(PAGE(DATA), 0);
	rig_write(r, DATA, 1);
	cr_assert_eq(PAGE(DATA), PERM_READ | PERM_WRITE | PERM_EXECUTE | PERM_NORMAL);
	cr_assert_eq(rig_read(r, DATA), 1);
}

Test(access, code_page_loses_write)
{
	rig_write(r, DATA, 1);
	u32 phys = bus_ram_page(r->bus, DATA, BUS_CPU);
	bus_flag_page(r->bus, phys, PAGE_CODE);
	cr_assert_eq(PAGE(DATA), PERM_READ | PERM_EXECUTE | PERM_NORMAL);
	bus_unflag_page(r->bus, phys, PAGE_CODE);
}

static void count_kept(void *ctx, u32 phys_page, const u8 *bytes)
{
	(*(u32 *)ctx)++;
	cr_expect_eq(bytes[0], 1, "asked before the write");
}

Test(access, a_page_that_is_kept_asks_once)
{
	u32 asked = 0;
	rig_write(r, DATA, 1);
	bus_public(r->bus)->keep = count_kept;
	bus_public(r->bus)->keep_ctx = &asked;
	bus_flag_all(r->bus, PAGE_KEPT);
	cr_expect_not(PAGE(DATA) & PERM_WRITE);
	rig_write(r, DATA, 2);
	rig_write(r, DATA + 4, 3);
	cr_expect_eq(asked, 1);
	cr_expect(PAGE(DATA) & PERM_WRITE, "and is as fast as before then");
}

static void note_access(void *ctx, u32 addr, u64 size, enum bus_access access)
{
	u32 *seen = ctx;
	seen[access]++;
	cr_expect_eq(addr, DATA + 8);
	cr_expect_eq(size, 4);
}

Test(access, watched_pages_tell_of_reads_and_writes)
{
	u32 seen[4] = { 0 };
	rig_write(r, DATA, 1);
	bus_public(r->bus)->watched = note_access;
	bus_public(r->bus)->watched_ctx = seen;
	bus_flag_page(r->bus, bus_ram_page(r->bus, DATA, BUS_CPU), PAGE_WATCHED);
	cr_expect(PAGE(DATA) & PERM_READ, "only writes are watched");
	rig_write(r, DATA + 8, 1);
	rig_write(r, DATA + 8, 2);
	cr_expect_eq(seen[BUS_WRITES], 2);
	bus_flag_page(r->bus, bus_ram_page(r->bus, DATA, BUS_CPU), PAGE_WATCHED_READ);
	cr_expect_eq(rig_read(r, DATA + 8), 2);
	cr_expect_eq(seen[BUS_READS], 1);
}

Test(access, unaligned_word_works_and_traps)
{
	u32 value;
	rig_write(r, DATA, 0x44332211);
	rig_write(r, DATA + 4, 0x88776655);
	cr_assert_eq(rig_read(r, DATA + 1), 0x55443322);
	cr_assert_not(cpu_load(c, DATA + 1, 4, ACC_ALIGNED, &value));
	cr_assert_eq(rig_read(r, CFSR), 1 << 24);
}

Test(access, unaligned_to_device_memory_faults_however_often_it_was_used)
{
	u32 value;
	mpu_region(0, DATA, DATA + 0x1FFF, 1, false); /* attribute 0 of MAIR0 = 0: Device-nGnRnE */
	rig_write(r, 0xE000ED94, 5);
	rig_write(r, DATA, 1);
	cr_assert_not(cpu_load(c, DATA + 2, 4, ACC_NORMAL, &value));
	cr_assert_eq(rig_read(r, CFSR), 1 << 24);
}

Test(access, nothing_there_is_a_precise_bus_fault)
{
	u32 value;
	cr_assert_not(cpu_load(c, 0x50000004, 4, ACC_NORMAL, &value));
	cr_assert_eq(rig_read(r, CFSR), 0x8200);
	cr_assert_eq(rig_read(r, 0xE000ED38), 0x50000004);
}

Test(access, mpu_read_only_region)
{
	rig_write(r, 0xE000EDC0, 0xFF); /* attribute 0: Normal */
	mpu_region(0, DATA, DATA + 0x1FFF, 3, true);
	rig_write(r, 0xE000ED94, 5); /* PRIVDEFENA */
	cr_assert_eq(rig_read(r, DATA), 0);
	cr_assert_eq(PAGE(DATA), PERM_READ | PERM_NORMAL);
	cr_assert_not(cpu_store(c, DATA + 8, 4, ACC_NORMAL, 1));
	cr_assert_eq(rig_read(r, CFSR), 0x82);
	cr_assert_eq(rig_read(r, 0xE000ED34), DATA + 8);
}

Test(access, mpu_region_inside_a_page_is_exact)
{
	mpu_region(0, DATA + 0x40, DATA + 0x5F, 2, true);
	rig_write(r, 0xE000ED94, 5);
	rig_write(r, DATA + 0x3C, 1);
	cr_assert_not(PAGE(DATA) & PERM_WRITE);
	cr_assert_not(cpu_store(c, DATA + 0x40, 4, ACC_NORMAL, 1));
}

Test(access, overlapping_mpu_regions_fault)
{
	u32 value;
	mpu_region(0, DATA, DATA + 0xFFF, 1, false);
	mpu_region(1, DATA, DATA + 0xFFF, 1, false);
	rig_write(r, 0xE000ED94, 5);
	cr_assert_not(cpu_load(c, DATA, 4, ACC_NORMAL, &value));
}

Test(access, unprivileged_needs_a_region_and_cannot_reach_the_scs)
{
	u32 value;
	mpu_region(0, DATA, DATA + 0xFFF, 1, false);
	rig_write(r, 0xE000ED94, 5);
	cr_assert(cpu_load(c, DATA, 4, ACC_UNPRIV, &value));
	cr_assert_not(cpu_load(c, DATA + 0x1000, 4, ACC_UNPRIV, &value));
	cr_assert_eq(rig_read(r, CFSR), 0x82);
	cr_assert_not(cpu_load(c, 0xE000ED00, 4, ACC_UNPRIV, &value));
	cr_assert_eq(rig_read(r, CFSR), 0x8282);
}

Test(access, execute_never)
{
	u16 halfword;
	cr_assert(cpu_fetch(c, RIG_PC, &halfword));
	cr_assert_not(cpu_fetch(c, 0x40000000, &halfword));
	cr_assert_eq(rig_read(r, CFSR), 1);
}

Test(access, non_secure_code_cannot_touch_secure_memory)
{
	u32 value;
	sau_region(0, 0x00000000, 0x0000FFFF, false);
	sau_region(1, 0x20000000, 0x2000FFFF, false);
	rig_write(r, 0xE000EDD0, 1);
	state_set_secure(c, false);
	cr_assert(cpu_load(c, 0x20000000, 4, ACC_NORMAL, &value));
	cr_assert_not(cpu_load(c, DATA, 4, ACC_NORMAL, &value));
	state_set_secure(c, true);
	cr_assert_eq(rig_read(r, 0xE000EDE4), 0x48); /* AUVIOL, SFARVALID */
	cr_assert_eq(rig_read(r, 0xE000EDE8), DATA);
}

Test(access, gateway_admits_only_sg)
{
	u16 halfword;
	sau_region(0, 0x00000000, 0x0000FFFF, false);
	sau_region(1, 0x10004000, 0x10004FFF, true);
	rig_write(r, 0xE000EDD0, 1);
	rig_poke(r, 0x10004000, 0xE97FE97F);
	state_set_secure(c, false);
	c->core.r[15] = 0x10004000;
	cr_assert(cpu_fetch(c, 0x10004000, &halfword));
	cr_assert_eq(PAGE(0x10004000), 0); /* neither executable nor readable from now on */
	cr_assert(cpu_fetch(c, 0x10004002, &halfword));
	cr_assert_not(cpu_fetch(c, 0x10004004, &halfword));
	cr_assert_not(cpu_fetch(c, 0x10002000, &halfword));
}

Test(access, tt_describes_an_address)
{
	sau_region(2, 0x20000000, 0x2000FFFF, false);
	rig_write(r, 0xE000EDD0, 1);
	c->core.r[1] = 0x20000010;
	cr_assert(sysop_tt(c, 0, 1, false, false));
	cr_assert_eq(c->core.r[0], 0x02BE0200);
	c->core.r[1] = 0x30000010;
	cr_assert(sysop_tt(c, 0, 1, false, false));
	cr_assert_eq(c->core.r[0], 0x03CC0000);
}
