/* SPDX-License-Identifier: Apache-2.0 */
/* The inner loops, one set per host instruction level.
 *
 * npu/kernels/simd/simd.c is compiled once per level with that level's flags; nothing else in the
 * project is. Every level gives the same bytes. Channels are handled in groups of 16, pixels
 * in tiles; all addressing is in the gather, none in the multiplying loops. */
#ifndef NPU_KERNELS_SIMD_H
#define NPU_KERNELS_SIMD_H

#include "memory/types.h"
#include "npu/kernels/conv/depthwise_types.h"
#include "npu/kernels/simd/operands.h"
#include "npu/kernels/conv/tiles.h"
#include "npu/kernels/weights/weights.h"
#include "npu/op.h"

#define NPU_TILE 56  /* pixels at most: divides 112, and 28, 14 and 7 divide it */
#define NPU_BATCH 64 /* pixels stored together at most */
#define NPU_PANEL_SLACK 16
#define NPU_LINE_SLACK 128
#define NPU_BLOCK_ROW 512    /* products of a sum from which on fields are read by larger blocks, whatever rows their pixels are in */
#define NPU_FIELD_PARTS 720  /* of such a field at most: 16 bytes each or, where lines do not end with so many, four */

/* All channels of a convolution to bytes, or of one of split int16 to such. */
struct npu_layer8 {
	size_t row, group_step; /* of panel and weights, see gemm_u8 */
	bool bricks;
	bool small; /* layer_i16: sums of an element of the panel, all of which are taps, and a weight have int16 */
	u32 depth;
	const void *weights, *weights_high; /* the second of layer_pairs */
	const i32 *start, *high; /* `high`: of split words' high bytes, `start` of their low ones */
	const struct npu_rescale *rescale; /* per group */
	const struct npu_narrow8 *narrow;
	const struct npu_narrow16 *narrow16;
	const i32 *whole;       /* split words: results are the low words of sums times these; else NULL */
	bool fits_32;           /* sums of split words do, put together */
	i64 stride_group;       /* of the target */
	u8 *staged;             /* room for fields of a tile in the order of struct npu_tiles, of a thread of its own; NULL: that is not used */
	const struct npu_tiles *tiles; /* then */
};

/* Receptive fields that lie in a map as the multiplying loops want them: bytes of u8 panels, padding included. A field is `lines` runs of
 * `line` bytes, which are `down` bytes apart. */
struct npu_fields {
	const u8 *from; /* the first output pixel's */
	u32 x;          /* its position in its row of `width` */
	u32 width;
	u32 lines;
	size_t line, down;
	u32 taps;       /* above 1: a line is so many runs, which are `across` bytes apart and multiples of 16 bytes; no more than NPU_FIELD_PARTS
	                   of these, rows and numbers of pixels are even */
	size_t across;
	size_t step;    /* from a pixel's to the next one's */
	i64 skip;       /* and more than that at the end of a row */
};

#define NPU_FEW 4           /* channels at most */
#define NPU_FEW_PIXELS 64   /* whose sums are made together, at most */
#define NPU_FEW_SUMS (NPU_FEW_PIXELS + 2 * NPU_GROUP) /* from channel to channel */

/* A convolution of bytes to a few channels (few.h), for sums of one pixel of a row after the other. */
struct npu_few {
	u32 channels, pieces;
	bool bricks;   /* each piece is 16 channels of one tap, and pixels are as many bytes apart. Where vectors are no longer this makes no difference */
	u8 flip;       /* bytes as they are multiplied: byte ^ flip. Without VNNI: not 0 where they are signed */
	i64 step;      /* from a pixel to the next one */
	/* What lies side by side in a pixel's field: few_bytes, the last ones of a line fewer, which may be read as well where vectors are 16 bytes. */
	const struct npu_few_piece {
		i64 at;
		u32 first, bytes; /* the first one's weight in its channel's row */
	} *piece;
	const void *weights; /* of each piece: [channels][few_bytes, of bricks 16]; int8, without VNNI int16; 0 behind its bytes */
	i32 start[NPU_FEW];
};

/* Where the receptive field of an output pixel lies; constants of one operation. */
struct npu_gather {
	const u8 *tile[NPU_TILES];
	i64 stride_y, stride_x, stride_c; /* bytes; stride_x between pixels in both formats */
	i64 stride_group; /* from 16 channels to the next 16, both formats */
	u32 height0, width0, height1;
	u32 depth;        /* channels per tap */
	u32 ofm_width;
	u32 kernel_h, kernel_w, up_height, up_width;
	i32 pad_top, pad_left;
	u8 stride_h, stride_w, dilation_h, dilation_w, upscale;
	u8 bytes, is_signed;
	bool bricks;      /* NHCWB16 of more than one brick */
	bool splits_rows; /* see npu_fm_splits_rows() */
	bool pointwise;   /* 1x1 without padding, upscaling or tiles */
	bool as_rows;     /* the same, whose pixels are brought to a panel of bytes as they lie, with all of their channels */
	bool as_bricks;   /* short fields to a panel of words as pointwise ones have, where the level has bricks_of_fields */
	bool rows;        /* all channels of a pixel lie together, in one piece of memory, and nothing is upscaled */
	bool row_runs;    /* the taps of a kernel row are contiguous bytes */
	bool lined;       /* the weights have, or are there with, lines of whole sets (lined.h) */
	bool brick_runs;  /* whole bricks, whose taps lie at the same distances everywhere */
	bool in_one;      /* all of it in one piece of memory, and nothing is upscaled */
	const u8 *end;    /* bytes behind an element of tile 0 may be read that lie below this address */
	i32 zero_point;
	u8 flip, pad;     /* u8 panels: stored byte = byte ^ flip; padding */
	size_t row;       /* elements per pixel in the panel */
};

/* An output pixel. */
struct npu_place {
	u32 y, x;
};

/* Output pixels as runs of pixels that are `step` bytes apart in memory. */
struct npu_target {
	i64 step;
	unsigned runs;
	struct npu_run {
		u8 *to;
		unsigned n;
	} run[NPU_BATCH];
};

/* How a depthwise walks rows. Input rows of 16 channels are brought into expanded lines, the taps
 * that one multiply takes side by side: [set][width][16][taps], sets of 2 (int16) or 4 (u8) taps along x. */
struct npu_columns {
	u32 positions;  /* of an input row, padding included */
	u32 width;      /* output pixels of a row */
	u32 kernel_w;
	u8 stride_w, dilation_w;
	size_t slot;    /* bytes from expanded line to line */
};

/* Windows along a row of pixels that lie side by side, in elements: from tap to tap, from window to window, of a pixel. */
struct npu_pool_line {
	bool is_signed;
	u32 taps;
	size_t tap, step, pixel;
};

enum npu_line_way { NPU_LINE_SUMS, NPU_LINE_MOST, NPU_LINE_LEAST };

#define NPU_LINE_ROWS 16

/* What elements become that are made int32: (v << left) + add, scaled by `signs` if they are, + zero within lo .. hi. */
struct npu_to_words {
	u8 bytes, left;
	bool is_signed, scaled;
	struct npu_rescale_signs signs;
	i32 add, zero, lo, hi;
};

/* n elements of one or two bytes of each of up to NPU_LINE_ROWS rows, 16 side by side and `step` bytes from these to the next 16. */
struct npu_line_rows {
	enum npu_line_way way;
	unsigned bytes;
	bool is_signed;
	bool goes_on; /* from what the line has; else from the first row */
	const u8 *const *row;
	u32 rows;
	size_t step, n;
};

/* Windows along such a line, in elements: from tap to tap, from window to window, of a pixel. */
struct npu_line_taps {
	enum npu_line_way way;
	u32 taps, pixels;
	size_t tap, step, pixel;
};

/* Types of the operands of products of bytes. */
struct npu_products8 {
	i32 zero_a, zero_b;
	bool signed_a, signed_b;
};

#define NPU_PRODUCTS 256 /* of a row at most */
#define NPU_DOTS 1024    /* the same, where only their sum is wanted */

/* Products of two maps of int16 to int16: a row of the second one is a channel. */
struct npu_word_products {
	u32 depth;             /* products of a sum, up to NPU_WORD_DEPTH */
	u32 channels;
	i64 step, group;       /* bytes of the first map: from pixel to pixel, from 16 elements to the next */
	i64 step_to, group_to; /* the same of results */
	/* Results before their narrowing: the upper words of sum * scale + add, which are below 2^30, shifted right. */
	i32 scale;
	u8 shift;
	i64 add;
	struct npu_narrow16 narrow;
};

/* The second map, of int16 or of bytes that become int16 less their zero point. */
struct npu_word_rows {
	const u8 *from, *end; /* `end`: of its last element */
	i64 step, group;      /* bytes from row to row, from 16 elements to the next */
	u32 rows, depth;
	u8 bytes;
	bool is_signed;       /* of bytes */
	i32 zero_point;
};

#define NPU_WORD_DEPTH 65536

/* Elements that 16 channels of the packed second map take: two of each channel side by side. */
static inline size_t npu_word_weights(u32 depth)
{
	return ((size_t)depth + 1) / 2 * (2 * NPU_GROUP);
}

struct npu_row_kernels;
struct npu_words_grid; /* words.h */

struct npu_simd {
	const char *name;
	const struct npu_row_kernels *rows; /* private.h */
	npu_weights_next_fn *next; /* weight decoder */

	/* The bytes of u8 panels are signed: the element that they would be less 128. gather_i16 does as npu_gather.as_bricks says. */
	bool less_128, bricks_of_fields;

	/* Panel of the receptive fields of `pixels` output pixels from `at` on, along the OFM's rows: [pixels][row], of pointwise convolutions
	 * [row/16][NPU_TILE][16]. What lies behind the last tap of a pixel meets zero weights and is left alone. NPU_PANEL_SLACK elements more may be written. */
	void (*gather_u8)(const struct npu_gather *g, struct npu_place at, unsigned pixels, u8 *panel);
	void (*gather_i16)(const struct npu_gather *g, struct npu_place at, unsigned pixels, i16 *panel);

	/* acc[group][NPU_TILE][16] = bias + panel * weights, int32 wrapping; `bricks`: the panel is a pointwise one. Weights of a group:
	 * [row/2][16][2] int16 or [row/4][16][4] int8; `row` is a multiple of 2 or 4. pixels <= NPU_TILE; groups 1 or 2. gemm_u8 is NULL where
	 * the level has no such instruction. */
	void (*gemm_i16)(const i16 *panel, size_t row, bool bricks, unsigned pixels, const i16 *weights, unsigned groups, size_t group_step,
			 const i32 *bias, i32 *acc);
	void (*gemm_u8)(const u8 *panel, size_t row, bool bricks, unsigned pixels, const i8 *weights, unsigned groups, size_t group_step,
			const i32 *bias, i32 *acc);

	/* Sums of a group's channels; returns the largest sum of magnitudes, UINT32_MAX where a weight is not for the level's products. NULL where there is
	 * neither gemm_u8 nor vector_input. */
	u32 (*sums_i8)(const i8 *weights, size_t row, i32 sum[NPU_GROUP]);
	npu_weights_order_fn *order_i8, *order_i16; /* or NULL */
	npu_weights_groups_fn *order_groups_i8; /* or NULL */
	/* The same of int16, up to 65536 of a channel, on every level. */
	u32 (*sums_i16)(const i16 *weights, size_t row, i32 sum[NPU_GROUP]);

	/* gemm and store8 of all groups: bias is `start`. layer_u8 is NULL where gemm_u8 is. */
	void (*layer_i16)(const struct npu_layer8 *l, const i16 *panel, unsigned pixels, const struct npu_target *t);
	void (*layer_u8)(const struct npu_layer8 *l, const u8 *panel, unsigned pixels, const struct npu_target *t);
	/* What layer_u8 and layer_fields may multiply with (`staged`); NULL: nothing. */
	const struct npu_tiles *tiles;

	/* int16 by int8 to int16 (simd/split.h): fields of int16 whose `bytes` bytes, eight at a time, split_words() has changed; lines but the last
	 * one are whole groups of 16. Holds where npu_mac_init() says `split`. May be NULL, as the next seven. */
	void (*split_words)(u8 *words, size_t bytes);
	/* gather_i16 and split_words in one. */
	void (*gather_split)(const struct npu_gather *g, struct npu_place at, unsigned pixels, i16 *panel);
	void (*layer_split)(const struct npu_layer8 *l, const struct npu_fields *f, const struct npu_target *t);
	/* The same of panels of int16 and weights in parts (packed.h), of each of which a channel's sums have 32 bits. */
	void (*layer_pairs)(const struct npu_layer8 *l, const i16 *panel, unsigned pixels, const struct npu_target *t);

	/* sums[channel][pixel] of a few channels; up to 31 more of each are written. May be NULL. */
	void (*few_u8)(const struct npu_few *f, const u8 *from, unsigned pixels, i32 *sums);
	u8 few_bytes;

	/* layer_u8 of fields, where npu_direct_layer() says that it may be. */
	void (*layer_fields)(const struct npu_layer8 *l, const struct npu_fields *f, const struct npu_target *t);
	/* layer_u8 of one pixel whose channels lie side by side, as its results do, where npu_estimates() says that all groups may be, which
	 * have the same `negative`. A table of the narrowing is looked up. */
	void (*vector_u8)(const struct npu_layer8 *l, const u8 *x, u8 *to);
	/* Where there is no gemm_u8: the pixel's n bytes ^ flip as vector_u8 wants them, which needs no estimates then. `row` >= n; there is room for twice as
	 * many. NULL: vector_u8 wants them side by side. */
	void (*vector_input)(u8 *to, const u8 *from, size_t n, size_t row, u8 flip);
	/* layer_split of such a pixel, and layer_i16. */
	void (*vector_split)(const struct npu_layer8 *l, const u8 *x, u8 *to);
	void (*vector_i16)(const struct npu_layer8 *l, const i16 *x, u8 *to);
	/* sums[2][16] of such a pixel by weights as gemm_u8's: of two groups, or `two`, of one with the pixel and with what lies `row` behind it. May be NULL. */
	void (*vector_mixed)(const i16 *x, bool two, size_t row, const i8 *weights, size_t group_step, i32 *sums);
	/* Where there is vector_mixed: of the pixel's sums in 32 bits int16 by narrow16 and the fast form of scaling, side by side. */
	void (*vector_mixed_words)(const struct npu_layer8 *l, const i16 *x, u8 *to);
	/* to[i] = from[i] ^ flip */
	void (*flip_bytes)(u8 *to, const u8 *from, size_t n, u8 flip);
	/* The same of a row of n pixels of a map wherever they lie, to all channels of a pixel together. */
	void (*flip_pixels)(u8 *to, const u8 *from, const struct npu_gather *g, u32 n);

	/* Depthwise: `rows` expanded lines from upscaled coordinate yu on, channels from byte `offset` on.
	 * `line`: room for a row of positions x 16 elements and NPU_LINE_SLACK more. */
	void (*expand_i16)(const struct npu_gather *g, const struct npu_columns *c, i32 yu, u32 rows, i64 offset, unsigned channels, i16 *line, u8 *expanded);
	void (*expand_u8)(const struct npu_gather *g, const struct npu_columns *c, i32 yu, u32 rows, i64 offset, unsigned channels, u8 *line, u8 *expanded);
	/* acc[rows][pixels][16] from `terms` expanded sets, `down` bytes further for each row; weights
	 * [terms][16][taps]. */
	void (*depthwise_i16)(const u8 *const *term, unsigned terms, u32 rows, size_t down, u32 pixels, const i16 *weights, const i32 *bias, i32 *acc);
	void (*depthwise_u8)(const u8 *const *term, unsigned terms, u32 rows, size_t down, u32 pixels, const i8 *weights, const i32 *bias, i32 *acc);

	/* Depthwises of few channels (conv/shifted.h): n elements of a row as int16 less their zero point; lines of such to pairs of one of each, a multiple
	 * of 16. NULL, both: products of the level take less time otherwise. */
	void (*put_line)(const struct npu_gather *g, i16 *to, const u8 *from, size_t n);
	void (*pair_lines)(const i16 *a, const i16 *b, size_t n, i16 *to);

	/* depthwise_u8 and store8 of a whole group in one, where npu_direct() says that it may be; no row lies in
	 * two runs. May be NULL, as window_rows, window_u8 and put_groups. */
	void (*depthwise_store_u8)(const struct npu_depthwise8 *d, const u8 *const *term, unsigned terms, u32 rows,
				   size_t down, u32 pixels, const struct npu_target *t);

	/* acc[16] += the products' sums of all taps of rows, NULL: of padding; weights [rows][sets][16][4]. May be NULL. */
	void (*depthwise_rows)(const struct npu_row_taps *t, const u8 *const *row, u32 rows, const i8 *weights, i32 acc[NPU_GROUP]);

	/* Whole rows of a kernel with up to 3x3 taps without expanded lines, where npu_estimates() says that all groups may be and there is no table; d: the
	 * first one. NULL: window_u8, which has the same of one group of 16 channels in bricks, without dilation. */
	void (*window_rows)(const struct npu_depthwise8 *d, const struct npu_window_rows *in);
	void (*window_u8)(const struct npu_depthwise8 *d, const struct npu_window *in);
	/* May be NULL. */
	void (*window_words)(const struct npu_window_words *w);
	/* `channels` bytes of each pixel, which are 16 bytes apart at `from`, to the target's pixels + offset. */
	void (*put_groups)(const u8 *from, const struct npu_target *t, i64 offset, unsigned channels);

	/* acc[c] += the products' sum of one output pixel, 16 channels from byte `offset` on, whatever the kernel. Weights
	 * [kernel_h][kernel_w / 2][16][2] of 9 bits. `channels` of acc are meant. */
	void (*depthwise_taps)(const struct npu_gather *g, u32 oy, u32 ox, i64 offset, unsigned channels, const i16 *weights, i64 acc[NPU_GROUP]);

	/* One output pixel of a pool, 16 channels from byte `offset` on: sum or maximum of the stored elements under the window, zero point
	 * not taken off; returns how many there were. `channels` of acc are meant. */
	u32 (*pool)(const struct npu_gather *g, u32 oy, u32 ox, i64 offset, unsigned channels, bool max, i32 *acc);

	/* sum[c] = sum of channel c of all pixels, aligned to NPU_LINE. May be NULL. */
	void (*pixel_sums)(const struct npu_pixel_sums *s, i32 *sum);

	/* to[i] = sum or extreme of the elements at i of all rows; what follows up to a multiple of 16 is anything. */
	void (*line_rows)(const struct npu_line_rows *r, i32 *to);
	/* The same of windows, one pixel behind the other; 15 elements more are read and written. */
	void (*line_taps)(const struct npu_line_taps *l, const i32 *from, i32 *to);

	/* Rows of at least NPU_ROW_LEAST elements of one or two bytes to int32. NULL: there are no vectors for it. */
	void (*to_words)(const struct npu_to_words *w, const struct npu_byte_rows *g);
	/* The same to bytes and int16, not in place; of int32 there may be a second operand, whose step_b may be 0. False: some sum, or element of 8 bytes,
	 * has left 32 bits, results are not to be used. May be NULL. */
	bool (*to_narrow)(const struct npu_to_narrow *s, const struct npu_words_grid *g);
	/* False: some accumulator is not within -2^30 .. 2^30 - 1, results are not to be used. May be NULL. */
	bool (*scaled_sums)(const struct npu_scaled_sums *s);

	/* to[i] = the largest of the bytes at i of `rows` rows of n bytes, of which nothing else is read. */
	void (*most_rows)(bool is_signed, const u8 *const *row, u32 rows, size_t n, u8 *to);
	/* The largest bytes of windows of pixels, one pixel behind the other; 15 bytes more may be read and written. */
	void (*most_taps)(const struct npu_pool_line *l, const u8 *from, u32 pixels, u8 *to);
	/* The same of sums, for which the lowest byte counts as 0; those of windows are looked up. NULL where lines take less time. */
	void (*sum_rows8)(bool is_signed, const u8 *const *row, u32 rows, size_t n, u16 *to);
	void (*sum_taps)(const struct npu_pool_line *l, const u8 *table, const u16 *from, u32 pixels, u8 *to);

	/* The largest of the n elements of `bytes` bytes, 1 or 2, of each of `rows` rows, `step` bytes from one to the next, and where the first
	 * of them lies. NULL where plain C takes no longer. */
	void (*places)(unsigned bytes, bool is_signed, const u8 *from, i64 step, u32 rows, u32 n, i32 *most, u32 *place);

	/* acc[][16] to bytes at the target's pixels + offset, `channels` of them. */
	void (*store8)(const i32 *acc, const struct npu_target *t, const struct npu_rescale *s,
		       const struct npu_narrow8 *n, i64 offset, unsigned channels);
	/* The same to int16. `s` may be NULL: no scaling. */
	void (*store16)(const i32 *acc, const struct npu_target *t, const struct npu_rescale *s, const struct npu_narrow16 *n, i64 offset, unsigned channels);
	/* In place; `vectors` x 16 values. */
	void (*rescale)(i32 *v, size_t vectors, const struct npu_rescale *s);
	/* The same of values below 2^30, where npu_rescale_above() has set all lanes. May be NULL. */
	void (*rescale_above)(i32 *v, size_t vectors, const struct npu_rescale *s);
	/* In place; `vectors` x 16 values. */
	void (*rescale_signs)(i32 *v, size_t vectors, const struct npu_rescale_signs *s);
	/* Sums and products; `out` may be a or b, which may be NULL. A table of the narrowing is looked up. NULL where tables take less time. */
	void (*add8)(const struct npu_add8 *s, const u8 *a, const u8 *b, size_t n, u8 *out);
	void (*mul8)(const struct npu_mul8 *s, const u8 *a, const u8 *b, size_t n, u8 *out);
	/* add8 of rows of two operands; what lies between rows is neither looked at nor written. False: they take less time brought together, nothing has been
	 * done. May be NULL. */
	bool (*add8_rows)(const struct npu_add8 *s, const struct npu_words_grid *g);
	/* mul8 of n / 16 times the 16 bytes at b; n a multiple of 16. NULL where mul8 is. */
	void (*mul8_repeated)(const struct npu_mul8 *s, const u8 *a, const u8 *b, size_t n, u8 *out);
	/* Rows of elements of one or two bytes, any number; step_b may be 0. False: rows are too short, nothing has been done. NULL where add8 is. */
	bool (*extremes)(const struct npu_extreme *e, const struct npu_words_grid *g);
	/* Rows of int16 without alignment, at least 16; step_b may be 0. Without `b` the first operand alone is meant. NULL where add8 is. */
	void (*add16)(const struct npu_add16 *s, const struct npu_words_grid *g);
	/* The same of any number of them. Products: `b` may be NULL. */
	void (*mul16)(const struct npu_mul16 *s, const struct npu_words_grid *g);
	void (*unary16)(const struct npu_unary16 *s, const struct npu_words_grid *g);
	/* The table as unary16 looks it up in less time; false: as it is. May be NULL. */
	bool (*curve_bytes)(const struct npu_curve16 *c, u8 bytes[NPU_CURVE_BYTES]);
	/* to[i] = table[from[i]]; `to` may be `from`. */
	void (*look_up)(const u8 table[256], const u8 *from, size_t n, u8 *to);
	/* The same of signed bytes, computed: `to` may be `from`. NULL where look_up takes no longer. */
	void (*straight)(const struct npu_straight *s, const u8 *from, size_t n, u8 *to);
	/* In place, n bytes of each pixel, which are `step` bytes apart. */
	void (*look_up_pixels)(const u8 table[256], u8 *p, i64 step, size_t pixels, size_t n);
	/* Rows of n bytes, so many bytes apart; from and to may be the same rows. False: they are too long or too short, nothing has been done. May be NULL. */
	bool (*look_up_rows)(const u8 table[256], const struct npu_byte_rows *g);
	/* `runs` elements of 1, 2 or 4 bytes, `step` bytes apart, each n times. May be NULL. */
	void (*repeat)(u8 *to, const u8 *from, i64 step, size_t runs, size_t n, unsigned bytes);
	/* Values of any size that fits the clamp arithmetic: |v| < 2^30. n a multiple of 16. */
	void (*narrow8)(const i32 *v, size_t n, const struct npu_narrow8 *o, u8 *out);
	/* (v * scale + (v < 0 ? minus : plus)) >> shift in place; nothing may leave 64 bits. */
	void (*scale64)(i64 *v, size_t n, i64 scale, i64 plus, i64 minus, unsigned shift);
	/* `vectors` x 16 values below 2^45 by scales of their own, of which round and first do not count. False: one has no form for it, nothing has been done. */
	bool (*rescale_wide)(i64 *v, size_t vectors, const struct npu_rounding *r, const struct npu_scale scale[NPU_GROUP]);
	/* sum[r] += the n int32 at p + r * step. */
	void (*sum_rows32)(const u8 *p, i64 step, size_t rows, size_t n, i64 *sum);
	/* n int32 without alignment in 64 bits. */
	void (*widen32)(const u8 *p, size_t n, i64 *out);
	/* acc[i] += sum[i] << shift */
	void (*add_wide)(i64 *acc, const i32 *sum, size_t n, unsigned shift);
	/* Rows of n bytes `a` times one row of n bytes `b`, both without zero point, to int32. n a multiple of 16, at most NPU_PRODUCTS. */
	void (*products8)(const struct npu_products8 *t, u8 *to, i64 to_step, const u8 *a, i64 a_step, const u8 *b, size_t rows, size_t n);
	/* sum[r] = the products' sum of the n <= NPU_DOTS bytes at a + r * a_step, and those at b, all without zero points, which are bytes. */
	void (*dots8)(const struct npu_products8 *t, const u8 *a, i64 a_step, size_t rows, const u8 *b, size_t n, i32 *sum);
	/* The same of 8 rows and more of whole bricks, `group` bytes from one to the next. May be NULL. */
	void (*dots8_bricks)(const struct npu_products8 *t, const u8 *a, i64 a_step, i64 group, size_t rows, const u8 *b, size_t n, i32 *sum);
	/* Packs the second map, npu_word_weights() for each group of channels. False: two products of int16 may have 33 bits, which word_products is not for. May
	 * be NULL, as word_products. */
	bool (*pack_words)(const struct npu_word_rows *r, i16 *to);
	/* Some pixels from `x` on by the second map's channels, results from `to` on. */
	void (*word_products)(const struct npu_word_products *p, const u8 *x, u32 pixels, const i16 *weights, u8 *to);
	/* Groups of columns, one behind the other; 16 bytes of the row are read from each `left` and `right` on. */
	void (*blend_columns)(const struct npu_blended *c, size_t groups, const u8 *row, u16 *to);
	/* v + zero within lo .. hi, which are 32 bits wide. */
	void (*clamp64)(const i64 *v, size_t n, i64 zero, i64 lo, i64 hi, i32 *out);
};

/* Zero points up to this one leave values of 512 or more, where an estimate may be one off, to the clamp. */
#define NPU_ESTIMATE_ZERO_POINT 256

/* True when sums may be rescaled by the estimate. */
static inline bool npu_estimates(const struct npu_rescale *s, const struct npu_narrow8 *n)
{
	return s->estimate && n->small && n->zero_point <= NPU_ESTIMATE_ZERO_POINT &&
	       n->zero_point >= -NPU_ESTIMATE_ZERO_POINT;
}

/* ... and stored as they are. */
static inline bool npu_direct(const struct npu_rescale *s, const struct npu_narrow8 *n, i64 step)
{
	return npu_estimates(s, n) && !n->table && step == NPU_GROUP;
}

/* ... and those of all groups of a layer, by whatever step. */
static inline bool npu_direct_layer(const struct npu_layer8 *l)
{
	for (u32 c = 0; c < l->depth; c += NPU_GROUP)
		if (!npu_estimates(&l->rescale[c / NPU_GROUP], l->narrow))
			return false;
	return !l->narrow->table;
}

/* The level called `name` ("c"; "sse2", "avx2", "vnni", "amx"; "neon", "dotprod"), or the best one of this host for
 * NULL and "auto"; NULL when unknown or when the host lacks it. */
const struct npu_simd *npu_simd_find(const char *name);

/* All levels this host has, best first; returns their number (at most 8). */
unsigned npu_simd_list(const struct npu_simd *levels[8]);

#endif
