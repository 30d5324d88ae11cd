/* SPDX-License-Identifier: Apache-2.0 */
/* Formulas of Vela 5.2's estimator (npu_performance), in whole cycles: a block takes whole
 * ublocks; kernels above 8x8 taps are cut into sub-kernels that are costed one by one. */
#include "npu/timing/compute.h"

#include "npu/timing/constants.h"

enum { CYCLES_PER_UBLOCK = 4 };

struct rates {
	u8 product;
	u16 macs;
	u16 ew32_unary, ew32_binary, mul32, mul, addsub, max_pool, other, table, clamp; /* 1/32 cycle */
};

static const struct rates rates[] = {
#define R(...) { __VA_ARGS__ },
#include "npu/timing/rates.def"
#undef R
};

static const struct rates *rates_of(const struct npu_config *config)
{
	for (size_t i = 0; i < ARRAY_LEN(rates); i++)
		if (rates[i].product == config->product && rates[i].macs == config->macs)
			return &rates[i];
	return &rates[ARRAY_LEN(rates) - 1];
}

struct steps {
	u64 ublocks_hw, ublocks_d; /* of the block */
	u64 weight_floor;          /* cycles to load one step's weights */
	u64 ifm_groups;            /* groups of 8 input channels in one IFM block */
	u64 passes;                /* IFM blocks in depth */
	bool wide;                 /* 16-bit input */
};

static struct steps steps_of(const struct npu_config *config, const struct npu_op *op, const struct block *b)
{
	const struct ublock u = ublock_of(config, op);
	struct steps s;

	s.ublocks_hw = div_up(b->h, u.h) * div_up(b->w, u.w);
	s.ublocks_d = div_up(div_up(b->d, u.d), config->cores); /* they share the depth, ublock by ublock */
	s.weight_floor = 32 * u.d / 8;
	s.wide = op->ifm.bytes >= 2;

	const u64 block_depth = max_u64(ifm_block_depth(config, op), 1);
	const u64 depth = max_u64(op->ifm.depth, 1);

	s.passes = sums_over_depth(op) ? div_up(depth, block_depth) : 1;
	s.ifm_groups = div_up(min_u64(depth, block_depth), 8);
	return s;
}

/* Steps of the array for `taps` of kernel, and the cycles of one step. */
static u64 kernel_steps(const struct npu_op *op, const struct steps *s, u64 taps)
{
	if (op->kind == NPU_DEPTHWISE)
		return div_up(taps, 4);
	if (op->kind == NPU_CONV && op->part_kernel)
		return div_up(taps, s->wide ? 2 : 4);
	return taps;
}

/* Pipeline bubbles when a block has a single ublock in height and width. */
static u64 bubbles(const struct npu_config *config, const struct npu_op *op, const struct steps *s, u64 steps)
{
	const bool acc40 = op->acc_bits == 40;
	u64 delay = acc40 && config->macs <= 128 ? 3 : 2;
	u64 cycles = 0;

	if (config->macs == 32)
		delay = acc40 ? 7 : 3;
	if (s->ublocks_hw == 1)
		cycles = s->ublocks_d == 1 ? delay * steps : delay * (steps - 1) * s->ublocks_d;
	if (config->macs == 32 && acc40 && s->ublocks_d > 1)
		cycles += delay * s->ublocks_d;
	return cycles;
}

/* Cycles that a ublock of a pool takes at least. Maps of one channel take half of them where ublocks are eight channels deep (published cycles of a
 * network whose input ExecuTorch turns by copies of one channel; maps of four channels do not). */
static u64 pool_floor(const struct npu_config *config, const struct npu_op *op)
{
	enum { DEEP = 8 };

	return op->ofm.depth == 1 && config->ofm_ublock_d >= DEEP ? POOL_CYCLES / 2 : POOL_CYCLES;
}

static u64 sub_kernel_cycles(const struct npu_config *config, const struct npu_op *op, const struct steps *s, u64 taps)
{
	const u64 step_cycles = max_u64(s->weight_floor, CYCLES_PER_UBLOCK * s->ublocks_hw);
	const u64 steps = kernel_steps(op, s, taps);

	if (op->kind == NPU_POOL && op->mode != NPU_POOL_REDUCE_SUM)
		return max_u64(pool_floor(config, op), taps) * s->ublocks_hw * s->ublocks_d * (s->wide && config->macs != 32 ? 2 : 1);
	if (op->kind == NPU_DEPTHWISE)
		return max_u64(s->weight_floor, CYCLES_PER_UBLOCK * s->ublocks_hw * (s->wide ? 2 : 1)) * steps *
		       s->ublocks_d + bubbles(config, op, s, steps);

	const u64 groups = op->kind == NPU_CONV && op->part_kernel ? s->ifm_groups : 1;

	return (step_cycles * steps * s->ublocks_d + bubbles(config, op, s, steps)) * groups;
}

static u64 mac_cycles(const struct npu_config *config, const struct npu_op *op, const struct block *b)
{
	struct sub_kernels k;
	u64 cycles = 0;

	if (op->kind == NPU_ELEMENTWISE || op->kind == NPU_DMA)
		return 0;

	const struct steps s = steps_of(config, op, b);

	sub_kernels_of(op, &k);
	for (unsigned i = 0; i < k.kinds; i++)
		cycles += sub_kernel_cycles(config, op, &s, k.taps[i]) * k.count[i];
	return (cycles + PIECE_CYCLES) * s.passes + (config->cores > 1 ? MEET_CYCLES : 0);
}

static u32 unit_rate(const struct rates *r, const struct npu_op *op)
{
	if (op->kind == NPU_ELEMENTWISE) {
		if (op->ifm.bytes >= 4)
			return op->unary ? r->ew32_unary : r->ew32_binary;
		if (op->mode == NPU_EW_MUL)
			return op->ofm.bytes >= 4 ? r->mul32 : r->mul;
		if (op->mode == NPU_EW_ADD || op->mode == NPU_EW_SUB)
			return r->addsub;
		return r->other;
	}
	if (op->acc_bits == 40)
		return r->mul;
	return op->kind == NPU_POOL && op->mode == NPU_POOL_MAX ? r->max_pool : r->other;
}

static u32 activation_rate(const struct rates *r, const struct npu_op *op)
{
	if (op->output == NPU_OUT_RAW32)
		return 0;
	return op->output == NPU_OUT_CLAMP ? r->clamp : r->table;
}

static u64 output_cycles(const struct npu_config *config, const struct npu_op *op, const struct block *b)
{
	const struct rates *r = rates_of(config);
	/* The rates are those of all cores: what one core has to do alone takes as long as if all did as much. */
	const u64 share = min_u64(div_up(div_up(b->d, config->ofm_ublock_d), config->cores) * config->ofm_ublock_d, b->d);
	const u64 elements = (u64)b->h * b->w * share * config->cores;
	const u64 rate = max_u64(unit_rate(r, op), activation_rate(r, op));

	return max_u64(div_up(elements * rate, 32), 1);
}

static u64 decode_cycles(const struct npu_config *config, const struct npu_op *op, const struct block *b)
{
	u64 bytes = 0;

	if (!npu_is_mac(op) || !op->ofm.depth)
		return 0;
	for (unsigned core = 0; core < op->cores; core++)
		bytes = max_u64(bytes, op->weights[core].length);
	/* The stream enters 16 bytes (U55: 8) a cycle; a block of depth uses its share of it. */
	return div_up(div_up(bytes * b->d, op->ofm.depth), config->axi_bytes);
}

struct block_cycles compute_block(const struct npu_config *config, const struct npu_op *op, const struct block *b)
{
	if (config->product == NPU_U85)
		return compute_block_u85(config, op, b);
	const u64 mac = mac_cycles(config, op, b), decode = decode_cycles(config, op, b);

	return (struct block_cycles){ mac, output_cycles(config, op, b), decode, max_u64(mac, decode) };
}

u64 macs_of(const struct npu_op *op)
{
	const u64 outputs = (u64)op->ofm.height * op->ofm.width * op->ofm.depth;

	if (!npu_is_mac(op))
		return 0;
	return outputs * op->kernel_h * op->kernel_w * (op->kind == NPU_CONV ? max_u64(op->ifm.depth, 1) : 1);
}
