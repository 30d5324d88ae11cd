/* SPDX-License-Identifier: Apache-2.0 */
/* Depthwise convolutions that expanded lines have no room for, or not enough bits. */
#include "npu/kernels/conv/depthwise_taps.h"

#include "npu/kernels/fm.h"

struct taps {
	struct npu_mac mac;
	bool narrow; /* sums have 32 bits */
};

static void tile(const struct taps *t, struct npu_place *at, unsigned pixels, u32 group)
{
	const struct npu_mac *m = &t->mac;
	const u32 left = m->op->ofm.depth - group * NPU_GROUP;
	const unsigned channels = left < NPU_GROUP ? left : NPU_GROUP;
	const i64 offset = group * npu_fm_stride_group(&m->op->ifm);
	NPU_LINE i64 acc[NPU_TILE * NPU_GROUP];
	NPU_LINE i32 sum[NPU_TILE * NPU_GROUP];
	struct npu_target target;
	u32 y = at->y, x = at->x;

	for (unsigned p = 0; p < pixels; p++) {
		i64 *a = acc + p * NPU_GROUP;
		for (unsigned c = 0; c < NPU_GROUP; c++)
			a[c] = t->narrow ? m->channels.start[group * NPU_GROUP + c] : m->channels.bias[group * NPU_GROUP + c];
		m->simd->depthwise_taps(&m->gather, y, x, offset, channels, (const i16 *)m->weights->weights + group * m->weights->group_step, a);
		if (++x == m->op->ofm.width) {
			x = 0;
			y++;
		}
	}
	npu_target_next(&target, m->op, m->view, at, pixels);
	if (!t->narrow) {
		npu_sink_store_wide(&m->sink, acc, &target, group);
		return;
	}
	for (unsigned i = 0; i < pixels * NPU_GROUP; i++)
		sum[i] = (i32)acc[i];
	npu_sink_store(&m->sink, sum, &target, group);
}

bool npu_depthwise_taps(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view)
{
	struct taps t;

	if (!npu_mac_init(&t.mac, k, op, view) || !npu_mac_words(&t.mac, k))
		return false;
	t.narrow = npu_mac_fits_32(&t.mac);
	if (!t.narrow && !npu_mac_fits_wide(&t.mac))
		return false;
	npu_mac_start(&t.mac, k);
	for (u32 g = 0; g < t.mac.channels.groups; g++) {
		struct npu_place at = { 0, 0 };
		for (u64 left = (u64)op->ofm.height * op->ofm.width, n; left && !npu_given_up(view); left -= n) {
			n = left < NPU_TILE ? left : NPU_TILE;
			tile(&t, &at, (unsigned)n, g);
		}
	}
	return true;
}
