/* SPDX-License-Identifier: Apache-2.0 */
/* Field numbers are those of protos/perfetto/trace/ (trace.proto, trace_packet.proto, track_event/) of the Perfetto project. */
#include "traces/perfetto.h"

#include <stdlib.h>
#include <string.h>

enum wire { VARINT = 0, BYTES = 2 };
enum { TRACE_PACKET = 1 };
enum { PACKET_TIMESTAMP = 8, PACKET_SEQUENCE = 10, PACKET_EVENT = 11, PACKET_INTERNED = 12, PACKET_FLAGS = 13, PACKET_TRACK = 60 };
enum { TRACK_UUID = 1, TRACK_NAME = 2, TRACK_PROCESS = 3, TRACK_PARENT = 5, TRACK_COUNTER = 8 };
enum { PROCESS_PID = 1, PROCESS_NAME = 6, COUNTER_UNIT = 6 };
enum { EVENT_NOTE = 4, EVENT_TYPE = 9, EVENT_NAME_ID = 10, EVENT_TRACK = 11, EVENT_VALUE = 30 };
enum { NOTE_UINT = 3, NOTE_STRING = 6, NOTE_NAME = 10 };
enum { INTERNED_NAMES = 2, NAME_ID = 1, NAME_TEXT = 2 };
enum { BEGIN = 1, END = 2, INSTANT = 3, COUNTER = 4 };
enum { STATE_CLEARED = 1, NEEDS_STATE = 2 };
#define PROCESS_TRACK UINT64_C(1000000)

/* Messages are built in buffers that all of ours fit in; what does not fit is left out. */
struct message { u8 *bytes; size_t size, room; };

static void put_varint(struct message *m, u64 v)
{
	do {
		if (m->size < m->room)
			m->bytes[m->size++] = (u8)(v & 0x7f) | (v > 0x7f ? 0x80 : 0);
		v >>= 7;
	} while (v);
}

static void put_number(struct message *m, unsigned field, u64 v)
{
	put_varint(m, field << 3 | VARINT);
	put_varint(m, v);
}

static void put_bytes(struct message *m, unsigned field, const void *bytes, size_t size)
{
	if (m->size + size + 16 > m->room)
		return;
	put_varint(m, field << 3 | BYTES);
	put_varint(m, size);
	memcpy(m->bytes + m->size, bytes, size);
	m->size += size;
}

static void put_text(struct message *m, unsigned field, const char *text)
{
	put_bytes(m, field, text, strlen(text));
}

static void write_packet(struct perfetto *p, const struct message *packet)
{
	u8 head[16];
	struct message h = { head, 0, sizeof head };

	put_varint(&h, TRACE_PACKET << 3 | BYTES);
	put_varint(&h, packet->size);
	fwrite(head, 1, h.size, p->file);
	fwrite(packet->bytes, 1, packet->size, p->file);
}

/* Writes the event being made. */
static void flush_event(struct perfetto *p)
{
	struct message packet = { p->packet, p->packet_size, sizeof p->packet };

	if (!p->has_event)
		return;
	put_bytes(&packet, PACKET_EVENT, p->event, p->event_size);
	write_packet(p, &packet);
	p->has_event = false;
}

void perfetto_init(struct perfetto *p, FILE *file, const char *process)
{
	u8 packet[256], track[128], inner[64];
	struct message m = { packet, 0, sizeof packet }, t = { track, 0, sizeof track }, i = { inner, 0, sizeof inner };

	memset(p, 0, sizeof *p);
	p->file = file;
	p->names = calloc(PERFETTO_NAMES, sizeof *p->names);
	p->name_ids = calloc(PERFETTO_NAMES, sizeof *p->name_ids);
	put_number(&i, PROCESS_PID, 1);
	put_text(&i, PROCESS_NAME, process);
	put_number(&t, TRACK_UUID, PROCESS_TRACK);
	put_bytes(&t, TRACK_PROCESS, inner, i.size);
	put_number(&m, PACKET_SEQUENCE, 1);
	put_number(&m, PACKET_FLAGS, STATE_CLEARED);
	put_bytes(&m, PACKET_TRACK, track, t.size);
	write_packet(p, &m);
}

void perfetto_done(struct perfetto *p)
{
	flush_event(p);
	for (u32 i = 0; p->names && i < PERFETTO_NAMES; i++)
		free(p->names[i]);
	free(p->names);
	free(p->name_ids);
}

static void describe(struct perfetto *p, u64 track, const char *name, bool counter, const char *unit)
{
	u8 packet[512], body[384], inner[64];
	struct message m = { packet, 0, sizeof packet }, t = { body, 0, sizeof body }, i = { inner, 0, sizeof inner };

	flush_event(p);
	put_number(&t, TRACK_UUID, track);
	put_number(&t, TRACK_PARENT, PROCESS_TRACK);
	put_text(&t, TRACK_NAME, name);
	if (unit)
		put_text(&i, COUNTER_UNIT, unit);
	if (counter)
		put_bytes(&t, TRACK_COUNTER, inner, i.size);
	put_number(&m, PACKET_SEQUENCE, 1);
	put_bytes(&m, PACKET_TRACK, body, t.size);
	write_packet(p, &m);
}

void perfetto_track(struct perfetto *p, u64 track, const char *name)
{
	describe(p, track, name, false, NULL);
}

void perfetto_counter(struct perfetto *p, u64 track, const char *name, const char *unit)
{
	describe(p, track, name, true, unit);
}

/* The name's number; *new: it must be told in this packet. 0: there is no room for more names. */
static u64 name_id(struct perfetto *p, const char *name, bool *new)
{
	u32 h = 2166136261u;

	*new = false;
	if (!p->names || !p->name_ids)
		return 0;
	for (const char *c = name; *c; c++)
		h = (h ^ (u8)*c) * 16777619u;
	for (h %= PERFETTO_NAMES; p->names[h]; h = (h + 1) % PERFETTO_NAMES)
		if (!strcmp(p->names[h], name))
			return p->name_ids[h];
	if (p->name_count > PERFETTO_NAMES / 2 || !(p->names[h] = strdup(name)))
		return 0;
	*new = true;
	return p->name_ids[h] = ++p->name_count;
}

static void start_event(struct perfetto *p, u64 track, u64 ns, unsigned type, const char *name)
{
	struct message m = { p->packet, 0, sizeof p->packet }, e = { p->event, 0, sizeof p->event };
	bool new = false;

	flush_event(p);
	m.size = 0;
	put_number(&m, PACKET_TIMESTAMP, ns);
	put_number(&m, PACKET_SEQUENCE, 1);
	put_number(&m, PACKET_FLAGS, NEEDS_STATE);
	put_number(&e, EVENT_TYPE, type);
	put_number(&e, EVENT_TRACK, track);
	if (name) {
		const u64 id = name_id(p, name, &new);

		put_number(&e, EVENT_NAME_ID, id);
		if (new) {
			u8 entry[512], interned[600];
			struct message n = { entry, 0, sizeof entry }, i = { interned, 0, sizeof interned };

			put_number(&n, NAME_ID, id);
			put_text(&n, NAME_TEXT, name);
			put_bytes(&i, INTERNED_NAMES, entry, n.size);
			put_bytes(&m, PACKET_INTERNED, interned, i.size);
		}
	}
	p->packet_size = m.size;
	p->event_size = e.size;
	p->has_event = true;
}

void perfetto_begin(struct perfetto *p, u64 track, u64 ns, const char *name) { start_event(p, track, ns, BEGIN, name); }
void perfetto_end(struct perfetto *p, u64 track, u64 ns) { start_event(p, track, ns, END, NULL); }
void perfetto_instant(struct perfetto *p, u64 track, u64 ns, const char *name) { start_event(p, track, ns, INSTANT, name); }

static void add_to_event(struct perfetto *p, unsigned field, const struct message *inner)
{
	struct message e = { p->event, p->event_size, sizeof p->event };

	if (inner)
		put_bytes(&e, field, inner->bytes, inner->size);
	p->event_size = e.size;
}

void perfetto_value(struct perfetto *p, u64 track, u64 ns, u64 value)
{
	start_event(p, track, ns, COUNTER, NULL);

	struct message e = { p->event, p->event_size, sizeof p->event };

	put_number(&e, EVENT_VALUE, value);
	p->event_size = e.size;
}

void perfetto_note(struct perfetto *p, const char *key, const char *value)
{
	u8 bytes[1024];
	struct message n = { bytes, 0, sizeof bytes };

	put_text(&n, NOTE_NAME, key);
	put_text(&n, NOTE_STRING, value);
	add_to_event(p, EVENT_NOTE, &n);
}

void perfetto_note_number(struct perfetto *p, const char *key, u64 value)
{
	u8 bytes[128];
	struct message n = { bytes, 0, sizeof bytes };

	put_text(&n, NOTE_NAME, key);
	put_number(&n, NOTE_UINT, value);
	add_to_event(p, EVENT_NOTE, &n);
}
