/* SPDX-License-Identifier: Apache-2.0 */
/* The inventory of a machine's state: where each part keeps it.
 *
 * A part registers blocks of plain data: no pointers into the host, no handles of the host. What a block
 * cannot say (memory that is there in part, buffers of varying size, open files) a part writes and reads itself
 * (struct state_hooks). Caches are not state: a part that has some registers a function that drops or rebuilds
 * them after a restore.
 *
 * Saving gives one piece of bytes; the same blocks with the same sizes and versions must be there to take it
 * back. It belongs to this build of the program: numbers lie in it as the host has them. */
#ifndef MEMORY_STATE_H
#define MEMORY_STATE_H

#include "memory/types.h"

#define STATE_MAX_BLOCKS 256
#define STATE_MAX_RESTORED 32

/* Bytes that grow as they are written. All zero: empty. */
struct state_buffer {
	u8 *data;
	u64 bytes, room;
};

/* Room for `bytes` more, which the caller fills; NULL: out of host memory. Ends pointers into the buffer. */
void *state_put(struct state_buffer *out, u64 bytes);
void state_buffer_free(struct state_buffer *b); /* empty then */

/* State that is not one piece of memory. */
struct state_hooks {
	/* Appends it; false: out of host memory. Changes nothing. */
	bool (*save)(void *ctx, struct state_buffer *out);
	/* May it be restored from there? Takes from the host what that needs, and changes nothing that the guest or
	 * the user can see. False with a line in `why`. NULL: always. */
	bool (*check)(void *ctx, const u8 *from, u64 bytes, char *why, size_t why_size);
	/* Follows a check() that gave true; `from` NULL: there will be no restore, what was taken is given back. */
	void (*restore)(void *ctx, const u8 *from, u64 bytes);
};

struct state_block {
	const char *part, *name; /* "UART0", "registers" */
	u32 version;             /* raised when what lies in it changes */
	u64 bytes;               /* 0 with hooks */
	void *at;                /* or ctx of the hooks */
	const struct state_hooks *hooks; /* NULL: `bytes` at `at` */
};

struct state_list {
	struct state_block block[STATE_MAX_BLOCKS];
	unsigned blocks;
	struct { void (*fn)(void *ctx); void *ctx; } restored[STATE_MAX_RESTORED];
	unsigned restored_count;
};

/* Registers a block. Names are kept, as is the memory, until the list ends. Blocks of no bytes are left out. */
void state_add(struct state_list *l, const char *part, const char *name, u32 version, void *at, u64 bytes);
void state_add_hooks(struct state_list *l, const char *part, const char *name, u32 version,
		     const struct state_hooks *hooks, void *ctx);
/* Called after all blocks of a restore are in their places, in the order of registering. */
void state_on_restored(struct state_list *l, void (*fn)(void *ctx), void *ctx);

/* Appends the state of all parts. False: out of host memory; the buffer is as it was. */
bool state_save(const struct state_list *l, struct state_buffer *out);
/* Takes it back. False with a line in `why`: it is not from such a list, or a part refuses; nothing has changed. */
bool state_restore(const struct state_list *l, const u8 *from, u64 bytes, char *why, size_t why_size);

#endif
