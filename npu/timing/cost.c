/* SPDX-License-Identifier: Apache-2.0 */
/* One operation: MAC array, output unit and weight decoder work on successive blocks, memory streams under
 * them; the slowest decides, the first data and the last write stand alone. */
#include "npu/timing/cost.h"

#include "npu/timing/access.h"
#include "npu/timing/constants.h"

static struct work work_of(const struct npu_config *config, const struct npu_op *op, const struct blocks *blocks)
{
	struct work w = { .array = 0 };

	for (unsigned i = 0; i < blocks->kinds; i++) {
		const struct block *b = &blocks->kind[i];
		const struct block_cycles c = compute_block(config, op, b);

		w.sum.mac += c.mac * b->count;
		w.sum.out += c.out * b->count;
		w.sum.decode += c.decode * b->count;
		w.array += c.array * b->count;
		if (!i)
			w.first = c;
		w.last = c;
	}
	return w;
}

static u64 over(u64 a, u64 b)
{
	return a > b ? a - b : 0;
}

static void add(struct traffic *sum, const struct traffic *t)
{
	sum->read_beats += t->read_beats;
	sum->write_beats += t->write_beats;
	sum->reads += t->reads;
	sum->writes += t->writes;
}

static struct memory_cycles memory_cycles_of(const struct npu_config *config, const struct memory_model *m,
					     const struct npu_op *op, const struct op_traffic *t, struct traffic total[NPU_PORTS])
{
	struct memory_cycles c = { { 0 }, { 0 } };

	for (unsigned p = 0; p < NPU_PORTS; p++) {
		for (unsigned i = 0; i < CHANNELS; i++) {
			add(&total[p], &t->channel[i][p]);
			c.channel[i] = max_u64(c.channel[i], channel_cycles(&m->port[p], &t->channel[i][p], i,
									    bytes_in_flight(config, op, i)));
		}
		c.moving[p] = port_moving_cycles(&m->port[p], &total[p]);
	}
	return c;
}

/* What is seen of `part` beside something longer: its cube over the square of that. Each quotient is rounded once and by less than a cycle, so
 * that what is longer by some cycles never comes out as shorter (ratios in steps would). */
static u64 seen(u64 part, u64 longest)
{
	const u64 square = longest ? times_over(part, part, longest) : 0;

	return longest ? times_over(square, part, longest) / UNEVEN : 0;
}

/* Of cycles that one part waits for another: those that a memory of this latency makes it wait. */
static u64 exposed(u64 cycles, u64 latency)
{
	return cycles * latency / (latency + HIDDEN_LATENCY);
}

/* Of a port: for requests and beats, and under its cap. */
static u64 port_takes(const struct memory_model *m, const struct memory_cycles *c, const struct traffic t[NPU_PORTS], unsigned p)
{
	return max_u64(c->moving[p], port_capped_cycles(&m->port[p], &t[p]));
}

/* Computing and memory side by side: in each the slowest decides. `latency`: of the memory that the input lies in; `port`: what each takes. */
static u64 together(const struct work *w, const struct memory_cycles *m, const u64 port[NPU_PORTS], u64 latency, u8 *bound)
{
	enum { COMPUTE, MEMORY };
	const struct { u64 cycles; u8 bound, side; } all[] = {
		{ w->array, w->sum.decode > w->sum.mac ? NPU_BOUND_DECODER : NPU_BOUND_MAC, COMPUTE },
		{ w->sum.out, NPU_BOUND_OUTPUT, COMPUTE },
		{ port[0], NPU_BOUND_PORT0, MEMORY }, { port[1], NPU_BOUND_PORT1, MEMORY },
		{ m->channel[CHANNEL_IFM], NPU_BOUND_IFM, MEMORY }, { m->channel[CHANNEL_WEIGHTS], NPU_BOUND_WEIGHTS, MEMORY },
		{ m->channel[CHANNEL_OFM], NPU_BOUND_OFM, MEMORY },
	};
	u64 side[2] = { 0 }, longest = 0;

	for (size_t i = 0; i < ARRAY_LEN(all); i++) {
		side[all[i].side] = max_u64(side[all[i].side], all[i].cycles);
		if (all[i].cycles > longest) {
			longest = all[i].cycles;
			*bound = all[i].bound;
		}
	}
	return longest + exposed(seen(min_u64(side[COMPUTE], side[MEMORY]), longest), latency);
}

/* Without a sum over the depth an OFM block is handed on in parts, one row of ublocks of one ublock in depth at a time: the array begins with the
 * data of its first row, the output unit with the first results (published single depthwise convolutions: seven shapes of 36 pixels
 * differ by just that). `rows`: of ublocks. */
struct parts { u64 rows, count; };

static struct parts parts_of(const struct npu_config *config, const struct npu_op *op, const struct block *b)
{
	const struct ublock u = ublock_of(config, op);
	const u64 rows = div_up(b->h, u.h);

	return (struct parts){ rows, rows * div_up(b->d, u.d) };
}

/* Both units on successive pieces, of which the array's first and the output unit's last one stand alone, beyond what the slower unit takes. */
static u64 uncovered(const struct work *w, u64 first_mac, u64 last_out)
{
	return max_u64(w->sum.mac + last_out, first_mac + w->sum.out) - max_u64(w->sum.mac, w->sum.out);
}

/* One unit has nothing to do during the other's first or last block. On U85 the output unit ends with the last block, which
 * is often a thin one, and not before it has had all blocks after the first one; parts of blocks show as far as no slower memory hides
 * them. `busy`: what the slowest resource takes. */
static u64 fill_of(const struct npu_config *config, const struct npu_op *op, const struct work *w, const struct blocks *blocks, u64 busy)
{
	if (config->product != NPU_U85)
		return min_u64(w->first.mac, w->first.out);
	if (sums_over_depth(op))
		return uncovered(w, w->first.mac, w->last.out);

	const struct parts first = parts_of(config, op, &blocks->kind[0]), last = parts_of(config, op, &blocks->kind[blocks->kinds - 1]);

	return over(uncovered(w, w->first.mac / first.count, w->last.out / last.count), over(busy, max_u64(w->array, w->sum.out)));
}

/* What the array does of the first ublock in depth while rows behind the first one are still read. */
static u64 begun_early(const struct npu_config *config, const struct npu_op *op, const struct work *w, const struct blocks *blocks)
{
	if (config->product != NPU_U85 || op->kind != NPU_DEPTHWISE)
		return 0;

	const struct parts p = parts_of(config, op, &blocks->kind[0]);

	return w->first.mac / p.count * (p.rows - 1);
}

static u64 latency_of(const struct npu_config *config, const struct memory_model *m, const struct npu_op *op,
		      const struct traffic t[NPU_PORTS], enum channel channel)
{
	const bool write = channel == CHANNEL_OFM;
	u64 cycles = 0;

	for (unsigned i = 0; i < NPU_PORTS; i++)
		if (write ? t[i].write_beats : t[i].read_beats)
			cycles = max_u64(cycles, channel_open_cycles(&m->port[i], &t[i], channel,
								     bytes_in_flight(config, op, channel)) +
					 (write ? m->port[i].write_latency : m->port[i].read_latency));
	return cycles;
}

/* The port that traffic goes by: where both do, that of the external memory, which is the slower one. */
static u8 slower(const struct traffic t[NPU_PORTS])
{
	return t[1].reads || t[1].writes ? 1 : 0;
}

/* Scales begin with the first data: over a single lane the two take turns. */
static u64 first_data(const struct npu_config *config, const struct memory_model *m, const struct npu_op *op, const struct op_traffic *t)
{
	u64 cycles = latency_of(config, m, op, t->first_ifm, CHANNEL_IFM);

	for (unsigned p = 0; p < NPU_PORTS && config->product == NPU_U85; p++) {
		const u64 beats = t->first_ifm[p].read_beats, scales = t->channel[CHANNEL_SCALES][p].read_beats;

		if (beats && m->port[p].lanes == 1)
			cycles = max_u64(cycles, beats + min_u64(beats, scales) + m->port[p].read_latency);
	}
	return cycles;
}

/* Reading and writing stream through a buffer: the slower side decides, both latencies add. */
static u64 dma_cycles(const struct memory_model *m, const struct memory_cycles *c, const struct traffic t[NPU_PORTS])
{
	u64 cycles = max_u64(c->channel[CHANNEL_DMA], 1);

	for (unsigned i = 0; i < NPU_PORTS; i++)
		cycles = max_u64(cycles, port_takes(m, c, t, i));

	for (unsigned i = 0; i < NPU_PORTS; i++)
		cycles += (t[i].reads ? m->port[i].read_latency : 0) + (t[i].writes ? m->port[i].write_latency : 0);
	return cycles;
}

/* U85: while the adapter's window is closed the array works on what the buffers hold, then stands still for the rest of it. */
static u64 pauses(const struct npu_config *config, const struct memory_model *m, const struct npu_op *op,
		  const struct op_traffic *t, u64 busy)
{
	u64 most = 0;

	for (unsigned p = 0; p < NPU_PORTS; p++) {
		const struct port_model *port = &m->port[p];
		const u64 bytes[] = { t->channel[CHANNEL_IFM][p].read_beats * port->width,
				      t->channel[CHANNEL_WEIGHTS][p].read_beats * port->width };
		const u64 room[] = { ifm_buffer(config), bytes_in_flight(config, op, CHANNEL_WEIGHTS) };

		for (unsigned i = 0; i < ARRAY_LEN(bytes) && port->open && port->open < port->window; i++) {
			const u64 stands = bytes[i] ? over(port->window - port->open, room[i] * busy / bytes[i]) : 0;

			most = max_u64(most, busy * stands / (port->window - stands));
		}
	}
	return most;
}

static void set_mac_activity(const struct npu_op *op, const struct blocks *blocks, const struct work *w,
			     const struct memory_cycles *m, u64 busy, u64 a[ACT_COUNT])
{
	const struct block_cycles *c = &w->sum;

	a[ACT_MAC] = c->mac;
	a[op->ifm.bytes >= 4 ? ACT_MAC_32BIT : op->ifm.bytes == 2 ? ACT_MAC_16BIT : ACT_MAC_8BIT] = c->mac;
	if (npu_is_mac(op)) {
		const u64 weights = max_u64(c->decode, m->channel[CHANNEL_WEIGHTS]);

		a[ACT_WD] = c->decode;
		a[ACT_WD_STREAM_WORDS] = div_up(weight_bytes(op), 16) * blocks->rows * blocks->columns;
		a[op->kind == NPU_DEPTHWISE ? ACT_WD_DEPTHWISE_BLOCKS : ACT_WD_BLOCKS] = blocks->count;
		a[ACT_WD_STALL_STREAM] = over(weights, c->decode);
		a[ACT_WD_STALL_BUFFER] = over(busy, weights);
		a[ACT_MAC_STALL_WEIGHTS] = over(weights, c->mac);
	}
	a[ACT_MAC_STALL_ACC] = over(c->out, c->mac);
	a[ACT_MAC_STALL_IFM] = over(m->channel[CHANNEL_IFM], c->mac);
}

static void set_activity(const struct npu_op *op, const struct blocks *blocks, const struct work *w,
			 const struct memory_cycles *m, u64 busy, u64 a[ACT_COUNT])
{
	const struct block_cycles *c = &w->sum;

	if (c->mac)
		set_mac_activity(op, blocks, w, m, busy, a);
	a[ACT_OUT] = c->out;
	a[op->ofm.bytes >= 2 ? ACT_OUT_16BIT : ACT_OUT_8BIT] = c->out;
	a[c->mac ? ACT_OUT_STALL_ACC : ACT_OUT_STALL_IFM] = over(busy, c->out);
	a[ACT_OUT_STALL_WRITE] = over(m->channel[CHANNEL_OFM], c->out);
}

/* The first weights: each time what little there is comes in one round. */
static void set_weights(const struct npu_config *config, const struct memory_model *m, const struct npu_op *op, const struct op_traffic *t,
			struct op_cost *cost)
{
	cost->weight_port = slower(t->first_weights);
	if (t->first_weights[cost->weight_port].reads)
		cost->weights = (struct rounds){ WEIGHT_ROUNDS, latency_of(config, m, op, t->first_weights, CHANNEL_WEIGHTS), 0 };
}

/* All scales, of which some bytes are on their way at a time. Where one port carries weights, too, they queue behind half of
 * those on average. */
static void set_scales(const struct npu_config *config, const struct memory_model *m, const struct npu_op *op, const struct op_traffic *t,
		       struct op_cost *cost)
{
	const u8 p = cost->scale_port = slower(t->channel[CHANNEL_SCALES]);

	cost->scales = channel_rounds(&m->port[p], &t->channel[CHANNEL_SCALES][p], CHANNEL_SCALES, bytes_in_flight(config, op, CHANNEL_SCALES));
	cost->scales_behind = cost->scales.count && m->port[p].lanes == 1 ? t->channel[CHANNEL_WEIGHTS][p].read_beats / 2 : 0;
}

/* What is not beside the work: its first data and last results, streams that are fetched ahead or late, and the ports of each. */
static void set_transfers(const struct npu_config *config, const struct memory_model *m, const struct npu_op *op, const struct op_traffic *t,
			  const struct memory_cycles *memory, struct op_cost *cost)
{
	cost->ifm = first_data(config, m, op, t);
	cost->weight_stream = memory->channel[CHANNEL_WEIGHTS];
	set_weights(config, m, op, t, cost);
	set_scales(config, m, op, t, cost);
	cost->tail = latency_of(config, m, op, t->last_ofm, CHANNEL_OFM);
	cost->ifm_port = slower(t->first_ifm);
	cost->tail_port = slower(t->last_ofm);
}

void cost_alone(const struct npu_config *config, const struct memory_model *m, const struct npu_op *op, struct op_parts *parts, struct op_cost *cost)
{
	struct op_traffic traffic;

	*cost = (struct op_cost){ .bound = NPU_BOUND_LATENCY, .fast_weights = op->u85.fast };
	blocks_of(op, &parts->blocks);
	traffic_of(config, m, op, &parts->blocks, &traffic);
	parts->memory = memory_cycles_of(config, m, op, &traffic, cost->traffic);
	if (op->kind == NPU_DMA) {
		cost->ifm_port = slower(traffic.channel[CHANNEL_DMA]);
		return;
	}

	struct work *w = &parts->work;

	*w = work_of(config, op, &parts->blocks);
	if (config->product == NPU_U85)
		*(w->array ? &w->array : &w->sum.out) += pauses(config, m, op, &traffic, max_u64(w->array, w->sum.out));
	set_transfers(config, m, op, &traffic, &parts->memory, cost);
	cost->ifm = over(cost->ifm, begun_early(config, op, w, &parts->blocks));
	cost->blocks = parts->blocks.count;
}

/* Commands are read while others work: no request waits for them, but their beats count under the caps (published cycles of RNNoise under caps). */
void cost_begin(struct npu_shapes *known, const struct npu_config *config, const struct memory_model *m, const struct npu_op *op, u32 stream_bytes,
		struct op_parts *parts, struct op_cost *cost)
{
	cost_alike(known, config, m, op, parts, cost);
	access_short(&m->port[m->stream_port], &cost->traffic[m->stream_port], stream_bytes, 1);
}

void cost_finish(const struct npu_config *config, const struct memory_model *m, const struct npu_op *op, const struct op_parts *parts,
		 struct op_cost *cost)
{
	if (op->kind == NPU_DMA) {
		cost->busy = cost->cycles = dma_cycles(m, &parts->memory, cost->traffic);
		cost->bound = NPU_BOUND_DMA;
		return;
	}

	const struct work *w = &parts->work;
	const u64 latency = m->port[m->region_port[op->ifm.region & 7]].read_latency;
	const u64 port[NPU_PORTS] = { port_takes(m, &parts->memory, cost->traffic, 0), port_takes(m, &parts->memory, cost->traffic, 1) };
	const u64 busy = together(w, &parts->memory, port, latency, &cost->bound), fill = fill_of(config, op, w, &parts->blocks, busy);

	cost->work = START_CYCLES + busy + fill;
	cost->drain = fill - exposed(fill, latency);
	cost->last = fill + div_up(busy, cost->blocks);

	const u64 waits = max_u64(cost->ifm, cost->weights.count * cost->weights.cycles) + cost->tail;
	const u64 scales = max_u64(cost->scales.count * cost->scales.cycles, cost->scales.least) + cost->scales_behind;

	cost->cycles = waits + cost->work;
	cost->busy = max_u64(busy, scales);
	if (scales > busy)
		cost->bound = NPU_BOUND_SCALES;
	if (waits > cost->busy)
		cost->bound = NPU_BOUND_LATENCY;
	set_activity(op, &parts->blocks, w, &parts->memory, busy, cost->activity);
	cost->activity[ACT_OUT_STALL_SCALES] = over(parts->memory.channel[CHANNEL_SCALES], max_u64(w->array, w->sum.out));
}
