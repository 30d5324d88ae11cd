/* SPDX-License-Identifier: Apache-2.0 */
/* Sequences of neighbouring instructions that have one handler: their list and how a straight
 * sequence is divided among them. Private to cpu/ and the tool that makes the list. */
#ifndef CPU_ENGINE_FUSE_H
#define CPU_ENGINE_FUSE_H

#include "cpu/engine/engine.h"

/* Instructions in a sequence at the most. */
#define FUSED_LEN 7 /* 3 bits for each of 21 pairs in 64 */

/* Parts that their list is compiled in (cpu/meson.build). */
#define FUSED_PARTS 4

/* `same`: operands that must be the register an earlier instruction wrote, three bits (SAME_B ...)
 * for each pair of a later and an earlier one, at FUSED_SAME_SHIFT. */
struct fused { handler_fn *handler; u64 same; u16 op[FUSED_LEN]; u8 length[FUSED_LEN], count; };
#define FUSED_SAME_SHIFT(later, earlier) (3 * ((later) * ((later) - 1) / 2 + (earlier)))

/* An IT with all its operations, of kind ALUA; otherwise[k]: executed on "else"; `same` as above. In
 * sequences it is one operation: OP_COUNT + its place in the list. */
#define FUSED_IT_LEN 4
struct fused_it {
	handler_fn *handler;
	u64 same;
	u16 op[FUSED_IT_LEN];
	u8 length[FUSED_IT_LEN], otherwise[FUSED_IT_LEN], count, cond;
};

extern const struct fused fused[];
extern const struct fused_it fused_it[];
extern const unsigned fused_count, fused_it_count;

/* A list of sequences, findable by the first two operations: 1 + place in the list, 0 ends. */
#define FUSED_HEADS 1024u
struct fused_index { const struct fused *list; u16 first[FUSED_HEADS], next[]; };
/* Indexes `count` sequences (below 65536), which must outlive the index; NULL: no memory. */
struct fused_index *fused_index_new(const struct fused *list, unsigned count);
void fused_index_free(struct fused_index *index);

/* An instruction (or an IT with its block) of a straight sequence; length in bytes. */
struct fuse_at { const struct slot *slot; u16 op; u8 length; };

/* Divides n following instructions so that from each of them to the end the fewest handlers run
 * and, among those, the most operands stay in host registers. chosen[k]: 1 + place in the list of
 * the sequence that begins at k, 0: the instruction has its own handler. */
void fused_divide(const struct fused_index *index, const struct fuse_at *at, unsigned n, u16 *chosen);

/* Which operands of an instruction are the core register that an earlier one wrote (its slot's
 * a). */
enum { SAME_B = 1, SAME_C = 2, SAME_A = 4 };
unsigned fused_same(unsigned op, const struct slot *s, u8 earlier);
/* The same for all pairs among the n first of a sequence. */
u64 fused_same_all(const struct fuse_at *at, unsigned n);

/* The handler of an IT with its n operations, or NULL. */
handler_fn *fused_it_handler(unsigned cond, const struct fuse_at *at, const u8 *otherwise, unsigned n);
/* The IT block that this is the handler of, or NULL. */
const struct fused_it *fused_it_of(slot_handler handler);
/* Length of an IT with its block, in bytes. */
unsigned fused_it_length(const struct fused_it *x);

#endif
