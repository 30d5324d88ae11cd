/* SPDX-License-Identifier: Apache-2.0 */
/* Shuffles, transposes and recurrent networks have hundreds of operations that are alike but for their addresses. A shape that has come some times is
 * kept; most networks have none, which costs them a few multiplications: fresh memory takes longer than what little is saved. */
#include "npu/timing/cost.h"

#include <stdlib.h>
#include <string.h>

enum { SHAPES = 64, OFTEN = 4 };

/* All that the cost of an operation by itself depends on, but for its commands. Compared as bytes. */
struct alike {
	struct npu_op op;
	struct memory_model memory;
};

struct known {
	struct alike of;
	struct op_parts parts;
	struct op_cost cost;
};

struct npu_shapes {
	const struct npu_config *config;
	u64 seen[SHAPES]; /* of the last operation that came to this place: its number, which is never 0 */
	u8 times[SHAPES];            /* that it came in a row, at most OFTEN */
	struct known *known[SHAPES]; /* NULL: none came there more often yet */
};

struct npu_shapes *npu_shapes_new(const struct npu_config *config)
{
	struct npu_shapes *s = calloc(1, sizeof(*s));

	if (s)
		s->config = config;
	return s;
}

void npu_shapes_free(struct npu_shapes *s)
{
	for (unsigned i = 0; s && i < SHAPES; i++)
		free(s->known[i]);
	free(s);
}

/* Where the map begins within a beat. */
static u64 begins(const struct memory_model *m, const struct npu_fm *fm)
{
	return fm->base[0] % m->port[0].width;
}

static void only_begins(const struct memory_model *m, struct npu_fm *fm)
{
	const u64 at = begins(m, fm);

	memset(fm->base, 0, sizeof fm->base);
	fm->base[0] = at;
}

/* Without what it does not depend on. */
static void alike_of(const struct memory_model *m, const struct npu_op *op, struct alike *a)
{
	a->op = *op;
	a->memory = *m;
	a->op.offset = a->op.index = 0;
	only_begins(m, &a->op.ifm);
	only_begins(m, &a->op.ifm2);
	only_begins(m, &a->op.ofm);
	only_begins(m, &a->op.u85.stored);
	for (unsigned i = 0; i < NPU_MAX_CORES; i++)
		a->op.weights[i].addr = a->op.scales[i].addr = 0;
	a->op.dma.src = a->op.dma.dst = a->op.dma.index = 0;
}

/* Others may have the same. */
static u64 number_of(const struct memory_model *m, const struct npu_op *op)
{
	const u64 parts[] = {
		op->kind | (u64)op->mode << 8 | (u64)op->block_h << 16 | (u64)op->block_w << 32 | (u64)op->block_d << 48,
		op->ofm.height | (u64)op->ofm.width << 32, op->ofm.depth | (u64)op->ifm.depth << 32,
		(u64)op->ifm.stride_x, (u64)op->ifm.stride_y, (u64)op->ofm.stride_x, (u64)op->ofm.stride_y,
		op->weights[0].length | (u64)op->output << 32 | (u64)op->kernel_w << 40, op->dma.length,
		begins(m, &op->ifm) | begins(m, &op->ifm2) << 8 | begins(m, &op->ofm) << 16,
	};
	u64 number = 0;

	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		number = (number ^ parts[i]) * UINT64_C(0x9e3779b97f4a7c15);
		number ^= number >> 29;
	}
	return number | 1;
}

static bool is_often(struct npu_shapes *s, unsigned place, u64 number)
{
	const bool same = s->seen[place] == number, often = same && s->times[place] == OFTEN;

	s->seen[place] = number;
	s->times[place] = !same ? 1 : often ? OFTEN : (u8)(s->times[place] + 1);
	return often;
}

void cost_alike(struct npu_shapes *known, const struct npu_config *config, const struct memory_model *m, const struct npu_op *op, struct op_parts *parts,
		struct op_cost *cost)
{
	const u64 number = known && known->config == config ? number_of(m, op) : 0;
	const unsigned place = number >> 8 & (SHAPES - 1);
	struct known *k = number ? known->known[place] : NULL;
	struct alike a;

	if (!number || !is_often(known, place, number) || (!k && !(k = malloc(sizeof(*k))))) {
		cost_alone(config, m, op, parts, cost);
		return;
	}
	alike_of(m, op, &a);
	if (k != known->known[place] || memcmp(&a, &k->of, sizeof a) != 0) {
		known->known[place] = k;
		k->of = a;
		cost_alone(config, m, op, &k->parts, &k->cost);
	}
	*parts = k->parts;
	*cost = k->cost;
}
