/* SPDX-License-Identifier: Apache-2.0 */
/* What the timing model does on Ethos-U85 only. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "npu/integer.h"
#include "tests/npu/timing_rig.h"

static struct npu_cost cost_of_channels(u32 channels, u32 stride)
{
	const struct npu_config *config = npu_config_find("ethos-u85-256");
	const struct npu_ports ports = rig_ports("u85-low", true);
	const struct layer layer = { NPU_POOL, 8, 8, 16, channels, 1, 8, 8, 16, 0, 0, false, false };
	struct npu_op op = rig_op(config, &layer);
	struct npu_timing t;
	struct npu_cost cost;

	op.u85.stored.stride_x = stride;
	op.u85.stored.stride_y = 8 * stride;
	npu_timing_start(&t);
	npu_timing_op(&t, NULL, config, &ports, &op, 16, &cost);
	return cost;
}

/* Some channels of a wider tensor: beats for each pixel, which are one burst where they follow each other, and one for each pixel where not. */
Test(timing, channels_of_a_wider_tensor)
{
	static const struct { u32 channels, stride; u64 beats; bool bursts; } rows[] = {
		{ 12, 16, 64, true }, { 4, 16, 64, true }, { 16, 128, 64, false }, { 12, 40, 96, false },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct npu_cost dense = cost_of_channels(rows[i].channels, rows[i].channels);
		const struct npu_cost cost = cost_of_channels(rows[i].channels, rows[i].stride);

		cr_expect(eq(u64, cost.event[NPU_EVENT_AXI1_WR_DATA_BEAT_WRITTEN], rows[i].beats), "row %zu", i);
		cr_expect((cost.finish < dense.finish + 64) == rows[i].bursts, "row %zu: %lu cycles, %lu", i, cost.finish, dense.finish);
	}
}

/* U85 reads pieces of 16 channels: 24 that begin in the middle of a beat touch three, not two. */
Test(timing, channels_that_begin_within_a_beat)
{
	const struct npu_config *config = npu_config_find("ethos-u85-256");
	const struct npu_ports ports = rig_ports("none", true);
	const struct layer layer = { NPU_POOL, 8, 8, 24, 24, 1, 8, 8, 24, 0, 0, false, false };
	u64 reads[2];

	for (unsigned i = 0; i < 2; i++) {
		struct npu_op op = rig_op(config, &layer);
		struct npu_timing t;
		struct npu_cost cost;

		op.ifm.base[0] = i ? 24 : 32;
		op.ifm.stride_x = 48;
		op.ifm.stride_y = 8 * 48;
		npu_timing_start(&t);
		npu_timing_op(&t, NULL, config, &ports, &op, 16, &cost);
		reads[i] = cost.event[NPU_EVENT_AXI1_RD_DATA_BEAT_RECEIVED];
	}
	cr_expect(eq(u64, reads[1], reads[0] + 64));
}

static u64 reads_of(const char *accelerator, u32 in, bool part_kernel, u8 ublock_d)
{
	const struct npu_config *config = npu_config_find(accelerator);
	const struct npu_ports ports = rig_ports("none", true);
	const struct layer layer = { NPU_CONV, 8, 8, in, 32, 1, 8, 8, 32, 16, 0, part_kernel, false };
	struct npu_op op = rig_op(config, &layer);

	op.u85.ublock_d = ublock_d;
	return rig_cost_of(config, &op, &ports).event[NPU_EVENT_AXI1_RD_TRANS_ACCEPTED];
}

/* A pixel of an NHWC map is a transaction for each IFM block in depth: of 64 channels, of 32, of 16 in part-kernel order. */
Test(timing, pixels_of_a_deep_map_are_transactions_of_an_ifm_block)
{
	const u64 whole = reads_of("ethos-u85-512", 64, false, 16), pixels = 64;

	cr_expect(eq(u64, reads_of("ethos-u85-512", 128, false, 16), whole + pixels));
	cr_expect(eq(u64, reads_of("ethos-u85-256", 64, false, 16), reads_of("ethos-u85-256", 64, false, 8) + pixels));
	cr_expect(eq(u64, reads_of("ethos-u85-512", 64, true, 16), whole + 3 * pixels));
	cr_expect(eq(u64, reads_of("ethos-u85-512", 72, true, 16), whole + 4 * pixels));
}

static u64 output_cycles(const char *accelerator, u8 kind, u32 ifm_h, u32 ifm_w, u8 transpose)
{
	const struct npu_config *config = npu_config_find(accelerator);
	const struct npu_ports ports = rig_ports("none", true);
	const struct layer layer = { kind, 32, 32, 16, 16, 1, 32, 32, 16, 0, 0, false, false };
	struct npu_op op = rig_op(config, &layer);

	op.ifm = rig_map(ifm_h, ifm_w, 16);
	op.u85.transpose = transpose;
	return rig_cost_of(config, &op, &ports).event[NPU_EVENT_AO_ACTIVE];
}

/* U85-2048 interpolates at its high rate where a map grows fourfold along both axes, U85-512 always. */
Test(timing, resize_is_fast_where_both_axes_grow)
{
	const u64 fast = output_cycles("ethos-u85-2048", NPU_RESIZE, 8, 8, 0);

	cr_expect(eq(u64, output_cycles("ethos-u85-2048", NPU_RESIZE, 16, 16, 0), 2 * fast));
	cr_expect(eq(u64, output_cycles("ethos-u85-2048", NPU_RESIZE, 32, 2, 0), 2 * fast));
	cr_expect(eq(u64, output_cycles("ethos-u85-512", NPU_RESIZE, 32, 32, 0), output_cycles("ethos-u85-512", NPU_RESIZE, 8, 8, 0)));
}

/* Results whose rows and columns change places leave at half the rate, others as they are. */
Test(timing, transposes_of_rows_and_columns_are_slow)
{
	static const struct { u8 code, times; } rows[] = { { 0, 1 }, { 1, 2 }, { 2, 1 }, { 3, 2 }, { 6, 1 }, { 7, 2 } };
	const u64 plain = output_cycles("ethos-u85-256", NPU_POOL, 32, 32, 0);

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		cr_expect(eq(u64, output_cycles("ethos-u85-256", NPU_POOL, 32, 32, rows[i].code), rows[i].times * plain), "code %u", rows[i].code);
}

/* A layer of keyword spotting, which published cycles are known for, with so many channels. */
static struct npu_cost cost_of_thin_block(u32 channels)
{
	const struct npu_config *config = npu_config_find("ethos-u85-256");
	const struct npu_ports ports = rig_ports("none", false);
	const struct layer layer = { NPU_CONV, 25, 5, channels, 128, 1, 10, 6, 32, 64, 64, false, false };
	struct npu_op op = rig_op(config, &layer);

	op.u85.ublock_h = op.u85.ublock_w = 2;
	op.u85.ublock_d = 8;
	return rig_cost_of(config, &op, &ports);
}

/* The decoder has whole IFM blocks of 64 channels, so that the last 12 of 140 are its 64 cycles for each ublock in depth, not the array's 30 or
 * 18; mostly zeros are decoded faster. */
Test(timing, thin_ifm_blocks_take_as_long_as_their_weights)
{
	enum { BLOCKS = 12, DEPTH = 4, DECODED = 8, WIDE = 8 * DEPTH * (120 + 120 + 64) + 4 * DEPTH * (72 + 72 + 64), START = 1000 };
	const struct npu_cost cost = cost_of_thin_block(140);

	cr_expect(eq(u64, cost.event[NPU_EVENT_WD_ACTIVE], BLOCKS * 192 * 32 / DECODED));
	cr_expect(cost.finish >= WIDE && cost.finish <= WIDE + START, "%lu", cost.finish);
	cr_expect(cost_of_thin_block(8).event[NPU_EVENT_WD_ACTIVE] * 7 / 2 < BLOCKS * 64 * 32 / DECODED);
}

/* Four ports read two bricks at a time: a map of one brick takes as long as one of two. */
Test(timing, a_brick_comes_over_one_port)
{
	enum { SIDE = 64, BEATS = SIDE * SIDE };
	const struct npu_ports ports = rig_ports("none", false);

	for (u32 channels = 16; channels <= 32; channels += 16) {
		const struct layer layer = { NPU_ELEMENTWISE, SIDE, SIDE, channels, channels, 1, 8, 64, 16, 0, 0, false, false };
		const struct npu_cost cost = rig_cost("ethos-u85-2048", &layer, &ports);

		cr_expect(cost.finish >= BEATS && cost.finish < BEATS * 3 / 2, "%u channels: %lu", channels, cost.finish);
	}
}

/* Published single depthwise convolutions of 36 pixels without latencies differ by just these cycles: rows of ublocks are handed on one by one. */
Test(timing, depthwise_blocks_are_handed_on_in_rows_of_ublocks)
{
	static const struct { u16 h, w; u8 ublock_h, ublock_w; i64 more; } rows[] = {
		{ 1, 36, 1, 4, 0 }, { 2, 18, 2, 2, 0 }, { 4, 9, 2, 2, -9 }, { 6, 6, 2, 2, 1271 - 1373 }, { 12, 3, 2, 2, 1439 - 1373 },
	};
	const struct npu_config *config = npu_config_find("ethos-u85-512");
	const struct npu_ports ports = rig_ports("u85-mid,ext.read_latency=0,ext.write_latency=0,ext.max_reads=0,ext.max_writes=0,ext.cap=0", true);
	u64 first = 0;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const u16 block_w = (rows[i].w + 1) / 2 * 2;
		const struct layer layer = { NPU_DEPTHWISE, rows[i].h, rows[i].w, 128, 128, 3, rows[i].h, block_w, 128, 1344, 1280, false, false };
		struct npu_op op = rig_op(config, &layer);

		op.u85.ublock_h = rows[i].ublock_h;
		op.u85.ublock_w = rows[i].ublock_w;
		op.u85.ublock_d = 16;
		const u64 cycles = rig_cost_of(config, &op, &ports).finish;

		first = i ? first : cycles;
		cr_expect((i64)(cycles - first) == rows[i].more, "%u rows: %lu", rows[i].h, cycles);
	}
}

/* Over the only lane the first data and the scales take turns. */
Test(timing, scales_come_beside_the_first_data)
{
	enum { SCALES = 1280, BEAT = 16 };
	const struct npu_ports ports = rig_ports("none", true);
	u64 finish[2];

	for (u32 i = 0; i < 2; i++) {
		const struct layer layer = { NPU_DEPTHWISE, 6, 6, 128, 128, 3, 6, 6, 128, 1344, i * SCALES, false, false };

		finish[i] = rig_cost("ethos-u85-512", &layer, &ports).finish;
	}
	cr_expect(finish[1] - finish[0] >= SCALES / BEAT && finish[1] - finish[0] < 2 * SCALES / BEAT, "%lu, %lu", finish[0], finish[1]);
}

/* What a copy of so many bytes out of external memory takes under its cap. */
static u64 copy_cycles(const char *accelerator, u32 bytes)
{
	const struct npu_ports ports = rig_ports("u85-mid,ext.window=1000,ext.open=1000,ext.cap=96,sram.cap=0", false);
	const struct npu_op copy = { .kind = NPU_DMA, .dma = { .src_region = 0, .dst_region = 1, .length = bytes, .rows = 1, .planes = 1 } };

	return rig_cost_of(npu_config_find(accelerator), &copy, &ports).finish;
}

/* U85-1024 has two external ports, U85-512 one. */
Test(timing, each_external_port_has_a_cap_of_its_own)
{
	enum { WINDOWS = 40, BYTES = WINDOWS * 96 * 16 };
	const u64 one = copy_cycles("ethos-u85-512", BYTES), two = copy_cycles("ethos-u85-1024", BYTES);

	cr_expect(one > (WINDOWS - 2) * 1000 && one < (WINDOWS + 2) * 1000, "%lu", one);
	cr_expect(two > (WINDOWS / 2 - 2) * 1000 && two < (WINDOWS / 2 + 2) * 1000, "%lu", two);
}

/* Weights wait for windows that are closed most of the time: the longer the array works on what the buffers hold, the less it stands still, but
 * all in all it never takes less. */
Test(timing, more_work_between_closed_windows_takes_no_less)
{
	const struct npu_ports ports = rig_ports("u85-mid,ext.open=1000,ext.read_latency=1,ext.cap=0", false);
	u64 before = 0;

	for (u32 rows = 4; rows <= 256; rows += 4) {
		const struct layer layer = { NPU_CONV, rows, 16, 64, 64, 3, rows, 16, 64, 36864, 640, false, false };
		const u64 cycles = rig_cost("ethos-u85-512", &layer, &ports).finish;

		cr_expect(cycles >= before, "%u rows: %lu, %lu before", rows, cycles, before);
		before = cycles;
	}
}
