/* SPDX-License-Identifier: Apache-2.0 */
/* NPUs of one process use each other's packed weights, at the same time and one after the other, and never others than those that
 * their own bytes stand for. Whether weights were packed or found shows in where they are. */
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "npu/kernels/conv/mac.h"
#include "npu/kernels/kept/prepared.h"
#include "npu/kernels/private.h"
#include "npu/kernels/kept/shelf.h"
#include "tests/kernels/own_op.h"

enum { OPERATIONS = 12 };

/* The same in other memory, which never changes when `constant`. */
static struct own_op copy_of(const struct own_op *w, bool constant)
{
	struct own_op copy = *w;

	copy.memory = malloc(w->bytes + NPU_WEIGHTS_SLACK);
	memcpy(copy.memory, w->memory, w->bytes);
	copy.view = view_moved(&w->view, w->memory, copy.memory);
	for (unsigned i = 0; i < NPU_MAX_CORES; i++)
		copy.view.constant[i] = constant ? w->op.weights[i].length + NPU_WEIGHTS_SLACK : 0;
	return copy;
}

static struct npu_kernels *kernels(const struct npu_config *config, bool open)
{
	struct npu_kernels *k = npu_kernels_new(config, NULL);

	if (open)
		npu_kernels_open(k);
	return k;
}

static const struct npu_packed *pack(struct npu_kernels *k, const struct own_op *w)
{
	return npu_pack(&k->packer, &w->op, &w->view, w->taps);
}

static bool same(const struct npu_packed *a, const struct npu_packed *b)
{
	const size_t groups = (a->key.shape.od + NPU_GROUP - 1) / NPU_GROUP;

	return a->row == b->row && a->group_step == b->group_step && a->wide == b->wide && a->max_weight == b->max_weight &&
	       a->max_magnitude == b->max_magnitude &&
	       memcmp(a->weights, b->weights, groups * a->group_step * (a->key.taps == 4 ? 1 : 2)) == 0 &&
	       memcmp(a->sum, b->sum, groups * NPU_GROUP * sizeof(*a->sum)) == 0;
}

/* Constants of the channels, as an operation on bytes or on words wants them. */
static struct npu_channels prepare(struct npu_kernels *k, const struct own_op *w)
{
	struct npu_packed *weights = npu_pack(&k->packer, &w->op, &w->view, w->taps);
	struct npu_channels c = { 0 };

	cr_assert(npu_prepare_channels(k, &w->op, &w->view, weights, w->op.ifm.bytes == 1 ? 128 : 0, false, &c));
	return c;
}

static bool same_constants(const struct npu_channels *a, const struct npu_channels *b)
{
	return a->depth == b->depth && a->fast == b->fast && a->left == b->left && a->max_bias == b->max_bias && a->max_factor == b->max_factor &&
	       memcmp(a->start, b->start, a->depth * sizeof(*a->start)) == 0 &&
	       (!a->fast || memcmp(a->rescale, b->rescale, a->groups * sizeof(*a->rescale)) == 0);
}

/* Operations whose weights can be packed, and can be told from each other. */
static void network(struct rng *r, const struct npu_config *config, struct own_op *w)
{
	struct arena arena = { .bytes = malloc(ARENA_BYTES), .used = ARENA_BYTES };
	struct npu_kernels *k = kernels(config, false);

	for (unsigned i = 0; i < OPERATIONS;) {
		own_op_draw(r, config, &arena, &w[i]);
		w[i].taps = w[i].op.u85.weights_ifm2 ? 0 : npu_mac_taps(k, &w[i].op);
		if (w[i].taps && w[i].op.weights[0].length > 4 && pack(k, &w[i]))
			i++;
		else
			free(w[i].memory);
	}
	npu_kernels_free(k);
	free(arena.bytes);
}

static void forget(struct own_op *w, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		free(w[i].memory);
}

static void release(void *ctx)
{
	struct own_op *w = ctx;

	memset(w->memory, 0xa5, w->bytes);
	free(w->memory);
	w->memory = NULL;
}

/* Other scales for the same weights. */
static void rescaled(struct npu_kernels *found, struct npu_kernels *alone, struct own_op *w)
{
	if (!w->op.per_channel)
		return;
	*(u8 *)w->view.scales[0] ^= 1;
	const struct npu_channels a = prepare(found, w), b = prepare(alone, w);
	cr_assert(same_constants(&a, &b), "constants of other scales");
	*(u8 *)w->view.scales[0] ^= 1;
}

static void shares(const char *accelerator, u64 seed)
{
	const struct npu_config *config = npu_config_find(accelerator);
	struct rng r = { seed };
	struct own_op w[OPERATIONS], first[OPERATIONS], second[OPERATIONS];
	const void *where[OPERATIONS];
	const struct npu_prepared *constants[OPERATIONS];
	unsigned kept = 0;
	struct npu_kernels *a = kernels(config, true), *b = kernels(config, true), *alone = kernels(config, false);

	network(&r, config, w);
	for (unsigned i = 0; i < OPERATIONS; i++) {
		first[i] = copy_of(&w[i], i % 2);
		second[i] = copy_of(&w[i], i / 2 % 2);
		where[i] = pack(a, &first[i])->weights;
		(void)prepare(a, &first[i]);
		constants[i] = prepare(a, &first[i]).kept;
		kept += constants[i] != NULL;
		const struct npu_packed *found = pack(b, &second[i]), *own = pack(alone, &w[i]);
		cr_assert_eq(found->weights, where[i], "%s: %u was packed again", accelerator, i);
		cr_assert_eq(pack(b, &second[i]), found, "%s: %u was looked for again", accelerator, i);
		cr_assert_neq(own->weights, where[i], "%s: %u is another's", accelerator, i);
		cr_assert(same(found, own), "%s: %u has other weights", accelerator, i);
		const struct npu_channels there = prepare(b, &second[i]), mine = prepare(alone, &w[i]);
		cr_assert(same_constants(&there, &mine), "%s: %u has other constants", accelerator, i);
		cr_assert_eq(there.kept, constants[i], "%s: %u was prepared again", accelerator, i);
	}
	cr_assert_gt(kept, OPERATIONS / 2);
	/* the first one is gone with its memory, part of which it has left: the second still has its weights, and a third finds them */
	npu_kernels_leave(a, &(struct npu_lasting){ first[1].memory, first[1].bytes, release, &first[1] });
	npu_kernels_free(a);
	cr_assert_not_null(first[1].memory, "%s: released too early", accelerator);
	for (unsigned i = 0; i < OPERATIONS; i++)
		if (i != 1)
			release(&first[i]);
	struct npu_kernels *c = kernels(config, true);
	for (unsigned i = 0; i < OPERATIONS; i++) {
		cr_assert(same(pack(b, &second[i]), pack(alone, &w[i])), "%s: %u", accelerator, i);
		cr_assert_eq(pack(c, &w[i])->weights, where[i], "%s: %u was packed again", accelerator, i);
	}
	npu_kernels_free(b);
	forget(second, OPERATIONS);
	for (unsigned i = 0; i < OPERATIONS; i++) {
		cr_assert(same(pack(c, &w[i]), pack(alone, &w[i])), "%s: %u", accelerator, i);
		cr_assert_eq(prepare(c, &w[i]).kept, constants[i], "%s: %u was prepared again", accelerator, i);
		rescaled(c, alone, &w[i]);
	}
	npu_kernels_free(c);
	npu_kernels_free(alone);
	forget(w, OPERATIONS);
	const size_t limit = npu_shelf_limit(0);
	cr_assert_null(first[1].memory, "%s: never released", accelerator);
	npu_shelf_limit(limit);
}

/* Memory is released as well where nothing was packed, or nothing is kept. */
Test(shelf, releases)
{
	const struct npu_config *config = npu_config_find("ethos-u55-128");
	struct rng r = { 13 };
	struct own_op w[OPERATIONS], copy;

	network(&r, config, w);
	for (unsigned i = 0; i < 3; i++) {
		struct npu_kernels *k = kernels(config, i > 0);
		copy = copy_of(&w[0], true);
		if (i < 2)
			cr_assert_not_null(pack(k, &copy));
		const size_t limit = npu_shelf_limit(0);
		npu_kernels_leave(k, &(struct npu_lasting){ copy.memory, copy.bytes, release, &copy });
		npu_kernels_free(k);
		cr_assert_null(copy.memory, "%u", i);
		npu_shelf_limit(limit);
	}
	forget(w, OPERATIONS);
}

Test(shelf, at_a_time_and_later)
{
	shares("ethos-u55-128", 1);
	shares("ethos-u65-512", 2);
	shares("ethos-u85-256", 3);
	shares("ethos-u85-2048", 4);
}

/* A guest changes weights in memory: what another one has packed is not found any more, the new ones are. */
Test(shelf, changed_bytes)
{
	const struct npu_config *config = npu_config_find("ethos-u55-256");
	struct rng r = { 7 };
	struct own_op w[OPERATIONS];
	struct npu_kernels *a = kernels(config, true), *b = kernels(config, true);
	unsigned changed = 0;

	network(&r, config, w);
	for (unsigned i = 0; i < 10 * OPERATIONS; i++) {
		struct own_op *one = &w[i % OPERATIONS];
		struct npu_kernels *alone = kernels(config, false);
		const struct npu_packed *before = pack(a, one);
		u8 *byte = (u8 *)one->view.weights[0] + rng_below(&r, one->op.weights[0].length);
		const u8 flipped = (u8)(1 + rng_below(&r, 255));
		*byte ^= flipped;
		const struct npu_packed *own = pack(alone, one), *found = pack(b, one);
		cr_assert_eq(!own, !found, "%u: one cannot be packed", i);
		if (own) {
			cr_assert(same(own, found), "%u: has other weights", i);
			cr_assert_neq(found->weights, before->weights, "%u: has the weights of other bytes", i);
			changed++;
		} else {
			*byte ^= flipped;
		}
		npu_kernels_free(alone);
	}
	cr_assert_gt(changed, 20);
	npu_kernels_free(a);
	npu_kernels_free(b);
	forget(w, OPERATIONS);
	npu_shelf_limit(0); /* what is kept lies behind pages that the leak sanitizer does not look into */
}

static void use(const struct npu_config *config, const struct own_op *w)
{
	struct npu_kernels *k = kernels(config, true);

	cr_assert_not_null(pack(k, w));
	npu_kernels_free(k);
}

static bool is_found(const struct npu_config *config, const struct own_op *w)
{
	struct npu_kernels *k = kernels(config, true);
	const bool here = pack(k, w)->from != NULL;

	npu_kernels_free(k);
	return here;
}

/* Without an owner only so many bytes are kept, those that were used last. */
Test(shelf, bounded)
{
	const struct npu_config *config = npu_config_find("ethos-u55-128");
	struct rng r = { 9 };
	struct own_op w[OPERATIONS];
	const size_t before = npu_shelf_limit(SIZE_MAX);

	network(&r, config, w);
	for (unsigned i = 0; i < OPERATIONS; i++)
		use(config, &w[i]);
	for (unsigned i = 0; i < OPERATIONS; i++)
		cr_assert(is_found(config, &w[i]), "%u", i);
	/* the last one goes last */
	cr_assert(is_found(config, &w[3]));
	for (size_t bytes = (size_t)1 << 30; npu_shelf_kept() > 1; bytes = bytes / 1024 * 1023) /* less at a time than any takes */
		npu_shelf_limit(bytes);
	cr_assert(is_found(config, &w[3]));
	npu_shelf_limit(0);
	cr_assert_eq(npu_shelf_kept(), 0);
	cr_assert_not(is_found(config, &w[3]), "kept where nothing may be");
	cr_assert_not(is_found(config, &w[3]), "kept where nothing may be");
	npu_shelf_limit(before);
	forget(w, OPERATIONS);
}

/* Machines of several threads, which come and go. */
struct machine {
	pthread_t thread;
	const struct npu_config *config;
	const struct own_op *w;
	struct npu_kernels *reference;
	unsigned seed, wrong;
};

static void *run_machine(void *ctx)
{
	struct machine *m = ctx;
	struct rng r = { m->seed };

	for (unsigned round = 0; round < 8; round++) {
		struct npu_kernels *k = kernels(m->config, true);
		for (unsigned i = 0; i < 2 * OPERATIONS; i++) {
			const struct own_op *w = &m->w[rng_below(&r, OPERATIONS)];
			m->wrong += !same(pack(k, w), pack(m->reference, w));
			const struct npu_channels own = prepare(k, w), reference = prepare(m->reference, w);
			m->wrong += !same_constants(&own, &reference);
		}
		npu_kernels_free(k);
	}
	return NULL;
}

Test(shelf, threads)
{
	enum { MACHINES = 4 };
	const struct npu_config *config = npu_config_find("ethos-u85-256");
	struct rng r = { 11 };
	struct own_op w[OPERATIONS];
	struct machine m[MACHINES];

	network(&r, config, w);
	for (unsigned i = 0; i < MACHINES; i++) {
		m[i] = (struct machine){ .config = config, .w = w, .reference = kernels(config, false), .seed = i + 1 };
		cr_assert_eq(pthread_create(&m[i].thread, NULL, run_machine, &m[i]), 0);
	}
	for (unsigned i = 0; i < MACHINES; i++) {
		pthread_join(m[i].thread, NULL);
		cr_assert_eq(m[i].wrong, 0);
		npu_kernels_free(m[i].reference);
	}
	forget(w, OPERATIONS);
}
