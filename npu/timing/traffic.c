/* SPDX-License-Identifier: Apache-2.0 */
/* Feature maps move block by block, weights and scales once for each position in height and width, results once.
 * How often the IFM is read for the OFM's blocks in depth, and in what pieces, was found from published beat
 * counts of networks whose command streams are known. */
#include "npu/timing/traffic.h"

#include "npu/timing/access.h"
#include "npu/timing/constants.h"

static const struct buffers {
	u16 macs, ifm, stream, weights, fast, dma; /* entries of 16 bytes */
	u16 ifm_kib;
} buffers[] = {
#define C(...) { __VA_ARGS__ },
#include "npu/timing/channels.def"
#undef C
};

static const struct buffers *buffers_of(const struct npu_config *config)
{
	for (size_t i = 0; i < ARRAY_LEN(buffers); i++)
		if (buffers[i].macs == config->macs)
			return &buffers[i];
	return &buffers[0];
}

u64 bytes_in_flight(const struct npu_config *config, const struct npu_op *op, enum channel channel)
{
	const struct buffers *b = buffers_of(config);

	if (channel == CHANNEL_SCALES)
		/* Each core of U65 has its own stream of scales, as of weights. */
		return SCALES_IN_FLIGHT * (config->product == NPU_U65 ? config->cores : 1);
	if (config->product != NPU_U85)
		return 0;
	switch (channel) {
	case CHANNEL_IFM: return 16u * (npu_is_mac(op) ? b->ifm : b->stream);
	case CHANNEL_WEIGHTS: return 16u * (op->u85.fast ? b->fast : b->weights);
	case CHANNEL_DMA: return 16u * b->dma;
	default: return 0;
	}
}

u64 ifm_buffer(const struct npu_config *config)
{
	return buffers_of(config)->ifm_kib * UINT64_C(1024);
}

/* A fraction, so that a part of the map read again needs no rounding. */
struct times { u64 n, of; };

/* U55 and U65 take the IFM in pieces of 32 channels (16-bit: 16), of which the SHRAM holds two. */
static struct times depth_reads_u55(const struct npu_op *op, u64 kernels, u64 slices)
{
	enum { PIECES_KEPT = 2 };
	const u64 pieces = div_up(max_u64(op->ifm.depth, 1), op->ifm.bytes >= 2 ? 16 : 32);

	return (struct times){ kernels == 1 && pieces <= PIECES_KEPT ? 1 : slices, 1 };
}

/* U85: pieces of 64 channels, i.e. four bricks of 16. */
enum { BRICK = 16, BRICKS_OF_PIECE = 4, PIECES_TRACKED = 4 };

/* Bricks that are still in the buffer after a pass whose last piece had `last` bricks, of `bricks` in all. */
static u64 bricks_kept(u64 room, u64 bricks, u64 last)
{
	u64 kept = last;

	for (unsigned i = 1; i < PIECES_TRACKED && kept < bricks && kept + BRICKS_OF_PIECE <= room; i++)
		kept += BRICKS_OF_PIECE;
	return min_u64(kept, bricks);
}

static struct times depth_reads_u85(const struct npu_config *config, const struct npu_op *op, u64 kernels,
				    const struct blocks *blocks)
{
	const struct block *b = &blocks->kind[0];
	const u64 window = window_of(b->h, op->stride_y, op->kernel_h, op->dilation_y) *
			   window_of(b->w, op->stride_x, op->kernel_w, op->dilation_x);
	const u64 bricks = div_up(max_u64(op->ifm.depth, 1), BRICK), last = (bricks - 1) % BRICKS_OF_PIECE + 1;
	/* All taps of a piece before the next one: two pieces are there at a time. */
	const u64 buffer = ifm_buffer(config) / (op->part_kernel ? 2 : 1);
	const u64 room = buffer / max_u64(window * BRICK * op->ifm.bytes, 1), passes = blocks->slices - 1;

	if (kernels > 1) /* each goes over the whole depth, so that nothing stays */
		return (struct times){ blocks->slices, 1 };
	if (bricks <= BRICKS_OF_PIECE || bricks <= room)
		return (struct times){ 1, 1 };
	/* Blocks that follow each other in depth visit the pieces to and fro. */
	return (struct times){ bricks + div_up(passes, 2) * (bricks - bricks_kept(room, bricks, last)) +
			       passes / 2 * (bricks - bricks_kept(room, bricks, BRICKS_OF_PIECE)), bricks };
}

/* How often the IFM is read for all OFM blocks of one position. */
static struct times depth_reads(const struct npu_config *config, const struct npu_op *op, const struct blocks *blocks)
{
	const u64 kernels = max_u64(div_up(op->kernel_h, SUB_KERNEL) * div_up(op->kernel_w, SUB_KERNEL), 1);

	if (!sums_over_depth(op))
		return (struct times){ 1, 1 };
	if (config->product != NPU_U85)
		return depth_reads_u55(op, kernels, blocks->slices);
	return depth_reads_u85(config, op, kernels, blocks);
}

/* Rows, or columns, that all pieces of the kernel read together. U85 reads a window once for all of them. */
static u64 along(const struct npu_config *config, const struct npu_op *op, const struct npu_fm *map, u32 taps,
		 u64 (*read)(const struct npu_op *op, const struct npu_fm *map, struct taps taps))
{
	enum { LARGEST_KERNEL = 64 };
	const u32 all = max_u64(taps, 1);
	const u32 step = config->product == NPU_U85 || all > LARGEST_KERNEL ? all : SUB_KERNEL;
	u64 sum = 0;

	for (u32 at = 0; at < all; at += step)
		sum += read(op, map, (struct taps){ at, min_u64(all - at, step) });
	return sum;
}

static void add_first(const struct npu_config *config, const struct map_access *a, const struct npu_op *op,
		      const struct block *b, struct traffic total[NPU_PORTS])
{
	const u64 piece = sums_over_depth(op) ? ifm_block_depth(config, op) : b->d;
	const u64 row = window_of(b->w, op->stride_x, op->kernel_w, op->dilation_x);
	const struct box box = {
		min_u64(window_of(b->h, op->stride_y, op->kernel_h, op->dilation_y), a->map->height),
		min_u64(row, a->map->width), row, min_u64(piece, a->map->depth),
	};

	access_box(a, &box, 1, total);
}

static void add_ifm(const struct npu_config *config, const struct map_access *a, const struct npu_op *op,
		    const struct blocks *blocks, struct op_traffic *out)
{
	const struct block *b = &blocks->kind[0];
	const u64 slice = sums_over_depth(op) ? a->map->depth : min_u64(b->d, a->map->depth);
	const bool broadcast = !sums_over_depth(op) && a->map->depth < op->ofm.depth;
	const struct times times = broadcast ? (struct times){ blocks->slices, 1 } : depth_reads(config, op, blocks);
	struct traffic sum[NPU_PORTS] = { { 0 } };
	struct box box = { along(config, op, a->map, op->kernel_h, rows_read),
			   along(config, op, a->map, op->kernel_w, columns_read),
			   window_of(b->w, op->stride_x, min_u64(op->kernel_w, SUB_KERNEL), op->dilation_x), 0 };

	for (u64 z = 0; z < a->map->depth; z += max_u64(slice, 1)) {
		box.depth = min_u64(slice, a->map->depth - z);
		access_box(a, &box, 1, sum);
	}
	for (unsigned i = 0; i < NPU_PORTS; i++) {
		out->channel[CHANNEL_IFM][i].read_beats += div_up(sum[i].read_beats * times.n, times.of);
		out->channel[CHANNEL_IFM][i].reads += div_up(sum[i].reads * times.n, times.of);
		out->channel[CHANNEL_IFM][i].bricks += div_up(a->map->depth, BRICK);
	}
	add_first(config, a, op, b, out->first_ifm);
}

static void add_ofm(const struct map_access *a, const struct blocks *blocks, struct op_traffic *out)
{
	const struct block *first = &blocks->kind[0];

	for (unsigned i = 0; i < blocks->kinds; i++) {
		const struct block *b = &blocks->kind[i];

		access_box(a, &(struct box){ b->h, b->w, b->w, b->d }, b->count, out->channel[CHANNEL_OFM]);
	}
	for (unsigned i = 0; i < NPU_PORTS; i++)
		out->channel[CHANNEL_OFM][i].bricks = div_up(a->map->depth, BRICK);
	access_box(a, &(struct box){ first->h, first->w, first->w, min_u64(first->d, BRICK) }, 1, out->last_ofm);
}

static void add_constants(const struct memory_model *m, const struct npu_op *op, u64 positions, struct op_traffic *out)
{
	const u8 w = m->region_port[op->weight_region & 7], s = m->region_port[op->scale_region & 7];

	for (unsigned core = 0; core < op->cores; core++) {
		access_bytes(&m->port[w], &out->channel[CHANNEL_WEIGHTS][w], op->weights[core].length, positions, false);
		access_short(&m->port[s], &out->channel[CHANNEL_SCALES][s], op->scales[core].length, positions);
		access_bytes(&m->port[w], &out->first_weights[w], min_u64(op->weights[core].length, 64), 1, false);
	}
}

/* U85: weights from memory as they are. */
static void add_dynamic_weights(const struct memory_model *m, const struct npu_fm *map, u64 positions,
				struct op_traffic *out)
{
	const u8 port = m->region_port[map->region & 7];

	access_bytes(&m->port[port], &out->channel[CHANNEL_WEIGHTS][port],
		     (u64)map->height * map->width * map->depth * map->bytes, positions, false);
}

static void add_dma(const struct memory_model *m, const struct npu_dma *dma, struct traffic total[NPU_PORTS])
{
	const u64 rows = max_u64(dma->rows, 1) * max_u64(dma->planes, 1);
	const u8 from = m->region_port[dma->src_region & 7], to = m->region_port[dma->dst_region & 7];
	const u8 index = m->region_port[dma->index_region & 7];

	if (dma->index_mode != NPU_INDEX_NONE)
		access_bytes(&m->port[index], &total[index], rows * sizeof(u32), 1, false);
	if (!dma->src_internal)
		access_bytes(&m->port[from], &total[from], dma->length, rows, false);
	if (!dma->dst_internal)
		access_bytes(&m->port[to], &total[to], dma->length, rows, true);
}

void traffic_of(const struct npu_config *config, const struct memory_model *m, const struct npu_op *op,
		const struct blocks *blocks, struct op_traffic *out)
{
	const bool pieces = config->product == NPU_U85;
	const u32 together = ifm_block_depth(config, op);
	const u64 positions = blocks->rows * blocks->columns;

	*out = (struct op_traffic){ 0 };
	if (op->kind == NPU_DMA) {
		add_dma(m, &op->dma, out->channel[CHANNEL_DMA]);
		return;
	}
	if (!op->u85.ifm_chained && !op->u85.ifm_scalar)
		add_ifm(config, &(struct map_access){ m, &op->ifm, false, pieces, together }, op, blocks, out);
	if (op->u85.weights_ifm2)
		add_dynamic_weights(m, &op->ifm2, positions, out);
	else if (op->ifm2.used && !op->ifm2_scalar && !op->u85.ifm2_chained)
		add_ifm(config, &(struct map_access){ m, &op->ifm2, false, pieces, together }, op, blocks, out);
	if (!op->u85.ofm_chained && !op->u85.acc_output_off)
		add_ofm(&(struct map_access){ m, npu_stored(op), true, true, 0 }, blocks, out);
	if (npu_is_mac(op))
		add_constants(m, op, positions, out);
}
