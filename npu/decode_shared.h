/* SPDX-License-Identifier: Apache-2.0 */
/* What decoding has in common on all products: feature maps, window, block, copies. The registers
 * have the same fields but other numbers and places, so each decoder includes this file once,
 * after it has defined READ(name, field): that field of the product's register, from `r`. */
#ifndef NPU_DECODE_SHARED_H
#define NPU_DECODE_SHARED_H

#include "npu/decode.h"

#define FAIL_FIELD(name_, value_) \
	(fault->field = name_, fault->value = (u32)(value_), false)

/* A ZERO_POINT register's field, whose sign goes by the map's type. */
static inline i32 zero_point(u64 field, bool is_signed)
{
	return is_signed ? (i16)field : (u16)field;
}

/* Addresses, lengths and strides have the width of the product's address bus. */
static inline u64 wrap(const struct npu_decode_input *in, u64 addr)
{
	return addr & ((UINT64_C(1) << in->config->address_bits) - 1);
}

/* Bus address of an offset in a region. */
static inline u64 address(const struct npu_decode_input *in, u64 region, u64 offset)
{
	return wrap(in, in->basep[region & 7] + wrap(in, offset));
}

/* A STRIDE register's field: signed, as wide as an address. */
static inline i64 stride(const struct npu_decode_input *in, u64 field)
{
	unsigned unused = 64 - in->config->address_bits;

	return (i64)(field << unused) >> unused;
}

/* The registers of IFM, IFM2 and OFM differ in their numbers only. */
#define FM_REGISTERS(P) do { \
	fm->region = (u8)READ(P##_REGION, region); \
	fm->base[0] = address(in, fm->region, READ(P##_BASE0, addr)); \
	fm->base[1] = address(in, fm->region, READ(P##_BASE1, addr)); \
	fm->base[2] = address(in, fm->region, READ(P##_BASE2, addr)); \
	fm->base[3] = address(in, fm->region, READ(P##_BASE3, addr)); \
	fm->stride_x = stride(in, READ(P##_STRIDE_X, stride)); \
	fm->stride_y = stride(in, READ(P##_STRIDE_Y, stride)); \
	fm->stride_c = stride(in, READ(P##_STRIDE_C, stride)); \
	fm->width0 = (u32)READ(P##_WIDTH0_M1, width_m1) + 1; \
	fm->height0 = (u32)READ(P##_HEIGHT0_M1, height_m1) + 1; \
	fm->height1 = (u32)READ(P##_HEIGHT1_M1, height_m1) + 1; \
	fm->is_signed = (u8)READ(P##_PRECISION, type); \
	fm->bytes = (u8)(1u << READ(P##_PRECISION, precision)); \
	fm->format = (u8)READ(P##_PRECISION, format); \
	fm->zero_point = zero_point(READ(P##_ZERO_POINT, zero_point), fm->is_signed); \
	fm->used = 1; \
	if (fm->format > NPU_NHCWB16) \
		return FAIL_FIELD(#P "_PRECISION.format", fm->format); \
} while (0)

/* Sizes of the OFM as computed (U85 may store it transposed). */
static inline void decode_ofm_size(const struct npu_regs *r, struct npu_fm *fm)
{
	fm->width = (u32)READ(OFM_WIDTH_M1, width_m1) + 1;
	fm->height = (u32)READ(OFM_HEIGHT_M1, height_m1) + 1;
	fm->depth = (u32)READ(OFM_DEPTH_M1, depth_m1) + 1;
}

/* Sizes of a map, in elements. */
static inline void set_size(struct npu_fm *fm, u32 h, u32 w, u32 c)
{
	fm->height = h;
	fm->width = w;
	fm->depth = c;
}

/* After the sizes: does any element lie outside of tile 0? */
static inline void set_tiled(struct npu_fm *fm)
{
	fm->tiled = fm->stacked || fm->width > fm->width0 || fm->height > fm->height0;
}

/* Rows (or columns) of the IFM the window covers, in upscaled coordinates; the rest of the
 * OFM's reach is padding. The stream does not say it: it follows from the other sizes. */
static inline u32 extent(u32 ofm, u32 stride_, u32 dilated_kernel, u32 before, u32 after)
{
	i64 e = (i64)(ofm - 1) * stride_ + dilated_kernel - before - after;
	return e > 0 ? (u32)e : 0;
}

/* Kernel, strides, padding and upscaling, and the IFM's height and width that follow from them and the OFM's. */
static inline bool decode_window(const struct npu_regs *r, struct npu_op *op, struct npu_decode_fault *fault)
{
	u32 dilated_h = (u32)READ(KERNEL_HEIGHT_M1, height_m1) + 1;
	u32 dilated_w = (u32)READ(KERNEL_WIDTH_M1, width_m1) + 1;

	op->dilation_x = (u8)(1 + READ(KERNEL_STRIDE, dilation_x));
	op->dilation_y = (u8)(1 + READ(KERNEL_STRIDE, dilation_y));
	op->stride_x = (u8)(1 + READ(KERNEL_STRIDE, stride_x_lsb) + 2 * READ(KERNEL_STRIDE, stride_x_msb));
	op->stride_y = (u8)(1 + READ(KERNEL_STRIDE, stride_y_lsb) + 2 * READ(KERNEL_STRIDE, stride_y_msb));
	op->kernel_h = (dilated_h - 1) / op->dilation_y + 1;
	op->kernel_w = (dilated_w - 1) / op->dilation_x + 1;
	op->pad_top = (u16)READ(IFM_PAD_TOP, pad);
	op->pad_left = (u16)READ(IFM_PAD_LEFT, pad);
	op->pad_bottom = (u16)READ(IFM_PAD_BOTTOM, pad);
	op->pad_right = (u16)READ(IFM_PAD_RIGHT, pad);
	op->upscale = (u8)READ(IFM_UPSCALE, mode);
	if (op->upscale > NPU_UPSCALE_ZEROS)
		return FAIL_FIELD("IFM_UPSCALE.mode", op->upscale);

	op->up_height = extent(op->ofm.height, op->stride_y, dilated_h, op->pad_top, op->pad_bottom);
	op->up_width = extent(op->ofm.width, op->stride_x, dilated_w, op->pad_left, op->pad_right);
	unsigned up = op->upscale != NPU_UPSCALE_NONE;
	op->ifm.height = (op->up_height + up) >> up;
	op->ifm.width = (op->up_width + up) >> up;
	if (op->ifm.height == 0 || op->ifm.width == 0)
		op->ifm.used = 0; /* nothing but padding */
	return true;
}

/* Size of the OFM's blocks, and how far a block may run ahead of the one before. */
static inline void decode_block(const struct npu_regs *r, struct npu_op *op)
{
	op->block_h = (u16)(READ(OFM_BLK_HEIGHT_M1, height_m1) + 1);
	op->block_w = (u16)(READ(OFM_BLK_WIDTH_M1, width_m1) + 1);
	op->block_d = (u16)(READ(OFM_BLK_DEPTH_M1, depth_m1) + 1);
	op->blockdep = (u8)READ(BLOCKDEP, blockdep);
}

/* A copy's ends and size; `dims` counts the dimensions beyond a row. Strides are the caller's. */
static inline void decode_copy(const struct npu_decode_input *in, unsigned dims, struct npu_dma *d)
{
	const struct npu_regs *r = in->regs;
	u64 src = READ(DMA0_SRC, addr), dst = READ(DMA0_DST, addr);

	d->src_region = (u8)READ(DMA0_SRC_REGION, region);
	d->dst_region = (u8)READ(DMA0_DST_REGION, region);
	d->src_internal = (u8)READ(DMA0_SRC_REGION, internal);
	d->dst_internal = (u8)READ(DMA0_DST_REGION, internal);
	d->src = d->src_internal ? wrap(in, src) : address(in, d->src_region, src);
	d->dst = d->dst_internal ? wrap(in, dst) : address(in, d->dst_region, dst);
	d->length = wrap(in, READ(DMA0_LEN, length));
	d->rows = dims >= 1 ? (u32)READ(DMA0_SIZE0, size) : 1;
	d->planes = dims == 2 ? (u32)READ(DMA0_SIZE1, size) : 1;
}

#endif
