/* SPDX-License-Identifier: Apache-2.0 */
/* File-I/O: system calls that the debugger makes for the program (gdb's manual, "File-I/O Remote Protocol Extension").
 *
 * The program waits inside its semihosting call meanwhile. gdb fetches and stores the call's data with packets for memory;
 * they see a window at an address where no board has anything, and the program's memory is left to semihosting. */
#include "sim/gdb/session.h"

#include <errno.h>
#include <string.h>

enum { WAIT_MS = 100 };
#define WINDOW UINT32_C(0xf0000000) /* Vendor_SYS: Armv8-M ARM, "System address map" */

static void reply(struct gdb *g, const char *rest);
static void detach(struct gdb *g, const char *rest) { (void)rest, session_detach(g); }
static void end_run(struct gdb *g, const char *rest) { (void)rest, session_end_run(g, false); }
static void end_run_politely(struct gdb *g, const char *rest) { (void)rest, session_end_run(g, true); }

/* What a client may say while it is asked. */
static const struct packet_row packets[] = {
	{ "F", reply },
	{ "m", memory_read },
	{ "M", memory_write_hex },
	{ "X", memory_write_binary },
	{ "D", detach },
	{ "vKill", end_run_politely },
	{ "k", end_run },
};

void file_io_answer(struct gdb *g)
{
	packet_dispatch(g, packets, ARRAY_LEN(packets), g->in.data);
}

u8 *file_io_window(struct gdb *g, u32 addr, u32 bytes)
{
	const u32 at = addr - WINDOW;

	return g->asking.now && at < g->asking.bytes && bytes <= g->asking.bytes - at ? g->asking.data + at : NULL;
}

/* "Errno Values": as on Linux but for these. */
static int host_errno(u64 error)
{
	return error == 91 ? ENAMETOOLONG : error == 0 || error >= 9999 ? EIO : (int)error;
}

/* RESULT[,ERROR[,C]][;...] */
static void reply(struct gdb *g, const char *rest)
{
	const bool negative = *rest == '-';
	u64 result, error = 0;

	g->silent = true;
	rest += negative;
	if (!hex_number(&rest, &result) || result > INT32_MAX)
		g->asking.result = -1;
	else
		g->asking.result = negative ? -(i64)result : (i64)result;
	if (*rest == ',') {
		rest++;
		hex_number(&rest, &error);
	}
	g->asking.error = g->asking.result < 0 ? host_errno(error) : 0;
	if (!strncmp(rest, ",C", 2))
		g->asking.interrupted = true;
	g->asking.answered = true;
}

static u32 session(void *ctx)
{
	const struct gdb *g = ctx;

	return g->known && !g->halted && !g->over && transport_is_open(&g->link) ? g->sessions : 0;
}

static void add_argument(struct gdb *g, const struct debugger_argument *a, struct text *out)
{
	const u32 at = g->asking.bytes;

	if (a->kind == ARGUMENT_NUMBER) {
		text_add(out, ",%x", a->number);
		return;
	}
	if (a->kind == ARGUMENT_ROOM)
		memset(g->asking.data + at, 0, a->number);
	else
		memcpy(g->asking.data + at, a->data, a->number);
	g->asking.bytes += a->number;
	text_add(out, ",%x", WINDOW + at);
	if (a->kind == ARGUMENT_TEXT)
		text_add(out, "/%x", a->number);
}

static void send_request(struct gdb *g, const struct debugger_request *r)
{
	struct text packet = { 0 };

	text_add(&packet, "F%s", r->call);
	for (unsigned i = 0; i < r->arguments; i++)
		add_argument(g, &r->argument[i], &packet);
	session_send(g, &packet);
	text_free(&packet);
}

/* What the debugger has stored. */
static void fetch(const struct gdb *g, const struct debugger_request *r)
{
	u32 at = 0;

	for (unsigned i = 0; i < r->arguments; i++) {
		const struct debugger_argument *a = &r->argument[i];

		if (a->kind == ARGUMENT_ROOM)
			memcpy(a->data, g->asking.data + at, a->number);
		at += a->kind == ARGUMENT_NUMBER ? 0 : a->number;
	}
}

static bool ask(void *ctx, struct debugger_request *r)
{
	struct gdb *g = ctx;
	struct asking *a = &g->asking;

	a->now = true;
	a->answered = a->interrupted = false;
	a->bytes = 0;
	send_request(g, r);
	while (!a->answered && !g->over && transport_is_open(&g->link) && !machine_stop_asked(g->machine)) {
		transport_accept(&g->link); /* turns others away */
		transport_wait(&g->link, WAIT_MS);
		session_poll(g);
	}
	a->now = false;
	r->result = a->answered ? a->result : -1;
	r->error = a->answered ? a->error : EINTR;
	if (a->answered)
		fetch(g, r);
	if (a->interrupted) {
		g->interrupted = true;
		machine_pause(g->machine, PAUSE_LOOKED);
	}
	return a->answered || (transport_is_open(&g->link) && !g->over);
}

void file_io_begin(struct gdb *g)
{
	g->files = (struct semihosting_debugger){ session, ask, g };
}

void file_io_use(struct gdb *g, bool use)
{
	if (g->machine->semihosting)
		semihosting_set_debugger(g->machine->semihosting, use ? &g->files : NULL);
}
