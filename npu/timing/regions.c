/* SPDX-License-Identifier: Apache-2.0 */
/* Whose bytes an operation moves: the traffic of each channel belongs to the region that the channel reads or writes. */
#include "npu/timing/timing.h"
#include "npu/timing/traffic.h"

/* Beats of both ports as bytes. */
static void add(const struct memory_model *m, const struct traffic t[NPU_PORTS], unsigned region, struct npu_region_bytes *out)
{
	for (unsigned i = 0; i < NPU_PORTS; i++) {
		out->read[region & 7] += t[i].read_beats * m->port[i].width;
		out->written[region & 7] += t[i].write_beats * m->port[i].width;
	}
}

/* What is left of `from` without `part`. */
static void subtract(struct traffic from[NPU_PORTS], const struct traffic part[NPU_PORTS])
{
	for (unsigned i = 0; i < NPU_PORTS; i++) {
		from[i].read_beats -= part[i].read_beats;
		from[i].write_beats -= part[i].write_beats;
	}
}

/* Both inputs share a channel. */
static void add_inputs(const struct npu_config *config, const struct memory_model *m, const struct npu_op *op, const struct blocks *blocks,
		       struct traffic both[NPU_PORTS], struct npu_region_bytes *out)
{
	struct npu_op first = *op;
	struct op_traffic alone;

	if (op->ifm2.used && op->ifm2.region != op->ifm.region) {
		first.ifm2.used = 0;
		traffic_of(config, m, &first, blocks, &alone);
		subtract(both, alone.channel[CHANNEL_IFM]);
		add(m, both, op->ifm2.region, out);
		both = alone.channel[CHANNEL_IFM];
	}
	add(m, both, op->ifm.region, out);
}

static void add_transfer(const struct npu_config *config, const struct memory_model *m, const struct npu_op *op, const struct blocks *blocks,
			 const struct traffic all[NPU_PORTS], struct npu_region_bytes *out)
{
	struct npu_op part = *op;
	struct op_traffic reads, source;

	part.dma.dst_internal = 1;
	traffic_of(config, m, &part, blocks, &reads);
	part.dma.index_mode = NPU_INDEX_NONE;
	traffic_of(config, m, &part, blocks, &source);

	struct traffic writes[NPU_PORTS] = { all[0], all[1] };

	subtract(writes, reads.channel[CHANNEL_DMA]);
	subtract(reads.channel[CHANNEL_DMA], source.channel[CHANNEL_DMA]);
	add(m, writes, op->dma.dst_region, out);
	add(m, source.channel[CHANNEL_DMA], op->dma.src_region, out);
	add(m, reads.channel[CHANNEL_DMA], op->dma.index_region, out);
}

void npu_timing_regions(const struct npu_config *config, const struct npu_ports *ports, const struct npu_op *op, struct npu_region_bytes *out)
{
	struct memory_model m;
	struct op_traffic traffic;
	struct blocks blocks;

	*out = (struct npu_region_bytes){ { 0 }, { 0 } };
	memory_model_of(config, ports, &m);
	blocks_of(op, &blocks);
	traffic_of(config, &m, op, &blocks, &traffic);
	if (op->kind == NPU_DMA) {
		add_transfer(config, &m, op, &blocks, traffic.channel[CHANNEL_DMA], out);
		return;
	}
	add_inputs(config, &m, op, &blocks, traffic.channel[CHANNEL_IFM], out);
	add(&m, traffic.channel[CHANNEL_WEIGHTS], op->u85.weights_ifm2 ? op->ifm2.region : op->weight_region, out);
	add(&m, traffic.channel[CHANNEL_SCALES], op->scale_region, out);
	add(&m, traffic.channel[CHANNEL_OFM], npu_stored(op)->region, out);
}
