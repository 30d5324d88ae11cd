/* SPDX-License-Identifier: Apache-2.0 */
/* Streams of operations drawn at random, of all kinds: copies, waits, chains, all element sizes and layouts, maps and constants behind either
 * port. Never slower with better memory, and what is reported adds up. TIMING_SEED and TIMING_STREAMS: other streams, more of them. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

#include "npu/integer.h"
#include "npu/timing/constants.h"
#include "npu/timing/profiles.h"
#include "tests/npu/timing_rig.h"

enum { LENGTH = 24 };

static u32 from_environment(const char *name, u32 otherwise)
{
	const char *text = getenv(name);

	return text ? (u32)strtoul(text, NULL, 0) : otherwise;
}

static void draw_map(struct npu_fm *map, u32 bytes, u32 *seed)
{
	map->bytes = (u8)bytes;
	map->format = (u8)rig_draw(seed, 2);
	map->region = (u8)rig_draw(seed, 4);
}

static struct npu_op draw_dma(const struct npu_config *c, u32 *seed)
{
	struct npu_op op = { .kind = NPU_DMA };

	op.dma.length = 1 + rig_draw(seed, rig_draw(seed, 2) ? 200 : 60000);
	op.dma.rows = op.dma.planes = 1;
	if (rig_draw(seed, 2))
		op.dma.rows = 1 + rig_draw(seed, 40);
	op.dma.src_region = (u8)rig_draw(seed, 4);
	op.dma.dst_region = (u8)rig_draw(seed, 4);
	if (c->product == NPU_U85 && !rig_draw(seed, 4)) {
		op.dma.index_mode = NPU_INDEX_GATHER;
		op.dma.index_region = (u8)rig_draw(seed, 4);
	}
	return op;
}

/* `chained`: the operation before left its result in a chain buffer. */
static struct npu_op draw_kernel(const struct npu_config *c, bool chained, u32 *seed)
{
	const struct layer l = rig_draw_layer(seed);
	struct npu_op op = rig_op(c, &l);

	draw_map(&op.ifm, 1u << rig_draw(seed, l.kind == NPU_ELEMENTWISE ? 3 : 2), seed);
	draw_map(&op.ofm, 1u << rig_draw(seed, 3), seed);
	op.weight_region = (u8)rig_draw(seed, 4);
	op.scale_region = (u8)rig_draw(seed, 4);
	op.blockdep = (u8)rig_draw(seed, c->product == NPU_U85 ? 8 : 4);
	if (l.kind == NPU_POOL)
		op.mode = (u8)rig_draw(seed, 3);
	if (l.kind == NPU_ELEMENTWISE && rig_draw(seed, 2)) {
		op.ifm2 = op.ifm;
		op.ifm2.region = (u8)rig_draw(seed, 4);
	}
	op.ib_end = (u8)rig_draw(seed, 24);
	op.ab_start = (u8)(op.ib_end + rig_draw(seed, 24));
	if (c->product == NPU_U85) {
		op.u85.stored = op.ofm;
		op.u85.ifm_chained = chained;
		op.u85.ofm_chained = !rig_draw(seed, 4);
		if (l.weights && l.kind == NPU_CONV && !rig_draw(seed, 4)) {
			op.u85.fast = 1;
			op.cores = 1;
		}
	}
	return op;
}

static void expect_sums(const struct npu_config *c, const struct npu_cost *cost)
{
	const u64 *e = cost->event;

	cr_expect_eq(cost->waiting, cost->wait[NPU_WAIT_COMMANDS] + cost->wait[NPU_WAIT_DATA] + cost->wait[NPU_WAIT_START] + cost->wait[NPU_WAIT_WRITE]);
	cr_expect(cost->cycles && cost->waiting <= cost->cycles && cost->start < cost->finish);
	cr_expect_eq(e[NPU_EVENT_MAC_ACTIVE_8BIT] + e[NPU_EVENT_MAC_ACTIVE_16BIT] + e[NPU_EVENT_MAC_ACTIVE_32BIT], e[NPU_EVENT_MAC_ACTIVE]);
	cr_expect_eq(e[NPU_EVENT_AXI_LATENCY_ANY], e[NPU_EVENT_AXI0_RD_TRANS_ACCEPTED] + e[NPU_EVENT_AXI1_RD_TRANS_ACCEPTED]);
	if (c->product == NPU_U85) {
		cr_expect_eq(e[NPU_EVENT_SRAM0_RD_DATA_BEAT_RECEIVED] + e[NPU_EVENT_SRAM1_RD_DATA_BEAT_RECEIVED] + e[NPU_EVENT_SRAM2_RD_DATA_BEAT_RECEIVED] +
			     e[NPU_EVENT_SRAM3_RD_DATA_BEAT_RECEIVED], e[NPU_EVENT_AXI0_RD_DATA_BEAT_RECEIVED]);
		cr_expect_eq(e[NPU_EVENT_EXT0_RD_DATA_BEAT_RECEIVED] + e[NPU_EVENT_EXT1_RD_DATA_BEAT_RECEIVED], e[NPU_EVENT_AXI1_RD_DATA_BEAT_RECEIVED]);
	}
}

/* What a stream takes, and moves over each port. */
struct run { u64 cycles, beats[NPU_PORTS]; };

/* The same stream for the same seed, whatever the memory. */
static struct run run_stream(const struct npu_config *c, const struct npu_ports *ports, u32 seed)
{
	struct npu_timing t;
	struct npu_cost cost;
	bool chained = false;
	struct run run = { 0 };

	npu_timing_start(&t);
	for (unsigned i = 0; i < LENGTH; i++) {
		const struct npu_op op = rig_draw(&seed, 4) ? draw_kernel(c, chained, &seed) : draw_dma(c, &seed);

		chained = op.u85.ofm_chained;
		if (!rig_draw(&seed, 3))
			npu_timing_wait(&t, true, rig_draw(&seed, 4));
		if (!rig_draw(&seed, 5))
			npu_timing_wait(&t, false, rig_draw(&seed, 2));
		npu_timing_op(&t, NULL, c, ports, &op, 4 + rig_draw(&seed, 300), &cost);
		run.cycles += cost.cycles;
		run.beats[0] += cost.event[NPU_EVENT_AXI0_RD_DATA_BEAT_RECEIVED] + cost.event[NPU_EVENT_AXI0_WR_DATA_BEAT_WRITTEN];
		run.beats[1] += cost.event[NPU_EVENT_AXI1_RD_DATA_BEAT_RECEIVED] + cost.event[NPU_EVENT_AXI1_WR_DATA_BEAT_WRITTEN];
		expect_sums(c, &cost);
		cr_expect(cost.finish <= run.cycles);
	}
	cr_expect_eq(run.cycles, t.end);
	return run;
}

/* Maps and constants in any of the memory modes: which regions lie behind the external port is drawn, too. */
static struct npu_ports draw_ports(const struct npu_config *c, const char *change, u32 modes)
{
	struct npu_ports ports = rig_ports_but(c, change, false);

	for (unsigned i = 0; i < 4; i++)
		ports.region_attr[i] = modes >> i & 1 ? 2 : 0;
	ports.stream_attr = modes >> 4 & 1 ? 2 : 0;
	return ports;
}

enum caps { NO_CAPS, CAPS_AS_GIVEN, CAPS_DRAWN };

static struct npu_ports draw_ports_and_caps(const struct npu_config *c, const char *change, enum caps caps, u32 seed)
{
	struct npu_ports ports = draw_ports(c, change, seed);
	u32 draws = seed * 2246822519u;

	for (unsigned p = 0; p < NPU_PORTS && caps != CAPS_AS_GIVEN; p++)
		ports.adapter[p].cap = caps == CAPS_DRAWN ? 1 + rig_draw(&draws, ports.adapter[p].window) : 0;
	return ports;
}

/* Cycles of a drawn stream with the slower and the faster memory of a pair. */
static void run_pair(const struct npu_config *c, const char *const pair[2], enum caps caps, u32 seed, u64 cycles[2])
{
	for (unsigned i = 0; i < 2; i++) {
		const struct npu_ports ports = draw_ports_and_caps(c, pair[i], caps, seed);

		cycles[i] = run_stream(c, &ports, seed * 2654435761u).cycles;
	}
}

/* Each pair: the slower first. */
static void expect_never_slower(const char *const pairs[][2], size_t count, enum caps caps)
{
	const u32 first = from_environment("TIMING_SEED", 1), streams = from_environment("TIMING_STREAMS", 60);

	for (const struct npu_config *c = npu_configs; c->name; c++)
		for (u32 n = first; n < first + streams; n++)
			for (size_t p = 0; p < count; p++) {
				u64 cycles[2];

				run_pair(c, pairs[p], caps, n, cycles);
				cr_expect(cycles[1] <= cycles[0], "%s stream %u: %lu with %s, %lu with %s", c->name, n, cycles[0], pairs[p][0],
					  cycles[1], pairs[p][1]);
			}
}

static const char *const better[][2] = {
	{ ",ext.read_latency=900", ",ext.read_latency=500" }, { ",ext.read_latency=40", ",ext.read_latency=0" },
	{ ",ext.write_latency=700", ",ext.write_latency=90" }, { ",sram.read_latency=70", ",sram.read_latency=20" },
	{ ",sram.write_latency=70", ",sram.write_latency=0" }, { ",ext.max_reads=2", ",ext.max_reads=9" },
	{ ",ext.max_writes=1", ",ext.max_writes=8" }, { ",sram.max_reads=2", ",sram.max_reads=8" },
	{ ",ext.open=2000", ",ext.open=3000" }, { ",ext.read_latency=1900,ext.open=4700", ",ext.read_latency=1300,ext.open=4700" },
};

Test(timing_streams, streams_of_all_kinds_are_never_slower_with_better_memory)
{
	expect_never_slower(better, ARRAY_LEN(better), NO_CAPS);
}

/* Caps of any size: copies beside kernels, commands and kernels share what they let through. */
Test(timing_streams, streams_under_caps_are_never_slower_with_better_memory)
{
	expect_never_slower(better, ARRAY_LEN(better), CAPS_DRAWN);
}

Test(timing_streams, streams_are_never_slower_under_larger_caps)
{
	static const char *const larger[][2] = {
		{ ",ext.cap=90", ",ext.cap=700" }, { ",sram.cap=700", ",sram.cap=2500" }, { ",ext.cap=1,sram.cap=10", ",ext.cap=8,sram.cap=11" },
		{ "", ",ext.cap=0,sram.cap=0" }, { ",ext.cap=60000,sram.cap=60000", ",ext.cap=0,sram.cap=0" },
	};

	expect_never_slower(larger, ARRAY_LEN(larger), CAPS_AS_GIVEN);
}

/* Beats that a cap lets through in so many cycles from a job's start; U85's ports have one each. A burst that has begun passes whole. */
static u64 let_through(const struct npu_config *c, const struct npu_ports *ports, unsigned p, u64 cycles)
{
	const struct npu_adapter *a = &ports->adapter[p];
	const u64 windows = (cycles + WINDOW_AT_START) / a->window + 1 - WINDOW_AT_START / a->window;

	return windows * round_up_to(a->cap, max_u64(ports->burst_bytes[2 * p] / c->axi_bytes, 1)) * (p ? c->ext_ports : c->sram_ports);
}

/* A job does not end before its ports may have moved all of its beats, what kernels still owe copies beside them included. */
Test(timing_streams, streams_move_no_more_than_caps_let_through)
{
	const u32 first = from_environment("TIMING_SEED", 1), streams = from_environment("TIMING_STREAMS", 200);

	for (const struct npu_config *c = npu_configs; c->name; c++)
		for (u32 n = first; n < first + streams; n++) {
			const struct npu_ports ports = draw_ports_and_caps(c, "", CAPS_DRAWN, n);
			const struct run run = run_stream(c, &ports, n * 2654435761u);

			for (unsigned p = 0; p < NPU_PORTS; p++)
				if (ports.adapter[p].cap)
					cr_expect(run.beats[p] <= let_through(c, &ports, p, run.cycles), "%s stream %u port %u: %lu beats in %lu cycles", c->name,
						  n, p, run.beats[p], run.cycles);
		}
}

/* Another place, which shapes do not depend on but within a beat; now and then something that they may depend on. */
static void change(struct npu_op *op, u32 *seed)
{
	struct npu_fm *const maps[] = { &op->ifm, &op->ifm2, &op->ofm, &op->u85.stored };

	for (unsigned i = 0; i < ARRAY_LEN(maps); i++)
		maps[i]->base[0] = rig_draw(seed, 4) ? 0x1000 * rig_draw(seed, 9) : rig_draw(seed, 40);
	op->offset = rig_draw(seed, 4000);
	op->index = rig_draw(seed, 4000);
	op->dma.src = rig_draw(seed, 4000);
	op->weights[0].addr = op->scales[0].addr = 16 * rig_draw(seed, 4000);
	if (rig_draw(seed, 6))
		return;
	switch (rig_draw(seed, 8)) {
	case 0: op->ofm.depth++; break;
	case 1: op->ifm.stride_y += 2; break;
	case 2: op->ifm.region ^= 1; break;
	case 3: op->weights[0].length += 16; break;
	case 4: op->block_d += 8; break;
	case 5: op->scales[0].length += 10; break;
	case 6: op->dma.rows++; break;
	default: op->pad_top++; break;
	}
}

/* What is known of operations that were alike changes nothing. */
static void run_alike(const struct npu_config *c, u32 seed)
{
	enum { KINDS = 6, STEPS = 120 };
	struct npu_shapes *known = npu_shapes_new(c);
	struct npu_timing t, other;
	static struct npu_cost cost, without;
	struct npu_op op[KINDS];
	struct npu_ports ports = draw_ports(c, "", seed);

	for (unsigned i = 0; i < KINDS; i++)
		op[i] = i ? draw_kernel(c, false, &seed) : draw_dma(c, &seed);
	npu_timing_start(&t);
	npu_timing_start(&other);
	for (unsigned i = 0; i < STEPS; i++) {
		struct npu_op *const o = &op[rig_draw(&seed, KINDS)];
		const u32 bytes = 4 + rig_draw(&seed, 300);

		if (!rig_draw(&seed, 30))
			ports = draw_ports(c, rig_draw(&seed, 2) ? "" : ",ext.read_latency=77", seed);
		change(o, &seed);
		npu_timing_op(&t, known, c, &ports, o, bytes, &cost);
		npu_timing_op(&other, NULL, c, &ports, o, bytes, &without);
		cr_assert_eq(memcmp(&cost, &without, sizeof cost), 0, "%s, operation %u", c->name, i);
		cr_assert_eq(memcmp(&t, &other, sizeof t), 0, "%s, operation %u", c->name, i);
	}
	npu_shapes_free(known);
}

Test(timing_streams, what_is_known_of_shapes_changes_nothing)
{
	const u32 first = from_environment("TIMING_SEED", 1), count = from_environment("TIMING_STREAMS", 60);

	for (const struct npu_config *c = npu_configs; c->name; c++)
		for (u32 n = first; n < first + count; n++)
			run_alike(c, n * 2654435761u);
}
