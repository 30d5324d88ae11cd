/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of one group of channels under kernels at least three strides wide: what is loaded of a stride's bytes serves the sums of three pixels.
 * Part of simd.c. */

#if SIMD_LEVEL == 3
#define SHARED_PIXELS 16 /* of a block at most */

/* Three steps of a line are those of three pixels next to each other. */
static inline bool shared_pays(const struct npu_fields *f)
{
	return f->line >= 3 * f->step && f->step >= NPU_GROUP && f->step % 4 == 0;
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
	for (u32 lines = f->lines; lines; lines--, from += f->down) {
		const u8 *x = from;
		size_t left = f->line;
		for (; left >= 3 * f->step; left -= 3 * f->step, x += 2 * f->step, w += 2 * tap)
			for (size_t k = f->step; k; k -= 4, x += 4, w += 4 * NPU_GROUP) {
				const vec w0 = vec_load(w), w1 = vec_load(w + tap), w2 = vec_load(w + 2 * tap);
				vec x_;
				UNROLL for (unsigned p = 0; p < P; p++) {
					x_ = vec_quad(x + p * f->step);
					SHARED(p, w0);
					if (p > 0)
						SHARED(p - 1, w1);
					if (p > 1)
						SHARED(p - 2, w2);
				}
				x_ = vec_quad(x + P * f->step);
				SHARED(P - 1, w1);
				SHARED(P - 2, w2);
				x_ = vec_quad(x + (P + 1) * f->step);
				SHARED(P - 1, w2);
			}
		for (; left; left -= 4, x += 4, w += 4 * NPU_GROUP) {
			const vec w0 = vec_load(w);
			UNROLL for (unsigned p = 0; p < P; p++) {
				const vec x_ = vec_quad(x + p * f->step);
				SHARED(p, w0);
			}
		}
	}
#undef SHARED
}
#endif
