/* SPDX-License-Identifier: Apache-2.0 */
/* Host registers, interrupt, PMU and the time at which effects land, as the driver sees them. */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/npu/rig.h"

enum { PMCR = 0x180, PMCNTENSET = 0x184, PMOVSSET = 0x18c, PMOVSCLR = 0x190, PMINTSET = 0x194,
       PMCCNTR = 0x1a0, PMCCNTR_HI = 0x1a4, PMEVCNTR0 = 0x300, PMEVTYPER0 = 0x380 };

Test(npu_device, identification_of_every_accelerator)
{
	static const struct {
		const char *name;
		u32 config;
		u8 pid0;
	} rows[] = {
		{ "ethos-u55-32", 0x00001005, 0x80 },  { "ethos-u55-64", 0x00001006, 0x80 },
		{ "ethos-u55-128", 0x00001807, 0x80 }, { "ethos-u55-256", 0x00003008, 0x80 },
		{ "ethos-u65-256", 0x10003008, 0x81 }, { "ethos-u65-512", 0x10006009, 0x81 },
		{ "ethos-u85-128", 0x20000117, 0x82 }, { "ethos-u85-256", 0x20000118, 0x82 },
		{ "ethos-u85-512", 0x20001119, 0x82 }, { "ethos-u85-1024", 0x2000251a, 0x82 },
		{ "ethos-u85-2048", 0x2000261b, 0x82 },
	};
	static struct rig r;

	for (unsigned i = 0; i < ARRAY_LEN(rows); i++) {
		rig_open(&r, rows[i].name, 0);
		cr_expect_eq(npu_read(r.npu, REG_CONFIG), rows[i].config, "%s", rows[i].name);
		cr_expect_eq(npu_read(r.npu, 0xfe0), rows[i].pid0);
		cr_expect_eq(npu_read(r.npu, 0xff0), 0x0du);
		cr_expect_eq(npu_read(r.npu, REG_CMD), 0xcu);
		cr_expect_eq(npu_read(r.npu, REG_STATUS), 0u);
		rig_close(&r);
	}
}

Test(npu_device, reset_takes_over_protection_and_clears)
{
	static struct rig r;

	rig_open(&r, "ethos-u55-128", 0);
	npu_write(r.npu, REG_QBASE, 0x1234560);
	npu_write(r.npu, 0x84, 0xff); /* U55 has no high part */
	cr_expect_eq(npu_read(r.npu, 0x84), 0u);
	npu_write(r.npu, REG_RESET, 3);
	cr_expect_eq(npu_read(r.npu, REG_PROT), 3u);
	cr_expect_eq(npu_read(r.npu, REG_QBASE), 0u);
	rig_close(&r);
	rig_open(&r, "ethos-u65-256", 0);
	npu_write(r.npu, 0x84, 0x1ff);
	cr_expect_eq(npu_read(r.npu, 0x84), 0xffu);
	rig_close(&r);
}

Test(npu_device, normal_end_as_the_driver_expects_it)
{
	static struct rig r;

	rig_open(&r, "ethos-u55-128", 0);
	memcpy(r.memory, "\x01\x02\xff\x7f", 4);
	memcpy(r.memory + 0x100, "\x01\x02\x03\x7f", 4);
	rig_add_op(&r, 4);
	rig_stop(&r);
	rig_start(&r);
	cr_expect_eq(npu_read(r.npu, REG_STATUS), 0xffff0022u);
	cr_expect_eq(npu_read(r.npu, REG_QREAD), 4 * r.words);
	cr_expect(r.irq);
	npu_write(r.npu, REG_CMD, 0xc | 2);
	cr_expect(!r.irq);
	cr_expect_eq(npu_read(r.npu, REG_STATUS), 0xffff0020u);
	cr_expect(memcmp(r.memory + 0x200, "\x02\x04\x02\x7f", 4) == 0);
	cr_expect_eq(r.wrote_first, RIG_BASE + 0x200u);
	cr_expect_eq(r.wrote_bytes, 4u);
	npu_write(r.npu, REG_QSIZE, 4);
	cr_expect_eq(npu_read(r.npu, REG_STATUS), 0xffff0000u, "QSIZE clears cmd_end_reached");
	npu_write(r.npu, REG_CMD, 0xffff0000);
	cr_expect_eq(npu_read(r.npu, REG_STATUS), 0u, "history is cleared by CMD[31:16]");
	rig_close(&r);
}

Test(npu_device, command_registers_can_be_read_back)
{
	static struct rig r;

	rig_open(&r, "ethos-u65-256", 0);
	rig_c0(&r, NPU_CMD_OFM_DEPTH_M1, 0x1234);
	rig_c0(&r, NPU_CMD_IFM2_ZERO_POINT, 0x77);
	rig_c1(&r, NPU_CMD_OFM_BASE1, 0x5589abcdef);
	rig_c1(&r, NPU_CMD_WEIGHT1_BASE, 0x1100002222);
	rig_stop(&r);
	rig_start(&r);
	cr_expect_eq(npu_read(r.npu, 0x800 + 4 * 0x13), 0x1234u);
	cr_expect_eq(npu_read(r.npu, 0x900 + 4 * 0x09), 0x77u);
	cr_expect_eq(npu_read(r.npu, 0xa00 + 0x40 + 8), 0x89abcdefu);
	cr_expect_eq(npu_read(r.npu, 0xa00 + 0x40 + 12), 0x55u);
	cr_expect_eq(npu_read(r.npu, 0xb00 + 0x40), 0x2222u);
	cr_expect_eq(npu_read(r.npu, 0xb00 + 0x44), 0x11u);
	rig_close(&r);
}

Test(npu_device, effects_land_at_their_time_and_in_order)
{
	static struct rig r;
	u64 period = SCHED_TICKS_PER_SECOND / 100000000;

	rig_open(&r, "ethos-u55-128", 100000000);
	r.memory[0] = 1;
	r.memory[0x100] = 2;
	rig_add_op(&r, 1);
	rig_c0(&r, NPU_CMD_IRQ, 0x8);
	rig_c1(&r, NPU_CMD_IFM_BASE0, 0x200); /* reads the first one's result */
	rig_c1(&r, NPU_CMD_OFM_BASE0, 0x300);
	rig_c0(&r, NPU_CMD_ELEMENTWISE, NPU_EW_ADD);
	rig_stop(&r);
	rig_start(&r);
	cr_expect(npu_busy(r.npu));
	cr_expect_eq(npu_read(r.npu, REG_STATUS) & 1, 1u);
	cr_expect_eq(r.memory[0x200], 0, "nothing has landed yet");
	u32 first = npu_read(r.npu, REG_QREAD);
	cr_assert_neq(r.sched.next, SCHED_NEVER);
	cr_expect_eq(r.sched.next % period, 0u);
	sched_run(&r.sched, r.sched.next);
	cr_expect_eq(r.memory[0x200], 3);
	cr_expect_eq(r.memory[0x300], 0);
	cr_expect_gt(npu_read(r.npu, REG_QREAD), first);
	cr_expect(r.irq, "NPU_OP_IRQ raises the interrupt while the job goes on");
	cr_expect_eq(npu_read(r.npu, REG_STATUS), 0x00080003u);
	npu_write(r.npu, REG_CMD, 2);
	cr_expect(!r.irq);
	sched_run(&r.sched, r.sched.next);
	cr_expect_eq(r.memory[0x300], 5);
	cr_expect(!npu_busy(r.npu));
	cr_expect(r.irq);
	cr_expect_eq(npu_result(r.npu)->cycles, r.sched.now / period);
	cr_expect_eq(npu_result(r.npu)->operations, 2u);
	rig_close(&r);
}

Test(npu_device, reset_aborts_a_running_job)
{
	static struct rig r;

	rig_open(&r, "ethos-u55-128", 100000000);
	r.memory[0] = 1;
	rig_add_op(&r, 1);
	rig_stop(&r);
	rig_start(&r);
	npu_write(r.npu, REG_RESET, 1);
	cr_expect(!npu_busy(r.npu));
	cr_expect_eq(r.sched.next, SCHED_NEVER);
	cr_expect_eq(r.memory[0x200], 0);
	cr_expect_eq(npu_result(r.npu)->end, NPU_END_RESET);
	rig_close(&r);
}

Test(npu_pmu, counts_cycles_idle_and_active)
{
	static struct rig r;
	u64 period = SCHED_TICKS_PER_SECOND / 100000000;

	rig_open(&r, "ethos-u55-128", 100000000);
	rig_add_op(&r, 64);
	rig_stop(&r);
	rig_start(&r); /* resets, so the PMU is set up while the job runs */
	npu_write(r.npu, PMEVTYPER0, 35);     /* NPU_ACTIVE */
	npu_write(r.npu, PMEVTYPER0 + 4, 32); /* NPU_IDLE */
	npu_write(r.npu, PMEVTYPER0 + 8, 386); /* AXI1_RD_DATA_BEAT_RECEIVED: region 0 */
	npu_write(r.npu, PMCNTENSET, 0x8000000f);
	npu_write(r.npu, PMCR, 1 | 2 | 4);
	u64 end = r.sched.next;
	sched_run(&r.sched, end + 10 * period);
	u64 active = end / period;
	cr_expect_eq(npu_read(r.npu, PMEVCNTR0), active);
	cr_expect_eq(npu_read(r.npu, PMEVCNTR0 + 4), 10u);
	cr_expect_gt(npu_read(r.npu, PMEVCNTR0 + 8), 0u);
	cr_expect_eq(npu_read(r.npu, PMCCNTR), active + 10);
	cr_expect_eq(npu_read(r.npu, PMCR), 1u | 4u << 11);
	npu_write(r.npu, PMCR, 0);
	sched_run(&r.sched, r.sched.now + 5 * period);
	cr_expect_eq(npu_read(r.npu, PMCCNTR), active + 10, "stopped");
	rig_close(&r);
}

Test(npu_pmu, overflow_raises_the_interrupt)
{
	static struct rig r;
	u64 period = SCHED_TICKS_PER_SECOND / 100000000;

	rig_open(&r, "ethos-u55-128", 100000000);
	npu_write(r.npu, PMEVTYPER0, 17); /* CYCLE */
	npu_write(r.npu, PMEVCNTR0, 0xfffffffe);
	npu_write(r.npu, PMCCNTR, 0xfffffff0);
	npu_write(r.npu, PMCCNTR_HI, 0x1ffff);
	npu_write(r.npu, PMINTSET, 1);
	npu_write(r.npu, PMCNTENSET, 0x80000001);
	npu_write(r.npu, PMCR, 1);
	sched_run(&r.sched, 16 * period);
	cr_expect_eq(npu_read(r.npu, PMCCNTR), 0u);
	cr_expect_eq(npu_read(r.npu, PMCCNTR_HI), 0u, "48 bits");
	cr_expect_eq(npu_read(r.npu, PMOVSSET), 0x80000001u);
	cr_expect_eq(npu_read(r.npu, REG_STATUS), 0x40u);
	cr_expect(r.irq);
	npu_write(r.npu, PMOVSCLR, 0x80000001u);
	npu_write(r.npu, REG_CMD, 2);
	cr_expect(!r.irq);
	cr_expect_eq(npu_read(r.npu, PMOVSSET), 0u);
	rig_close(&r);
}

Test(npu_pmu, u85_has_eight_counters_elsewhere)
{
	static struct rig r;
	u64 period = SCHED_TICKS_PER_SECOND / 100000000;

	rig_open(&r, "ethos-u85-256", 100000000);
	cr_expect_eq(npu_read(r.npu, 0x1180), 8u << 11);
	cr_expect_eq(npu_read(r.npu, PMCR), 0u);
	npu_write(r.npu, 0x1380 + 4 * 7, 17);
	npu_write(r.npu, 0x1184, 1u << 31 | 0xff);
	npu_write(r.npu, 0x1180, 1);
	sched_run(&r.sched, 7 * period);
	cr_expect_eq(npu_read(r.npu, 0x1300 + 4 * 7), 7u);
	cr_expect_eq(npu_read(r.npu, 0x11a0), 7u);
	npu_write(r.npu, 0x40, 0xffffffff);
	cr_expect_eq(npu_read(r.npu, 0x40), 0xf7u, "MEM_ATTR0");
	rig_close(&r);
}

/* BRANCH: a loop that counts down in memory, and one that never ends. */
Test(npu_u85, branch_follows_the_result_flag)
{
	static struct rig r;

	rig_open(&r, "ethos-u85-256", 0);
	/* if the flag (0 after reset) were set, go to an illegal place */
	rig_word(&r, NPU85_CMD_BRANCH | 1u << 16);
	rig_word(&r, 0x10000000);
	rig_word(&r, NPU85_CMD_BRANCH);
	rig_word(&r, 0x18);
	rig_word(&r, 0xffffffff); /* jumped over */
	rig_word(&r, 0xffffffff);
	rig_stop(&r);
	rig_start(&r);
	cr_expect_eq(npu_read(r.npu, REG_STATUS), 0xffff0022u, "%s", npu_result(r.npu)->message);
	rig_close(&r);
}

Test(npu_u85, endless_branch_is_ended)
{
	static struct rig r;

	rig_open(&r, "ethos-u85-256", 0);
	rig_word(&r, NPU85_CMD_BRANCH);
	rig_word(&r, 0);
	rig_start(&r);
	cr_expect_str_eq(r.id, "NPU011");
	cr_expect_eq(npu_result(r.npu)->end, NPU_END_WORK_LIMIT);
	rig_close(&r);
}

Test(npu_u85, illegal_branch_target)
{
	static struct rig r;

	rig_open(&r, "ethos-u85-256", 0);
	rig_word(&r, NPU85_CMD_BRANCH);
	rig_word(&r, 0x100);
	rig_start(&r);
	cr_expect_str_eq(r.id, "NPU017");
	cr_expect_eq(npu_read(r.npu, REG_STATUS), 1u << 9 | 2);
	rig_close(&r);
}

/* Gather in one dimension: one row, by one index. Vela 4.2 to 5.0 set SIZE0 only in more dimensions, so that it may be
 * that of another copy; later releases set it to 1. */
static void gather_one_row(u32 size0)
{
	static struct rig r;
	u8 row[16];

	rig_open(&r, "ethos-u85-256", 0);
	for (u32 i = 0; i < 64; i++)
		r.memory[i] = (u8)(i + 1);
	r.memory[0x100] = 2;
	rig_c0(&r, (enum npu_command)NPU85_CMD_DMA0_SRC_REGION, 1 << 11);
	rig_c0(&r, (enum npu_command)NPU85_CMD_DMA0_SIZE0, size0);
	rig_c1(&r, (enum npu_command)NPU85_CMD_DMA0_LEN, sizeof(row));
	rig_c1(&r, (enum npu_command)NPU85_CMD_DMA0_SRC_STRIDE0, sizeof(row));
	rig_c1(&r, (enum npu_command)NPU85_CMD_DMA0_DST, 0x200);
	rig_c1(&r, (enum npu_command)NPU85_CMD_DMA0_DST_STRIDE0, sizeof(row));
	rig_c1(&r, (enum npu_command)NPU85_CMD_DMA0_IDX, 0x100);
	rig_c1(&r, (enum npu_command)NPU85_CMD_DMA0_IDX_MAX, 3);
	rig_c0(&r, (enum npu_command)NPU85_CMD_DMA_START, 0);
	rig_stop(&r);
	memcpy(row, r.memory + 32, sizeof(row));
	rig_start(&r);
	cr_expect_arr_eq(r.memory + 0x200, row, sizeof(row));
	cr_expect_eq(r.memory[0x210], 0);
	rig_close(&r);
}

Test(npu_u85, gather_in_one_dimension)
{
	gather_one_row(0);
	gather_one_row(1);
	gather_one_row(2);
}

/* The sum of sixteen int16 values as Vela 5.0 and 5.1 program it, less what is 0 or not used. Of the former ExecuTorch's tests say that the FVP gives
 * zero; what it does is known no closer. */
static void sum_of_16(struct rig *r, u32 format)
{
	static const struct { u32 command, value; } c0[] = {
		{ NPU_CMD_IFM_DEPTH_M1, 15 }, { NPU_CMD_IFM_PRECISION, 5 }, { NPU_CMD_OFM_PRECISION, 0x103 },
		{ NPU_CMD_ACTIVATION_MIN, 0x8000 }, { NPU_CMD_ACTIVATION_MAX, 0x7fff }, { NPU_CMD_OFM_BLK_DEPTH_M1, 15 },
	};

	r->words = 0;
	for (unsigned i = 0; i < ARRAY_LEN(c0); i++)
		rig_c0(r, c0[i].command, c0[i].value);
	rig_c1(r, NPU_CMD_IFM_STRIDE_C, 2);
	rig_c1(r, NPU_CMD_OFM_BASE0, 0x200);
	rig_c1(r, NPU_CMD_OFM_SCALE, 1);
	rig_c0(r, (enum npu_command)NPU85_CMD_ACC_FORMAT, 0x300 | format);
	rig_c0(r, NPU_CMD_POOL, NPU_POOL_REDUCE_SUM);
	rig_stop(r);
	rig_start(r);
}

Test(npu_u85, wide_reduce_sum_is_told_once)
{
	static struct rig r;

	rig_open(&r, "ethos-u85-256", 0);
	for (u8 i = 0; i < 16; i++)
		r.memory[2 * i] = (u8)(i + 1);
	sum_of_16(&r, 0);
	cr_expect_eq(r.memory[0x200], 136, "%s", npu_result(r.npu)->message);
	cr_expect_eq(r.messages, 0);
	r.memory[0] = 2;
	sum_of_16(&r, 1);
	cr_expect_eq(r.memory[0x200], 137);
	cr_expect_str_eq(r.id, "NPU018");
	sum_of_16(&r, 1);
	cr_expect_eq(r.messages, 1);
	cr_expect_eq(npu_result(r.npu)->end, NPU_END_STOP);
	rig_close(&r);
}

/* Two tables to the table memory at 0 and at `second`, and with `used` an operation between them. */
static void two_tables(struct rig *r, u32 second, bool used)
{
	rig_open(r, "ethos-u85-256", 0);
	rig_c0(r, (enum npu_command)NPU85_CMD_DMA0_DST_REGION, 0x100);
	rig_c1(r, (enum npu_command)NPU85_CMD_DMA0_LEN, 0x100);
	rig_c0(r, (enum npu_command)NPU85_CMD_DMA_START, 0);
	if (used) {
		rig_c0(r, NPU_CMD_IFM_DEPTH_M1, 15);
		rig_c1(r, NPU_CMD_OFM_BASE0, 0x200);
		rig_c0(r, NPU_CMD_ELEMENTWISE, NPU_EW_ABS);
	}
	rig_c1(r, (enum npu_command)NPU85_CMD_DMA0_DST, second);
	rig_c0(r, (enum npu_command)NPU85_CMD_DMA_START, 0);
	rig_stop(r);
	rig_start(r);
	cr_expect_eq(npu_result(r->npu)->end, NPU_END_STOP, "%s", npu_result(r->npu)->message);
	rig_close(r);
}

/* As Vela 5.0 to 5.2 load two tables of int16 for operations of one chain. */
Test(npu_u85, table_over_a_table_is_told)
{
	static struct rig r;

	two_tables(&r, 0, false);
	cr_expect_eq(r.messages, 1);
	cr_expect_str_eq(r.id, "NPU019");
	two_tables(&r, 0x100, false);
	cr_expect_eq(r.messages, 0);
	two_tables(&r, 0, true);
	cr_expect_eq(r.messages, 0, "%s", r.id);
}

Test(npu_u85, empty_chain_buffer)
{
	static struct rig r;

	rig_open(&r, "ethos-u85-256", 0);
	rig_c0(&r, (enum npu_command)NPU85_CMD_IFM_PRECISION, 1 | 2 << 14);
	rig_c0(&r, (enum npu_command)NPU85_CMD_ELEMENTWISE, NPU_EW_ABS);
	rig_start(&r);
	cr_expect_str_eq(r.id, "NPU016");
	rig_close(&r);
}
