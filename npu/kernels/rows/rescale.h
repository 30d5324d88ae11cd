/* SPDX-License-Identifier: Apache-2.0 */
/* Scalings in the form of the inner loops (simd.h). */
#ifndef NPU_KERNELS_RESCALE_H
#define NPU_KERNELS_RESCALE_H

#include "npu/kernels/simd/simd.h"

/* Sets lane `lane` of r; false when the scaling does not fit the fast form. */
bool npu_rescale_set(struct npu_rescale *r, unsigned lane, struct npu_scale s);

/* The same for the scaling of U85; values come shifted left by `left` bits. */
bool npu85_rescale_set(struct npu_rescale *r, unsigned lane, struct npu85_scale s, unsigned left);

/* A channel's, where sums come shifted left by `left` bits; U85: .round and .first are npu85_scale's round and dbl. `floored`: results below 0 all become what
 * 0 becomes, as behind a ReLU, so that their own rounding does not count. */
bool npu_rescale_set_channel(struct npu_rescale *r, unsigned lane, struct npu_scale s, unsigned left, bool floored, bool u85);

#define NPU_SHIFTS 64

/* What a lane has beside its scale. */
struct npu_rescale_kind {
	bool fits;            /* the fast form, if the scale does */
	bool estimate;        /* as in npu_rescale */
	bool grained;         /* a lane may be exact: if its scale has no bits of `coarse` */
	u8 up;                /* scales are shifted left by so much */
	u32 negative;
	i32 shift;
	float offset;
	i64 add;
	u64 coarse;
	double per_unit;      /* of a scale, in its factor */
} NPU_LINE;

/* Of the channels of one operation, whose rounding is the same; by shift. */
struct npu_rescale_kinds {
	u64 shifts; /* a bit for each that is known, 0 at first */
	bool floored; /* as in npu_rescale_set_channel() */
	struct npu_rescale_kind of[NPU_SHIFTS];
};

/* Sets the first `lanes` lanes of r at once, all of channels of one operation; U85: .round and .first are npu85_scale's round and dbl. */
bool npu_rescale_set_lanes(struct npu_rescale_kinds *known, struct npu_rescale *r, const struct npu_scale *s, unsigned lanes, bool u85);

/* All lanes as lane 0, which is set. */
static inline void npu_rescale_spread(struct npu_rescale *r)
{
	for (unsigned i = 1; i < NPU_GROUP; i++) {
		r->scale[i] = r->scale[0];
		r->shift[i] = r->shift[0];
		r->add[i & 1][i / 2] = r->add[0][0];
		r->factor[i] = r->factor[0];
		r->offset[i] = r->offset[0];
	}
	r->exact = (r->exact & 1) * 0x55555555;
}

/* npu85_rescale_set() of all lanes. */
static inline bool npu85_rescale_all(struct npu_rescale *r, struct npu85_scale s, unsigned left)
{
	if (!npu85_rescale_set(r, 0, s, left))
		return false;
	npu_rescale_spread(r);
	return true;
}

/* U85's scaling in any rounding; values come shifted left by `left` bits. False: the scale is 0 or has no room. */
bool npu85_rescale_signs(struct npu_rescale_signs *r, struct npu85_scale s, unsigned left);

/* Whether and how a sum may be estimated; everything else is set. */
void npu_add8_estimate(struct npu_add8 *s);

/* Products are at most `reach` before they are shifted and scaled: small ones may be estimated. */
void npu_mul8_limit(struct npu_mul8 *s, u64 reach);

#endif
