/* SPDX-License-Identifier: Apache-2.0 */
/* Whole stacks with their cycles: folded text for flame graphs, and speedscope's file format. Functions that the compiler
 * inlined stand on the stack as if they had been called; time asleep is a frame of its own. */
#include "sim/trace/profile_places.h"
#include "sim/trace/symbols.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STACK_MAX = 512, INLINED_MAX = 16 };

static const char waits_npu[] = "[waiting for the NPU]", sleeps[] = "[asleep]";

/* Names of a stack, outermost first; those that need text of their own have it in `text`. */
struct stack {
	const char *name[STACK_MAX];
	char text[STACK_MAX][32];
	unsigned depth;
};

static void put(struct stack *s, const char *name)
{
	if (s->depth < STACK_MAX)
		s->name[s->depth++] = name;
}

static void put_contexts(struct stack *s, const struct calls *k, u32 context)
{
	const struct call_context *c = &k->context[context];
	char *text;

	if (c->parent)
		put_contexts(s, k, c->parent);
	if (s->depth >= STACK_MAX - INLINED_MAX - 2)
		return;
	if (c->exception) {
		text = s->text[s->depth];
		snprintf(text, sizeof s->text[0], "[exception %u]", c->exception);
		put(s, text);
	}
	text = s->text[s->depth];
	put(s, symbols_name(k->machine, c->function, text, sizeof s->text[0]));
}

static void put_inlined(struct stack *s, struct machine *m, u32 pc)
{
	const char *names[INLINED_MAX];
	unsigned n = 0;

	for (unsigned i = 0; i < m->image_count && !n; i++)
		if (image_function_at(&m->images[i], pc))
			n = image_inlined_at(&m->images[i], pc, names, INLINED_MAX);
	while (n--)
		put(s, names[n]);
}

typedef void stack_fn(void *ctx, const struct stack *s, u64 cycles);

/* Every stack with its cycles; the same one may come several times. */
static bool each_stack(const struct profile *p, stack_fn *fn, void *ctx)
{
	u32 count;
	struct profile_place *place = profile_places(p, true, &count);
	static const struct stack empty;
	struct stack *s = malloc(sizeof *s);

	for (u32 i = 0; s && place && i < count; i++) {
		const struct profile_cost *c = &place[i].cost;
		const u64 asleep[] = { c->npu, c->idle };

		s->depth = empty.depth;
		put_contexts(s, profile_calls(p), place[i].context);
		for (unsigned k = 0; k < ARRAY_LEN(asleep); k++)
			if (asleep[k]) {
				put(s, k ? sleeps : waits_npu);
				fn(ctx, s, asleep[k]);
				s->depth--;
			}
		put_inlined(s, profile_machine(p), place[i].pc);
		if (c->cycles)
			fn(ctx, s, c->cycles);
	}
	const bool ok = s && place;
	free(place);
	free(s);
	return ok;
}

static bool short_of_memory(char *why, size_t why_size)
{
	snprintf(why, why_size, "host memory is short");
	return false;
}

/* ---- folded: frames joined by semicolons, a space, the cycles ---- */

struct folded { FILE *f; char *line, *last; size_t size; u64 cycles; };

static void flush_line(struct folded *o)
{
	if (o->cycles)
		fprintf(o->f, "%s %" PRIu64 "\n", o->last, o->cycles);
	o->cycles = 0;
}

static void fold(void *ctx, const struct stack *s, u64 cycles)
{
	struct folded *o = ctx;
	size_t at = 0;

	for (unsigned i = 0; i < s->depth; i++) {
		const int n = snprintf(o->line + at, o->size - at, "%s%s", i ? ";" : "", s->name[i]);

		at = n < 0 || at + (size_t)n >= o->size ? o->size - 1 : at + (size_t)n;
	}
	if (strcmp(o->line, o->last) != 0) {
		flush_line(o);
		memcpy(o->last, o->line, o->size);
	}
	o->cycles += cycles;
}

bool profile_write_folded(const struct profile *p, FILE *f, char *why, size_t why_size)
{
	struct folded o = { .f = f, .size = 1 << 16 };

	o.line = calloc(1, o.size);
	o.last = calloc(1, o.size);

	const bool ok = o.line && o.last && each_stack(p, fold, &o);

	if (ok)
		flush_line(&o);
	free(o.line);
	free(o.last);
	return ok || short_of_memory(why, why_size);
}

/* ---- speedscope ---- */

struct speedscope {
	FILE *f;
	const char **name; /* frames so far; compared as text */
	u32 *index, count, room;
	u64 total;
	u64 *weight;
	u32 samples, sample_room;
	bool failed;
};

static void print_json(FILE *f, const char *text)
{
	fputc('"', f);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fputc('\\', f);
		if ((unsigned char)*text >= ' ')
			fputc(*text, f);
	}
	fputc('"', f);
}

static u32 frame_index(struct speedscope *o, const char *name)
{
	u32 h = 2166136261u;

	for (const char *c = name; *c; c++)
		h = (h ^ (u8)*c) * 16777619u;
	for (h &= o->room - 1; o->index[h]; h = (h + 1) & (o->room - 1))
		if (!strcmp(o->name[o->index[h] - 1], name))
			return o->index[h] - 1;
	if (o->count == o->room / 2 || !(o->name[o->count] = strdup(name))) {
		o->failed = true;
		return 0;
	}
	o->index[h] = ++o->count;
	return o->count - 1;
}

static void sample(void *ctx, const struct stack *s, u64 cycles)
{
	struct speedscope *o = ctx;

	if (o->samples == o->sample_room) {
		const u32 room = o->sample_room ? 2 * o->sample_room : 1024;
		u64 *more = realloc(o->weight, room * sizeof *more);

		if (!more) {
			o->failed = true;
			return;
		}
		o->weight = more;
		o->sample_room = room;
	}
	fprintf(o->f, "%s[", o->samples ? ",\n" : "");
	for (unsigned i = 0; i < s->depth; i++)
		fprintf(o->f, "%s%u", i ? "," : "", frame_index(o, s->name[i]));
	fputc(']', o->f);
	o->weight[o->samples++] = cycles;
	o->total += cycles;
}

bool profile_write_speedscope(const struct profile *p, FILE *f, char *why, size_t why_size)
{
	struct speedscope o = { .f = f, .room = 1 << 17 };

	o.index = calloc(o.room, sizeof *o.index);
	o.name = calloc(o.room, sizeof *o.name);
	fprintf(f, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"exporter\":\"fvp-sim\",\n"
		"\"profiles\":[{\"type\":\"sampled\",\"name\":\"processor cycles\",\"unit\":\"none\",\"startValue\":0,\"samples\":[\n");

	const bool ok = o.index && o.name && each_stack(p, sample, &o) && !o.failed;

	fprintf(f, "],\"weights\":[");
	for (u32 i = 0; i < o.samples; i++)
		fprintf(f, "%s%" PRIu64, i ? "," : "", o.weight[i]);
	fprintf(f, "],\"endValue\":%" PRIu64 "}],\n\"shared\":{\"frames\":[", o.total);
	for (u32 i = 0; i < o.count; i++) {
		fprintf(f, "%s{\"name\":", i ? ",\n" : "");
		print_json(f, o.name[i]);
		fputc('}', f);
		free((void *)o.name[i]);
	}
	fprintf(f, "]}}\n");
	free(o.index);
	free(o.name);
	free(o.weight);
	return ok || short_of_memory(why, why_size);
}
