/* SPDX-License-Identifier: Apache-2.0 */
/* The NPU's timing model: what an operation costs.
 *
 * The interpreter hands every operation, in stream order, to npu_timing_op() and gets back
 * by how many cycles the job's end moves, and which PMU events happened meanwhile. Overlap
 * between operations (DMA beside a kernel, BLOCKDEP) is the model's affair: it keeps what it
 * needs in struct npu_timing. Deterministic: depends on the arguments only, never on data. */
#ifndef NPU_TIMING_H
#define NPU_TIMING_H

#include "npu/config.h"
#include "npu/op.h"

enum { NPU_PORTS = 2 }; /* U55/U65: AXI0, AXI1; U85: SRAM, EXT */

/* Index of every PMU event; NPU_EVENT_NUMBER in the PMEVTYPER sense comes from event.def. */
enum npu_event {
#define EVENT(number, id, name, name85) NPU_EVENT_##id,
#include "npu/event.def"
#undef EVENT
	NPU_EVENTS
};

/* What a timing adapter in front of a port imposes; all zero: nothing. */
struct npu_adapter {
	u32 read_latency, write_latency; /* cycles */
	u32 max_reads, max_writes;       /* outstanding transactions, 0 = unlimited */
	u32 window, open;                /* requests pass in `open` cycles of each `window`, 0 = always */
	u32 cap;                         /* at most `cap` beats in each window, 0 = no cap */
};

/* How the host programmed the bus side: REGIONCFG, QCONFIG and AXI_LIMITn, and what lies behind. */
struct npu_ports {
	u8 region_attr[NPU_REGIONS]; /* REGIONCFG field per region: bit 1 = AXI interface, 0..3 = limit */
	u8 stream_attr;         /* QCONFIG */
	u16 burst_bytes[4];     /* per limit counter: 64, 128, 256 */
	u8 reads[4], writes[4]; /* outstanding transactions per limit counter */
	struct npu_adapter adapter[NPU_PORTS];
};

/* Beats under a port's cap; in fractions of a cycle, all of a window's beats take as long as the window. */
enum { NPU_LATE = 2 };

struct npu_beats {
	u64 served; /* when the cap will have let through what operations before those below asked for */
	u64 spent;  /* up to when the window in which the latest kernel ended has no beats left */
	struct { u64 begin, window, takes; } late[NPU_LATE]; /* those that begin last, in this order: the window in which they do, and what their beats take */
};

/* State that lives from operation to operation within one job. Plain data; cycles from its start. */
struct npu_timing {
	u64 end;           /* cycle at which everything handed in so far is finished */
	u64 passed[NPU_PORTS]; /* ... and at which the ports' caps will have let its beats through */
	u64 issue;         /* how far the parser has come */
	u64 fetched;       /* cycle at which the commands so far had been read */
	u64 parsed;        /* ... and at which the latest operation's had been parsed, before waits behind it */
	struct npu_beats beats[NPU_PORTS];
	u64 kernel_end[2]; /* the last kernels, latest first */
	u64 weights_end;   /* cycle at which the weights of the latest kernel are taken */
	u64 kernel_tail;   /* of the latest kernel: cycles after its last MAC */
	u64 kernel_drain;  /* ... of its output unit before that, under which the next one may compute */
	u64 kernel_begin, kernel_blocks; /* of the latest kernel: when its work began, and how many blocks it has */
	u32 ib_end, ab_start; /* U55, U65: SHRAM banks of the latest kernel */
	u64 dma_end[4];    /* the last DMA operations, latest first */
};

/* What an operation spends its time on. */
enum npu_bound {
#define BOUND(name, text) NPU_BOUND_##name,
#include "npu/timing/bound.def"
#undef BOUND
	NPU_BOUNDS
};

/* What it waits for besides. */
enum npu_wait {
#define WAIT(name, text) NPU_WAIT_##name,
#include "npu/timing/wait.def"
#undef WAIT
	NPU_WAITS
};

/* "mac", "port0", ... and "commands", "first_data", ...: for reports. */
const char *npu_bound_name(enum npu_bound bound);
const char *npu_wait_name(enum npu_wait wait);

enum { NPU_EVENT_WORDS = (NPU_EVENTS + 63) / 64 };

struct npu_cost {
	u64 cycles;              /* by which the job's end moves; at least 1 */
	u64 waiting;             /* of these cycles: start, latencies and other operations; the rest is `bound` */
	u64 wait[NPU_WAITS];     /* the parts of `waiting` */
	u64 start, finish;       /* of the operation, cycles from the job's start (it may overlap others) */
	u64 macs;                /* multiplications that the operation asks for */
	u8 bound;                /* enum npu_bound */
	u64 happened[NPU_EVENT_WORDS]; /* a bit for each event that did */
	u64 event[NPU_EVENTS];   /* increments, without CYCLE, NPU_IDLE and NPU_ACTIVE, which
	                            the PMU derives from time */
};

/* What operations that were alike have in common, so that it need not be found again; costs are the same without it. */
struct npu_shapes;

/* Of one configuration. NULL: memory is short. */
struct npu_shapes *npu_shapes_new(const struct npu_config *config);
void npu_shapes_free(struct npu_shapes *s); /* NULL: nothing to do */

/* Start of a job. */
void npu_timing_start(struct npu_timing *t);

/* Cost of the next operation. `stream_bytes` is the length of the commands read since the
 * operation before, this one's own included. `known`: NULL where nothing is. */
void npu_timing_op(struct npu_timing *t, struct npu_shapes *known, const struct npu_config *config,
		   const struct npu_ports *ports, const struct npu_op *op, u32 stream_bytes,
		   struct npu_cost *cost);

/* Bytes that an operation moves over the ports, by region (BASEP0 to BASEP7), in whole beats; without its commands. */
struct npu_region_bytes { u64 read[NPU_REGIONS], written[NPU_REGIONS]; };
void npu_timing_regions(const struct npu_config *config, const struct npu_ports *ports, const struct npu_op *op, struct npu_region_bytes *out);

/* NPU_OP_KERNEL_WAIT / NPU_OP_DMA_WAIT: at most `n` may be unfinished from here on. */
void npu_timing_wait(struct npu_timing *t, bool dma, unsigned n);

#endif
