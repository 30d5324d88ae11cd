/* SPDX-License-Identifier: Apache-2.0 */
/* 64-bit lanes: U85's scaling of wide values. Part of simd.c. */

static void scale64(i64 *v, size_t n, i64 scale, i64 plus, i64 minus, unsigned shift)
{
	if (plus == minus) {
		for (size_t i = 0; i < n; i++)
			v[i] = (v[i] * scale + plus) >> shift;
		return;
	}
	for (size_t i = 0; i < n; i++)
		v[i] = (v[i] * scale + (v[i] < 0 ? minus : plus)) >> shift;
}
