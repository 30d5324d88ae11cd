/* SPDX-License-Identifier: Apache-2.0 */
/* Packets of gdb's remote serial protocol: framing, checksums, escapes, run lengths (gdb's manual, "Remote
 * Protocol", "Overview"). Knows nothing of what is in them. */
#ifndef SIM_GDB_PACKET_H
#define SIM_GDB_PACKET_H

#include "sim/gdb/text.h"

enum { PACKET_MAX = 0x4000 }; /* bytes between $ and #, as told to gdb */

/* Takes a connection's bytes apart. All zero: nothing seen yet. */
struct packet_reader {
	u8 state, sum, told; /* told: the first digit of the checksum */
	u32 bytes;           /* of data */
	bool too_long;
	char data[PACKET_MAX + 1]; /* without escapes, a zero behind it */
};

enum packet_event {
	PACKET_NOTHING,   /* more bytes are wanted */
	PACKET_WHOLE,     /* in data, bytes */
	PACKET_DAMAGED,   /* wrong checksum, or longer than PACKET_MAX */
	PACKET_INTERRUPT, /* Ctrl-C */
	PACKET_ACK, PACKET_NAK,
};

enum packet_event packet_feed(struct packet_reader *r, u8 byte);

/* Appends `data` to `out` as a packet. */
void packet_write(struct text *out, const void *data, size_t bytes);

#endif
