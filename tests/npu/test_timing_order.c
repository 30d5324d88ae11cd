/* SPDX-License-Identifier: Apache-2.0 */
/* The timing model is never slower with more of anything: on layers of networks, on operations and streams drawn at random. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>

#include "npu/integer.h"
#include "npu/timing/profiles.h"
#include "tests/npu/timing_rig.h"

Test(timing_order, better_memory_is_never_slower)
{
	static const char *const steps[][2] = {
		{ ",ext.cap=20", "" }, { ",ext.read_latency=1000", "" }, { ",ext.write_latency=900", "" },
		{ ",ext.max_reads=2", "" }, { ",ext.max_writes=1", "" }, { ",sram.cap=500", "" }, { ",sram.read_latency=99", "" },
		{ ",ext.open=100", "" }, { "", ",ext.cap=0" }, { "", ",ext.read_latency=1" }, { "", ",ext.max_reads=0" },
	};

	for (const struct npu_config *c = npu_configs; c->name; c++)
		for (size_t i = 0; i < RIG_LAYERS; i++)
			for (size_t s = 0; s < 2 * ARRAY_LEN(steps); s++) {
				const char *base = npu_memory_profile_default(c)->name;
				char slow[80], fast[80];

				snprintf(slow, sizeof slow, "%s%s", base, steps[s / 2][0]);
				snprintf(fast, sizeof fast, "%s%s", base, steps[s / 2][1]);
				const struct npu_ports a = rig_ports(slow, s & 1), b = rig_ports(fast, s & 1);

				cr_expect(rig_cost(c->name, &rig_layers[i], &a).finish >= rig_cost(c->name, &rig_layers[i], &b).finish,
					  "%s layer %zu: %s is faster than %s", c->name, i, slow, fast);
			}
}

/* Blocks that fill the larger array, too; more decoders have more first fetches, so a few cycles are allowed. */
Test(timing_order, more_macs_are_never_slower)
{
	enum { FIRST_FETCHES = 64 };
	const struct npu_ports ports = rig_ports("none", false);

	for (size_t i = 0; i < RIG_LAYERS; i++)
		for (const struct npu_config *c = npu_configs; c[1].name; c++) {
			if (c->product != c[1].product || rig_layers[i].block_d % c[1].ofm_ublock_d)
				continue;
			const u64 more = rig_cost(c[1].name, &rig_layers[i], &ports).finish;

			cr_expect(more <= rig_cost(c->name, &rig_layers[i], &ports).finish + FIRST_FETCHES,
				  "layer %zu: %s is slower than %s", i, c[1].name, c->name);
		}
}

Test(timing_order, operations_drawn_at_random_are_never_slower_with_better_memory)
{
	enum { DRAWN = 400 };
	/* Each pair: the slower first. */
	static const char *const pairs[][2] = {
		{ ",ext.read_latency=777", ",ext.read_latency=333" }, { ",ext.write_latency=400", ",ext.write_latency=30" },
		{ ",sram.read_latency=80", ",sram.read_latency=0" }, { ",sram.write_latency=80", ",sram.write_latency=0" },
		{ ",ext.max_reads=3", ",ext.max_reads=20" }, { ",ext.max_writes=2", ",ext.max_writes=0" },
		{ ",ext.cap=90", ",ext.cap=700" }, { ",sram.cap=800", ",sram.cap=0" }, { ",ext.open=300", ",ext.open=0,ext.window=0" },
	};
	u32 seed = 1;

	for (unsigned n = 0; n < DRAWN; n++) {
		const struct layer l = rig_draw_layer(&seed);
		const bool external = rig_draw(&seed, 2);

		for (const struct npu_config *c = npu_configs; c->name; c++)
			for (size_t p = 0; p < ARRAY_LEN(pairs); p++) {
				u64 cycles[2];

				for (unsigned i = 0; i < 2; i++) {
					const struct npu_ports ports = rig_ports_but(c, pairs[p][i], external);
					cycles[i] = rig_cost(c->name, &l, &ports).finish;
				}
				cr_expect(cycles[1] <= cycles[0], "%s operation %u: %s is faster than %s", c->name, n, pairs[p][0], pairs[p][1]);
			}
	}
}

/* An operation drawn at random of any element size, with strides and dilation, or an interpolation or a sum over the depth. */
static struct npu_op draw_other(const struct npu_config *c, u32 *seed)
{
	const struct layer l = rig_draw_layer(seed);
	struct npu_op op = rig_op(c, &l);
	const u32 stride = 1 + rig_draw(seed, 3);

	if (l.kind == NPU_ELEMENTWISE && c->product == NPU_U85 && rig_draw(seed, 2))
		op.kind = NPU_RESIZE;
	else if (l.kind == NPU_POOL)
		op.mode = (u8)rig_draw(seed, 3);
	op.ifm.bytes = op.ofm.bytes = op.u85.stored.bytes = (u8)(1 << rig_draw(seed, l.kind == NPU_ELEMENTWISE ? 3 : 2));
	op.ifm.format = op.ofm.format = op.u85.stored.format = (u8)rig_draw(seed, 2);
	op.ifm.height = (op.ifm.height - 1) * stride + 1;
	op.ifm.width = (op.ifm.width - 1) * stride + 1;
	op.stride_y = op.stride_x = (u8)stride;
	op.dilation_y = op.dilation_x = (u8)(1 + rig_draw(seed, 2));
	return op;
}

Test(timing_order, operations_of_all_kinds_are_never_slower_with_better_memory)
{
	enum { DRAWN = 300 };
	/* Each pair: the slower first. */
	static const char *const pairs[][2] = {
		{ ",ext.read_latency=777", ",ext.read_latency=333" }, { ",sram.write_latency=80", ",sram.write_latency=0" },
		{ ",ext.max_reads=3", ",ext.max_reads=20" }, { ",sram.max_reads=2", ",sram.max_reads=8" },
		{ ",ext.cap=90", ",ext.cap=700" }, { ",ext.open=2000", ",ext.open=3900" },
	};

	for (const struct npu_config *c = npu_configs; c->name; c++)
		for (size_t p = 0; p < ARRAY_LEN(pairs); p++) {
			const struct npu_ports slower = rig_ports_but(c, pairs[p][0], p & 1), faster = rig_ports_but(c, pairs[p][1], p & 1);
			u32 seed = 4;

			for (unsigned n = 0; n < DRAWN; n++) {
				const struct npu_op op = draw_other(c, &seed);

				cr_expect(rig_cost_of(c, &op, &faster).finish <= rig_cost_of(c, &op, &slower).finish, "%s operation %u: %s is faster than %s",
					  c->name, n, pairs[p][0], pairs[p][1]);
			}
		}
}

/* Where the array decides and the map fills each of them: memory without latency, weights that decode fast. */
Test(timing_order, operations_drawn_at_random_are_never_slower_with_more_macs)
{
	enum { DRAWN = 2000, FIRST_FETCHES = 64 };
	unsigned compared = 0;
	u32 seed = 2;

	for (unsigned n = 0; n < DRAWN; n++) {
		struct layer l = rig_draw_layer(&seed);
		const struct npu_ports ports = rig_ports("none", false);

		l.weights = l.weights ? 64 : 0;
		l.h = (u32)round_up_to(l.h, 4);
		l.w = (u32)round_up_to(l.w, 4);
		l.out = (u32)round_up_to(l.out, 128);
		for (const struct npu_config *c = npu_configs; c[1].name; c++) {
			const struct npu_cost less = rig_cost(c->name, &l, &ports), more = rig_cost(c[1].name, &l, &ports);

			if (c->product != c[1].product || less.bound != NPU_BOUND_MAC)
				continue;
			compared++;
			cr_expect(more.finish <= less.finish + FIRST_FETCHES, "operation %u: %s is slower than %s: %lu, %lu", n, c[1].name, c->name,
				  more.finish, less.finish);
		}
	}
	cr_expect_gt(compared, DRAWN);
}

/* A row, a column, a tap or a weight more: at most a little faster, where the last block becomes a thin one, after which the output unit ends
 * sooner, or the array has no bubbles any more, as a single ublock has. Maps of one row stay as they are: those of even width have an
 * arrangement of the array of their own. So does the depth: pixels that are not aligned may well be slower than larger ones. */
Test(timing_order, operations_drawn_at_random_are_not_faster_when_they_grow)
{
	enum { DRAWN = 600, GROWN = 4, PART = 8 };
	static const char *const memories[] = { "none", "" };
	u32 seed = 3;

	for (unsigned n = 0; n < DRAWN; n++) {
		const struct layer l = rig_draw_layer(&seed);

		for (const struct npu_config *c = npu_configs; c->name; c++)
			for (unsigned i = 0; i < GROWN * ARRAY_LEN(memories); i++) {
				const char *memory = memories[i / GROWN];
				const struct npu_ports ports = *memory ? rig_ports(memory, n & 1) : rig_ports_but(c, "", n & 1);
				struct layer more = l;

				more.h += i % GROWN == 0 && l.h > 1;
				more.w += i % GROWN == 1 && l.h > 1;
				more.taps += i % GROWN == 2 && l.kind != NPU_ELEMENTWISE;
				more.weights += i % GROWN == 3 && l.weights ? 64 : 0;
				const u64 before = rig_cost(c->name, &l, &ports).finish, after = rig_cost(c->name, &more, &ports).finish;

				cr_expect(after + before / PART >= before, "%s operation %u grown by %u: %lu, %lu", c->name, n, i, before, after);
			}
	}
}

/* An input channel more, in bricks: what fills up blocks of the array, of the weight streams and of the buffers may make it slower, nothing faster. */
Test(timing_order, convolutions_drawn_at_random_are_not_faster_with_a_channel_more)
{
	enum { DRAWN = 600, PART = 50 };
	u32 seed = 5;

	for (unsigned n = 0; n < DRAWN; n++) {
		struct layer l = rig_draw_layer(&seed);

		l.kind = NPU_CONV;
		for (const struct npu_config *c = npu_configs; c->name; c++)
			for (unsigned memory = 0; memory < 2; memory++) {
				const struct npu_ports ports = memory ? rig_ports_but(c, "", n & 1) : rig_ports("none", n & 1);
				u64 cycles[2];

				for (unsigned i = 0; i < 2; i++) {
					struct npu_op op = rig_op(c, &l);

					op.ifm.depth += i;
					op.ifm.format = op.ofm.format = op.u85.stored.format = NPU_NHCWB16;
					cycles[i] = rig_cost_of(c, &op, &ports).finish;
				}
				cr_expect(cycles[1] + cycles[0] / PART >= cycles[0], "%s operation %u, memory %u: %lu, %lu", c->name, n, memory, cycles[0], cycles[1]);
			}
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
		u32 shape = seed;
		const struct layer drawn = rig_draw_layer(&shape);
		struct npu_op op = rig_op(c, seed >> 31 ? &drawn : &rig_layers[(seed >> 16) % RIG_LAYERS]);
		struct npu_cost cost;

		op.blockdep = seed >> 30;
		npu_timing_op(&t, NULL, c, ports, &op, seed >> 24 & 127, &cost);
		sum += cost.cycles;
		cr_expect_eq(cost.waiting, cost.wait[NPU_WAIT_COMMANDS] + cost.wait[NPU_WAIT_DATA] + cost.wait[NPU_WAIT_START] + cost.wait[NPU_WAIT_WRITE]);
		cr_expect(cost.waiting <= cost.cycles && cost.start < cost.finish && cost.finish <= sum);
	}
	cr_expect(eq(u64, sum, t.end));
	return sum;
}

Test(timing_order, streams_are_never_slower_with_better_memory)
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
				const struct npu_ports ports = rig_ports_but(c, change, seed & 1);
				const u64 cycles = stream_cycles(c, &ports, seed);

				cr_expect(i == ARRAY_LEN(latencies) || cycles <= before, "%s stream %u: slower with %s", c->name, seed, change);
				before = cycles;
			}
		}
}
