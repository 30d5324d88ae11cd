/* SPDX-License-Identifier: Apache-2.0 */
/* Ethos-U85. The array takes one ublock, one kernel tap and 8 input channels a cycle (16-bit inputs: two
 * cycles; 2:4 sparse weights: 16 channels). Published cycles of U85 agree; Vela 5.2's estimator, whose output
 * unit and decoder rates are used here, counts kernels in groups of four taps and is slower by up to a third.
 * Rates of weights with many zeros or few values, which only the weights themselves could tell, are those of
 * dense ones. */
#include "npu/timing/compute.h"

enum { IFM_UBLOCK = 8, DECODED_PER_CYCLE = 8, FAST_DECODED_PER_CYCLE = 32, DIVISION_CYCLES = 33 };

struct rates {
	u16 macs;
	u8 result[4]; /* by log2 of the bytes */
	u8 wide_input, wide_binary, activation, turned;
	u8 resize8, resize16, fast_resize8, fast_resize16; /* 1/64 cycle */
};

static const struct rates rates[] = {
#define R(macs, r8, r16, r32, r64, ...) { macs, { r8, r16, r32, r64 }, __VA_ARGS__ },
#include "npu/timing/rates_u85.def"
#undef R
};

static const struct rates *rates_of(const struct npu_config *config)
{
	for (size_t i = 0; i < ARRAY_LEN(rates); i++)
		if (rates[i].macs == config->macs)
			return &rates[i];
	return &rates[0];
}

/* Cycles of one ublock. */
static u64 ublock_cycles(const struct npu_op *op, u64 taps)
{
	u64 groups = 1;

	if (sums_over_depth(op))
		groups = div_up(max_u64(op->ifm.depth, 1), op->u85.sparse ? 2 * IFM_UBLOCK : IFM_UBLOCK);
	if (op->kind == NPU_POOL)
		taps = max_u64(taps, 4);
	return taps * groups * max_u64(op->ifm.bytes, 1);
}

static u64 mac_cycles(const struct npu_config *config, const struct npu_op *op, const struct block *b)
{
	const struct ublock u = ublock_of(config, op);
	struct sub_kernels k;
	u64 cycles = 0;

	if (op->kind == NPU_ELEMENTWISE || op->kind == NPU_DMA || op->kind == NPU_RESIZE)
		return 0;
	sub_kernels_of(op, &k);
	for (unsigned i = 0; i < k.kinds; i++)
		cycles += ublock_cycles(op, k.taps[i]) * k.count[i];
	return max_u64(cycles * div_up(b->h, u.h) * div_up(b->w, u.w) * div_up(b->d, u.d), 1);
}

/* Channels that the streams hold of a convolution's IFM: whole IFM blocks (weights/order.c). What else is rounded up in part-kernel order
 * does not show in published cycles. */
static u64 streamed_depth(const struct npu_config *config, const struct npu_op *op)
{
	if (op->kind != NPU_CONV)
		return 1;
	return round_up_to(max_u64(op->ifm.depth, 1), op->part_kernel ? IFM_UBLOCK : ifm_block_depth(config, op));
}

/* Every block decodes its weights anew. Vela 5.2: four times as fast when nine of ten weights are zero, as ever when half of them are. Here
 * those are known that fill up IFM blocks. */
static u64 decode_cycles(const struct npu_config *config, const struct npu_op *op, const struct block *b)
{
	enum { SLOW_ZEROS = 500, FAST_ZEROS = 900, RANGE = FAST_ZEROS - SLOW_ZEROS, SPEED_UP = 3, ALL = 1000 };
	const u64 depth = streamed_depth(config, op), zeros = depth > op->ifm.depth ? ALL * (depth - op->ifm.depth) / depth : 0;
	const u64 weights = (u64)op->kernel_h * op->kernel_w * depth * round_up_to(b->d, ublock_of(config, op).d);

	if (!npu_is_mac(op) || op->u85.weights_ifm2)
		return 0;
	if (op->u85.fast)
		return div_up(weights, FAST_DECODED_PER_CYCLE);
	return div_up(weights * RANGE, DECODED_PER_CYCLE * config->cores *
					       (RANGE + SPEED_UP * (zeros > SLOW_ZEROS ? min_u64(zeros, FAST_ZEROS) - SLOW_ZEROS : 0)));
}

/* The array with its decoder, which is ahead by less than the weights of an IFM block: of each the slower one counts (published cycles of
 * keyword spotting's layers). The last one may be thin for the array, not for the decoder. */
static u64 array_cycles(const struct npu_config *config, const struct npu_op *op, u64 mac, u64 decode)
{
	const u64 depth = max_u64(op->ifm.depth, 1), piece = ifm_block_depth(config, op), step = op->u85.sparse ? 2 * IFM_UBLOCK : IFM_UBLOCK;

	if (op->kind != NPU_CONV || op->part_kernel)
		return max_u64(mac, decode);
	const u64 pieces = div_up(depth, piece), all = div_up(depth, step), last = div_up((depth - 1) % piece + 1, step);

	return max_u64(mac * (all - last) / all, decode * (pieces - 1) / pieces) + max_u64(mac * last / all, decode / pieces);
}

/* Rows and columns change places (the odd codes: WHC, WCH, CWH), or columns are reversed. */
static bool turned(const struct npu_op *op)
{
	return op->u85.transpose & 1 || op->u85.reverse == 2;
}

static u32 log2_bytes(u8 bytes)
{
	return bytes >= 8 ? 3 : bytes >= 4 ? 2 : bytes >= 2 ? 1 : 0;
}

/* How often an element of the map is used along an axis, rounded. */
static u64 growth_of(u64 ofm, u64 ifm)
{
	return ifm ? (ofm + ifm / 2) / ifm : 0;
}

/* Interpolation runs at the high rate when the map grows enough along both axes. */
static u32 resize_rate(const struct rates *r, const struct npu_op *op)
{
	const u64 growth = min_u64(growth_of(op->ofm.height, op->ifm.height), growth_of(op->ofm.width, op->ifm.width));
	const bool fast = growth >= r->macs / 512, wide = op->ifm.bytes >= 2;

	return fast ? wide ? r->fast_resize16 : r->fast_resize8 : wide ? r->resize16 : r->resize8;
}

static u32 element_rate(const struct rates *r, const struct npu_op *op)
{
	u32 rate = r->result[log2_bytes(op->ofm.bytes)];

	if (op->kind == NPU_RESIZE)
		return resize_rate(r, op);
	if (op->kind == NPU_ELEMENTWISE && op->ifm.bytes >= 4)
		rate = max_u64(rate, op->unary || op->ofm.bytes < 4 ? r->wide_input : r->wide_binary);
	if (op->u85.ofm_chained && (op->ofm.bytes >= 4 || op->ifm.bytes >= 4))
		rate = max_u64(rate, r->wide_input);
	return max_u64(rate, turned(op) ? r->turned : r->activation);
}

static u64 output_cycles(const struct npu_config *config, const struct npu_op *op, const struct block *b)
{
	const u64 elements = (u64)b->h * b->w * b->d;

	if (op->kind == NPU_ELEMENTWISE && op->mode == NPU_EW_DIV)
		return elements * DIVISION_CYCLES;
	if (op->u85.acc_output_off)
		return 0;
	return max_u64(div_up(elements * element_rate(rates_of(config), op), 64), 1);
}

struct block_cycles compute_block_u85(const struct npu_config *config, const struct npu_op *op, const struct block *b)
{
	const u64 mac = mac_cycles(config, op, b), decode = decode_cycles(config, op, b);

	return (struct block_cycles){ mac, output_cycles(config, op, b), decode, array_cycles(config, op, mac, decode) };
}
