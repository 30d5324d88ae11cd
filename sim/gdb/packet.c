/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/gdb/packet.h"

#include <string.h>

enum { OUTSIDE, INSIDE, ESCAPED, FIRST_DIGIT, SECOND_DIGIT };

enum { INTERRUPT = 3, ESCAPE = '}', ESCAPE_XOR = 0x20 };

static int digit_of(u8 c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static enum packet_event outside(struct packet_reader *r, u8 byte)
{
	switch (byte) {
	case '$':
		r->state = INSIDE;
		r->sum = 0;
		r->bytes = 0;
		r->too_long = false;
		return PACKET_NOTHING;
	case INTERRUPT: return PACKET_INTERRUPT;
	case '+': return PACKET_ACK;
	case '-': return PACKET_NAK;
	default: return PACKET_NOTHING;
	}
}

static void take(struct packet_reader *r, u8 byte)
{
	if (r->bytes < PACKET_MAX)
		r->data[r->bytes++] = (char)byte;
	else
		r->too_long = true;
}

static enum packet_event inside(struct packet_reader *r, u8 byte)
{
	if (byte == '#') {
		r->state = FIRST_DIGIT;
		return PACKET_NOTHING;
	}
	if (byte == '$') /* the end of the one before got lost */
		return outside(r, byte);
	r->sum = (u8)(r->sum + byte);
	if (r->state == INSIDE && byte == ESCAPE) {
		r->state = ESCAPED;
		return PACKET_NOTHING;
	}
	take(r, r->state == ESCAPED ? byte ^ ESCAPE_XOR : byte);
	r->state = INSIDE;
	return PACKET_NOTHING;
}

enum packet_event packet_feed(struct packet_reader *r, u8 byte)
{
	const int digit = digit_of(byte);

	switch (r->state) {
	case OUTSIDE:
		return outside(r, byte);
	case INSIDE:
	case ESCAPED:
		return inside(r, byte);
	case FIRST_DIGIT:
		r->told = (u8)digit;
		r->state = digit < 0 ? OUTSIDE : SECOND_DIGIT;
		return digit < 0 ? PACKET_DAMAGED : PACKET_NOTHING;
	default:
		r->state = OUTSIDE;
		r->data[r->bytes] = 0;
		return digit < 0 || (u8)(r->told << 4 | digit) != r->sum || r->too_long ? PACKET_DAMAGED : PACKET_WHOLE;
	}
}

/* The count of a run is a character, of which some have a meaning of their own. */
static size_t countable(size_t repeats)
{
	enum { LEAST = 3, MOST = 97, COUNT_BASE = 29 };

	if (repeats > MOST)
		repeats = MOST;
	while (repeats >= LEAST && strchr("#$+-", (int)repeats + COUNT_BASE))
		repeats--;
	return repeats < LEAST ? 0 : repeats;
}

static void put(struct text *out, u8 *sum, char c)
{
	*sum = (u8)(*sum + (u8)c);
	text_bytes(out, &c, 1);
}

void packet_write(struct text *out, const void *data, size_t bytes)
{
	static const char digits[] = "0123456789abcdef";
	const char *from = data, *end = from + bytes;
	u8 sum = 0;

	text_bytes(out, "$", 1);
	while (from < end) {
		const char c = *from++;
		size_t same = 0;

		if (c && strchr("$#}*", c)) {
			put(out, &sum, ESCAPE);
			put(out, &sum, (char)(c ^ ESCAPE_XOR));
			continue;
		}
		put(out, &sum, c);
		while (from + same < end && from[same] == c)
			same++;
		same = countable(same);
		if (same) {
			put(out, &sum, '*');
			put(out, &sum, (char)(same + 29));
			from += same;
		}
	}
	text_bytes(out, (char[]){ '#', digits[sum >> 4], digits[sum & 15] }, 3);
}
