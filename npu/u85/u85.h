/* SPDX-License-Identifier: Apache-2.0 */
/* Ethos-U85: what differs from U55/U65. Commands to operation, generic execution, weight order.
 * The operations are richer (chains, accumulators kept over operations, 64-bit data, tables of
 * several kinds, transposition on store), so they have an executor of their own; feature maps,
 * memory, DMA, jobs and registers are shared. */
#ifndef NPU_U85_U85_H
#define NPU_U85_U85_H

#include "npu/decode.h"
#include "npu/exec.h"

#define NPU85_CHAINS 8

/* A tensor kept from one operation to the next: little-endian elements in y, x, c order, or as maps of whole bricks have them. */
struct npu85_tensor {
	u8 *data;    /* owned; there may be memory of which nothing is kept */
	size_t room; /* bytes at data */
	u32 height, width, depth; /* 0: nothing kept */
	u8 bytes, is_signed; /* of an element; accumulators: 4 or 8 bytes */
	bool bricks;         /* of 16 channels, which divide the depth: [depth / 16][height][width][16]; of chain buffers alone */
};

/* Makes t a tensor of these sizes in y, x, c order, contents undefined; false when memory is short. Memory is
 * reused when it is large enough. */
bool npu85_tensor_take(struct npu85_tensor *t, u32 height, u32 width, u32 depth, u8 bytes, u8 is_signed);
/* Nothing is kept any longer, but for the memory. */
void npu85_tensor_forget(struct npu85_tensor *t);
/* Element `index` in y, x, c order, in the tensor's type. */
i64 npu85_tensor_get(const struct npu85_tensor *t, size_t index);
/* All of them as bytes in that order. */
void npu85_tensor_copy(const struct npu85_tensor *t, u8 *to);
/* True when t holds a tensor of the OFM's size. */
bool npu85_tensor_fits(const struct npu85_tensor *t, const struct npu_fm *ofm);

/* What lives beyond an operation. */
struct npu85_carry {
	struct npu85_tensor chain[NPU85_CHAINS];
	struct npu85_tensor accumulators;
	struct npu85_tensor spare; /* memory of the fast kernels, to change places with another */
	bool flag; /* bit 0 of the last OFM of one element: COND_STATUS.result_flag */
};

void npu85_carry_forget(struct npu85_carry *c); /* the carry is as empty, but next time the memory is there */
void npu85_carry_free(struct npu85_carry *c);   /* the tensors; the carry is empty then */

/* As npu_decode(). */
bool npu85_decode(const struct npu_decode_input *in, unsigned command, u16 param,
		  struct npu_op *op, struct npu_decode_fault *fault);

/* Executes an operation other than DMA; e->result is not used. */
enum npu_exec_status npu85_exec(struct npu_exec *e, struct npu85_carry *carry);

/* One operation at work. */
struct npu85_exec {
	struct npu_exec *e;
	const struct npu_op *op;
	struct npu85_carry *carry;
	const struct npu85_tensor *ifm, *ifm2; /* chained operands, NULL: in memory */
	i64 *value;            /* results before the output stage, y, x, c order */
};

/* Operand elements, zero point subtracted. */
i64 npu85_ifm(const struct npu85_exec *x, u32 h, u32 w, u32 c);
i64 npu85_ifm2(const struct npu85_exec *x, u32 h, u32 w, u32 c);
/* Output stage: what is stored, in its low bits, for the scaled result v. */
i64 npu85_output_value(const struct npu_op *op, const u8 *table, i64 v);
/* Makes t the tensor of all x->value, each narrowed to the type; false: memory is short. */
bool npu85_keep_values(const struct npu85_exec *x, struct npu85_tensor *t, u8 bytes, u8 is_signed);
/* True for elementwise modes whose operands go through IFM_SCALE and IFM2_SCALE. */
bool npu85_scales_operands(unsigned mode);
/* Result for scaled operands, not yet scaled itself. */
i64 npu85_elementwise_result(const struct npu_op *op, i64 a, i64 b);
/* Average pool: the sum times a reciprocal of the number of valid elements, rounded as the OFM is. */
i64 npu85_average(const struct npu_op *op, i64 sum, i64 count);
struct npu85_scale npu85_average_scale(const struct npu_op *op, i64 count); /* that reciprocal */
/* Position of a resized output on one axis of the input: index and rest in units of 1/n. */
struct npu85_position {
	i64 index, rest;
};
/* Of output position `out`; (n, d, offset) are a struct resize of npu85_op. */
struct npu85_position npu85_position_of(u32 out, i32 n, i32 d, i32 offset);
/* Index into an array in y, x, c order of the OFM's size. */
size_t npu85_index(const struct npu_op *op, u32 h, u32 w, u32 c);

/* Fill x->value with the scaled results. MAC operations may leave the output out: *output. */
enum npu_exec_status npu85_exec_mac(struct npu85_exec *x, bool *output);
/* Of one element of the OFM as it is stored, before scaling, bias included; average pool: the sum of the window. The operation has neither
 * chained operands nor kept accumulators. False after a failure. */
bool npu85_accumulator(struct npu_exec *e, u32 y, u32 x, u32 c, i64 *out);
/* Element of the result that is stored at *h, *w, *c. */
void npu85_result_of(const struct npu_op *op, u32 *h, u32 *w, u32 *c);
void npu85_exec_elementwise(struct npu85_exec *x);
void npu85_exec_resize(struct npu85_exec *x);

/* Weights as [OFM depth][kernel_h][kernel_w][IFM depth] (depthwise: depth 1), in e->room, else to
 * be freed by the caller; NULL after a failure. */
i16 *npu85_weights(struct npu_exec *e, enum npu_exec_status *status);

/* A weight stream of the fast format, which has the weights of all decoders in turn. */
struct npu85_fast {
	const u8 *data; /* behind the header */
	i16 table[16];
	i8 zero;        /* of raw bytes */
	u8 index_bits;  /* 2 or 4: into the table; 8: raw bytes */
	u32 streams;    /* decoders */
	u64 turn;       /* weights that a decoder takes before it is another's turn */
	u64 count;      /* weights of all decoders */
};

/* The operation's stream, in host memory; false: it is shorter than its header. */
bool npu85_fast_open(struct npu85_fast *f, const struct npu_config *config, const struct npu_op *op, const u8 *stream);

/* Up to n weights of a decoder from its `first` on; returns how many there are. */
size_t npu85_fast_read(const struct npu85_fast *f, unsigned stream, u64 first, size_t n, i16 *out);

/* The same where the stream's bytes are weights themselves: where they are, and in *n how many side by side. NULL: they are not. */
const u8 *npu85_fast_bytes(const struct npu85_fast *f, unsigned stream, u64 first, size_t *n);

/* Puts the weights of one decoder in groups of 16 channels, `taps` 4: int8, from a source of bytes, 2: int16; not of a sparse operation,
 * whose runs are longer. False when the source ends before the last weight. */
bool npu85_weights_pack(const struct npu_config *config, const struct npu_op *op, unsigned stream,
			struct npu_weights_source *source, unsigned taps, const struct npu_weights_target *to);

/* Number of weights in one decoder's stream, padding included. */
u64 npu85_weights_count(const struct npu_config *config, const struct npu_op *op, unsigned stream);

#endif
