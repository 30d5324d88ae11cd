/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/npu/rig.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static u8 *span(void *ctx, u64 addr, u64 size, bool write)
{
	struct rig *r = ctx;

	if (addr < RIG_BASE || addr - RIG_BASE > RIG_BYTES || size > RIG_BYTES - (addr - RIG_BASE))
		return NULL;
	return (r->elsewhere ? r->elsewhere : r->memory) + (addr - RIG_BASE);
}

static void wrote(void *ctx, u64 addr, u64 size)
{
	struct rig *r = ctx;

	r->wrote_first = addr;
	r->wrote_bytes = size;
}

static void set_irq(void *ctx, unsigned number, bool level)
{
	struct rig *r = ctx;

	r->irq_edges += level && !r->irq;
	r->irq = level;
}

static void note(void *ctx, enum diag_kind kind, const char *id, const char *text)
{
	struct rig *r = ctx;

	r->messages++;
	snprintf(r->id, sizeof(r->id), "%s", id);
}

/* Memory is not looked at, so that it may be behind. */
static void tell(void *ctx, const struct npu_op *op, const struct npu_cost *cost)
{
	struct rig *r = ctx;

	r->told = (r->told * 31 + op->offset) * 31 + cost->cycles + op->ofm.base[0];
}

static bool looks(void *ctx)
{
	(void)ctx;
	return false;
}

static u64 constant(void *ctx, u64 addr)
{
	const struct rig *r = ctx;
	const u64 first = RIG_BASE + RIG_STREAM, end = first + r->constant;

	return addr >= first && addr < end ? end - addr : 0;
}

static void rig_open_with(struct rig *r, const char *accelerator, u64 hertz, bool still, bool followed, const char *simd)
{
	memset(r, 0, sizeof(*r));
	sched_init(&r->sched);
	static struct diag diag;
	diag = (struct diag){ .emit = note, .ctx = r };
	struct npu_options o = {
		.config = npu_config_find(accelerator),
		.memory = { .span = span, .constant = still ? constant : NULL, .wrote = followed ? wrote : NULL, .ctx = r, .still = still },
		.sched = hertz ? &r->sched : NULL,
		.hertz = hertz,
		.irq = { .set = set_irq, .ctx = r },
		.diag = &diag,
		.listener = { .operation = tell, .looks = looks, .ctx = r },
		.host_simd = simd,
	};
	r->npu = npu_new(&o);
	cr_assert(r->npu != NULL);
}

void rig_open(struct rig *r, const char *accelerator, u64 hertz)
{
	rig_open_with(r, accelerator, hertz, false, true, NULL);
}

void rig_open_still(struct rig *r, const char *accelerator, u64 bytes)
{
	rig_open_with(r, accelerator, 0, true, true, NULL);
	r->constant = bytes;
}

void rig_open_alone(struct rig *r, const char *accelerator, u64 bytes, const char *simd)
{
	rig_open_with(r, accelerator, 0, true, false, simd);
	r->constant = bytes;
}

void rig_close(struct rig *r)
{
	npu_free(r->npu);
}

void rig_word(struct rig *r, u32 word)
{
	memcpy(r->memory + RIG_STREAM + 4 * r->words++, &word, 4);
}

void rig_c0(struct rig *r, enum npu_command c, u32 parameter)
{
	rig_word(r, (u32)c | parameter << 16);
}

void rig_c1(struct rig *r, enum npu_command c, u64 value)
{
	rig_word(r, (u32)c | (u32)(value >> 32) << 16);
	rig_word(r, (u32)value);
}

void rig_one_tile(struct rig *r)
{
	static const enum npu_command sizes[] = { NPU_CMD_IFM_WIDTH0_M1, NPU_CMD_IFM_HEIGHT0_M1, NPU_CMD_IFM_HEIGHT1_M1, NPU_CMD_IFM2_WIDTH0_M1,
		NPU_CMD_IFM2_HEIGHT0_M1, NPU_CMD_IFM2_HEIGHT1_M1, NPU_CMD_OFM_WIDTH0_M1, NPU_CMD_OFM_HEIGHT0_M1, NPU_CMD_OFM_HEIGHT1_M1 };

	for (unsigned i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		rig_c0(r, sizes[i], 255);
	rig_c0(r, NPU_CMD_OFM_BLK_DEPTH_M1, 15);
	rig_c0(r, NPU_CMD_KERNEL_STRIDE, 0);
}

void rig_add_op(struct rig *r, u32 depth)
{
	rig_c0(r, NPU_CMD_IFM_PRECISION, 1);
	rig_c0(r, NPU_CMD_IFM2_PRECISION, 1);
	rig_c0(r, NPU_CMD_OFM_PRECISION, 1 | 1 << 8);
	rig_c0(r, NPU_CMD_OFM_DEPTH_M1, depth - 1);
	rig_c0(r, NPU_CMD_OFM_BLK_DEPTH_M1, 15);
	rig_c0(r, NPU_CMD_ACTIVATION_MIN, 0xff80);
	rig_c0(r, NPU_CMD_ACTIVATION_MAX, 0x7f);
	rig_c1(r, NPU_CMD_IFM2_BASE0, 0x100);
	rig_c1(r, NPU_CMD_OFM_BASE0, 0x200);
	rig_c1(r, NPU_CMD_OFM_SCALE, 1);
	rig_c1(r, NPU_CMD_OPA_SCALE, 1);
	rig_c1(r, NPU_CMD_OPB_SCALE, 1);
	rig_c0(r, NPU_CMD_ELEMENTWISE, NPU_EW_ADD);
}

void rig_stop(struct rig *r)
{
	rig_c0(r, NPU_CMD_STOP, 0xffff);
}

void rig_start(struct rig *r)
{
	u64 base[8];

	for (unsigned i = 0; i < 8; i++)
		base[i] = RIG_BASE;
	r->told = 0;
	npu_start(r->npu, NPU_MEMORY_SHARED, RIG_BASE + RIG_STREAM, 4 * r->words, base, 8);
}

/* What the last job did, before which the events were *before, and a fresh NPU's only one. */
static void expect_same(const struct rig *a, const u64 before[NPU_EVENTS], const struct rig *fresh, const char *text)
{
	const struct npu_result *x = npu_result(a->npu), *y = npu_result(fresh->npu);

	cr_assert_eq(memcmp(a->memory, fresh->memory, sizeof a->memory), 0, "%s", text);
	cr_assert_eq(a->told, fresh->told, "%s", text);
	cr_assert_str_eq(x->message, y->message);
	cr_assert_eq(x->end, y->end);
	cr_assert_eq(x->operations, y->operations);
	cr_assert_eq(x->offset, y->offset);
	cr_assert_eq(x->cycles, y->cycles);
	cr_assert_eq(npu_read(a->npu, REG_STATUS), npu_read(fresh->npu, REG_STATUS));
	cr_assert_eq(npu_read(a->npu, REG_QREAD), npu_read(fresh->npu, REG_QREAD));
	for (unsigned e = 0; e < NPU_EVENTS; e++)
		if (e != NPU_EVENT_CYCLE && e != NPU_EVENT_NPU_IDLE)
			cr_assert_eq(x->event[e] - before[e], y->event[e], "%s: event %u", text, e);
	for (u32 offset = 0x800; offset < 0xc00; offset += 4)
		cr_assert_eq(npu_read(a->npu, offset), npu_read(fresh->npu, offset), "%s: register %x", text, offset);
}

void rig_start_beside_fresh(struct rig *r, const char *accelerator, const char *text)
{
	static struct rig fresh;
	u64 before[NPU_EVENTS];

	rig_open(&fresh, accelerator, 0);
	memcpy(fresh.memory, r->memory, sizeof fresh.memory);
	fresh.words = r->words;
	rig_start(&fresh);
	memcpy(before, npu_result(r->npu)->event, sizeof before);
	rig_start(r);
	expect_same(r, before, &fresh, text);
	rig_close(&fresh);
}
