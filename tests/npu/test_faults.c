/* SPDX-License-Identifier: Apache-2.0 */
/* Streams with errors: what software sees, and one message per row of npu/message.def. */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/npu/rig.h"

static struct rig r;

static void expect_end(const char *id, enum npu_end end, u32 status, const char *text)
{
	rig_start(&r);
	const struct npu_result *result = npu_result(r.npu);
	cr_expect_str_eq(r.id, id);
	cr_expect_eq(result->end, end);
	cr_expect_eq(npu_read(r.npu, REG_STATUS), status, "STATUS 0x%08x", npu_read(r.npu, REG_STATUS));
	cr_expect(strstr(result->message, text) != NULL, "%s", result->message);
	cr_expect(r.irq);
	rig_close(&r);
}

enum { PARSE = 1u << 4 | 2, BUS = 1u << 2 | 2, WEIGHTS = 1u << 7 | 2 };

Test(npu_faults, undefined_control)
{
	rig_open(&r, "ethos-u55-128", 0);
	rig_word(&r, 0x00008002);
	expect_end("NPU001", NPU_END_PARSE, PARSE, "offset 0x0");
}

Test(npu_faults, unknown_command)
{
	rig_open(&r, "ethos-u55-128", 0);
	rig_c0(&r, NPU_CMD_IFM_REGION, 0);
	rig_word(&r, 0x000001ff);
	expect_end("NPU002", NPU_END_PARSE, PARSE, "offset 0x4: unknown command 0x000001ff");
}

Test(npu_faults, command_of_another_product)
{
	rig_open(&r, "ethos-u55-128", 0);
	rig_c0(&r, NPU_CMD_PARALLEL_MODE, 1);
	expect_end("NPU003", NPU_END_PARSE, PARSE, "PARALLEL_MODE does not exist on ethos-u55-128");
}

Test(npu_faults, command_cut_off)
{
	rig_open(&r, "ethos-u55-128", 0);
	rig_word(&r, NPU_CMD_IFM_BASE0);
	expect_end("NPU004", NPU_END_PARSE, PARSE, "IFM_BASE0 is cut off");
}

Test(npu_faults, undefined_mode)
{
	rig_open(&r, "ethos-u55-128", 0);
	rig_c0(&r, NPU_CMD_POOL, 5);
	expect_end("NPU005", NPU_END_PARSE, PARSE, "POOL with undefined mode 5");
}

Test(npu_faults, undefined_field)
{
	rig_open(&r, "ethos-u55-128", 0);
	rig_c0(&r, NPU_CMD_IFM_PRECISION, 3 << 6);
	rig_c0(&r, NPU_CMD_CONV, 0);
	expect_end("NPU006", NPU_END_PARSE, PARSE, "CONV needs IFM_PRECISION.format");
}

Test(npu_faults, write_outside_memory)
{
	rig_open(&r, "ethos-u55-128", 0);
	rig_add_op(&r, 4);
	rig_c1(&r, NPU_CMD_OFM_BASE0, RIG_BYTES - 2);
	rig_c0(&r, NPU_CMD_OFM_REGION, 0);
	rig_c0(&r, NPU_CMD_ELEMENTWISE, NPU_EW_ADD);
	/* channel 8, region 0 is on AXI1 */
	expect_end("NPU007", NPU_END_BUS, BUS | 1u << 11 | 8u << 12, "write of OFM at 0x2000fffe..0x20010001");
}

Test(npu_faults, read_outside_memory)
{
	rig_open(&r, "ethos-u55-128", 0);
	rig_c1(&r, NPU_CMD_IFM_STRIDE_Y, 0x100000);
	rig_c0(&r, NPU_CMD_IFM_REGION, 1);
	rig_c0(&r, NPU_CMD_IFM_HEIGHT0_M1, 1);
	rig_c0(&r, NPU_CMD_OFM_HEIGHT_M1, 1);
	rig_add_op(&r, 4);
	expect_end("NPU007", NPU_END_BUS, BUS | 1u << 12, "read of IFM");
}

Test(npu_faults, stream_outside_memory)
{
	u64 base[1] = { 0 };

	rig_open(&r, "ethos-u55-128", 0);
	npu_start(r.npu, NPU_MEMORY_SHARED, 0x1000, 64, base, 1);
	cr_expect_str_eq(r.id, "NPU008");
	cr_expect_eq(npu_read(r.npu, REG_STATUS), (u32)BUS | 1u << 11);
	cr_expect_eq(npu_read(r.npu, REG_QREAD), 0u);
	rig_close(&r);
}

static void convolution(u32 weight_bytes, u32 scale_bytes)
{
	rig_c0(&r, NPU_CMD_IFM_PRECISION, 1);
	rig_c0(&r, NPU_CMD_OFM_PRECISION, 1);
	rig_c1(&r, NPU_CMD_WEIGHT_BASE, 0x400);
	rig_c1(&r, NPU_CMD_WEIGHT_LENGTH, weight_bytes);
	rig_c1(&r, NPU_CMD_SCALE_BASE, 0x500);
	rig_c1(&r, NPU_CMD_SCALE_LENGTH, scale_bytes);
	rig_c0(&r, NPU_CMD_CONV, 0);
	rig_stop(&r);
}

Test(npu_faults, corrupt_weights)
{
	rig_open(&r, "ethos-u55-128", 0);
	convolution(16, 16);
	r.memory[0x400] = 4; /* reserved zero divisor */
	expect_end("NPU009", NPU_END_WEIGHTS, WEIGHTS, "weight stream of core 0");
}

Test(npu_faults, scales_too_short)
{
	rig_open(&r, "ethos-u55-128", 0);
	convolution(16, 0);
	expect_end("NPU010", NPU_END_PARSE, PARSE, "needs 10 bytes of scales");
}

Test(npu_faults, work_without_end)
{
	rig_open(&r, "ethos-u55-128", 0);
	rig_c0(&r, NPU_CMD_OFM_WIDTH_M1, 0xffff);
	rig_c0(&r, NPU_CMD_OFM_HEIGHT_M1, 0xffff);
	rig_c0(&r, NPU_CMD_IFM_DEPTH_M1, 0xffff);
	rig_c0(&r, NPU_CMD_CONV, 0);
	expect_end("NPU011", NPU_END_WORK_LIMIT, PARSE, "exceeds what is left");
}

Test(npu_faults, output_larger_than_any_memory)
{
	rig_open(&r, "ethos-u55-128", 0);
	rig_c0(&r, NPU_CMD_OFM_WIDTH_M1, 0xffff); /* stride 0: every element in one place */
	rig_c0(&r, NPU_CMD_OFM_HEIGHT_M1, 0xffff);
	rig_c0(&r, NPU_CMD_POOL, 0);
	expect_end("NPU012", NPU_END_PARSE, PARSE, "larger than the model can hold");
}

Test(npu_faults, dma_outside_shram)
{
	rig_open(&r, "ethos-u55-128", 0);
	rig_c0(&r, NPU_CMD_DMA0_DST_REGION, 0x103);
	rig_c1(&r, NPU_CMD_DMA0_DST, 24 * 1024 - 16);
	rig_c1(&r, NPU_CMD_DMA0_LEN, 32);
	rig_c0(&r, NPU_CMD_DMA_START, 0);
	expect_end("NPU013", NPU_END_BUS, BUS | 9u << 12, "outside of 24 KiB");
}

Test(npu_faults, stream_without_stop)
{
	rig_open(&r, "ethos-u55-128", 0);
	rig_c0(&r, NPU_CMD_IFM_REGION, 0);
	rig_start(&r);
	cr_expect_str_eq(r.id, "NPU014");
	cr_expect_eq(npu_read(r.npu, REG_STATUS), 1u << 5 | 2);
	rig_close(&r);
}

Test(npu_faults, stop_before_the_end_of_the_stream)
{
	rig_open(&r, "ethos-u55-128", 0);
	rig_c0(&r, NPU_CMD_STOP, 1);
	rig_c0(&r, NPU_CMD_STOP, 2);
	rig_start(&r);
	cr_expect_eq(npu_read(r.npu, REG_STATUS), 0x00010002u, "cmd_end_reached stays 0");
	cr_expect_eq(npu_read(r.npu, REG_QREAD), 4u);
	rig_close(&r);
}

Test(npu_commands, table_has_no_overlap)
{
	for (unsigned i = 0; i < npu_command_count; i++)
		for (unsigned k = i + 1; k < npu_command_count; k++)
			cr_expect(npu_commands[i].code != npu_commands[k].code ||
				  !(npu_commands[i].products & npu_commands[k].products),
				  "%s and %s", npu_commands[i].name, npu_commands[k].name);
	for (unsigned i = 0; i < npu_field_count; i++)
		for (unsigned k = i + 1; k < npu_field_count; k++) {
			const struct npu_field_info *a = &npu_fields[i], *b = &npu_fields[k];
			cr_expect(strcmp(a->command, b->command) != 0 || !(a->products & b->products) ||
				  a->low + a->width <= b->low || b->low + b->width <= a->low, "%s.%s and .%s", a->command, a->name, b->name);
		}
}

Test(npu_commands, text_names_the_fields)
{
	char text[128];

	npu_command_text(npu_command_any(NPU_CMD_OFM_SCALE), UINT64_C(0x1f80000001), text, sizeof(text));
	cr_expect_str_eq(text, "OFM_SCALE scale=2147483649 shift=31");
	npu_command_text(npu_command_any(NPU_CMD_STOP), 0xffff, text, sizeof(text));
	cr_expect_str_eq(text, "STOP mask=65535");
}
