/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of a stream that was run before. Shared by what makes it (replay.c) and what follows it (follow.c). */
#ifndef NPU_PLAN_H
#define NPU_PLAN_H

#include <string.h>

#include "npu/private.h"

/* A command register that is set: c0[at], or c1[at - 256]. */
struct setting {
	u64 value;
	u16 at;
};

/* Commands up to an operation, and what they lead to. */
struct step {
	u32 begin, next;       /* bytes of the stream */
	u64 work;
	struct npu_timing before, after;
	struct npu_decoded decoded;
	u32 settings;
	struct setting *setting;
	u8 *words;             /* of the stream; behind the settings */
	bool fixed;            /* nobody can change them */
	bool alone;            /* when gangs were found it was not known how to do it again: all memory is as it should be when it begins */
	struct npu_again *again; /* NULL: not known yet */
	struct npu_gang *gang;   /* that begins with it; NULL: none does */
};

/* What is known of one stream. */
struct npu_plan {
	u32 reg[NPU_REGISTERS]; /* at the start of the job: place and length of the stream, among others */
	struct npu_adapter adapter[NPU_PORTS];
	struct npu_regs commands; /* at the start of the job */
	struct npu_timing before; /* of the step that is being recorded */
	u64 bytes;
	bool whole;               /* it was followed to its end, which is in the next two */
	struct npu_regs end;
	u64 event[NPU_EVENTS];    /* of all operations */
	u64 happened[NPU_EVENT_WORDS]; /* a bit for each of these that is not 0 */
	u32 count, room;          /* none: the stream was seen once */
	struct step *step;
};

enum { NPU_PLANS_MOST = 32 << 20 /* bytes, of one NPU */ };

static inline u64 npu_plan_stream(const struct npu *n)
{
	return n->s.reg[NPU_REG_QBASE] | (u64)n->s.reg[NPU_REG_QBASE_HI] << 32;
}

/* The words from `begin` up to `next` of the job's stream; NULL: not memory. */
static inline const u8 *npu_plan_words(const struct npu *n, u32 begin, u32 next)
{
	const struct npu_memory *m = &n->options.memory;

	return m->span(m->ctx, npu_plan_stream(n) + begin, next - begin, false);
}

/* Whether the host's registers and the adapters are as they were. */
static inline bool npu_plan_fits(const struct npu *n, const struct npu_plan *p)
{
	return memcmp(p->reg, n->s.reg, sizeof(p->reg)) == 0 && memcmp(p->adapter, n->s.adapter, sizeof(p->adapter)) == 0;
}

/* The plan's steps go. */
void npu_plan_forget(struct npu *n, struct npu_plan *p);

#endif
