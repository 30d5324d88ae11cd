/* SPDX-License-Identifier: Apache-2.0 */
/* One call of a script's function: made, or repeated from the journal. */
#include "sim/history/journal.h"
#include "sim/machine.h"
#include "sim/script/private.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct { const char *name; u32 numbers; enum script_gives gives; } hooks[] = {
#define H(name, numbers, gives) { #name, numbers, SCRIPT_##gives },
	SCRIPT_HOOKS(H)
#undef H
};

enum { CALL_TEXT = 96, SLOW_SECONDS = 10 };

/* "rdRegs(3)" */
static void describe(const struct script_call *c, char *text, size_t size)
{
	const unsigned n = hooks[c->hook].numbers;
	const char *data = c->data ? "data, " : "";

	if (n < 2)
		snprintf(text, size, n ? "%s(%s%u)" : "%s()", hooks[c->hook].name, data, c->number[0]);
	else
		snprintf(text, size, "%s(%u, %u)", hooks[c->hook].name, c->number[0], c->number[1]);
}

static PRINTF_LIKE(5, 6) bool wrong(const struct script *s, const struct script_call *c, char *why, size_t why_size, const char *fmt, ...)
{
	char call[CALL_TEXT], text[CHILD_TEXT];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	describe(c, call, sizeof call);
	snprintf(why, why_size, "%s: %s %s", s->path, call, text);
	return false;
}

static bool take_bytes(struct script *s, struct script_call *c, u32 bytes, char *why, size_t why_size)
{
	u8 *to;

	if (bytes != c->bytes)
		return wrong(s, c, why, why_size, "gives %u bytes, not %u; correct the script", bytes, c->bytes);
	s->data.bytes = 0;
	to = state_put(&s->data, bytes);
	if (!to)
		return wrong(s, c, why, why_size, "gives %u bytes, for which host memory is short", bytes);
	if (!child_receive_bytes(&s->child, &s->machine->wait, to, bytes))
		return false; /* it ends, or the run does */
	c->data = to;
	return true;
}

/* The text that stands for an answer: what is wrong. */
static bool take_text(struct script *s, const struct script_call *c, const struct child_answer *a, char *why, size_t why_size)
{
	char text[CHILD_TEXT] = "";

	if (!child_receive_bytes(&s->child, &s->machine->wait, (u8 *)text, a->bytes))
		return false;
	if (a->kind == CHILD_FAILED)
		snprintf(why, why_size, "%s; correct the script", text);
	else if (hooks[c->hook].gives == SCRIPT_NOTHING)
		return true;
	else
		wrong(s, c, why, why_size, "gives %s, not %s; correct the script", text,
		      hooks[c->hook].gives == SCRIPT_BYTES ? "bytes" : "a number of 32 bits");
	return false;
}

static bool take_unwanted(struct script *s, const struct script_call *c, const struct child_answer *a, char *why, size_t why_size)
{
	const bool bytes = a->kind == CHILD_BYTES;

	if (hooks[c->hook].gives == SCRIPT_BYTES)
		return wrong(s, c, why, why_size, "gives %s, not bytes; correct the script", bytes ? "bytes" : a->kind == CHILD_NUMBER ? "a number" : "None");
	return wrong(s, c, why, why_size, "gives %s, not a number; correct the script", bytes ? "bytes" : "None");
}

static bool take(struct script *s, struct script_call *c, const struct child_answer *a, char *why, size_t why_size)
{
	const enum script_gives gives = hooks[c->hook].gives;

	if (a->kind == CHILD_OTHER || a->kind == CHILD_FAILED)
		return take_text(s, c, a, why, why_size);
	if (a->kind == CHILD_BYTES && gives == SCRIPT_BYTES)
		return take_bytes(s, c, a->bytes, why, why_size);
	if (a->kind == CHILD_NUMBER && (gives == SCRIPT_NUMBER || gives == SCRIPT_NUMBER_OR))
		c->answer = a->number;
	else if (gives != SCRIPT_NOTHING && !(gives == SCRIPT_NUMBER_OR && a->kind == CHILD_NOTHING))
		return take_unwanted(s, c, a, why, why_size);
	return true;
}

bool script_begins(const struct script *s)
{
	const double seconds = s->machine->config.script_seconds;

	return seconds <= 0 || seconds > INT_MAX / 1000 || !wait_is_long(&s->machine->wait, s->child.port, (int)(seconds * 1000));
}

/* Scripts may wait for something, a camera or another program, but nobody should wonder. */
static void tell_slowness(struct script *s, const struct script_call *c)
{
	char call[CALL_TEXT];

	if (s->slow || c->hook == HOOK_init || !wait_is_long(&s->machine->wait, s->child.port, SLOW_SECONDS * 1000))
		return;
	s->slow = true;
	describe(c, call, sizeof call);
	diag_report(s->machine->diag, DIAG_NOTE, "VSI005", "%s: %s: %s has not answered for %d seconds; the run waits for it", s->device, s->path,
		    call, SLOW_SECONDS);
}

bool script_do(struct script *s, struct script_call *c, char *why, size_t why_size)
{
	const struct child_call call = {
		c->hook, hooks[c->hook].numbers, { c->number[0], c->number[1] }, c->hook == HOOK_wrDataDMA ? c->bytes : 0,
	};
	struct child_answer a;
	char how[CHILD_TEXT];

	*why = 0;
	child_send(&s->child, &s->machine->wait, &call, c->data); /* where it fails, there is no answer either */
	if (c->hook == HOOK_init && !script_begins(s))
		return false;
	tell_slowness(s, c);
	a = child_receive(&s->child, &s->machine->wait);
	if (a.kind == CHILD_NO_TIME)
		return false;
	if (a.kind != CHILD_ENDED)
		return take(s, c, &a, why, why_size);
	child_how(&s->child, how, sizeof how);
	return wrong(s, c, why, why_size, "has no answer: its python3 %s; correct the script", how);
}

/* ---- the journal ---- */

struct entry { u32 answer, failed; }; /* then bytes */

static u32 entry_number(const struct script *s, const struct script_call *c)
{
	return s->number * HOOKS + c->hook;
}

static void keep(const struct script *s, const struct script_call *c)
{
	const struct entry head = { c->answer, s->failed };
	const u32 bytes = c->hook == HOOK_rdDataDMA && c->data ? c->bytes : 0;
	struct state_buffer entry = { 0 };
	u8 *to = s->machine->journal ? state_put(&entry, sizeof head + bytes) : NULL;

	if (to) {
		memcpy(to, &head, sizeof head);
		if (bytes)
			memcpy(to + sizeof head, c->data, bytes);
		journal_add(s->machine->journal, JOURNAL_SCRIPT, entry_number(s, c), entry.data, entry.bytes);
	}
	state_buffer_free(&entry);
}

static void repeat(struct script *s, struct script_call *c)
{
	u64 bytes;
	const u8 *at = journal_next(s->machine->journal, JOURNAL_SCRIPT, entry_number(s, c), &bytes);
	struct entry head;

	if (!at || bytes < sizeof head || (bytes > sizeof head && bytes - sizeof head != c->bytes)) {
		machine_strays(s->machine, "uses a virtual interface");
		return;
	}
	memcpy(&head, at, sizeof head);
	c->answer = head.answer;
	if (head.failed)
		machine_stop(s->machine, STOP_SCRIPT);
	if (c->hook == HOOK_rdDataDMA)
		c->data = bytes > sizeof head ? at + sizeof head : NULL;
}

void script_call(void *ctx, struct script_call *c)
{
	struct script *s = ctx;
	char why[2 * CHILD_TEXT];

	if (journal_replays(s->machine->journal)) {
		repeat(s, c);
		return;
	}
	if (!s->failed && !script_do(s, c, why, sizeof why) && *why) {
		s->failed = true;
		diag_report(s->machine->diag, DIAG_USER, "VSI003", "%s: %s", s->device, why);
	}
	s->calls++;
	if (s->failed)
		machine_stop(s->machine, STOP_SCRIPT);
	keep(s, c);
}
