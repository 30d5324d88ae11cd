/* SPDX-License-Identifier: Apache-2.0 */
/* One operation: MAC array, output unit and weight decoder work on successive blocks, memory
 * streams under them; the slowest decides, the first read and the last write stand alone. */
#include "npu/timing/compute.h"
#include "npu/timing/model.h"
#include "npu/timing/traffic.h"

struct work {
	u64 mac, out, decode;             /* sums over all blocks */
	u64 mac_block, out_block;         /* of the first (largest) block */
};

static struct work work_of(const struct npu_config *config, const struct npu_op *op, const struct blocks *blocks)
{
	struct work w = { 0 };

	for (unsigned i = 0; i < blocks->kinds; i++) {
		const struct block *b = &blocks->kind[i];
		const u64 mac = mac_cycles(config, op, b), out = output_cycles(config, op, b);

		w.mac += mac * b->count;
		w.out += out * b->count;
		w.decode += decode_cycles(config, op, b) * b->count;
		if (!i) {
			w.mac_block = mac;
			w.out_block = out;
		}
	}
	return w;
}

static u64 over(u64 a, u64 b)
{
	return a > b ? a - b : 0;
}

static void set_activity(const struct npu_config *config, const struct npu_op *op, const struct blocks *blocks,
			 const struct work *w, const u64 port_cycles[NPU_PORTS], u64 busy, u64 a[ACT_COUNT])
{
	const u64 memory = max_u64(port_cycles[0], port_cycles[1]);
	u64 weight_bytes = 0;

	for (unsigned core = 0; core < op->cores; core++)
		weight_bytes += op->weights[core].length;
	a[ACT_MAC] = w->mac;
	a[op->ifm.bytes >= 4 ? ACT_MAC_32BIT : op->ifm.bytes == 2 ? ACT_MAC_16BIT : ACT_MAC_8BIT] = w->mac;
	a[ACT_OUT] = w->out;
	a[op->ofm.bytes >= 2 ? ACT_OUT_16BIT : ACT_OUT_8BIT] = w->out;
	if (npu_is_mac(op)) {
		a[ACT_WD] = w->decode;
		a[ACT_WD_STREAM_WORDS] = div_up(weight_bytes, 16);
		a[ACT_WD_BLOCKS] = blocks->count;
		a[ACT_MAC_STALL_WEIGHTS] = over(w->decode, w->mac);
		a[ACT_WD_STALL_BUFFER] = over(w->mac, w->decode);
		a[ACT_WD_STALL_STREAM] = over(memory, max_u64(w->mac, w->decode));
	}
	if (w->mac) {
		a[ACT_MAC_STALL_ACC] = over(w->out, w->mac);
		a[ACT_MAC_STALL_IFM] = over(busy, max_u64(max_u64(w->mac, w->out), w->decode));
		a[ACT_OUT_STALL_ACC] = over(w->mac, w->out);
	} else {
		a[ACT_OUT_STALL_IFM] = over(busy, w->out);
	}
	a[ACT_OUT_STALL_WRITE] = over(memory, max_u64(w->mac, w->out));
}

static u64 latency_of(const struct memory_model *m, const struct traffic t[NPU_PORTS], bool write)
{
	u64 cycles = 0;

	for (unsigned i = 0; i < NPU_PORTS; i++)
		if (write ? t[i].write_beats : t[i].read_beats)
			cycles = max_u64(cycles, port_cycles_of(&m->port[i], &t[i]) +
					 (write ? m->port[i].write_latency : m->port[i].read_latency));
	return cycles;
}

/* Reading and writing stream through a buffer: the slower port decides, both latencies add. */
static u64 dma_cycles(const struct memory_model *m, const struct traffic t[NPU_PORTS])
{
	u64 cycles = 1;

	for (unsigned i = 0; i < NPU_PORTS; i++)
		cycles = max_u64(cycles, port_cycles_of(&m->port[i], &t[i]));
	for (unsigned i = 0; i < NPU_PORTS; i++)
		cycles += (t[i].reads ? m->port[i].read_latency : 0) + (t[i].writes ? m->port[i].write_latency : 0);
	return cycles;
}

void cost_of(const struct npu_config *config, const struct memory_model *m, const struct npu_op *op,
		 struct op_cost *cost)
{
	struct blocks blocks;
	struct op_traffic traffic;
	u64 port_cycles[NPU_PORTS];

	*cost = (struct op_cost){ 0 };
	blocks_of(op, &blocks);
	traffic_of(config, m, op, &blocks, &traffic);
	for (unsigned i = 0; i < NPU_PORTS; i++) {
		cost->traffic[i] = traffic.total[i];
		port_cycles[i] = port_cycles_of(&m->port[i], &traffic.total[i]);
	}
	if (op->kind == NPU_DMA) {
		cost->cycles = dma_cycles(m, traffic.total);
		return;
	}

	const struct work w = work_of(config, op, &blocks);
	const u64 units = max_u64(max_u64(w.mac, w.out), w.decode);
	const u64 busy = max_u64(units, max_u64(port_cycles[0], port_cycles[1]));

	cost->head = latency_of(m, traffic.first_read, false) + min_u64(w.mac_block, w.out_block);
	cost->tail = min_u64(w.mac_block ? w.out_block : 0, busy) + latency_of(m, traffic.last_write, true);
	cost->cycles = max_u64(busy + cost->head + cost->tail, 1);
	set_activity(config, op, &blocks, &w, port_cycles, busy, cost->activity);
}

void cost_add_commands(const struct npu_config *config, const struct memory_model *m, u32 bytes,
		       struct op_cost *cost)
{
	traffic_add(config, &m->port[m->stream_port], &cost->traffic[m->stream_port], bytes, 1, false);
}
