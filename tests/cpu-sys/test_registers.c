/* SPDX-License-Identifier: Apache-2.0 */
/* The register table: order, reset values, views. */
#include "tests/cpu-sys/rig.h"

#include <criterion/criterion.h>

#include "cpu/sysop.h"

static struct rig *r;
static struct cpu *c;
static void setup(void) { r = rig_new(); c = r->c; }
static void teardown(void) { rig_free(r); }
TestSuite(registers, .init = setup, .fini = teardown);

static void give_tcms(void)
{
	struct cpu_config config = rig_config();

	config.itcm_size_code = config.dtcm_size_code = 7;
	config.tgu_block[0] = config.tgu_block[1] = 8;
	teardown();
	r = rig_new_of(&config);
	c = r->c;
}

Test(registers, rows_rise_and_do_not_overlap)
{
	static const struct { u32 addr, words; } rows[] = {
#define R(addr, count, name, bank, flags, reset, mask, read, write, after) { addr, count },
#include "cpu/sys/scs.def"
#undef R
	};
	for (unsigned i = 1; i < ARRAY_LEN(rows); i++)
		cr_assert_leq((u64)rows[i - 1].addr + 4 * rows[i - 1].words, rows[i].addr, "row %u", i);
}

Test(registers, reset_values)
{
	static const u32 expected[][2] = {
		{ 0xE000E004, 14 }, { 0xE000ED00, 0x411FD220 }, { 0xE000ED08, RIG_VECTORS },
		{ 0xE000ED0C, 0xFA050000 }, { 0xE000ED14, 0x201 }, { 0xE000ED78, 0x09000003 },
		{ 0xE000ED90, 0x1000 }, { 0xE000EDD4, 8 }, { 0xE000EF34, 0xC0000004 },
		{ 0xE000EF3C, 0x40000 }, { 0xE000EF40, 0x10110221 }, { 0xE000E01C, 0x80000000 },
		{ 0xE000ED80, 0xF03FE019 }, { 0xE0001000, 0x40000000 }, { 0xE0001028, 0x58000000 },
	};
	for (unsigned i = 0; i < ARRAY_LEN(expected); i++)
		cr_assert_eq(rig_read(r, expected[i][0]), expected[i][1], "%08X", expected[i][0]);
}

/* Whoever writes a priority, a debugger included: bits that are not implemented stay zero. */
Test(registers, priorities_have_the_bits_that_there_are)
{
	struct cpu_config config = rig_config();
	config.priority_bits = 3;
	struct rig *three = rig_new_of(&config);
	rig_write(three, 0xE000E400, 0xFF5F1F20);
	cr_expect_eq(rig_read(three, 0xE000E400), 0xE0400020);
	rig_write(three, 0xE000ED20, 0xFFFF0000);
	cr_expect_eq(rig_read(three, 0xE000ED20), 0xE0E00000);
	cpu_set_reg(three->c, CPU_REG_BASEPRI, 0x7F);
	cpu_set_reg(three->c, CPU_REG_BASEPRI_NS, 0x1F);
	cr_expect_eq(cpu_get_reg(three->c, CPU_REG_BASEPRI), 0x60);
	cr_expect_eq(cpu_get_reg(three->c, CPU_REG_BASEPRI_NS), 0);
	rig_free(three);
}

/* Registers for software test libraries: where CMSIS has them. */
Test(registers, of_test_libraries)
{
	rig_write(r, 0xE001E810, 0x30000000);
	cr_expect_eq(rig_read(r, 0xE001E810), 0x30000000);
	for (u32 addr = 0xE001E814; addr <= 0xE001E824; addr += 4)
		cr_expect_eq(rig_read(r, addr), 0);
	cr_expect_eq(r->reports, 0);
}

/* CCR.BFHFNMIGN is one bit for both states, which Non-secure software has with BFHFNMINS only; the others are banked. */
Test(registers, bus_faults_are_ignored_for_both_states)
{
	rig_write(r, 0xE000ED14, 0x311);
	cr_expect_eq(rig_read(r, 0xE002ED14), 0x201);
	rig_write(r, 0xE002ED14, 0x201);
	cr_expect_eq(rig_read(r, 0xE000ED14), 0x311);
	rig_write(r, 0xE000ED0C, 0x05FA0000 | AIRCR_BFHFNMINS);
	cr_expect_eq(rig_read(r, 0xE002ED14), 0x301);
	rig_write(r, 0xE002ED14, 0x203);
	cr_expect_eq(rig_read(r, 0xE000ED14), 0x211);
	rig_write(r, 0xE002ED14, 0x303);
	cr_expect_eq(rig_read(r, 0xE000ED14), 0x311);
}

/* While its line is high a register keeps its value; the Non-secure ones and those of other lines do not. */
Test(registers, locks_keep_writes_out)
{
	static const struct { u32 addr; u8 lock; u32 value; } rows[] = {
		{ 0xE000ED08, CPU_LOCK_SVTAIRCR, 0x30000000 }, { 0xE000EDD0, CPU_LOCK_SAU, 2 }, { 0xE000EDD8, CPU_LOCK_SAU, 1 },
		{ 0xE000EDE0, CPU_LOCK_SAU, 0x30000FE0 }, { 0xE000ED94, CPU_LOCK_SMPU, 4 }, { 0xE000ED98, CPU_LOCK_SMPU, 2 },
		{ 0xE000ED9C, CPU_LOCK_SMPU, 0x30000000 }, { 0xE000EDAC, CPU_LOCK_SMPU, 0x20000000 },
		{ 0xE001E500, CPU_LOCK_ITGU, 1 }, { 0xE001E600, CPU_LOCK_DTGU, 1 }, { 0xE001E610, CPU_LOCK_DTGU, 0xF },
	};
	give_tcms();
	for (unsigned i = 0; i < ARRAY_LEN(rows); i++) {
		u32 before = rig_read(r, rows[i].addr);
		cpu_lock_set(c, rows[i].lock, true);
		rig_write(r, rows[i].addr, rows[i].value);
		cr_expect_eq(rig_read(r, rows[i].addr), before, "%08X", rows[i].addr);
		cpu_lock_set(c, rows[i].lock, false);
		cpu_lock_set(c, (rows[i].lock + 1u) % CPU_LOCKS, true);
		rig_write(r, rows[i].addr, rows[i].value);
		cr_expect_neq(rig_read(r, rows[i].addr), before, "%08X", rows[i].addr);
		cpu_lock_set(c, (rows[i].lock + 1u) % CPU_LOCKS, false);
	}
}

Test(registers, locks_leave_the_rest_of_aircr_and_non_secure_registers)
{
	cpu_lock_set(c, CPU_LOCK_SVTAIRCR, true);
	cpu_lock_set(c, CPU_LOCK_SMPU, true);
	rig_write(r, 0xE000ED0C, 0x05FA0000 | AIRCR_PRIS | AIRCR_BFHFNMINS | 3 << 8);
	cr_expect_eq(rig_read(r, 0xE000ED0C), 0xFA050300);
	rig_write(r, 0xE002ED08, 0x20000000);
	cr_expect_eq(rig_read(r, 0xE002ED08), 0x20000000);
	rig_write(r, 0xE002ED94, 4);
	cr_expect_eq(rig_read(r, 0xE002ED94), 4);
}

/* An input tied high locks one copy of a banked register, whatever its line does, over resets. */
Test(registers, tied_locks_keep_writes_out)
{
	static const struct { u32 addr; u8 lock; u32 value; } rows[] = {
		{ 0xE000ED08, CPU_LOCK_SVTAIRCR, 0x30000000 }, { 0xE002ED08, CPU_LOCK_NSVTOR, 0x20000000 },
		{ 0xE000EDD0, CPU_LOCK_SAU, 2 }, { 0xE000ED94, CPU_LOCK_SMPU, 4 }, { 0xE002ED94, CPU_LOCK_NSMPU, 4 },
		{ 0xE002ED98, CPU_LOCK_NSMPU, 2 }, { 0xE002ED9C, CPU_LOCK_NSMPU, 0x30000000 },
		{ 0xE002EDA4, CPU_LOCK_NSMPU, 0x30000000 }, { 0xE001E010, CPU_LOCK_TCM, 0 }, { 0xE001E018, CPU_LOCK_PAHB, 0 },
		{ 0xE001E500, CPU_LOCK_ITGU, 1 }, { 0xE001E610, CPU_LOCK_DTGU, 0xF },
	};
	give_tcms();
	for (unsigned i = 0; i < ARRAY_LEN(rows); i++) {
		u32 input = 1u << rows[i].lock, before = rig_read(r, rows[i].addr);
		cpu_lock_tie(c, input);
		cpu_lock_set(c, rows[i].lock, false);
		rig_write(r, rows[i].addr, rows[i].value);
		cr_expect_eq(rig_read(r, rows[i].addr), before, "%08X", rows[i].addr);
		cpu_lock_tie(c, (1u << CPU_LOCKS) - 1 - input);
		rig_write(r, rows[i].addr, rows[i].value);
		cr_expect_neq(rig_read(r, rows[i].addr), before, "%08X", rows[i].addr);
	}
	cpu_lock_tie(c, 1u << CPU_LOCK_NSVTOR);
	cpu_reset(c);
	rig_write(r, 0xE002ED08, 0x20000000);
	cr_expect_eq(rig_read(r, 0xE002ED08), 0);
}

Test(registers, non_secure_view_through_the_alias)
{
	rig_write(r, 0xE002ED08, 0x00000400);
	cr_assert_eq(rig_read(r, 0xE000ED08), RIG_VECTORS);
	cr_assert_eq(rig_read(r, 0xE002ED08), 0x400);
	rig_write(r, 0xE000E100, 3);
	cr_assert_eq(rig_read(r, 0xE002E100), 0);
	rig_write(r, 0xE000E380, 2); /* ITNS */
	cr_assert_eq(rig_read(r, 0xE002E100), 2);
	cr_assert_eq(rig_read(r, 0xE002EDD4), 0); /* SAU is Secure only */
}

Test(registers, unknown_is_reported_once)
{
	cr_assert_eq(rig_read(r, 0xE000E800), 0);
	rig_write(r, 0xE000E800, 1);
	cr_assert_eq(r->reports, 1);
	cr_assert_str_eq(r->last_report, "CPU010");
}

/* TF-M's corstone300 platform writes all sixteen NVIC_ITNS. */
Test(registers, words_beyond_the_last_interrupt_are_reserved)
{
	rig_write(r, 0xE000E3BC, 0xFFFFFFFF);
	rig_write(r, 0xE000E13C, 0xFFFFFFFF);
	cr_expect_eq(rig_read(r, 0xE000E3BC), 0);
	cr_expect_eq(rig_read(r, 0xE000E5EC), 0);
	cr_expect_eq(r->reports, 0);
	cr_expect_eq(rig_read(r, 0xE000E3C0), 0);
	cr_expect_eq(r->reports, 1);
}

Test(registers, priorities_take_bytes)
{
	cr_assert(cpu_store(c, 0xE000ED23, 1, ACC_NORMAL, 0xE0));
	cr_assert_eq(rig_read(r, 0xE000ED20), 0xE0000000);
	cr_assert(cpu_store(c, 0xE000E402, 1, ACC_NORMAL, 0x40));
	cr_assert_eq(rig_read(r, 0xE000E400), 0x00400000);
}

Test(registers, reset_request)
{
	rig_write(r, 0xE000ED0C, 0x05FA0004);
	cr_assert_eq(c->core.activity, CPU_RESETTING);
}

Test(registers, components_identify_themselves)
{
	static const u32 pages[] = { 0xE0000000, 0xE0001000, 0xE0002000, 0xE0003000, 0xE000E000 };
	for (unsigned i = 0; i < ARRAY_LEN(pages); i++) {
		cr_expect_eq(rig_read(r, pages[i] + 0xFE0) | rig_read(r, pages[i] + 0xFE4) << 8, 0xBD22);
		cr_expect_eq(rig_read(r, pages[i] + 0xFF0), 0x0D);
		cr_expect_eq(rig_read(r, pages[i] + 0xFFC), 0xB1);
	}
	cr_expect_eq(r->reports, 0);
}

/* SYSm 24 is SP_NS with its Non-secure bit only, and only for Secure code. */
Test(registers, there_is_no_special_register_sp)
{
	c->sys->sp[BANK_NS][0] = 0x20001000;
	c->core.r[1] = 0x20000800;
	cr_assert(sysop_msr(c, 1, 2, 24));
	cr_expect_eq(c->sys->sp[BANK_NS][0], 0x20001000);
	cr_assert(sysop_mrs(c, 2, 24));
	cr_expect_eq(c->core.r[2], 0);
	cr_assert(sysop_msr(c, 1, 2, 24 | 0x80));
	cr_expect_eq(c->sys->sp[BANK_NS][0], 0x20000800);
}

/* Zephyr's tests/kernel/mem_protect/userspace: the stack pointer of the moment stays. */
Test(registers, control_written_without_privilege_changes_sfpa_only)
{
	c->core.r[0] = 3; /* CONTROL: unprivileged, process stack */
	cr_assert(sysop_msr(c, 0, 0, 20));
	c->core.r[13] = 0x30004000;
	c->core.r[0] = 0xc;
	cr_assert(sysop_msr(c, 0, 0, 20));
	cr_expect_eq(c->core.r[13], 0x30004000);
	cr_assert(sysop_mrs(c, 1, 20));
	cr_expect_eq(c->core.r[1] & 0xf, 0xb, "%x", c->core.r[1]);
}

/* MSR and MRS know BASEPRI_NS (0x91), but no Non-secure BASEPRI_MAX. */
Test(registers, no_basepri_max_ns)
{
	c->core.r[0] = 0x40;
	cr_assert(sysop_msr(c, 0, 2, 0x92));
	cr_expect_eq(c->sys->basepri[BANK_NS], 0);
	cr_assert(sysop_msr(c, 0, 2, 0x91));
	cr_assert(sysop_mrs(c, 1, 0x92));
	cr_expect_eq(c->sys->basepri[BANK_NS], 0x40);
	cr_expect_eq(c->core.r[1], 0);
}
