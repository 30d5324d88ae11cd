/* SPDX-License-Identifier: Apache-2.0 */
/* Feature maps move block by block: NHCWB16 rows as bricks of 16 channels (16 * width elements
 * contiguous), NHWC rows contiguous only when the block has the whole depth. An IFM block is
 * read for every OFM block in height and width, and again for every block in depth when the
 * operation sums over the depth (its buffer holds one block). Weights and scales are read once
 * for each position in height and width. */
#include "npu/timing/traffic.h"

void traffic_add(const struct npu_config *config, const struct port_model *port, struct traffic *t,
		     u64 bytes, u64 times, bool write)
{
	const u64 beats = div_up(bytes, config->axi_bytes) * times;
	const u64 bursts = div_up(bytes, port->burst ? port->burst : 64) * times;

	if (write) {
		t->write_beats += beats;
		t->writes += bursts;
	} else {
		t->read_beats += beats;
		t->reads += bursts;
	}
}

struct map_access {
	const struct npu_config *config;
	const struct memory_model *memory;
	const struct npu_fm *map;
	bool write;
};

static void add_box(const struct map_access *a, struct traffic *total, u64 h, u64 w, u64 d, u64 times)
{
	const u8 index = a->memory->region_port[a->map->region & 7];
	const struct port_model *port = &a->memory->port[index];
	struct traffic *t = &total[index];
	const u64 es = a->map->bytes;

	if (!h || !w || !d)
		return;
	if (a->map->format == NPU_NHCWB16)
		traffic_add(a->config, port, t, w * 16 * es, h * div_up(d, 16) * times, a->write);
	else if (d >= a->map->depth)
		traffic_add(a->config, port, t, w * d * es, h * times, a->write);
	else
		traffic_add(a->config, port, t, d * es, h * w * times, a->write);
}

static void add_ifm(const struct map_access *a, const struct npu_op *op, const struct block *b,
		    struct traffic *total, u64 times)
{
	const u64 h = min_u64(b->ifm_h, a->map->height), w = min_u64(b->ifm_w, a->map->width);
	const u64 d = sums_over_depth(op) ? a->map->depth : min_u64(b->d, a->map->depth);

	add_box(a, total, h, w, d, times);
}

static void add_constants(const struct npu_config *config, const struct memory_model *m, const struct npu_op *op,
			  struct traffic *total, u64 times)
{
	for (unsigned core = 0; core < op->cores; core++) {
		const u8 w = m->region_port[op->weight_region & 7], s = m->region_port[op->scale_region & 7];

		traffic_add(config, &m->port[w], &total[w], op->weights[core].length, times, false);
		traffic_add(config, &m->port[s], &total[s], op->scales[core].length, times, false);
	}
}

static void add_dma(const struct npu_config *config, const struct memory_model *m, const struct npu_dma *dma,
		    struct traffic *total)
{
	const u64 rows = max_u64(dma->rows, 1) * max_u64(dma->planes, 1);
	const u8 from = m->region_port[dma->src_region & 7], to = m->region_port[dma->dst_region & 7];

	if (!dma->src_internal)
		traffic_add(config, &m->port[from], &total[from], dma->length, rows, false);
	if (!dma->dst_internal)
		traffic_add(config, &m->port[to], &total[to], dma->length, rows, true);
}

void traffic_of(const struct npu_config *config, const struct memory_model *m, const struct npu_op *op,
		    const struct blocks *blocks, struct op_traffic *out)
{
	const struct map_access ifm = { config, m, &op->ifm, false }, ifm2 = { config, m, &op->ifm2, false };
	const struct map_access ofm = { config, m, &op->ofm, true };
	u64 positions = 0;

	*out = (struct op_traffic){ 0 };
	if (op->kind == NPU_DMA) {
		add_dma(config, m, &op->dma, out->total);
		return;
	}
	for (unsigned i = 0; i < blocks->kinds; i++) {
		const struct block *b = &blocks->kind[i];

		add_ifm(&ifm, op, b, out->total, b->count);
		if (op->ifm2.used && !op->ifm2_scalar)
			add_ifm(&ifm2, op, b, out->total, b->count);
		add_box(&ofm, out->total, b->h, b->w, b->d, b->count);
		if (!i || b->d == blocks->kind[0].d)
			positions += b->positions;
	}
	if (npu_is_mac(op))
		add_constants(config, m, op, out->total, max_u64(positions, 1));
	add_ifm(&ifm, op, &blocks->kind[0], out->first_read, 1);
	add_box(&ofm, out->last_write, blocks->kind[0].h, blocks->kind[0].w, blocks->kind[0].d, 1);
}
