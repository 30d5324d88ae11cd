/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/trace/npu_text.h"

#include <stdarg.h>
#include <stdio.h>

struct out { char *text; size_t size, at; };

static __attribute__((format(printf, 2, 3))) void put(struct out *o, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	const int n = vsnprintf(o->text + o->at, o->size - o->at, format, args);
	va_end(args);
	o->at = n < 0 || o->at + (size_t)n >= o->size ? o->size - 1 : o->at + (size_t)n;
}

static void put_map(struct out *o, const char *name, const struct npu_fm *fm)
{
	put(o, " %s %ux%ux%u %c%u %s @0x%llx (region %u)", name, fm->height, fm->width, fm->depth, fm->is_signed ? 's' : 'u', 8u * fm->bytes,
	    fm->format == NPU_NHWC ? "NHWC" : "NHCWB16", (unsigned long long)fm->base[0], fm->region);
}

static void put_dma(struct out *o, const struct npu_dma *d)
{
	put(o, " %llu bytes", (unsigned long long)d->length);
	if (d->rows > 1 || d->planes > 1)
		put(o, " x %u x %u", d->rows, d->planes);
	put(o, " %s0x%llx -> %s0x%llx", d->src_internal ? "internal " : "", (unsigned long long)d->src, d->dst_internal ? "internal " : "",
	    (unsigned long long)d->dst);
}

void npu_text(const struct npu_op *op, char *text, size_t size)
{
	struct out o = { text, size, 0 };

	put(&o, "%s", npu_op_name(op));
	if (op->kind == NPU_DMA) {
		put_dma(&o, &op->dma);
		return;
	}
	if (op->kind != NPU_ELEMENTWISE)
		put(&o, " %ux%u stride %ux%u", op->kernel_h, op->kernel_w, op->stride_y, op->stride_x);
	if (op->dilation_y > 1 || op->dilation_x > 1)
		put(&o, " dilation %ux%u", op->dilation_y, op->dilation_x);
	if (op->ifm.used)
		put_map(&o, "ifm", &op->ifm);
	if (op->ifm2.used)
		put_map(&o, "ifm2", &op->ifm2);
	put(&o, " ->");
	put_map(&o, "ofm", npu_stored(op));
}
