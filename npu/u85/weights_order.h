/* SPDX-License-Identifier: Apache-2.0 */
/* The order of weights in the streams of Ethos-U85. Not for use outside npu/u85/weights*.c. */
#ifndef NPU_U85_WEIGHTS_ORDER_H
#define NPU_U85_WEIGHTS_ORDER_H

#include "npu/kernels/weights/weights.h"
#include "npu/u85/u85.h"

struct npu85_order {
	const struct npu_op *op;
	const struct npu_view *view; /* the walk ends early where its operation is given up; NULL: never */
	u32 od, id, kh, kw;     /* channels of OFM and IFM (depthwise: 1), taps */
	u32 obd, ibd, oud, iud; /* block depths, and depths of the pieces that are walked inside of them */
	u32 step;               /* input channels that lie side by side */
	u32 round, extra;       /* depthwise and part-kernel order: taps are filled up to `round`, and by `extra` */
	u32 stride_y, stride_x;
	u32 streams, stream;    /* decoders, and whose turn it is */
	u64 count;              /* weights walked over */
	struct npu_weights_source *in; /* where they come from, NULL: only counted */
	bool ended;                    /* there were not enough */
	i16 *dense;                    /* where npu85_order_dense() puts them */
};

/* Sizes of the operation's order; stream, in and dense are the caller's. */
struct npu85_order npu85_order_of(const struct npu_config *config, const struct npu_op *op);

/* Walks r->stream: r->count is how many weights it holds. */
void npu85_order_count(struct npu85_order *r);

/* Takes r->stream's weights from r->in to r->dense: [OFM depth][kernel_h][kernel_w][IFM depth]. */
void npu85_order_dense(struct npu85_order *r);

#endif
