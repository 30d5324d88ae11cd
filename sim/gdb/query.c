/* SPDX-License-Identifier: Apache-2.0 */
/* Packets q and Q: what the machine is and what this server can do. */
#include "sim/gdb/session.h"

#include <string.h>

static void supported(struct gdb *g, const char *rest)
{
	g->steps_behind = *rest == ':'; /* it says what it can do itself: gdb, lldb */
	text_add(&g->reply, "PacketSize=%x;qXfer:features:read+;qXfer:memory-map:read+;QStartNoAckMode+;vContSupported+;"
			    "swbreak+;hwbreak+%s", PACKET_MAX, g->history_kept ? ";ReverseStep+;ReverseContinue+" : "");
}

/* OFFSET,LENGTH of a document. */
static void part(struct gdb *g, const char *rest)
{
	const struct text *all = &g->xml;
	u64 offset, length;

	if (!hex_number(&rest, &offset) || *rest++ != ',' || !hex_number(&rest, &length)) {
		answer_error(g, ERROR_WRONG);
		return;
	}
	if (length > PACKET_MAX / 2) /* room for escapes */
		length = PACKET_MAX / 2;
	if (offset >= all->bytes) {
		text_add(&g->reply, "l");
		return;
	}
	const bool last = length >= all->bytes - offset;
	text_add(&g->reply, last ? "l" : "m");
	text_bytes(&g->reply, all->data + offset, last ? all->bytes - (size_t)offset : (size_t)length);
}

static void features(struct gdb *g, const char *rest)
{
	text_clear(&g->xml);
	target_xml(g->machine, &g->xml);
	part(g, rest);
}

/* gdb's manual, "General Query Packets": a name that is not known is an error, and not a packet that is not known. */
static void other_document(struct gdb *g, const char *rest)
{
	(void)rest;
	answer_error(g, 0);
}

static void memory_map(struct gdb *g, const char *rest)
{
	text_clear(&g->xml);
	memory_map_xml(g->machine, &g->xml);
	part(g, rest);
}

static void attached(struct gdb *g, const char *rest)
{
	(void)rest; /* 0: gdb has started the simulator, and "quit" ends it */
	text_add(&g->reply, transport_takes_others(&g->link) ? "1" : "0");
}

static void thread(struct gdb *g, const char *rest)
{
	(void)rest;
	text_add(&g->reply, "QC1");
}

static void first_threads(struct gdb *g, const char *rest)
{
	(void)rest;
	text_add(&g->reply, "m1");
}

static void more_threads(struct gdb *g, const char *rest)
{
	(void)rest;
	text_add(&g->reply, "l");
}

static void thread_text(struct gdb *g, const char *rest)
{
	const struct machine *m = g->machine;
	char text[128];
	const u32 exception = cpu_get_reg(m->cpu, CPU_REG_XPSR) & 0x1ff;
	const int n = snprintf(text, sizeof text, "%s, %s mode", cpu_get_reg(m->cpu, CPU_REG_SECURE) ? "Secure" : "Non-secure",
			       exception ? "Handler" : "Thread");

	(void)rest;
	text_hex(&g->reply, text, (size_t)n);
}

static void symbols(struct gdb *g, const char *rest)
{
	(void)rest;
	answer_ok(g);
}

void query_get(struct gdb *g, const char *rest)
{
	static const struct packet_row rows[] = {
		{ "Supported", supported },
		{ "Xfer:features:read:target.xml:", features },
		{ "Xfer:features:read:", other_document },
		{ "Xfer:memory-map:read::", memory_map },
		{ "Attached", attached },
		{ "ThreadExtraInfo", thread_text },
		{ "fThreadInfo", first_threads },
		{ "sThreadInfo", more_threads },
		{ "Symbol", symbols },
		{ "Rcmd,", monitor_command },
		{ "CRC:", memory_crc },
		{ "Search:memory:", memory_search },
		{ "C", thread },
	};

	packet_dispatch(g, rows, ARRAY_LEN(rows), rest);
}

static void start_no_ack(struct gdb *g, const char *rest)
{
	(void)rest;
	g->no_ack = true;
	answer_ok(g);
}

void query_set(struct gdb *g, const char *rest)
{
	static const struct packet_row rows[] = { { "StartNoAckMode", start_no_ack } };

	packet_dispatch(g, rows, ARRAY_LEN(rows), rest);
}
