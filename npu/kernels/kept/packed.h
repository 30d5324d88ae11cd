/* SPDX-License-Identifier: Apache-2.0 */
/* Decoded weights in the order the inner loops want them, kept from run to run.
 *
 * A packed set is found again by its shape and the stream's bytes, not by the address: streams
 * are copied about by DMA. A hit is confirmed by comparing with a kept copy of the stream, so
 * nothing depends on a hash; streams in memory that never changes are known by their address. */
#ifndef NPU_KERNELS_PACKED_H
#define NPU_KERNELS_PACKED_H

#include "npu/config.h"
#include "npu/exec.h"
#include "npu/kernels/kernels.h"
#include "npu/kernels/store.h"
#include "npu/kernels/team.h"
#include "npu/kernels/weights/weights.h"
#include "npu/op.h"

/* What the packed form depends on beside the stream's bytes. Compared as bytes. */
struct npu_packed_key {
	struct npu_weights_shape shape; /* of core 0; od: all channels */
	u32 length[NPU_MAX_CORES];
	u32 cores; /* streams */
	/* U85: everything else its order and format depend on; else 0 */
	u32 macs, ublock_d, formats, strides;
	u32 taps; /* weights multiplied per lane: 4 (int8) or 2 (int16) */
	u32 phase; /* of npu_op */
	u32 abreast, apart, wide; /* pixels that are channels of one, taps from one to the next, the width of their kernel; else 0 */
};

struct npu_prepared;
struct npu_ahead;
struct npu_shelf;

struct npu_packed {
	struct npu_packed *next;
	struct npu_packed_key key;
	/* Groups of 16 channels, each `group_step` weights: [row/taps][16][taps]; type int8 when
	 * key.taps is 4, else int16. Missing channels and row padding are 0. */
	void *weights;
	size_t row, group_step;
	i8 *lined;              /* the same with lines of whole sets (lined.h); NULL: there is none */
	u32 kernel_h, kernel_w; /* taps that are kept, where not all are; else 0 (thin.h) */
	u32 apart_y, apart_x;   /* then: elements of the map between them, as dilation has it */
	i32 *sum;          /* taps 4: per channel, rounded up to whole groups: sum of the weights */
	u64 max_magnitude; /* no channel's sum of |weight| is larger */
	i32 max_weight;
	/* 16-bit weights once more as low + 256 * high, both of at most 128 in magnitude, in the same order. NULL: not done. */
	const i16 *low, *high;
	bool wide;         /* weights are of no use with taps 4: they exceed int8, or npu_simd.sums_i8 says so */
	/* Bytes by core, with slack behind them: copies, or constant memory itself. NULL: not kept. */
	const u8 *stream[NPU_MAX_CORES];
	u8 kept;                       /* a bit for each of these that is a copy in the shelf's memory */
	struct npu_packed *shown;      /* the copy of this that other NPUs see; NULL: there is none */
	struct npu_shelf *from;        /* another NPU's shelf, whose memory the set is in; NULL: the packer's own */
	struct npu_prepared *prepared; /* constants of the channels: see prepared.h */
	u32 state;                     /* enum npu_packed_state; atomic where threads decode ahead */
};

/* Whether weights, sums and bounds are there. */
enum npu_packed_state {
	NPU_PACKED_READY,
	NPU_PACKED_WAITING, /* for whoever wants to decode them */
	NPU_PACKED_CLAIMED, /* by a thread that decodes them */
};

/* Of 16 channels each. */
u32 npu_packed_groups(const struct npu_packed_key *key);

/* The largest sum of |weight| that a channel has, of int16 weights. */
u64 npu_packed_magnitude(const struct npu_packed *s);

#define NPU_PACKED_BUCKETS 256

struct npu_simd;

/* What a thread decodes with. */
struct npu_fill_tools {
	const struct npu_simd *simd; /* whose decoder is used */
	const struct npu_config *config;
	const struct npu_weights_tables *tables;
	struct npu_weights_decoder *decoder; /* once needed */
	bool placed;                         /* it lies in memory that somebody else gives back */
	struct npu_weights_room room[2];     /* U85: see npu/exec.h */
};

struct npu_packer {
	const struct npu_simd *simd;
	const struct npu_config *config;
	struct npu_weights_tables tables; /* filled once needed */
	bool tables_ready;
	struct npu_fill_tools tools[NPU_TEAM_MOST]; /* by place; the caller's is 0 */
	struct npu_packed *bucket[NPU_PACKED_BUCKETS];
	struct npu_shelf *shelf; /* with the memory for all sets, and for what depends on more than weights; NULL: nothing packed yet */
	struct npu_shelf *home; /* of npu_packer_room(); NULL: that was not asked for */
	u32 era;                /* changes when sets go */
	bool open;              /* other NPUs of the process may use it, and theirs are used */
	struct npu_lasting lasting;
	struct npu_ahead *ahead; /* sets that other threads decode; NULL: there are none */
};

/* Weights of a CONV or DEPTHWISE for multiplying `taps` at a time. NULL: stream corrupt or too
 * short, sizes out of reason, or no memory. Valid until the next call. */
struct npu_packed *npu_pack(struct npu_packer *p, const struct npu_op *op,
			    const struct npu_view *view, unsigned taps);

/* A set for weights that an operation will want, WAITING to be decoded; NULL: it is known already, or nothing can be done
 * about it. */
struct npu_packed *npu_pack_expect(struct npu_packer *p, const struct npu_op *op, const struct npu_view *view, unsigned taps);

/* Whether a set's streams have the bytes that the view shows. */
bool npu_packed_same(const struct npu_packed *s, const struct npu_view *view);

/* Copies the set's streams to a store, but for those that are copies there or stay where they are. False: memory is short. */
bool npu_packed_keep(struct npu_packed *s, struct npu_store *store, const struct npu_lasting *lasting);

/* Memory beside the weights, whose pages have room, that lasts as long as the packer: a page of its own for what else is needed takes
 * as long as a small network. NULL: there is none yet, or threads are to clear the pages. */
struct npu_store *npu_packer_room(struct npu_packer *p);

void npu_packer_free(struct npu_packer *p); /* with all weights it has packed and nobody else uses */

#endif
