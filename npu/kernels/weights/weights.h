/* SPDX-License-Identifier: Apache-2.0 */
/* Compressed weight streams: bit format and order of the weights.
 *
 * Two decoders of the same format: a plain one that reads bit by bit and is the reference for
 * everything else, and a table-driven one that is some fifteen times faster. They agree on
 * every input, corrupt ones included. Format: the mlw codec of Vela 5.2; the same on U55, U65
 * and the standard decoders of U85. */
#ifndef NPU_KERNELS_WEIGHTS_H
#define NPU_KERNELS_WEIGHTS_H

#include "memory/types.h"
#include "npu/op.h"

/* No stream holds more weights per byte: a slice of 32768 takes at least 34 bits. Keeps a corrupt length from
 * allocating the host's memory. */
#define NPU_WEIGHTS_PER_BYTE 8192

enum npu_weights_status {
	NPU_WEIGHTS_OK,
	/* Reserved divisor, index above 511, or a slice that ends beyond the stream. Hardware
	 * raises wd_fault. */
	NPU_WEIGHTS_CORRUPT,
	/* Legal as far as was seen, but with longer codes than any compiler makes: left to the
	 * plain decoder (npu_weights_next_fn only). */
	NPU_WEIGHTS_LONG,
};

/* Decodes `bytes` bytes at `stream` into out[0..capacity), *count of them. Stops with OK when
 * out is full: what follows is not looked at beyond the slice then reached. Needs no readable
 * byte behind the stream. Values lie in -271..271 (-255..255 in streams made by compilers). Where the operation of `view` is
 * given up (NULL: never), the stream ends between two slices. */
enum npu_weights_status npu_weights_decode_plain(const struct npu_view *view, const u8 *stream, u32 bytes, i16 *out,
						 size_t capacity, size_t *count);

/* Where the remainders of a chunk lie, 16 of them, in 16 bytes from its first bit on: the two
 * bytes around each, and a factor that shifts it to the top. */
struct npu_weights_fields {
	u8 bytes[32];
	u16 factor[16];
} __attribute__((aligned(32)));

/* The symbols that the digits of a chunk end, by which digits do. */
struct npu_weights_ends {
	u8 quotient[15]; /* of up to 12: twice the number of digits before the last one */
	u8 rest;         /* twice the number of digits behind the last end */
} __attribute__((aligned(16)));

/* Look-up tables of the fast decoder, 76 KiB. Constant after init. */
struct npu_weights_tables {
	struct npu_weights_quotients {
		u64 lanes;    /* four 16-bit quotients */
		u16 rest;     /* unary digits of the unfinished one */
		u16 keep;     /* all ones when none was finished: the carry goes on */
		u16 finished;
		u16 ones;     /* bits of the second unary field used up */
	} plain[256], truncated[256], runs[16];
	struct npu_weights_ends ends[4096];
	struct npu_weights_fields fields[6][8]; /* by width and first bit */
};

void npu_weights_tables_init(struct npu_weights_tables *t); /* constant from then on */

/* Bytes behind a stream that the fast decoder may read; their value does not matter. */
#define NPU_WEIGHTS_SLACK 64

struct npu_weights_decoder;

/* A decoder at the start of a stream of `bytes` bytes, NPU_WEIGHTS_SLACK readable ones behind
 * them. The memory may be used for one stream after another; npu_weights_decoder_new() returns
 * NULL when there is none. */
struct npu_weights_decoder *npu_weights_decoder_new(void);
size_t npu_weights_decoder_bytes(void); /* what else may be one, at a multiple of 64 */
void npu_weights_decoder_free(struct npu_weights_decoder *d);
void npu_weights_start(struct npu_weights_decoder *d, const struct npu_weights_tables *t,
		       const u8 *stream, u32 bytes);

/* After a start: what the decoder delivers are bytes, the lower ones of the weights. */
void npu_weights_narrow(struct npu_weights_decoder *d);

/* Leaves the lower bytes of n weights at the beginning of the same memory. */
void npu_weights_to_bytes(i16 *w, size_t n);

/* w ^ w >> 15 of n weights, or of all that a decoder has delivered since its start, or-ed. */
u16 npu_weights_bits(const i16 *w, size_t n);
u16 npu_weights_decoder_bits(const struct npu_weights_decoder *d);

/* The next weights, at most 32768, i16 unless npu_weights_narrow() made them bytes; none at the end of the stream. They are valid
 * until the next call. After any status but OK the stream is finished. */
typedef enum npu_weights_status npu_weights_next_fn(struct npu_weights_decoder *d,
						    const void **weights, size_t *count);
npu_weights_next_fn npu_weights_next;
npu_weights_next_fn npu_weights_next_bmi2; /* for hosts with AVX2 and fast BMI2; x86-64 only */
npu_weights_next_fn npu_weights_next_wide; /* for hosts with AVX-512 VBMI2 as well; x86-64 only */
npu_weights_next_fn npu_weights_next_avx512; /* one of these two, as the host has it; x86-64 only */
npu_weights_next_fn npu_weights_next_host; /* the faster one of this host; x86-64 only */

/* The same results as npu_weights_decode_plain(), by `next`. */
enum npu_weights_status npu_weights_decode(const struct npu_view *view, npu_weights_next_fn *next,
					   const struct npu_weights_tables *t, const u8 *stream,
					   u32 bytes, i16 *out, size_t capacity, size_t *count);

/* The weights of a stream for a reader that takes them piece by piece. */
struct npu_weights_source {
	const struct npu_view *view; /* the stream ends where its operation is given up; NULL: never */
	npu_weights_next_fn *next; /* NULL: `at` is all there is */
	struct npu_weights_decoder *decoder; /* started */
	bool narrow;      /* of bytes; else of i16 */
	const u8 *at;     /* decoded, not taken yet */
	size_t have;      /* weights */
	u8 *joined;       /* a piece that lay across two calls of next; to be freed by the owner */
	size_t room;      /* bytes of it */
	enum npu_weights_status status;
};

/* All weights that there will be, `have` of them at `at`. */
struct npu_weights_source npu_weights_source_of(const i16 *at, size_t have);

/* What a decoder that has been started will deliver. */
struct npu_weights_source npu_weights_source_from(struct npu_weights_decoder *d, npu_weights_next_fn *next, const struct npu_view *view,
						  bool narrow);

/* The next n weights; NULL when the stream ends before (status OK) or is not legal. Valid until
 * the next call. */
const void *npu_weights_take(struct npu_weights_source *s, size_t n);

/* What the order of one decoder's weights depends on (U55, U65). */
struct npu_weights_shape {
	u32 od, kh, kw, id;         /* channels of this core; taps; IFM channels, depthwise: 1 */
	u32 block_d;                /* OFM block depth of this core */
	u8 ublock_d;                /* OFM microblock depth: 4 or 8 */
	u8 dilation_y, dilation_x;  /* 1..2 */
	u8 ifm_bits;
	bool part_kernel, depthwise;
};

/* Shape of one core's stream of a CONV or DEPTHWISE. Core k of n has channels k, k+n, ... */
struct npu_weights_shape npu_weights_shape_of(const struct npu_op *op, unsigned core,
					      unsigned ublock_d);

/* Number of weights that the stream of this shape holds, padding included; saturates at
 * UINT64_MAX. */
u64 npu_weights_stream_count(const struct npu_weights_shape *s);

/* Sorts stream[0..count) into out[o * step_o + (ky * kw + kx) * id + i], o counting this core's
 * channels. `stream` has npu_weights_stream_count() entries; out is written completely for
 * every o. One element at a time: the reference. */
void npu_weights_sort_plain(const struct npu_weights_shape *s, const i16 *stream, i16 *out,
			    size_t step_o);

/* Same result, by runs of input channels. */
void npu_weights_sort(const struct npu_weights_shape *s, const i16 *stream, i16 *out,
		      size_t step_o);

struct npu_weights_target;

/* Puts `runs` whole runs (see npu_weights_put_fn), `line` bytes apart, of eight channels in their places, or of sixteen, if there is one
 * core: a whole group, or a half of one. The second eight of sixteen lie `eights` bytes behind the first. */
typedef void npu_weights_order_fn(const struct npu_weights_target *t, u32 channels, u8 *to, const u8 *from, size_t runs, size_t line,
				  size_t eights);

/* All taps of a sub-kernel of `groups` whole groups of 16 channels, bytes, of which one core has all or two have every second: at `to`,
 * `group` bytes apart, each tap `line` and `column` bytes behind the one above and beside it. They lie in `runs` runs of eight channels,
 * one behind the other; the next tap is `tap` bytes behind, the next eight channels `eights`. */
struct npu_weights_groups {
	u8 *to;
	const u8 *from;
	size_t groups, group, eights, runs, tap, line, column;
	size_t lines, columns; /* numbers of taps */
};
typedef void npu_weights_groups_fn(const struct npu_weights_target *t, const struct npu_weights_groups *g);

/* Weights in groups of 16 channels (see packed.h); core `core` of `cores` has every cores-th. */
struct npu_weights_target {
	void *out;
	size_t step; /* weights per group */
	u32 core, cores;
	size_t line; /* depthwise: weights of a group per kernel line */
	npu_weights_order_fn *order; /* of bytes or int16, as they are packed; or NULL */
	npu_weights_groups_fn *groups; /* of bytes; or NULL */
};

/* Puts n weights each, from weight k of a channel on, of `outs` channels from this core's o on in their places. They lie in runs of 8:
 * those of one channel are `line` apart, those of the channels one behind the other. */
typedef void npu_weights_put_fn(const struct npu_weights_target *t, u32 o, u32 outs, size_t k, u32 n,
				const void *from, size_t line);

/* Straight from the stream's order to groups of 16 channels, `taps` 4: int8, from a source of bytes, 2:
 * int16. False when the source does not have all of the weights. */
bool npu_weights_pack(const struct npu_weights_shape *s, struct npu_weights_source *source, unsigned taps, const struct npu_weights_target *to);

#endif
