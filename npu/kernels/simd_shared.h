/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of one group of channels under kernels of three columns, stride 1: what is loaded of a pixel serves the sums of three. Part of simd.c. */

#if SIMD_LEVEL == 3
#define SHARED_PIXELS 16 /* of a block at most */

/* Three taps of a row that are three pixels' next to each other. */
static inline bool shared_pays(const struct npu_fields *f)
{
	return f->line == 3 * f->step && f->step % NPU_GROUP == 0;
}

/* Then, of one group: what is loaded of a pixel serves three sums, so that there are no more loads than the host does beside the products. */
ALWAYS_INLINE void shared_sums(const unsigned P, const struct npu_fields *f, const u8 *from, const i8 *w, const i32 *start, vec a[SHARED_PIXELS])
{
	const size_t tap = f->step * NPU_GROUP;

	UNROLL for (unsigned p = 0; p < P; p++) {
		a[p] = vec_load(start);
		vec_keep(a[p]);
	}
#define SHARED(p, weights) do { \
		a[p] = vec_dot(a[p], x_, weights); \
		vec_keep(a[p]); \
	} while (0)
	for (u32 lines = f->lines; lines; lines--, from += f->down, w += 2 * tap) {
		const u8 *x = from;
		for (size_t k = f->step; k; k -= NPU_GROUP, x += NPU_GROUP, w += NPU_GROUP * NPU_GROUP)
			UNROLL for (unsigned j = 0; j < NPU_GROUP; j += 4) {
				const vec w0 = vec_load(w + j * NPU_GROUP), w1 = vec_load(w + tap + j * NPU_GROUP);
				const vec w2 = vec_load(w + 2 * tap + j * NPU_GROUP);
				vec x_;
				UNROLL for (unsigned p = 0; p < P; p++) {
					x_ = vec_quad(x + j + p * f->step);
					SHARED(p, w0);
					if (p > 0)
						SHARED(p - 1, w1);
					if (p > 1)
						SHARED(p - 2, w2);
				}
				x_ = vec_quad(x + j + P * f->step);
				SHARED(P - 1, w1);
				SHARED(P - 2, w2);
				x_ = vec_quad(x + j + (P + 1) * f->step);
				SHARED(P - 1, w2);
			}
	}
#undef SHARED
}
#endif
