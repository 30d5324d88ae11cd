/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the timing model. Private to npu/timing/; timing.h is the public face.
 *
 * First model: block geometry and unit rates as in the public compiler's estimator (Vela 5.2,
 * npu_performance), memory ports with latency, outstanding limits and bandwidth windows as the
 * timing adapter has them, overlap between operations as BLOCKDEP, KERNEL_WAIT and DMA_WAIT
 * allow. All arithmetic is integer: results are the same on every host.
 *
 * Units: NPU clock cycles, data beats (one width of the port), transactions (bursts). */
#ifndef NPU_TIMING_MODEL_H
#define NPU_TIMING_MODEL_H

#include "npu/config.h"
#include "npu/op.h"
#include "npu/timing/timing.h"

/* One memory port; a zero limit means unlimited. */
struct port_model {
	u32 read_latency, write_latency; /* cycles from request to data / response */
	u32 max_reads, max_writes;       /* outstanding transactions */
	u32 window, cap;                 /* at most `cap` beats in each `window` cycles */
	u32 burst;                       /* bytes of the longest transaction */
};

/* Where traffic goes and what the ports can do. */
struct memory_model {
	struct port_model port[NPU_PORTS];
	u8 region_port[8];
	u8 stream_port;
};

/* What an operation does, in cycles unless said otherwise; PMU events are made from it. */
enum activity {
	ACT_MAC, ACT_MAC_8BIT, ACT_MAC_16BIT, ACT_MAC_32BIT,
	ACT_MAC_STALL_WEIGHTS, ACT_MAC_STALL_ACC, ACT_MAC_STALL_IFM,
	ACT_OUT, ACT_OUT_8BIT, ACT_OUT_16BIT,
	ACT_OUT_STALL_WRITE, ACT_OUT_STALL_ACC, ACT_OUT_STALL_IFM,
	ACT_WD, ACT_WD_STALL_STREAM, ACT_WD_STALL_BUFFER,
	ACT_WD_STREAM_WORDS, /* transfers of 16 bytes into the decoder */
	ACT_WD_BLOCKS,       /* weight blocks delivered */
	ACT_COUNT
};

struct traffic {
	u64 read_beats, write_beats;
	u64 reads, writes; /* transactions */
};

/* One operation on its own. */
struct op_cost {
	u64 cycles; /* from start to last write accepted; never zero */
	u64 head;   /* before the MAC array is busy: may hide under the operation before */
	u64 tail;   /* after the last MAC */
	u64 activity[ACT_COUNT];
	struct traffic traffic[NPU_PORTS];
};

void memory_model_of(const struct npu_ports *ports, struct memory_model *m);

void cost_of(const struct npu_config *config, const struct memory_model *m, const struct npu_op *op,
	     struct op_cost *cost);

/* Adds the fetch of `bytes` of command stream to an operation's traffic. */
void cost_add_commands(const struct npu_config *config, const struct memory_model *m, u32 bytes,
		       struct op_cost *cost);

/* Cycles a port needs for that traffic. */
u64 port_cycles_of(const struct port_model *port, const struct traffic *t);

/* Fills the event counters from what the operation did. */
void events_of(const struct op_cost *cost, u64 event[NPU_EVENTS]);

#endif
