/* SPDX-License-Identifier: Apache-2.0 */
/* The timing model on operations made by hand: never zero, sums that agree, and rows that were published
 * (docs/evidence/timing-npu.md). */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#include "npu/timing/profiles.h"
#include "tests/npu/timing_rig.h"

Test(timing, published_single_operations)
{
	static const struct {
		const char *accelerator, *memory;
		struct layer layer;
		u64 cycles, reads, writes;
		unsigned percent;
	} rows[] = {
		{ "ethos-u85-512", "u85-mid", { NPU_CONV, 6, 6, 128, 128, 1, 6, 6, 64, 16416, 1280, false, false }, 6029, 1414, 288, 10 },
		{ "ethos-u85-512", "u85-mid", { NPU_CONV, 6, 6, 128, 128, 3, 6, 6, 64, 163872, 1280, true, true }, 28303, 10774, 288, 10 },
		{ "ethos-u85-512", "u85-mid", { NPU_DEPTHWISE, 6, 6, 128, 128, 3, 6, 6, 128, 1376, 1280, false, false }, 5769, 474, 288, 15 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct npu_ports ports = rig_ports(rows[i].memory, true);
		const struct npu_cost c = rig_cost(rows[i].accelerator, &rows[i].layer, &ports);
		const u64 reads = c.event[NPU_EVENT_AXI1_RD_DATA_BEAT_RECEIVED];

		cr_expect(c.finish * 100 >= rows[i].cycles * (100 - rows[i].percent) &&
			  c.finish * 100 <= rows[i].cycles * (100 + rows[i].percent), "row %zu: %lu cycles", i, c.finish);
		cr_expect(reads * 50 >= rows[i].reads * 49 && reads * 50 <= rows[i].reads * 51, "row %zu: %lu reads", i, reads);
		cr_expect(eq(u64, c.event[NPU_EVENT_AXI1_WR_DATA_BEAT_WRITTEN], rows[i].writes));
	}
}

/* How often the IFM is read for the OFM's blocks in depth: beats over those of the map itself. */
Test(timing, ifm_is_read_again_when_it_does_not_stay)
{
	static const struct {
		const char *accelerator;
		struct layer layer;
		u64 map, reads; /* beats */
	} rows[] = {
		/* Two pieces of 32 channels stay in the SHRAM of U55, three do not. */
		{ "ethos-u55-128", { NPU_CONV, 8, 8, 64, 96, 1, 8, 8, 32, 16, 0, false, false }, 512, 512 },
		{ "ethos-u55-128", { NPU_CONV, 8, 8, 80, 96, 1, 8, 8, 32, 16, 0, false, false }, 640, 3 * 640 },
		/* U85-256: 64 pixels of 16 bricks fill the buffer; of 18 bricks four pieces of four stay. */
		{ "ethos-u85-256", { NPU_CONV, 8, 8, 256, 96, 1, 8, 8, 32, 16, 0, false, false }, 1024, 1024 },
		{ "ethos-u85-256", { NPU_CONV, 8, 8, 288, 96, 1, 8, 8, 32, 16, 0, false, false }, 1152, 1152 + 256 + 128 },
		/* More than 8x8 taps: each part of the kernel goes over the whole depth. */
		{ "ethos-u85-256", { NPU_CONV, 8, 8, 128, 96, 9, 8, 8, 32, 16, 0, false, false }, 512, 3 * 512 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct npu_config *config = npu_config_find(rows[i].accelerator);
		const struct npu_ports ports = rig_ports("none", false);
		struct npu_op op = rig_op(config, &rows[i].layer);
		struct npu_timing t;
		struct npu_cost cost;

		op.ifm.format = NPU_NHCWB16;
		npu_timing_start(&t);
		npu_timing_op(&t, NULL, config, &ports, &op, 16, &cost);
		cr_expect(eq(u64, cost.event[NPU_EVENT_AXI0_RD_DATA_BEAT_RECEIVED], rows[i].reads), "row %zu", i);
		cr_expect(rows[i].reads >= rows[i].map);
	}
}

/* Two maps of 32 bits take longer than one. */
Test(timing, pairs_of_int32_are_slower_than_one)
{
	static const struct layer layer = { NPU_ELEMENTWISE, 16, 16, 32, 32, 1, 16, 16, 32, 0, 0, false, false };
	const struct npu_ports ports = rig_ports("none", true);

	for (const struct npu_config *c = npu_configs; c->name; c++) {
		u64 cycles[2];

		for (unsigned i = 0; i < 2; i++) {
			struct npu_op op = rig_op(c, &layer);

			op.ifm.bytes = op.ofm.bytes = 4;
			op.unary = !i;
			cycles[i] = rig_cost_of(c, &op, &ports).event[NPU_EVENT_AO_ACTIVE];
		}
		cr_expect(c->product == NPU_U85 ? cycles[1] >= cycles[0] : cycles[1] > cycles[0], "%s: %lu, %lu", c->name, cycles[0], cycles[1]);
	}
}

/* Cycles of a depthwise layer with so many bytes of scales in this memory. */
static u64 cycles_with_scales(const char *memory, u32 bytes)
{
	const struct layer layer = { NPU_DEPTHWISE, 6, 6, 128, 128, 3, 6, 6, 128, 1376, bytes, false, false };
	const struct npu_ports ports = rig_ports(memory, false);
	const struct npu_cost cost = rig_cost("ethos-u85-2048", &layer, &ports);

	return cost.finish - cost.start;
}

/* 256 bytes of scales on their way: 1280 bytes wait five times for the memory, from the operation's start on, and a few bytes more wait once more. */
Test(timing, scales_wait_for_a_slow_memory)
{
	enum { LATENCY = 500, ROUNDS = 5 };

	cr_expect(cycles_with_scales("u85-mid,ext.open=5000", 1280) >= ROUNDS * LATENCY);
	cr_expect(cycles_with_scales("u85-mid,ext.open=5000", 1280) < (ROUNDS + 1) * LATENCY);
	cr_expect(cycles_with_scales("u85-mid,ext.open=5000", 1284) >= (ROUNDS + 1) * LATENCY);
}

/* Requests wait for the adapter's window, answers do not: six rounds of 750 cycles begin in 4000, and four of 1000. */
Test(timing, answers_come_while_the_window_is_closed)
{
	enum { WINDOWS = 10, BYTES = 256, WINDOW = 5000 };
	const u64 often = cycles_with_scales("u85-mid,ext.read_latency=750", 6 * BYTES * WINDOWS);
	const u64 seldom = cycles_with_scales("u85-mid,ext.read_latency=1000", 4 * BYTES * WINDOWS);

	cr_expect(often > (WINDOWS - 1) * WINDOW && often < (WINDOWS + 1) * WINDOW, "%lu", often);
	cr_expect(seldom > (WINDOWS - 1) * WINDOW && seldom < (WINDOWS + 1) * WINDOW, "%lu", seldom);
}

/* A layer of keyword spotting twice; the second has so many banks of IFM and its accumulators from there on. */
static struct npu_cost second_with_banks(const char *accelerator, u8 banks)
{
	const struct npu_config *config = npu_config_find(accelerator);
	const struct npu_ports ports = rig_ports("none", false);
	const struct layer layer = { NPU_CONV, 25, 5, 140, 140, 1, 5, 5, 48, 19600, 1408, false, false };
	struct npu_op op = rig_op(config, &layer);
	struct npu_timing t;
	struct npu_cost cost;

	npu_timing_start(&t);
	op.blockdep = 3;
	for (unsigned i = 0; i < 2; i++) {
		op.ib_end = op.ab_start = i ? banks : 8;
		npu_timing_op(&t, NULL, config, &ports, &op, 16, &cost);
	}
	return cost;
}

/* The array waits for the output unit of the kernel before where banks of the SHRAM change their use. */
Test(timing, banks_that_change_their_use_are_emptied_first)
{
	enum { OUTPUT = 5 * 5 * 48 * 2 };
	const struct npu_cost same = second_with_banks("ethos-u55-32", 8);

	for (u8 banks = 6; banks <= 10; banks += 4) {
		const struct npu_cost other = second_with_banks("ethos-u55-32", banks);
		const u64 held = other.event[NPU_EVENT_CC_STALLED_ON_SHRAM_RECONFIG];

		cr_expect(held > OUTPUT / 2 && held <= OUTPUT && other.finish == same.finish + held, "%u banks: %lu", banks, held);
	}
	cr_expect(eq(u64, same.event[NPU_EVENT_CC_STALLED_ON_SHRAM_RECONFIG], 0));
}

/* When a job of equal operations behind a capped port ends, each with so many bytes of commands. */
static u64 end_with_commands(u32 stream_bytes)
{
	enum { OPERATIONS = 20 };
	const struct npu_config *config = npu_config_find("ethos-u55-256");
	const struct npu_ports ports = rig_ports("u55-high-end", true);
	const struct layer layer = { NPU_ELEMENTWISE, 8, 8, 32, 32, 1, 8, 8, 32, 0, 0, false, false };
	const struct npu_op op = rig_op(config, &layer);
	struct npu_timing t;
	struct npu_cost cost;

	npu_timing_start(&t);
	for (unsigned i = 0; i < OPERATIONS; i++)
		npu_timing_op(&t, NULL, config, &ports, &op, stream_bytes, &cost);
	return t.end;
}

/* 64 beats of 8 bytes pass in a window of 400 cycles: as many more of commands are a window more for each of 20 operations. */
Test(timing, commands_count_under_the_cap)
{
	const u64 few = end_with_commands(16), many = end_with_commands(16 + 64 * 8);

	cr_expect(many >= few + 7900 && many <= few + 8100, "%lu, %lu", few, many);
}

/* When two kernels that the SRAM's cap binds have ended; beside the first, so many bytes are copied from flash into SRAM. */
static u64 end_with_copy(u32 bytes, const char *memory)
{
	const struct npu_config *config = npu_config_find("ethos-u55-256");
	const struct npu_ports ports = rig_ports(memory, false);
	const struct layer layer = { NPU_ELEMENTWISE, 32, 32, 64, 64, 1, 8, 8, 64, 0, 0, false, false };
	const struct npu_op kernel = rig_op(config, &layer);
	const struct npu_op copy = { .kind = NPU_DMA, .dma = { .src_region = 0, .dst_region = 1, .length = bytes, .rows = 1, .planes = 1 } };
	struct npu_timing t;
	struct npu_cost cost;

	npu_timing_start(&t);
	npu_timing_op(&t, NULL, config, &ports, &kernel, 16, &cost);
	if (bytes)
		npu_timing_op(&t, NULL, config, &ports, &copy, 16, &cost);
	npu_timing_op(&t, NULL, config, &ports, &kernel, 16, &cost);
	return t.end;
}

/* 2000 beats more of a copy that hides beside a kernel are a window of 4000 cycles more, some of them beside waits of the second kernel; where
 * kernels leave room, they cost nothing. */
Test(timing, copies_beside_kernels_count_under_the_cap)
{
	static const char *const capped = "u55-high-end,sram.cap=2000", *const open = "u55-high-end,sram.cap=0";
	const u64 less = end_with_copy(16384, capped), more = end_with_copy(16384 + 2000 * 8, capped);

	cr_expect(more >= less + 3500 && more <= less + 4100, "%lu, %lu", less, more);
	cr_expect(end_with_copy(24576, open) <= end_with_copy(0, open) + 8);
}

/* A row of an input that ExecuTorch turns: 3x64 pixels of one channel, for which a published network takes 1,070 to 1,210 cycles. Of deeper maps
 * each ublock takes twice as long. */
Test(timing, copies_of_one_channel_take_half_ublocks)
{
	const struct npu_ports ports = rig_ports("u55-high-end", false);
	struct layer row = { NPU_POOL, 3, 64, 1, 1, 1, 1, 14, 8, 0, 0, false, false };
	const struct npu_cost thin = rig_cost("ethos-u55-128", &row, &ports);

	row.in = row.out = 4;
	cr_expect(eq(u64, thin.event[NPU_EVENT_MAC_ACTIVE], 3 * (4 * (7 * 8 + 8) + 4 * 8 + 8)));
	cr_expect(eq(u64, rig_cost("ethos-u55-128", &row, &ports).event[NPU_EVENT_MAC_ACTIVE], 3 * (4 * (7 * 16 + 8) + 4 * 16 + 8)));
}

Test(timing, never_zero)
{
	const struct npu_ports ports = rig_ports("none", false);

	for (const struct npu_config *c = npu_configs; c->name; c++)
		for (u8 kind = NPU_CONV; kind <= NPU_DMA; kind++) {
			const struct layer nothing = { .kind = kind };
			const struct npu_cost cost = rig_cost(c->name, &nothing, &ports);

			cr_expect(cost.cycles > 0 && cost.finish > cost.start, "%s kind %u", c->name, kind);
		}
}

Test(timing, events_add_up)
{
	for (const struct npu_config *c = npu_configs; c->name; c++)
		for (size_t i = 0; i < RIG_LAYERS; i++) {
			const struct npu_ports ports = rig_ports(npu_memory_profile_default(c)->name, false);
			const struct npu_cost cost = rig_cost(c->name, &rig_layers[i], &ports);
			const u64 *e = cost.event;

			cr_expect(eq(u64, e[NPU_EVENT_MAC_ACTIVE_8BIT] + e[NPU_EVENT_MAC_ACTIVE_16BIT] +
				     e[NPU_EVENT_MAC_ACTIVE_32BIT], e[NPU_EVENT_MAC_ACTIVE]));
			cr_expect(e[NPU_EVENT_MAC_ACTIVE] + e[NPU_EVENT_AO_ACTIVE] > 0);
			cr_expect(e[NPU_EVENT_MAC_ACTIVE] <= cost.finish && e[NPU_EVENT_AXI0_ENABLED_CYCLES] <= cost.finish);
			cr_expect(eq(u64, e[NPU_EVENT_AXI_LATENCY_ANY],
				     e[NPU_EVENT_AXI0_RD_TRANS_ACCEPTED] + e[NPU_EVENT_AXI1_RD_TRANS_ACCEPTED]));
			if (rig_layers[i].weights)
				cr_expect(e[NPU_EVENT_WD_ACTIVE] > 0);
			if (c->product == NPU_U85)
				cr_expect(eq(u64, e[NPU_EVENT_SRAM0_RD_DATA_BEAT_RECEIVED] + e[NPU_EVENT_SRAM1_RD_DATA_BEAT_RECEIVED] +
					     e[NPU_EVENT_SRAM2_RD_DATA_BEAT_RECEIVED] + e[NPU_EVENT_SRAM3_RD_DATA_BEAT_RECEIVED],
					     e[NPU_EVENT_AXI0_RD_DATA_BEAT_RECEIVED]));
		}
}

/* Bytes by region of an operation without commands, over both ports by the other count. */
static void expect_regions(const struct npu_config *c, const struct npu_ports *ports, const struct npu_op *op, struct npu_region_bytes *bytes)
{
	struct npu_timing t;
	struct npu_cost cost;
	const u64 *e = cost.event;
	u64 read = 0, written = 0;

	npu_timing_start(&t);
	npu_timing_op(&t, NULL, c, ports, op, 0, &cost);
	npu_timing_regions(c, ports, op, bytes);
	for (unsigned i = 0; i < NPU_REGIONS; i++) {
		read += bytes->read[i];
		written += bytes->written[i];
	}
	cr_expect(eq(u64, read, (e[NPU_EVENT_AXI0_RD_DATA_BEAT_RECEIVED] + e[NPU_EVENT_AXI1_RD_DATA_BEAT_RECEIVED]) * c->axi_bytes), "%s", c->name);
	cr_expect(eq(u64, written, (e[NPU_EVENT_AXI0_WR_DATA_BEAT_WRITTEN] + e[NPU_EVENT_AXI1_WR_DATA_BEAT_WRITTEN]) * c->axi_bytes), "%s", c->name);
}

Test(timing, bytes_belong_to_regions)
{
	struct npu_region_bytes bytes;

	for (const struct npu_config *c = npu_configs; c->name; c++) {
		const struct npu_ports ports = rig_ports("none", false);
		struct npu_op dma = { .kind = NPU_DMA, .dma = { .length = 4096, .rows = 1, .planes = 1, .src_region = 3, .dst_region = 5 } };

		for (size_t i = 0; i < RIG_LAYERS; i++) {
			struct npu_op op = rig_op(c, &rig_layers[i]);

			op.weight_region = 0;
			op.scale_region = 4;
			op.ofm.region = op.u85.stored.region = 6;
			if (op.kind == NPU_ELEMENTWISE) {
				op.ifm2 = rig_map(rig_layers[i].h, rig_layers[i].w, rig_layers[i].in);
				op.ifm2.region = 2;
			}
			expect_regions(c, &ports, &op, &bytes);
			cr_expect(bytes.written[6] >= (u64)rig_layers[i].h * rig_layers[i].w * rig_layers[i].out && !bytes.read[6]);
			cr_expect(bytes.read[0] >= rig_layers[i].weights && bytes.read[4] >= rig_layers[i].scales);
			cr_expect(eq(u64, bytes.read[2], op.ifm2.used ? bytes.read[1] : 0));
		}
		expect_regions(c, &ports, &dma, &bytes);
		cr_expect(bytes.read[3] == 4096 && bytes.written[5] == 4096);
		dma.dma.index_mode = NPU_INDEX_GATHER;
		dma.dma.index_region = 7;
		dma.dma.rows = 8;
		expect_regions(c, &ports, &dma, &bytes);
		cr_expect(bytes.read[3] == 8 * 4096 && bytes.written[5] == 8 * 4096 && bytes.read[7] == 8 * sizeof(u32));
	}
}

Test(timing, events_have_one_name_and_number_per_product)
{
	static const char *const products[] = { "ethos-u55-128", "ethos-u65-256", "ethos-u85-512" };

	for (size_t p = 0; p < ARRAY_LEN(products); p++) {
		const struct npu_config *c = npu_config_find(products[p]);

		for (int a = 0; a < NPU_EVENTS; a++)
			for (int b = a + 1; b < NPU_EVENTS; b++) {
				const char *first = npu_event_name(c, a), *second = npu_event_name(c, b);

				if (first && second)
					cr_expect(npu_event_number(a) != npu_event_number(b) && strcmp(first, second) != 0,
						  "%s: %s and %s", c->name, first, second);
			}
	}
	cr_expect(eq(u16, npu_event_number(NPU_EVENT_AXI0_RD_DATA_BEAT_RECEIVED), 130));
	cr_expect(eq(str, (char *)npu_event_name(npu_config_find("ethos-u85-128"), NPU_EVENT_AXI1_WR_DATA_BEAT_WRITTEN),
		     "EXT_WR_DATA_BEAT_WRITTEN"));
	cr_expect(eq(ptr, (void *)npu_event_name(npu_config_find("ethos-u55-32"), NPU_EVENT_SRAM0_RD_DATA_BEAT_RECEIVED), NULL));
}

Test(timing, memory_profiles)
{
	const struct npu_memory_profile *base = npu_memory_profile_default(npu_config_find("ethos-u85-256"));
	static const struct { const char *text, *why; } bad[] = {
		{ "fast", "no memory profile" }, { "none,ext.speed=1", "ext.speed=1" }, { "none,ext.cap=", "ext.cap=" },
		{ "none,ram.cap=1", "ram.cap=1" }, { "none,ext.cap=70000", "65535" },
	};
	struct npu_memory_profile p;
	char why[200] = "";

	cr_expect(eq(str, (char *)base->name, "u85-low"));
	cr_expect(npu_memory_profile_parse("", base, &p, why, sizeof why) && p.adapter[1].read_latency == 250);
	cr_expect(npu_memory_profile_parse("ethos_u85_sys_dram_mid_1024,ext.cap=0,sram.read_latency=7", base, &p, why,
					   sizeof why) &&
		  p.adapter[1].read_latency == 500 && p.adapter[1].cap == 0 && p.adapter[0].read_latency == 7);
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		const bool read = npu_memory_profile_parse(bad[i].text, base, &p, why, sizeof why);

		cr_expect(eq(int, read, 0));
		cr_expect(strstr(why, bad[i].why) != NULL, "%s: %s", bad[i].text, why);
	}
}
