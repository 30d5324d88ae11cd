/* SPDX-License-Identifier: Apache-2.0 */
/* One decoded NPU operation: the meeting point of the NPU's parts.
 *
 * The command stream interpreter (npu/decode.c) fills a struct npu_op from the command
 * registers; the generic executor (npu/exec_*.c), the fast kernels (npu/kernels/) and the
 * timing model (npu/timing/) read it and nothing else. It holds addresses and numbers only,
 * no host pointers: those are in struct npu_view, which npu_view_map() fills for the
 * operation after checking every byte it can touch.
 *
 * Everything that a reader would otherwise have to derive from the product (where the IFM
 * ends, what the clamp is, which table is looked up) is resolved here once. */
#ifndef NPU_OP_H
#define NPU_OP_H

#include "memory/types.h"

#define NPU_TILES 4   /* of a feature map */
#define NPU_REGIONS 8 /* with a base address each */
#define NPU_MAX_CORES 4
#define NPU_LUT_BYTES 2048

enum npu_kind {
	NPU_CONV,        /* also fully connected */
	NPU_DEPTHWISE,
	NPU_POOL,        /* mode: enum npu_pool */
	NPU_ELEMENTWISE, /* mode: enum npu_elementwise */
	NPU_RESIZE,      /* U85 */
	NPU_DMA,
};

/* Values are those of the command parameter. */
enum npu_pool {
	NPU_POOL_MAX = 0,
	NPU_POOL_AVERAGE = 1,
	NPU_POOL_REDUCE_SUM = 2,
	/* U85 only */
	NPU_POOL_SUM = 3,
	NPU_POOL_NONE = 4,
	NPU_POOL_MIN = 5,
	NPU_POOL_ARGMAX_X = 6,
	NPU_POOL_ARGMAX_Y = 7,
};

enum npu_elementwise {
	NPU_EW_MUL = 0,
	NPU_EW_ADD = 1,
	NPU_EW_SUB = 2,
	NPU_EW_MIN = 3,
	NPU_EW_MAX = 4,
	NPU_EW_LRELU = 5, /* unary */
	NPU_EW_ABS = 6,   /* unary */
	NPU_EW_CLZ = 7,   /* unary */
	NPU_EW_SHR = 8,
	NPU_EW_SHL = 9,
	/* U85 only */
	NPU_EW_LSR = 10,
	NPU_EW_DIV = 11,
	NPU_EW_CMP_EQ = 16,
	NPU_EW_CMP_NE = 17,
	NPU_EW_CMP_GE = 18,
	NPU_EW_CMP_GT = 19,
	NPU_EW_AND = 33,
	NPU_EW_OR = 34,
	NPU_EW_XOR = 35,
	NPU_EW_NOT = 36, /* unary */
	NPU_EW_AND_NOT = 42,
};

enum npu_resize { NPU_RESIZE_BILINEAR = 0, NPU_RESIZE_REPLICATE = 1, NPU_RESIZE_NEAREST = 2 };

enum npu_format { NPU_NHWC = 0, NPU_NHCWB16 = 1 };
enum npu_upscale { NPU_UPSCALE_NONE = 0, NPU_UPSCALE_NEAREST = 1, NPU_UPSCALE_ZEROS = 2 };

/* Rounding of a scaled value (npu/arith.h gives the formulas). */
enum npu_round {
	NPU_ROUND_DBL = 0,      /* two steps: at bit `first` ties up, the rest ties away from zero */
	NPU_ROUND_TRUNCATE = 1, /* toward zero */
	NPU_ROUND_NATURAL = 2,  /* one step, ties toward plus infinity */
};

/* value * scale >> shift, rounded. */
struct npu_scale {
	u32 scale;
	u8 shift; /* 0..63 */
	u8 round; /* enum npu_round */
	u8 first; /* DBL: bits of the first rounding step: 31, or 11/16 for ADD/SUB operands */
};

/* U85: value * scale >> shift with its own rounding modes (npu/u85/arith.h). */
struct npu85_scale {
	u32 scale;
	u8 shift; /* 0..63 */
	u8 round; /* field round_mode of the scale registers */
	u8 dbl;   /* position of the first of two roundings */
};

/* A feature map. Address of element (y, x, c) in tile t, es = bytes per element:
 *   NHWC:     base[t] + y*stride_y + x*stride_x + c*es
 *   NHCWB16:  base[t] + y*stride_y + (c/16)*stride_c + x*stride_x + (c%16)*es
 * (U55 and U65 ignore STRIDE_X in NHCWB16: stride_x is 16*es there.)
 * Tile of (y, x): x < width0 ? (y < height0 ? 0 : 2, y -= height0)
 *                            : (x -= width0, y < height1 ? 1 : 3, y -= height1). */
struct npu_fm {
	u64 base[NPU_TILES]; /* bus addresses, BASEP added and wrapped to the address width */
	i64 stride_y, stride_x, stride_c; /* bytes, signed */
	u32 height, width, depth;    /* elements stored (after un-upscaling); 1 where broadcast */
	u32 width0, height0, height1; /* tile sizes, elements */
	i32 zero_point; /* sign extended when the type is signed */
	u8 bytes;       /* per element: 1, 2, 4, on U85 also 8 */
	u8 is_signed;
	u8 format;      /* enum npu_format */
	u8 region;      /* 0..7: chooses the AXI port */
	u8 used;        /* 0: the operation does not read or write this map */
	u8 tiled;       /* 0: every element lies in tile 0 */
	u8 stacked;     /* U85: three tiles below each other, split at rows height0 and height1 */
};

/* What happens to the scaled result before it is stored. */
enum npu_output {
	NPU_OUT_RAW32,   /* saturate to int32; no zero point */
	NPU_OUT_CLAMP,   /* + zero point, clamp to [lo, hi], store */
	NPU_OUT_LUT8,    /* CLAMP, then 256 bytes */
	NPU_OUT_LUT16,   /* CLAMP, then 512 words of base and slope, interpolated */
	NPU_OUT_LUT32,   /* CLAMP, then 256 int32 */
	NPU_OUT_TANH,    /* the 16-bit unit; result then clamped to [lo, hi] */
	NPU_OUT_SIGMOID,
};

/* Bytes in memory that one core's decoder reads. */
struct npu_bytes {
	u64 addr;
	u32 length;
};

struct npu_dma {
	u64 src, dst; /* bus address, or internal (SHRAM) offset when the flag is set */
	u8 src_internal, dst_internal;
	u8 src_region, dst_region;
	u32 rows, planes; /* 1, 1 for 1D */
	u64 length;       /* bytes of a row */
	i64 src_row_stride, src_plane_stride; /* bytes from one row/plane start to the next */
	i64 dst_row_stride, dst_plane_stride;
	/* U85: int32 indices replace the row number on one side. */
	u8 index_mode;    /* enum npu_index_mode */
	u8 index_region;
	u32 index_max;
	u64 index;        /* bus address */
	i64 index_plane_stride;
};

enum npu_index_mode { NPU_INDEX_NONE, NPU_INDEX_GATHER, NPU_INDEX_SCATTER };

/* What only Ethos-U85 has; all zero elsewhere. */
struct npu85_op {
	u8 enabled;
	u8 ifm_chained, ifm2_chained, ofm_chained; /* the map is chain buffer number fm.region */
	u8 ifm_scalar;      /* the IFM is `scalar`; IFM2: op.ifm2_scalar */
	u8 acc_input;       /* enum npu85_acc_input */
	u8 acc_output_off;  /* accumulators stay for the next operation */
	u8 acc48;           /* 48-bit accumulators, else 32 */
	u8 weights_ifm2;    /* CONV: weights are IFM2 [1, OFM depth, IFM depth] */
	u8 fast, sparse;    /* weight format */
	u8 ublock_h, ublock_w;
	u16 ublock_d;
	u8 clip_off, clip_signed;
	u8 table;           /* enum npu85_table */
	u8 reverse;         /* 1 H, 2 W, 3 C */
	u8 transpose;       /* OFM_PRECISION.transpose */
	u16 table_offset;   /* bytes in the table memory */
	struct npu85_scale ofm_scale, ifm_scale, ifm2_scale;
	struct npu_fm stored; /* the OFM as it lies in memory: transposed sizes */
	struct npu_resize_axis { i32 n, d, offset; } resize_y, resize_x;
};

enum npu85_acc_input { NPU85_ACC_RESET = 0, NPU85_ACC_KEEP = 1, NPU85_ACC_IFM2 = 2 };

/* ACTIVATION.function */
enum npu85_table {
	NPU85_TABLE_NONE = 0,
	NPU85_TABLE_U8_U8 = 1,
	NPU85_TABLE_S8_S8 = 4,
	NPU85_TABLE_S8_S16 = 5,
	NPU85_TABLE_S8_S32 = 7,
	NPU85_TABLE_S16_S16 = 8,
	NPU85_TABLE_S16_S32 = 9,
	NPU85_TABLE_TANH = 10,
	NPU85_TABLE_SIGMOID = 11,
};

struct npu_op {
	u8 kind; /* enum npu_kind */
	u8 mode; /* enum npu_pool / npu_elementwise */
	u32 offset; /* of the NPU_OP word, bytes from the stream's start */
	u32 index;  /* running number of operations in this job, DMA included */

	struct npu_fm ifm, ifm2, ofm;

	/* Window (CONV, DEPTHWISE, POOL); sizes are taps, not dilated. */
	u32 kernel_h, kernel_w;
	u8 stride_y, stride_x;     /* 1.. */
	u8 dilation_y, dilation_x; /* 1..2 */
	u16 pad_top, pad_left, pad_bottom, pad_right;
	u8 upscale;                /* enum npu_upscale */
	/* Of a part that the kernels make of a CONV or DEPTHWISE: pixels of a row that are channels of one, else 0; the kernel and step of each */
	struct { u8 pixels, stride; u32 kernel_w; } abreast;
	u8 phase;                  /* 1 + 2 * y + x in a part that the kernels make of a CONV: every second tap from (y, x) on is meant; else 0 */
	/* Extent of the IFM in upscaled coordinates; outside is padding. */
	u32 up_height, up_width;

	/* Weights and scales */
	u8 cores;            /* weight streams: U55 1; U65 2 when the channels are split even/odd; U85 up to 4 */
	u8 part_kernel;      /* weight order: part-kernel first (else depth first) */
	u8 weight_region, scale_region;
	struct npu_bytes weights[NPU_MAX_CORES];
	struct npu_bytes scales[NPU_MAX_CORES];

	/* Scaling */
	u8 per_channel;      /* bias/scale/shift from `scales`; else ofm_scale and no bias */
	u8 divide_by_count;  /* padded average pool: divide by the number of valid elements */
	u8 scale_is_one;     /* 32-bit elementwise: only ofm_scale.shift counts (scale = 1 is filled in) */
	u8 acc_bits;         /* of an accumulator: 32, 40 (16-bit IFM) or 48 (U85) */
	struct npu_scale ofm_scale; /* .round holds for per_channel as well */

	/* ELEMENTWISE: left operand a = swap ? ifm2 : ifm, right operand b the other one. */
	u8 unary;
	u8 swap;             /* IFM2 is the left operand */
	u8 ifm2_scalar;      /* use `scalar` instead of memory */
	u8 operand_scaling;  /* enum npu_operand_scaling, ADD/SUB on 8/16 bits */
	i32 scalar;
	struct npu_scale opa, opb; /* of a and b, as operand_scaling says */

	/* Output stage */
	u8 output;           /* enum npu_output */
	u16 lut_offset;      /* bytes into the 2 KiB of tables */
	i32 lo, hi;          /* final clamp: type range and ACTIVATION_MIN/MAX already intersected */

	/* Blocks and buffers: only weight order (block_d) and timing depend on them. */
	u16 block_h, block_w, block_d;
	u8 blockdep;
	u8 ib_end, ab_start, ib2_start; /* SHRAM banks */

	struct npu_dma dma;
	struct npu85_op u85;
};

/* ADD/SUB operand scaling before the sum, 8/16-bit inputs. */
enum npu_operand_scaling {
	NPU_OPERANDS_16 = 0, /* a * opa.scale, b * opb.scale (16-bit, unsigned) */
	NPU_OPERAND_A = 1,   /* a scaled by opa, b << L */
	NPU_OPERAND_B = 2,   /* b scaled by opb, a << L; L = 19 for 8-bit, 14 for 16-bit inputs */
};

/* Host addresses of an operation: pointer to element (0,0,0) of each tile in use, NULL for
 * tiles not touched. Every element of the maps' extents has been checked to be inside memory;
 * weights and scales have `length` readable bytes (no slack behind them). Valid until the
 * guest's memory map changes. */
struct npu_view {
	const u8 *ifm[NPU_TILES];
	const u8 *ifm2[NPU_TILES];
	u8 *ofm[NPU_TILES];
	const u8 *weights[NPU_MAX_CORES];
	u64 constant[NPU_MAX_CORES]; /* bytes from there on that never change */
	const u8 *scales[NPU_MAX_CORES];
	u64 constant_scales[NPU_MAX_CORES];
	const u8 *lut; /* NPU_LUT_BYTES; table at lut + op->lut_offset */
	const u8 *dma_src;
	u8 *dma_dst;
	const u8 *dma_index;
	const int *stop; /* as npu_options.stop */
};

/* Does nobody wait for the result any more? Work that takes long asks now and then, and ends with any result. */
static inline bool npu_given_up(const struct npu_view *v)
{
	return v->stop && __atomic_load_n(v->stop, __ATOMIC_RELAXED) != 0;
}

/* The OFM as it lies in memory. */
static inline const struct npu_fm *npu_stored(const struct npu_op *op)
{
	return op->u85.enabled ? &op->u85.stored : &op->ofm;
}

/* True for the operations that have weights. */
static inline bool npu_is_mac(const struct npu_op *op)
{
	return op->kind == NPU_CONV || op->kind == NPU_DEPTHWISE;
}

/* Elementary steps (about: multiplications or bytes) of the operation, saturating. */
u64 npu_op_work(const struct npu_op *op);

/* "conv", "depthwise", "max pool", "add", "dma", ... */
const char *npu_op_name(const struct npu_op *op);

#endif
