/* SPDX-License-Identifier: Apache-2.0 */
/* Rows and planes of int32, npu_words_rows() and npu_words_planes() of rows/words.h with AVX2. Part of simd.c. */

#if SIMD_LEVEL == 2
/* Operands are int32 and there is no table, or one behind which results are int16; both are int16 and results int32; or anything: the first three have
 * loops of their own. */
enum word_kind { WORDS_PLAIN, WORDS_TABLED, WORDS_HALVES, WORDS_ANY };

ALWAYS_INLINE vec word_made(const struct word_table *t, struct word_vec *c, const unsigned mode, const bool swap, const enum word_kind kind, size_t n, vec x, vec y)
{
	const vec r = swap ? word_result(c, mode, y, x) : word_result(c, mode, x, y);

	return kind == WORDS_TABLED || (kind == WORDS_ANY && t->table) ? word_tabled(t, kind == WORDS_TABLED, n, r) : r;
}

/* A row of elements, or of those with one second operand. */
ALWAYS_INLINE void word_row(const struct npu_words *w, const struct word_table *t, struct word_vec *c, const unsigned mode, const bool swap, const enum word_kind kind,
			    size_t n, bool each, const u8 *a, const u8 *b, u8 *to)
{
	const bool halves = kind == WORDS_HALVES, any = kind == WORDS_ANY;
	const unsigned bytes = kind == WORDS_TABLED ? 2 : halves ? 4 : w->bytes, bytes_a = any ? w->bytes_a : halves ? 2 : 4, bytes_b = any ? w->bytes_b : halves ? 2 : 4;
	const size_t whole = n / LANES * LANES, rest = n - whole;
	vec y = word_of_one(b, bytes_b);

	for (size_t i = 0; i < whole; i += LANES) {
		const vec x = word_load_of(a + bytes_a * i, bytes_a, LANES);
		y = each ? word_load_of(b + bytes_b * i, bytes_b, LANES) : y;
		word_put(to + i * bytes, bytes, kind == WORDS_TABLED, LANES, word_made(t, c, mode, swap, kind, LANES, x, y));
	}
	if (rest) {
		const vec x = word_load_of(a + bytes_a * whole, bytes_a, rest);
		y = each ? word_load_of(b + bytes_b * whole, bytes_b, rest) : y;
		word_put(to + whole * bytes, bytes, kind == WORDS_TABLED, rest, word_made(t, c, mode, swap, kind, rest, x, y));
	}
}

/* Rows in the order that they are done in: bytes from one to the next, and from one run of them to the next. */
struct word_order {
	size_t runs, rows;
	i64 run_a, run_b, run_to, a, b, to;
};

/* Where a map has a pixel's channels side by side and another has them in planes, pixel by pixel: else each line of the first one would come from afar
 * in each plane. */
static inline struct word_order word_order_of(const struct npu_words_space *s)
{
	const struct npu_words_grid *const g = &s->plane;

	if (s->planes > 1 && (s->deep_a < g->down_a || (s->deep_b && s->deep_b < g->down_b) || s->deep_to < g->down_to))
		return (struct word_order){ g->rows, s->planes, g->down_a, g->down_b, g->down_to, s->deep_a, s->deep_b, s->deep_to };
	return (struct word_order){ s->planes, g->rows, s->deep_a, s->deep_b, s->deep_to, g->down_a, g->down_b, g->down_to };
}

ALWAYS_INLINE void word_grid(const struct npu_words *w, const unsigned mode, const bool swap, const enum word_kind kind, const struct npu_words_space *s)
{
	const struct word_table t = { w->table, kind == WORDS_TABLED || (w->table && w->table_rounds), w->table && w->table_clips };
	struct word_vec c = word_vec_of(w);
	const struct npu_words_grid *const g = &s->plane;
	const struct word_order o = word_order_of(s);

	for (size_t p = 0; p < o.runs; p++) {
		const u8 *a = g->a + (i64)p * o.run_a, *b = g->b + (i64)p * o.run_b;
		u8 *to = g->to + (i64)p * o.run_to;
		for (size_t r = 0; r < o.rows; r++, a += o.a, b += o.b, to += o.to)
			word_row(w, &t, &c, mode, swap, kind, g->n, g->step_b, a, b, to);
	}
}

static enum word_kind word_kind_of(const struct npu_words *w)
{
	if (w->bytes_a != sizeof(i32) || w->bytes_b != sizeof(i32))
		return w->bytes_a == w->bytes_b && w->bytes == sizeof(i32) && !w->table && !w->shift ? WORDS_HALVES : WORDS_ANY;
	if (!w->table)
		return WORDS_PLAIN;
	return w->bytes == sizeof(i16) && w->table_rounds ? WORDS_TABLED : WORDS_ANY;
}

/* Products and sums, for which there are the others as well. */
ALWAYS_INLINE void word_grid_any(const struct npu_words *w, const unsigned mode, const bool swap, const struct npu_words_space *g)
{
	switch (word_kind_of(w)) {
	case WORDS_PLAIN: word_grid(w, mode, swap, WORDS_PLAIN, g); return;
	case WORDS_TABLED: word_grid(w, mode, swap, WORDS_TABLED, g); return;
	case WORDS_HALVES: word_grid(w, mode == NPU_EW_MUL ? WORD_MUL_HALVES : mode, swap, WORDS_HALVES, g); return;
	default: word_grid(w, mode, swap, WORDS_ANY, g); return;
	}
}

static bool words_chosen(const struct npu_words *w, const struct npu_words_space *g)
{
	switch (w->mode) {
	case NPU_EW_SHR: (w->swap ? word_grid(w, NPU_EW_SHR, true, WORDS_PLAIN, g) : word_grid(w, NPU_EW_SHR, false, WORDS_PLAIN, g)); return true;
	case NPU_EW_MIN: word_grid(w, NPU_EW_MIN, false, WORDS_PLAIN, g); return true;
	case NPU_EW_MAX: word_grid(w, NPU_EW_MAX, false, WORDS_PLAIN, g); return true;
	default: return false;
	}
}

/* Apart from others, beside which registers do not suffice. */
static __attribute__((noinline)) void products_chosen(const struct npu_words *w, const struct npu_words_space *g)
{
	if (w->shift >= 32)
		word_grid_any(w, WORD_MUL_UPPER, false, g);
	else
		word_grid_any(w, NPU_EW_MUL, false, g);
}

/* Sums and differences: words and halves, through a table or not. */
static void sums_chosen(const struct npu_words *w, const struct npu_words_space *g)
{
	if (w->shift && w->mode == NPU_EW_ADD)
		word_grid(w, WORD_ADD_SHIFTED, false, WORDS_ANY, g);
	else if (w->shift)
		(w->swap ? word_grid(w, WORD_SUB_SHIFTED, true, WORDS_ANY, g) : word_grid(w, WORD_SUB_SHIFTED, false, WORDS_ANY, g));
	else if (w->mode == NPU_EW_ADD)
		word_grid_any(w, NPU_EW_ADD, false, g);
	else
		(w->swap ? word_grid_any(w, NPU_EW_SUB, true, g) : word_grid_any(w, NPU_EW_SUB, false, g));
}

/* Rows of one vector and a part of one that is loaded and stored piece by piece, where that is more than its arithmetic: they take less time together. */
static bool words_are_short(const struct npu_words *w, const struct npu_words_grid *g)
{
	return g->rows > 1 && g->n < 2 * LANES && g->n % 4 && word_kind_of(w) != WORDS_PLAIN;
}

bool npu_words_planes(const struct npu_words *w, const struct npu_words_space *g)
{
	if (!npu_words_narrow(w) || words_are_short(w, &g->plane))
		return false;
	switch (w->mode) {
	case NPU_EW_MUL: products_chosen(w, g); return true;
	case NPU_EW_ADD:
	case NPU_EW_SUB: sums_chosen(w, g); return true;
	default: return word_kind_of(w) == WORDS_PLAIN && words_chosen(w, g);
	}
}

bool npu_words_rows(const struct npu_words *w, const struct npu_words_grid *g)
{
	return npu_words_planes(w, &(struct npu_words_space){ .plane = *g, .planes = 1 });
}
#endif
