/* SPDX-License-Identifier: Apache-2.0 */
/* The NPU's state: plain blocks, and the tensors that U85 keeps between operations. What the kernels hold of weights
 * they compare with memory before they use it, so it needs no care here. */
#include "npu/private.h"

#include "memory/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TENSORS = NPU85_CHAINS + 1 };

/* How a tensor is saved, with its bytes behind it. */
struct kept {
	u32 height, width, depth;
	u8 bytes, is_signed, there, unused;
};

static struct npu85_tensor *tensor(struct npu85_carry *c, unsigned i)
{
	return i < NPU85_CHAINS ? &c->chain[i] : &c->accumulators;
}

static u64 size_of(const struct kept *k)
{
	return k->there ? (u64)k->height * k->width * k->depth * k->bytes : 0;
}

static bool save(void *ctx, struct state_buffer *out)
{
	struct npu *n = ctx;
	u8 *to = state_put(out, 1);

	if (!to)
		return false;
	*to = n->carry.flag;
	for (unsigned i = 0; i < TENSORS; i++) {
		const struct npu85_tensor *t = tensor(&n->carry, i);
		const struct kept k = { t->height, t->width, t->depth, t->bytes, t->is_signed, t->height > 0, 0 };

		to = state_put(out, sizeof k + size_of(&k));
		if (!to)
			return false;
		memcpy(to, &k, sizeof k);
		if (k.there)
			npu85_tensor_copy(t, to + sizeof k);
	}
	return true;
}

static bool take(struct npu85_tensor *t, const u8 **from, const u8 *end)
{
	struct kept k;

	if ((size_t)(end - *from) < sizeof k)
		return false;
	memcpy(&k, *from, sizeof k);
	*from += sizeof k;
	if (!k.there)
		return true;
	if (k.height > UINT16_MAX + 1 || k.width > UINT16_MAX + 1 || k.depth > UINT16_MAX + 1 || size_of(&k) > (u64)(end - *from) ||
	    !npu85_tensor_take(t, k.height, k.width, k.depth, k.bytes, k.is_signed))
		return false;
	memcpy(t->data, *from, size_of(&k));
	*from += size_of(&k);
	return true;
}

/* The tensors are made here, where that may fail. */
static bool check(void *ctx, const u8 *from, u64 bytes, char *why, size_t why_size)
{
	struct npu *n = ctx;
	const u8 *end = from + bytes;
	bool ok = bytes > 0;

	npu85_carry_free(&n->coming);
	if (ok)
		n->coming.flag = *from++;
	for (unsigned i = 0; i < TENSORS && ok; i++)
		ok = take(tensor(&n->coming, i), &from, end);
	if (ok && from == end)
		return true;
	npu85_carry_free(&n->coming);
	snprintf(why, why_size, "the NPU's tensors in the state are damaged, or host memory is short");
	return false;
}

static void restore(void *ctx, const u8 *from, u64 bytes)
{
	struct npu *n = ctx;

	if (from) {
		const struct npu85_carry old = n->carry;

		n->carry = n->coming;
		n->coming = old;
		npu_origins_clear(&n->origins);
		npu_replay_leave(n);
	}
	npu85_carry_free(&n->coming);
}

static bool save_operation(void *ctx, struct state_buffer *out)
{
	const struct npu *n = ctx;
	u8 *to = state_put(out, sizeof(*n->now));

	if (to)
		memcpy(to, n->now, sizeof(*n->now));
	return to != NULL;
}

static bool check_operation(void *ctx, const u8 *from, u64 bytes, char *why, size_t why_size)
{
	const struct npu *n = ctx;

	(void)from;
	if (bytes == sizeof(n->own))
		return true;
	snprintf(why, why_size, "the NPU's operation in the state is damaged");
	return false;
}

static void restore_operation(void *ctx, const u8 *from, u64 bytes)
{
	struct npu *n = ctx;

	if (!from)
		return;
	memcpy(&n->own, from, bytes);
	n->now = &n->own;
	n->replay.again = NULL;
}

void npu_state(struct npu *n, struct state_list *list)
{
	static const struct state_hooks hooks = { save, check, restore };
	static const struct state_hooks operation = { save_operation, check_operation, restore_operation };

	state_add(list, "npu", "state", 7, &n->s, sizeof n->s);
	state_add(list, "npu", "result", 1, &n->result, sizeof n->result);
	state_add_hooks(list, "npu", "operation", 2, &operation, n);
	state_add_hooks(list, "npu", "kept tensors", 1, &hooks, n);
}
