/* SPDX-License-Identifier: Apache-2.0 */
/* As weights/runs.h, for slices whose runs have no remainders and of which few are longer than 0, as orders that are padded have: of a
 * chunk's runs nothing but the digits is noted, and only where they are not all the same. Part of weights/decode.c. */

/* Where a slice's reading has come to. */
struct listed {
	u64 base, loaded, more; /* the next chunk begins at base + more; what is loaded from base on */
	u16 *to;                /* where the last chunk's weights go, which wait for their remainders */
	u32 waiting, carry;     /* as struct symbols */
	u32 carries;            /* all that there were */
	u32 found;              /* weights */
	i32 ahead;              /* these without the runs */
	__m256i lanes;
};

/* Chunks with runs longer than 0. */
struct noted {
	u32 count;
	struct { u32 found, ones; } chunk[SEGMENT + 1]; /* the run that goes on or begins there; which digits do not end one */
};

/* A chunk. `inside`: all its symbols are wanted; else so many weights and runs. */
ALWAYS_INLINE void read_listed_chunk(struct listed *x, const struct npu_weights_decoder *d, struct noted *noted, const u32 width, const bool inside,
				     u32 wanted, u32 runs_wanted)
{
	const u32 found = x->found - (u32)x->ahead;
	const u32 on = (u32)((x->ahead - 8) >> 31) & (inside || x->found < wanted ? UINT32_MAX : 0), mask = on & 0xfff, digits = on & 12;
	const u32 run_on = ~(u32)(x->ahead >> 31) & (inside || found < runs_wanted ? UINT32_MAX : 0), runs = run_on & 12;
	const u64 bits = x->loaded >> x->more, run_bits = bits >> digits, start = x->base + x->more + digits + runs;
	const u32 ones = (u32)bits & mask, run_ones = (u32)run_bits & run_on & 0xfff;
	const u32 ends = ~_pdep_u32((u32)(run_bits >> runs), ones) & mask, ended = (u32)__builtin_popcount(ends);
	const struct npu_weights_ends *e = &d->tables->ends[ends];
	const __m256i scale = _mm256_set1_epi16((short)(1 << width));

	x->base = start + x->waiting * width;
	x->loaded = window(d->data, x->base);
	x->more = (unsigned)__builtin_popcount(ones);
	_mm256_storeu_si256((void *)x->to, _mm256_add_epi16(x->lanes, remainders(d->data, start + x->more, d->tables->fields[width], scale)));
	x->lanes = _mm256_mullo_epi16(quotients(e, ones, ends, x->carry), scale);
	x->to += x->waiting;
	x->carry = (ends ? 0 : x->carry) + e->rest - 2 * (12 - digits);
	x->carries |= x->carry;
	x->waiting = inside ? ended : min_u32(ended, wanted - x->found); /* those beyond have no remainders */
	x->found += x->waiting;
	x->ahead += (i32)x->waiting - (i32)(runs - (u32)__builtin_popcount(run_ones));
	noted->chunk[noted->count].found = found;
	noted->chunk[noted->count].ones = run_ones;
	noted->count += run_ones != 0;
}

/* Chunks whose symbols are all wanted. */
ALWAYS_INLINE void read_listed_some(struct listed *state, const struct npu_weights_decoder *d, struct noted *noted, const u32 width, u32 chunks)
{
	struct listed x = *state;

	for (; chunks; chunks--)
		read_listed_chunk(&x, d, noted, width, true, 0, 0);
	*state = x;
}

static void list_noted(struct run_list *l, struct noted *noted)
{
	for (u32 i = 0; i < noted->count; i++)
		list_digit(l, noted->chunk[i].found, noted->chunk[i].ones);
	noted->count = 0;
}

/* So many chunks that are wanted whole, or one that need not be. */
static inline void read_listed_chunks(struct listed *x, const struct npu_weights_decoder *d, struct noted *noted, u32 chunks)
{
	if (!chunks)
		read_listed_chunk(x, d, noted, d->width, false, d->count, d->count + d->leading_run);
	else if (d->width == 5) /* what compilers choose for weights of eight bits */
		read_listed_some(x, d, noted, 5, chunks);
	else
		read_listed_some(x, d, noted, d->width, chunks);
}

/* The last chunk's weights; false: the slice ends beyond the stream. */
static inline bool end_listed(struct npu_weights_decoder *d, const struct listed *x)
{
	const u64 pos = x->base + x->more, end = pos + x->waiting * d->width;
	const __m256i scale = _mm256_set1_epi16((short)(1 << d->width));

	if (end > d->end)
		return false;
	_mm256_storeu_si256((void *)x->to, _mm256_add_epi16(x->lanes, remainders(d->data, pos, d->tables->fields[d->width], scale)));
	d->pos = end;
	return true;
}

/* False: nothing has been read, as there are many runs or the slice is not legal; another way must be taken. */
static NOINLINE bool read_listed(struct npu_weights_decoder *d)
{
	const u32 wanted = d->count, runs_wanted = d->count + d->leading_run;
	struct listed x = { .base = d->pos, .loaded = window(d->data, d->pos), .to = d->value, .lanes = _mm256_setzero_si256() };
	struct run_list l = { .run = d->run, .room = ARRAY_LEN(d->run) };
	struct noted noted;
	u32 read = 0; /* chunks */

	noted.count = 0;
	for (u32 found = 0; x.found < wanted || found < runs_wanted; found = x.found - (u32)x.ahead) {
		if (x.base + x.more > d->end)
			return false;
		const u32 runs_left = found < runs_wanted ? runs_wanted - found : 0;
		const u64 safe = (d->end - x.base - x.more) / RUNS_CHUNK_BITS_MAX + 1;
		const u32 whole = min_u32(min_u32(wanted - x.found, runs_left) / 12, SEGMENT), chunks = safe < whole ? (u32)safe : whole;
		read_listed_chunks(&x, d, &noted, chunks);
		read += chunks ? chunks : 1;
		list_noted(&l, &noted);
		if (x.carries > WEIGHT_CARRY_MAX || !runs_few(&l, read))
			return false;
	}
	if (!end_listed(d, &x))
		return false;
	list_end(d, &l);
	return true;
}
