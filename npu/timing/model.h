/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the timing model. Private to npu/timing/; timing.h is the public face.
 *
 * Block geometry and unit rates follow the public compiler's estimator (Vela 5.2) where published measurements
 * agree with it; memory ports have latency, outstanding limits and bandwidth windows as the timing adapter has
 * them, and the NPU's channels a bounded number of bytes in flight; operations overlap as BLOCKDEP, KERNEL_WAIT
 * and DMA_WAIT allow. All arithmetic is integer: results are the same on every host.
 *
 * Units: NPU clock cycles, data beats (one width of the port), transactions (bursts). */
#ifndef NPU_TIMING_MODEL_H
#define NPU_TIMING_MODEL_H

#include "npu/config.h"
#include "npu/op.h"
#include "npu/timing/timing.h"

/* One memory port; a zero limit means unlimited. U85's groups of ports count as one port that moves several
 * beats a cycle. */
struct port_model {
	u32 read_latency, write_latency; /* cycles from request to data / response */
	u32 max_reads, max_writes;       /* outstanding transactions */
	u32 window, open, cap;           /* requests pass in `open` of `window` cycles, at most `cap` beats */
	u32 burst;                       /* bytes of the longest transaction */
	u32 width;                       /* bytes of a beat */
	/* How the operation finds its cap, in fractions of a cycle (cap.c): what a beat takes (0: no cap), when it begins and in which window, from when on
	 * it is served behind those before it, and by itself. */
	u64 beat, begin, begin_window, served_from, alone_from;
	u32 lanes, map_lanes;            /* beats a cycle and direction: of all channels, of a feature map's */
};

/* Where traffic goes and what the ports can do. */
struct memory_model {
	struct port_model port[NPU_PORTS];
	u8 region_port[NPU_REGIONS]; /* the port behind which a region lies */
	u8 stream_port;               /* the same for commands */
};

/* What reads and writes. */
enum channel { CHANNEL_IFM, CHANNEL_WEIGHTS, CHANNEL_SCALES, CHANNEL_OFM, CHANNEL_DMA, CHANNELS };

/* What an operation does, in cycles unless said otherwise; PMU events are made from it. */
enum activity {
	ACT_MAC, ACT_MAC_8BIT, ACT_MAC_16BIT, ACT_MAC_32BIT,
	ACT_MAC_STALL_WEIGHTS, ACT_MAC_STALL_ACC, ACT_MAC_STALL_IFM,
	ACT_OUT, ACT_OUT_8BIT, ACT_OUT_16BIT,
	ACT_OUT_STALL_WRITE, ACT_OUT_STALL_ACC, ACT_OUT_STALL_IFM, ACT_OUT_STALL_SCALES,
	ACT_WD, ACT_WD_STALL_STREAM, ACT_WD_STALL_BUFFER,
	ACT_WD_STREAM_WORDS, /* transfers of 16 bytes into the decoder */
	ACT_WD_BLOCKS,       /* weight blocks delivered */
	ACT_WD_DEPTHWISE_BLOCKS,
	ACT_COUNT
};

struct traffic {
	u64 read_beats, write_beats;
	u64 reads, writes; /* transactions */
	u32 bricks;        /* U85: side by side in a feature map, of 16 channels, each moved by one port; 0: no map, or a part that stands alone */
};

/* Reads of which only so many are on their way at a time: rounds of them, each asked for with the answers of the one before; what moving them takes at
 * least, from when the first ones pass. */
struct rounds { u64 count, cycles, least; };

/* One operation on its own. */
struct op_cost {
	u64 cycles; /* from start to last write accepted; never zero. Later: by which the job's end moved */
	u64 ifm;           /* until the first data are there: may hide under the operation before */
	u64 weight_stream; /* fetching of all weights */
	struct rounds weights, scales; /* fetching of the first weights, and of all scales */
	u64 scales_behind; /* by how much these come later, as they queue behind weights */
	u64 work;   /* from the first data to the last result */
	u64 busy;   /* the slowest resource's part */
	u64 last;   /* of the work: after the last weights are taken */
	u64 drain;  /* of the work: the output unit alone, beside which the next operation may compute */
	u64 tail;   /* writing of the last results */
	u8 ifm_port, weight_port, scale_port, tail_port; /* the slower one of those by which each goes; DMA: ifm_port */
	u64 blocks; /* how many */
	u8 bound;   /* enum npu_bound */
	bool fast_weights; /* U85: the fast decoder works */
	u64 activity[ACT_COUNT];
	struct traffic traffic[NPU_PORTS];
};

/* Ports as their adapters are set. */
void memory_model_of(const struct npu_config *config, const struct npu_ports *ports, struct memory_model *m);

/* When a request made at `time`, in cycles from the job's start, passes the adapter: in the closed part of its window it waits. */
u64 port_passes_at(const struct port_model *port, u64 time);

/* When what is asked for from `time` on is there. */
u64 port_rounds_end(const struct port_model *port, const struct rounds *r, u64 time);

/* The rounds in which a channel reads: at most `in_flight` bytes in each, 0 = no limit. */
struct rounds channel_rounds(const struct port_model *port, const struct traffic *t, enum channel channel, u64 in_flight);

/* Command stream: bytes that are on their way at a time. */
u64 port_commands_ahead(const struct port_model *port);

/* Cycles that one channel needs for its traffic; `in_flight` bytes at most are on their way, 0 = no limit. */
u64 channel_cycles(const struct port_model *port, const struct traffic *t, enum channel channel, u64 in_flight);

/* The same, counting only cycles in which requests pass. */
u64 channel_open_cycles(const struct port_model *port, const struct traffic *t, enum channel channel, u64 in_flight);

/* Cycles a port needs for the traffic of all channels: for requests and beats, under the cap from the operation's begin on, and the longer of both. */
u64 port_moving_cycles(const struct port_model *port, const struct traffic *t);
u64 port_capped_cycles(const struct port_model *port, const struct traffic *t);
u64 port_cycles(const struct port_model *port, const struct traffic *t);

/* Fills the event counters from what the operation did. */
void events_of(const struct npu_config *config, const struct memory_model *m, const struct op_cost *own, struct npu_cost *cost);

static inline void event_count(struct npu_cost *cost, unsigned e, u64 n)
{
	cost->event[e] += n;
	cost->happened[e / 64] |= (u64)(n != 0) << e % 64;
}

#endif
