/* SPDX-License-Identifier: Apache-2.0 */
/* Zero runs of a slice in which few are longer than 0: those are listed, and the weights between them copied in one piece. Part of
 * weights/decode.c. */

/* Runs longer than 0. */
struct run_list {
	u32 *run; /* number << 16 | length */
	u32 count, room;
	u32 number, carry; /* of one that has not ended as far as is known */
};

/* Run `number` has ended, and those that follow it up to `next`. */
static inline void end_runs(struct run_list *l, u32 next)
{
	if (next == l->number)
		return;
	if (l->carry && l->count < l->room)
		l->run[l->count++] = l->number << 16 | min_u32(l->carry, 0xffff);
	l->carry = 0;
	l->number = next;
}

/* Lengths from the digits of a chunk, of which `ones` end no run. */
static inline void list_chunk(struct run_list *l, u32 number, u32 ones)
{
	u32 digits = 12;

	for (end_runs(l, number); ones;) {
		const u32 zeros = _tzcnt_u32(ones), n = _tzcnt_u32(~(ones >> zeros));
		end_runs(l, l->number + zeros);
		l->carry += n;
		ones = ones >> zeros >> n;
		digits -= zeros + n;
	}
	end_runs(l, l->number + digits);
}

/* As list_chunk(). Most of these chunks hold the one digit of a run of 1, and nothing that is foretold wrongly. */
ALWAYS_INLINE void list_digit(struct run_list *l, u32 number, u32 ones)
{
	const u32 zeros = _tzcnt_u32(ones), last = zeros == 11;

	if (_blsr_u32(ones) || (l->carry && (ones & 1)) || l->count + 2 > l->room) {
		list_chunk(l, number, ones);
		return;
	}
	l->run[l->count] = l->number << 16 | min_u32(l->carry, 0xffff);
	l->count += l->carry != 0;
	l->run[l->count] = (number + zeros) << 16 | 1;
	l->count += !last;
	l->carry = last; /* it may go on */
	l->number = number + zeros;
}

/* Whether the list holds all of what was found in so many chunks; many runs are faster in the other way. */
static inline bool runs_few(const struct run_list *l, u32 chunks)
{
	return l->carry <= ZERO_CARRY_MAX && l->count < l->room && l->count <= chunks / 4 + 8;
}

/* At the slice's end. */
static inline void list_end(struct npu_weights_decoder *d, struct run_list *l)
{
	end_runs(l, UINT32_MAX);
	d->listed = l->count;
	d->zero[0] = 0; /* before the first weight */
	d->list_at = 0;
	if (d->leading_run && l->count && l->run[0] >> 16 == 0)
		d->zero[0] = (u16)l->run[d->list_at++];
	d->sparse = true;
}

typedef u8 u8x64 __attribute__((vector_size(64)));

static inline void copy_64(u8 *to, const u8 *from)
{
	u8x64 v;

	memcpy(&v, from, sizeof(v));
	memcpy(to, &v, sizeof(v));
}

/* Weights i on of an array to place `at` of another. */
ALWAYS_INLINE void copy_weights(void *to, size_t at, const void *from, size_t i, size_t n, const bool bytes)
{
	const size_t size = bytes ? 1 : sizeof(i16);
	u8 *const t = (u8 *)to + at * size;
	const u8 *const f = (const u8 *)from + i * size;

	/* how many vectors cannot be foretold, and most pieces have no more than these; as much lies behind both arrays */
	for (size_t k = 0; k < COPIED; k += sizeof(u8x64))
		copy_64(t + k, f + k);
	for (size_t k = COPIED; k < n * size; k += sizeof(u8x64))
		copy_64(t + k, f + k);
}

/* As expand(). */
ALWAYS_INLINE size_t expand_list(struct npu_weights_decoder *d, const bool bytes)
{
	const u32 *const list = d->run;
	const size_t size = bytes ? 1 : sizeof(i16), vector = sizeof(u8x64) / size;
	const u8x64 none = { 0 };
	u8 *const out = (u8 *)d->expanded;
	size_t at = d->zeros;
	u32 i = d->next;

	memset(out, 0, (at < SLICE_MAX ? at : SLICE_MAX) * size);
	while (i < d->count && at < SLICE_MAX) {
		const bool run = d->list_at < d->listed && (list[d->list_at] >> 16) - d->leading_run < d->count;
		const u32 last = run ? (list[d->list_at] >> 16) - d->leading_run + 1 : d->count;
		const u32 n = min_u32(last - i, (u32)(SLICE_MAX - at));
		copy_weights(out, at, d->value, i, n, bytes);
		at += n;
		i += n;
		if (run && i == last) {
			const size_t zeros = d->run[d->list_at++] & 0xffff;
			memcpy(out + at * size, &none, sizeof(none));
			if (zeros > vector)
				memset(out + at * size, 0, (zeros < SLICE_MAX - at ? zeros : SLICE_MAX - at) * size);
			at += zeros;
		}
	}
	const size_t stop = at < SLICE_MAX ? at : SLICE_MAX;
	d->next = i;
	d->zeros = at - stop;
	d->left = i < d->count || d->zeros;
	return stop;
}
