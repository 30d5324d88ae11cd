/* SPDX-License-Identifier: Apache-2.0 */
/* A client's session: bytes into packets, packets to those who answer them. */
#include "sim/gdb/session.h"

#include <string.h>

enum { CLIENT_BYTES = 4096 };

bool packet_dispatch(struct gdb *g, const struct packet_row *rows, size_t count, const char *text)
{
	for (size_t i = 0; i < count; i++)
		if (!strncmp(text, rows[i].begin, strlen(rows[i].begin))) {
			rows[i].answer(g, text + strlen(rows[i].begin));
			return true;
		}
	return false;
}

void session_send(struct gdb *g, const struct text *packet)
{
	text_clear(&g->wire);
	packet_write(&g->wire, packet->bytes ? packet->data : "", packet->bytes);
	transport_write(&g->link, g->wire.data, g->wire.bytes);
}

void session_print(struct gdb *g, const char *line)
{
	struct text t = { 0 };

	text_add(&t, "O");
	text_hex(&t, line, strlen(line));
	session_send(g, &t);
	text_free(&t);
}

static void end_past(struct gdb *g)
{
	if (g->history_kept)
		history_end(&g->history);
	g->history_kept = false;
}

static void begin_past(struct gdb *g)
{
	const struct history_options options = { .bytes = g->history_bytes, .cycles = HISTORY_CYCLES, .checkpoints = UINT32_MAX };

	g->history_kept = g->history_bytes && history_begin(&g->history, g->machine, g->limits, &options);
}

void session_begin(struct gdb *g)
{
	g->known = true;
	g->sessions++;
	g->interrupted = false;
	g->over = g->no_ack = g->extended = g->killed = g->steps_behind = false;
	g->in = (struct packet_reader){ 0 };
	g->halted = true;
	g->why = WHY_ASKED;
	begin_past(g);
}

void session_end(struct gdb *g)
{
	if (!g->known)
		return;
	g->known = false;
	end_past(g);
	points_clear(g);
	cpu_set_last_instruction(g->machine->cpu, UINT64_MAX);
	cpu_catch_faults(g->machine->cpu, 0);
	g->resume = (struct resume){ .stepping = false };
}

bool session_stands_at_end(struct gdb *g)
{
	struct machine *m = g->machine;

	if (!g->known || !stop_is_endless(m->stop))
		return false;
	g->verdict = m->stop;
	g->why = WHY_ENDLESS;
	m->stop = STOP_NONE;
	return true;
}

static void why(struct gdb *g, const char *rest)
{
	(void)rest;
	stop_reply(g, &g->reply);
}

void session_detach(struct gdb *g)
{
	answer_ok(g);
	g->halted = false;
	g->over = true;
}

void session_end_run(struct gdb *g, bool answer)
{
	if (answer)
		answer_ok(g);
	else
		g->silent = true;
	g->halted = false;
	g->over = !answer || !g->extended;
	machine_stop(g->machine, STOP_INTERRUPTED);
}

static void detach(struct gdb *g, const char *rest) { (void)rest, session_detach(g); }
static void end_run(struct gdb *g, const char *rest) { (void)rest, session_end_run(g, false); }

/* The commands "run" and "start" of a client of "extended-remote" kill first, and ask for a new run at once: the end waits for that. */
static void end_run_politely(struct gdb *g, const char *rest)
{
	(void)rest;
	if (!g->extended) {
		session_end_run(g, true);
		return;
	}
	g->killed = true;
	answer_ok(g);
}

/* What the program has ended can be begun again; a run that came to a limit, or was stopped from outside, stays ended. */
static bool can_run_again(const struct machine *m)
{
	return (m->stop == STOP_NONE || m->stop == STOP_EXIT || m->stop == STOP_EOT || m->stop == STOP_TAG || stop_is_endless(m->stop)) &&
	       !machine_stop_asked(m);
}

static void run_again(struct gdb *g, const char *rest)
{
	const bool ended = g->machine->stop != STOP_NONE;

	if (!g->extended)
		return;
	if (!can_run_again(g->machine) || !arguments_take(g, rest)) {
		answer_error(g, ERROR_WRONG);
		return;
	}
	g->machine->stop = STOP_NONE;
	g->machine->guest_status = 0;
	session_changed(g);
	points_clear(g);
	program_load(g);
	machine_reset(g->machine);
	if (ended) { /* the way back would come by the end */
		end_past(g);
		begin_past(g);
	}
	g->killed = false;
	g->why = WHY_STEPPED;
	stop_reply(g, &g->reply);
}

/* There is one: thread 1, which gdb may call "any" (0) or "all" (-1) as well. */
static void is_thread_there(struct gdb *g, const char *rest)
{
	if (!strcmp(rest, "1") || !strcmp(rest, "0") || !strcmp(rest, "-1"))
		answer_ok(g);
	else
		answer_error(g, ERROR_WRONG);
}

/* H, and what the thread is chosen for: c, g. */
static void choose_thread(struct gdb *g, const char *rest) { is_thread_there(g, rest + (*rest != 0)); }

static void extend(struct gdb *g, const char *rest)
{
	(void)rest;
	g->extended = true;
	answer_ok(g);
}

static void flash_done(struct gdb *g, const char *rest) { (void)rest, answer_ok(g); }

static const struct packet_row packets[] = {
	{ "?", why },
	{ "g", registers_read },
	{ "G", registers_write },
	{ "p", register_read },
	{ "P", register_write },
	{ "m", memory_read },
	{ "M", memory_write_hex },
	{ "X", memory_write_binary },
	{ "vFlashErase:", memory_flash_erase },
	{ "vFlashWrite:", memory_flash_write },
	{ "vFlashDone", flash_done },
	{ "vCont", resume_actions },
	{ "vKill", end_run_politely },
	{ "vRun", run_again },
	{ "bs", reverse_step },
	{ "bc", reverse_continue },
	{ "c", resume_continue },
	{ "s", resume_step },
	{ "Z", points_insert },
	{ "z", points_remove },
	{ "q", query_get },
	{ "Q", query_set },
	{ "H", choose_thread },
	{ "T", is_thread_there },
	{ "!", extend },
	{ "D", detach },
	{ "k", end_run },
};

/* gdb asks for the memory map anew, and an answer that it has had before must not be missing. */
static void documents_alone(struct gdb *g, const char *rest)
{
	if (!strncmp(rest, "Xfer:", 5))
		query_get(g, rest);
}

/* Behind the end of the run nothing is there that could be read or resumed; it can be begun again. */
static const struct packet_row packets_at_the_end[] = {
	{ "vRun", run_again },
	{ "?", why },
	{ "!", extend },
	{ "H", choose_thread },
	{ "q", documents_alone },
	{ "D", detach },
	{ "k", end_run },
};

static void no_threads(struct gdb *g, const char *rest)
{
	(void)rest;
	text_add(&g->reply, "l");
}

/* Killed, it can be begun again, and its memory be read. */
static const struct packet_row packets_when_killed[] = {
	{ "vRun", run_again },
	{ "!", extend },
	{ "H", choose_thread },
	{ "qfThreadInfo", no_threads },
	{ "q", query_get },
	{ "Q", query_set },
	{ "m", memory_read },
	{ "k", end_run },
};

static void answer(struct gdb *g)
{
	const bool ack = !g->no_ack;

	text_clear(&g->reply);
	g->silent = false;
	if (ack)
		transport_write(&g->link, "+", 1);
	if (g->asking.now)
		file_io_answer(g);
	else if (g->machine->stop != STOP_NONE)
		packet_dispatch(g, packets_at_the_end, ARRAY_LEN(packets_at_the_end), g->in.data);
	else if (g->killed)
		packet_dispatch(g, packets_when_killed, ARRAY_LEN(packets_when_killed), g->in.data);
	else
		packet_dispatch(g, packets, ARRAY_LEN(packets), g->in.data);
	if (!g->silent)
		session_send(g, &g->reply);
}

void session_feed(struct gdb *g, u8 byte)
{
	switch (packet_feed(&g->in, byte)) {
	case PACKET_WHOLE:
		if (g->halted || g->asking.now || g->machine->stop != STOP_NONE)
			answer(g);
		break;
	case PACKET_DAMAGED:
		if (!g->no_ack)
			transport_write(&g->link, "-", 1);
		break;
	case PACKET_NAK:
		transport_write(&g->link, g->wire.data, g->wire.bytes);
		break;
	case PACKET_INTERRUPT:
		if (g->asking.now) {
			g->asking.interrupted = true;
		} else if (g->running) { /* on its way back */
			g->interrupted = true;
		} else if (!g->halted) {
			g->why = WHY_ASKED;
			stop_report(g);
		}
		break;
	case PACKET_ACK:
	case PACKET_NOTHING:
		break;
	}
}

bool session_poll(struct gdb *g)
{
	u8 data[CLIENT_BYTES];
	size_t n = transport_read(&g->link, data, sizeof data);

	for (size_t i = 0; i < n && !g->over; i++)
		session_feed(g, data[i]);
	if (g->over)
		transport_hang_up(&g->link);
	return n > 0;
}
