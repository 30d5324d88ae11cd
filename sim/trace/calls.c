/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/trace/calls.h"
#include "sim/trace/symbols.h"

#include <stdlib.h>
#include <string.h>

/* Frames deeper than that are not kept apart: what they cost is their last kept caller's. Contexts are fewer still: recursion
 * goes on in the context that its function has already. */
enum { DEPTH_MAX = 1 << 14, CONTEXT_DEPTH_MAX = 200, PARKED_MAX = 64 };

/* A stack of functions that an exception's end did not go back to: another one's turn came. */
struct call_parked {
	u32 pc, sp; /* where it goes on */
	struct cpu_frame *frame;
	u32 depth;
	struct call_thread thread;
};

static u32 context_new(struct calls *c, u32 parent, u32 function, u32 site, u16 exception)
{
	if (c->count == c->room) {
		const u32 room = c->room ? 2 * c->room : 256;
		struct call_context *more = realloc(c->context, room * sizeof *more);

		if (!more) {
			c->failed = true;
			return parent;
		}
		c->context = more;
		c->room = room;
	}
	const u32 n = c->count++;

	c->context[n] = (struct call_context){ .parent = parent, .function = function, .site = site, .exception = exception,
					       .depth = n ? (u16)(c->context[parent].depth + 1) : 0 };
	if (n) {
		c->context[n].sibling = c->context[parent].child;
		c->context[parent].child = n;
	}
	return n;
}

static u32 context_below(struct calls *c, u32 parent, u32 function, u32 site, u16 exception)
{
	if (!exception && parent && c->context[parent].function == function)
		return parent;
	if (c->context[parent].depth >= CONTEXT_DEPTH_MAX)
		for (u32 i = parent; i; i = c->context[i].parent)
			if (c->context[i].function == function)
				return i;
	for (u32 i = c->context[parent].child; i; i = c->context[i].sibling) {
		const struct call_context *k = &c->context[i];

		if (k->function == function && k->site == site && k->exception == exception)
			return i;
	}
	return context_new(c, parent, function, site, exception);
}

static void push(struct calls *c, struct cpu_frame f, u64 cycle)
{
	if (c->depth == DEPTH_MAX && !f.exception)
		return;
	if (c->depth == c->frame_room) {
		const u32 room = c->frame_room ? 2 * c->frame_room : 256;
		struct cpu_frame *more = realloc(c->frame, room * sizeof *more);

		if (!more) {
			c->failed = true;
			return;
		}
		c->frame = more;
		c->frame_room = room;
	}
	c->context[f.context].calls++;
	f.low = c->low;
	c->frame[c->depth++] = f;
	if (f.exception)
		c->low = c->depth;
	if (c->entered)
		c->entered(c->ctx, &c->frame[c->depth - 1], cycle);
}

static void pop_to(struct calls *c, u32 depth, u64 cycle)
{
	while (c->depth > depth) {
		c->depth--;
		if (c->frame[c->depth].exception)
			c->low = c->frame[c->depth].low;
		if (c->left)
			c->left(c->ctx, &c->frame[c->depth], cycle);
	}
}

/* A stack begins of which nothing is known yet. */
static void new_thread(struct calls *c, u32 pc)
{
	c->thread = (struct call_thread){ .number = c->threads++, .function = symbols_function(c->machine, pc) };
}

static void enter_root(struct calls *c, u32 pc, u32 sp, u64 cycle)
{
	push(c, (struct cpu_frame){ .context = context_below(c, 0, symbols_function(c->machine, pc), 0, 0), .sp = sp }, cycle);
}

u32 calls_callee(struct calls *c, const struct cpu_course *t)
{
	return context_below(c, calls_current(c), symbols_function(c->machine, t->to), t->at, 0);
}

static void enter(struct calls *c, const struct cpu_course *t, u32 context, u32 back)
{
	push(c, (struct cpu_frame){ .context = context, .back = back, .sp = t->sp }, t->cycle);
}

void calls_enter(struct calls *c, const struct cpu_course *t, u32 callee)
{
	if (!c->failed)
		enter(c, t, callee, t->end);
}

static u32 function_of(const struct calls *c, u32 frame)
{
	return c->context[c->frame[frame].context].function;
}

/* Back to the caller, or further, by who was called and those that it went on to by tail calls, which go back to the same place. True: some
 * frame is left. */
static bool leave(struct calls *c, const struct cpu_course *t)
{
	const u32 low = c->low;
	u32 i = c->depth;

	while (i > low && !cpu_frame_ends(&c->frame[i - 1], t->to, t->sp))
		i--;
	if (i == low)
		return false;
	while (i > low && cpu_frame_ends(&c->frame[i - 1], t->to, t->sp))
		i--;
	pop_to(c, i, t->cycle);
	return true;
}

/* A branch that is neither call nor return: inside the function, a tail call, or longjmp and the like. */
static bool go_elsewhere(struct calls *c, const struct cpu_course *t)
{
	const u32 function = symbols_function(c->machine, t->to), low = c->low;

	if (c->depth && function == function_of(c, c->depth - 1))
		return false;
	if (leave(c, t))
		return true;
	if (t->to != function)
		for (u32 i = c->depth; i > low; i--)
			if (function_of(c, i - 1) == function) {
				pop_to(c, i, t->cycle);
				return true;
			}
	enter(c, t, calls_callee(c, t), c->depth > low ? c->frame[c->depth - 1].back : 0);
	return true;
}

static void enter_exception(struct calls *c, const struct cpu_course *t)
{
	struct cpu_frame f = { .back = t->end, .sp = t->sp_before, .exception = true };
	const u32 low = c->low;

	if (t->tail && low) { /* the one that ends interrupted the same program */
		f.back = c->frame[low - 1].back;
		f.sp = c->frame[low - 1].sp;
		pop_to(c, low - 1, t->cycle);
	}
	f.context = context_below(c, 0, symbols_function(c->machine, t->to), 0, t->exception);
	push(c, f, t->cycle);
}

static void park(struct calls *c, const struct cpu_frame *exception, u32 depth)
{
	struct cpu_frame *copy = c->parked_count < PARKED_MAX && depth ? malloc(depth * sizeof *copy) : NULL;
	struct call_parked *more = copy ? realloc(c->parked, (c->parked_count + 1) * sizeof *more) : NULL;

	if (!more) {
		free(copy);
		return;
	}
	memcpy(copy, c->frame, depth * sizeof *copy);
	c->parked = more;
	c->parked[c->parked_count++] = (struct call_parked){ exception->back, exception->sp, copy, depth, c->thread };
}

static bool unpark(struct calls *c, u32 pc, u32 sp, u64 cycle)
{
	for (u32 i = 0; i < c->parked_count; i++) {
		struct call_parked p = c->parked[i];

		if (p.pc != pc || p.sp != sp)
			continue;
		c->parked[i] = c->parked[--c->parked_count];
		c->thread = p.thread;
		for (u32 k = 0; k < p.depth; k++) {
			c->context[p.frame[k].context].calls--; /* push counts it again */
			push(c, p.frame[k], cycle);
		}
		free(p.frame);
		return true;
	}
	return false;
}

/* Code that an exception interrupted goes on elsewhere, as by a branch in the place where it was. */
static void go_on(struct calls *c, const struct cpu_course *t, u32 at)
{
	struct cpu_course branch = *t;

	branch.at = at;
	go_elsewhere(c, &branch);
}

static void leave_exception(struct calls *c, const struct cpu_course *t)
{
	const u32 low = c->low;

	if (!low) {
		pop_to(c, 0, t->cycle);
		enter_root(c, t->to, t->sp, t->cycle);
		return;
	}
	const struct cpu_frame exception = c->frame[low - 1];
	const struct call_thread before = c->thread;

	pop_to(c, low - 1, t->cycle);
	if (exception.sp == t->sp) { /* the same stack; a handler may have gone on to another place, behind a fault for example */
		if (exception.back != t->to)
			go_on(c, t, exception.back);
		return;
	}
	park(c, &exception, low - 1);
	pop_to(c, 0, t->cycle);
	if (!unpark(c, t->to, t->sp, t->cycle)) {
		new_thread(c, t->to);
		enter_root(c, t->to, t->sp, t->cycle);
	}
	c->thread.since = t->cycle;
	if (c->switched)
		c->switched(c->ctx, &before, t->cycle);
}

void calls_init(struct calls *c, const struct machine *m, u32 pc, u32 sp)
{
	c->machine = m;
	context_new(c, 0, 0, 0, 0);
	new_thread(c, pc);
	if (!c->failed)
		enter_root(c, pc, sp, 0);
}

u32 calls_room(const struct calls *c)
{
	return c->failed || c->entered || c->left ? 0 : c->frame_room < DEPTH_MAX ? c->frame_room : DEPTH_MAX;
}

void calls_free(struct calls *c)
{
	for (u32 i = 0; i < c->parked_count; i++)
		free(c->parked[i].frame);
	free(c->parked);
	free(c->context);
	free(c->frame);
}

bool calls_follow(struct calls *c, const struct cpu_course *t)
{
	if (c->failed)
		return false;
	switch (t->turn) {
	case CPU_TURN_CALL:
		enter(c, t, calls_callee(c, t), t->end);
		return true;
	case CPU_TURN_RETURN:
		return leave(c, t) || go_elsewhere(c, t);
	case CPU_TURN_BRANCH:
		return go_elsewhere(c, t);
	case CPU_TURN_ENTRY:
		enter_exception(c, t);
		return true;
	case CPU_TURN_EXIT:
		leave_exception(c, t);
		return true;
	case CPU_TURN_MOVED:
		if (t->to == t->end)
			return false;
		pop_to(c, 0, t->cycle);
		enter_root(c, t->to, t->sp, t->cycle);
		return true;
	default:
		return false;
	}
}
