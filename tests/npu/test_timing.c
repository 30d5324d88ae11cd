/* SPDX-License-Identifier: Apache-2.0 */
/* The timing model on operations made by hand: never zero, never slower with more of anything, sums that agree, and
 * rows that were published (docs/evidence/timing-npu.md). */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <string.h>

#include "npu/npu.h"
#include "npu/timing/profiles.h"

/* All regions behind port 1, as the single operations were measured. */
static struct npu_ports ports_of(const char *memory, bool external)
{
	struct npu_ports p = { .stream_attr = 2 };
	struct npu_memory_profile profile;
	char why[200];

	cr_assert(npu_memory_profile_parse(memory, NULL, &profile, why, sizeof why), "%s", why);
	for (unsigned i = 0; i < 8; i++)
		p.region_attr[i] = external || !i ? 2 : 0;
	for (unsigned i = 0; i < 4; i++) {
		p.burst_bytes[i] = 256;
		p.reads[i] = i < 2 ? 12 : 64;
		p.writes[i] = i < 2 ? 16 : 32;
	}
	for (unsigned i = 0; i < NPU_PORTS; i++)
		p.adapter[i] = profile.adapter[i];
	return p;
}

static struct npu_fm map_of(u32 h, u32 w, u32 d)
{
	return (struct npu_fm){ .height = h, .width = w, .depth = d, .bytes = 1, .is_signed = 1, .used = 1, .region = 1,
				.stride_y = (i64)w * d, .stride_x = d, .stride_c = 1 };
}

struct layer {
	u8 kind;
	u32 h, w, in, out, taps;
	u16 block_h, block_w, block_d;
	u32 weights, scales; /* bytes of all streams */
	bool part_kernel, fast;
};

static struct npu_op op_of(const struct npu_config *config, const struct layer *l)
{
	struct npu_op op = {
		.kind = l->kind, .ifm = map_of(l->h, l->w, l->in), .ofm = map_of(l->h, l->w, l->out), .kernel_h = l->taps,
		.kernel_w = l->taps, .stride_y = 1, .stride_x = 1, .dilation_y = 1, .dilation_x = 1,
		.pad_top = l->taps / 2, .pad_left = l->taps / 2, .cores = l->fast ? 1 : config->cores,
		.part_kernel = l->part_kernel, .output = NPU_OUT_CLAMP, .acc_bits = 32, .block_h = l->block_h,
		.block_w = l->block_w, .block_d = l->block_d, .per_channel = 1,
	};

	for (unsigned i = 0; i < op.cores; i++) {
		op.weights[i].length = l->weights / op.cores;
		op.scales[i].length = l->scales / op.cores;
	}
	if (config->product == NPU_U85) {
		op.u85.enabled = 1;
		op.u85.fast = l->fast;
		op.u85.ublock_h = config->ofm_ublock_h;
		op.u85.ublock_w = config->ofm_ublock_w;
		op.u85.ublock_d = config->ofm_ublock_d;
		op.u85.stored = op.ofm;
	}
	return op;
}

static struct npu_cost cost_on(const char *accelerator, const struct layer *l, const struct npu_ports *ports)
{
	const struct npu_config *config = npu_config_find(accelerator);
	const struct npu_op op = op_of(config, l);
	struct npu_timing t;
	struct npu_cost cost;

	npu_timing_start(&t);
	npu_timing_op(&t, config, ports, &op, 320, &cost);
	return cost;
}

static const struct layer layers[] = {
	{ NPU_CONV, 6, 6, 128, 128, 1, 6, 6, 64, 16416, 1280, false, false },
	{ NPU_CONV, 8, 32, 128, 128, 3, 8, 16, 32, 163872, 1280, true, true },
	{ NPU_CONV, 49, 10, 1, 124, 10, 24, 10, 16, 8288, 1280, true, false },
	{ NPU_DEPTHWISE, 25, 5, 140, 140, 3, 26, 6, 48, 1600, 1440, false, false },
	{ NPU_ELEMENTWISE, 24, 24, 96, 96, 1, 8, 32, 16, 0, 0, false, false },
	{ NPU_POOL, 25, 5, 196, 196, 3, 10, 6, 16, 0, 0, false, false },
	{ NPU_CONV, 1, 1, 96, 288, 1, 2, 2, 144, 32192, 2880, false, false },
};

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
		const struct npu_ports ports = ports_of(rows[i].memory, true);
		const struct npu_cost c = cost_on(rows[i].accelerator, &rows[i].layer, &ports);
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
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct npu_config *config = npu_config_find(rows[i].accelerator);
		const struct npu_ports ports = ports_of("none", false);
		struct npu_op op = op_of(config, &rows[i].layer);
		struct npu_timing t;
		struct npu_cost cost;

		op.ifm.format = NPU_NHCWB16;
		npu_timing_start(&t);
		npu_timing_op(&t, config, &ports, &op, 16, &cost);
		cr_expect(eq(u64, cost.event[NPU_EVENT_AXI0_RD_DATA_BEAT_RECEIVED], rows[i].reads), "row %zu", i);
		cr_expect(rows[i].reads >= rows[i].map);
	}
}

/* 256 bytes of scales on their way: 1280 bytes wait five times for the memory, three of them beside the first weights and
 * other work. */
Test(timing, scales_wait_for_a_slow_memory)
{
	enum { LATENCY = 500, SEEN = 2 };
	const struct layer with = { NPU_DEPTHWISE, 6, 6, 128, 128, 3, 6, 6, 128, 1376, 1280, false, false };
	const struct npu_ports ports = ports_of("u85-mid", false);
	struct layer without = with;

	without.scales = 16;
	cr_expect(cost_on("ethos-u85-2048", &with, &ports).finish >=
		  cost_on("ethos-u85-2048", &without, &ports).finish + SEEN * LATENCY);
}

Test(timing, never_zero)
{
	const struct npu_ports ports = ports_of("none", false);

	for (const struct npu_config *c = npu_configs; c->name; c++)
		for (u8 kind = NPU_CONV; kind <= NPU_DMA; kind++) {
			const struct layer nothing = { .kind = kind };
			const struct npu_cost cost = cost_on(c->name, &nothing, &ports);

			cr_expect(cost.cycles > 0 && cost.finish > cost.start, "%s kind %u", c->name, kind);
		}
}

Test(timing, better_memory_is_never_slower)
{
	static const char *const steps[][2] = {
		{ ",ext.cap=20", "" }, { ",ext.read_latency=1000", "" }, { ",ext.write_latency=900", "" },
		{ ",ext.max_reads=2", "" }, { ",ext.max_writes=1", "" }, { ",sram.cap=500", "" }, { ",sram.read_latency=99", "" },
		{ ",ext.open=100", "" }, { "", ",ext.cap=0" }, { "", ",ext.read_latency=1" }, { "", ",ext.max_reads=0" },
	};

	for (const struct npu_config *c = npu_configs; c->name; c++)
		for (size_t i = 0; i < ARRAY_LEN(layers); i++)
			for (size_t s = 0; s < 2 * ARRAY_LEN(steps); s++) {
				const char *base = npu_memory_profile_default(c)->name;
				char slow[80], fast[80];

				snprintf(slow, sizeof slow, "%s%s", base, steps[s / 2][0]);
				snprintf(fast, sizeof fast, "%s%s", base, steps[s / 2][1]);
				const struct npu_ports a = ports_of(slow, s & 1), b = ports_of(fast, s & 1);

				cr_expect(cost_on(c->name, &layers[i], &a).finish >= cost_on(c->name, &layers[i], &b).finish,
					  "%s layer %zu: %s is faster than %s", c->name, i, slow, fast);
			}
}

/* Blocks that fill the larger array, too; more decoders have more first fetches, so a few cycles are allowed. */
Test(timing, more_macs_are_never_slower)
{
	enum { FIRST_FETCHES = 64 };
	const struct npu_ports ports = ports_of("none", false);

	for (size_t i = 0; i < ARRAY_LEN(layers); i++)
		for (const struct npu_config *c = npu_configs; c[1].name; c++) {
			if (c->product != c[1].product || layers[i].block_d % c[1].ofm_ublock_d)
				continue;
			const u64 more = cost_on(c[1].name, &layers[i], &ports).finish;

			cr_expect(more <= cost_on(c->name, &layers[i], &ports).finish + FIRST_FETCHES,
				  "layer %zu: %s is slower than %s", i, c[1].name, c->name);
		}
}

Test(timing, events_add_up)
{
	for (const struct npu_config *c = npu_configs; c->name; c++)
		for (size_t i = 0; i < ARRAY_LEN(layers); i++) {
			const struct npu_ports ports = ports_of(npu_memory_profile_default(c)->name, false);
			const struct npu_cost cost = cost_on(c->name, &layers[i], &ports);
			const u64 *e = cost.event;

			cr_expect(eq(u64, e[NPU_EVENT_MAC_ACTIVE_8BIT] + e[NPU_EVENT_MAC_ACTIVE_16BIT] +
				     e[NPU_EVENT_MAC_ACTIVE_32BIT], e[NPU_EVENT_MAC_ACTIVE]));
			cr_expect(e[NPU_EVENT_MAC_ACTIVE] + e[NPU_EVENT_AO_ACTIVE] > 0);
			cr_expect(e[NPU_EVENT_MAC_ACTIVE] <= cost.finish && e[NPU_EVENT_AXI0_ENABLED_CYCLES] <= cost.finish);
			cr_expect(eq(u64, e[NPU_EVENT_AXI_LATENCY_ANY],
				     e[NPU_EVENT_AXI0_RD_TRANS_ACCEPTED] + e[NPU_EVENT_AXI1_RD_TRANS_ACCEPTED]));
			if (layers[i].weights)
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
	npu_timing_op(&t, c, ports, op, 0, &cost);
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
		const struct npu_ports ports = ports_of("none", false);
		struct npu_op dma = { .kind = NPU_DMA, .dma = { .length = 4096, .rows = 1, .planes = 1, .src_region = 3, .dst_region = 5 } };

		for (size_t i = 0; i < ARRAY_LEN(layers); i++) {
			struct npu_op op = op_of(c, &layers[i]);

			op.weight_region = 0;
			op.scale_region = 4;
			op.ofm.region = op.u85.stored.region = 6;
			if (op.kind == NPU_ELEMENTWISE) {
				op.ifm2 = map_of(layers[i].h, layers[i].w, layers[i].in);
				op.ifm2.region = 2;
			}
			expect_regions(c, &ports, &op, &bytes);
			cr_expect(bytes.written[6] >= (u64)layers[i].h * layers[i].w * layers[i].out && !bytes.read[6]);
			cr_expect(bytes.read[0] >= layers[i].weights && bytes.read[4] >= layers[i].scales);
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

/* Cycles of a stream of operations drawn at random: they add up to the job's, and what they wait is part of them. */
static u64 stream_cycles(const struct npu_config *c, const struct npu_ports *ports, u32 seed)
{
	enum { LENGTH = 30 };
	struct npu_timing t;
	u64 sum = 0;

	npu_timing_start(&t);
	for (unsigned i = 0; i < LENGTH; i++) {
		seed = seed * 1664525 + 1013904223;
		struct npu_op op = op_of(c, &layers[(seed >> 16) % ARRAY_LEN(layers)]);
		struct npu_cost cost;

		op.blockdep = seed >> 30;
		npu_timing_op(&t, c, ports, &op, seed >> 24 & 127, &cost);
		sum += cost.cycles;
		cr_expect(cost.waiting <= cost.cycles && cost.start < cost.finish && cost.finish <= sum);
	}
	cr_expect(eq(u64, sum, t.end));
	return sum;
}

Test(timing, streams_are_never_slower_with_better_memory)
{
	enum { STREAMS = 20 };
	/* From the slowest to the fastest. */
	static const char *const latencies[] = { ",ext.read_latency=900,ext.write_latency=900", ",ext.read_latency=500,ext.write_latency=500",
						 ",ext.read_latency=60,ext.write_latency=60", ",ext.read_latency=0,ext.write_latency=0" };
	static const char *const caps[] = { ",ext.cap=100,sram.cap=900", ",ext.cap=900,sram.cap=2000", ",ext.cap=0,sram.cap=0" };

	for (const struct npu_config *c = npu_configs; c->name; c++)
		for (u32 seed = 1; seed <= STREAMS; seed++) {
			u64 before = UINT64_MAX;

			for (size_t i = 0; i < ARRAY_LEN(latencies) + ARRAY_LEN(caps); i++) {
				const bool cap = i >= ARRAY_LEN(latencies);
				const char *change = cap ? caps[i - ARRAY_LEN(latencies)] : latencies[i];
				char memory[120];

				snprintf(memory, sizeof memory, "%s%s", npu_memory_profile_default(c)->name, change);
				const struct npu_ports ports = ports_of(memory, seed & 1);
				const u64 cycles = stream_cycles(c, &ports, seed);

				cr_expect(i == ARRAY_LEN(latencies) || cycles <= before, "%s stream %u: slower with %s", c->name, seed, memory);
				before = cycles;
			}
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
