/* SPDX-License-Identifier: Apache-2.0 */
/* Choice of the kernel for an operation, and the life of the kernels' memory. */
#include <stdlib.h>
#include <string.h>

#include "memory/pages.h"
#include "npu/kernels/kept/ahead.h"
#include "npu/kernels/fm.h"
#include "npu/kernels/conv/mac.h"
#include "npu/kernels/conv/turned.h"
#include "npu/kernels/owed.h"
#include "npu/kernels/private.h"
#include "npu/kernels/team.h"

#define MAX_COPY ((size_t)64 << 20)

#define SMALL_SCRATCH ((size_t)512 << 10) /* larger ones have their own pages, and give them back when they grow */
#define SCRATCHES 14

static void list_scratches(struct npu_kernels *k, struct npu_scratch *list[SCRATCHES])
{
	struct npu_scratch *const all[SCRATCHES] = {
		&k->panel, &k->staged, &k->padded, &k->abreast, &k->channels, &k->lines, &k->rows, &k->copies, &k->column,
		&k->result, &k->start, &k->sums, &k->dynamic, &k->roundings,
	};

	memcpy(list, all, sizeof(all));
}

static void free_large(struct npu_scratch *s)
{
	if (s->bytes >= SMALL_SCRATCH)
		pages_release(s->data, s->bytes);
}

/* Where small pieces come from. */
static struct npu_store *store_of(struct npu_kernels *k)
{
	struct npu_store *const room = npu_packer_room(&k->packer);

	return room ? room : &k->store;
}

void *npu_scratch(struct npu_scratch *s, size_t bytes)
{
	if (bytes <= s->bytes)
		return s->data;
	const size_t least = 2 * s->bytes < SMALL_SCRATCH ? 2 * s->bytes : 0; /* small ones leave what they had */
	const size_t wanted = bytes > least ? bytes : least, page = wanted < SMALL_SCRATCH ? 4096 : PAGES_HUGE, size = (wanted + page - 1) / page * page;
	/* zeroed; padding that meets zero weights: any value, but a defined one */
	void *p = size >= SMALL_SCRATCH ? pages_alloc(size) : npu_store_take(store_of(s->of), size);
	if (!p)
		return NULL;
	free_large(s);
	s->data = p;
	s->bytes = size;
	return p;
}

struct npu_kernels *npu_kernels_new(const struct npu_config *config, const char *simd)
{
	bool generic = simd && strcmp(simd, "generic") == 0;
	const struct npu_simd *level = generic ? NULL : npu_simd_find(simd);

	if (!generic && !level)
		return NULL;
	struct npu_kernels *k = aligned_alloc(_Alignof(struct npu_kernels), sizeof(*k)); /* for the tables' vectors */
	pages_populate(k, sizeof(*k));
	if (!k)
		return NULL;
	*k = (struct npu_kernels){ .config = config, .simd = level, .packer = { .simd = level, .config = config } };
	struct npu_scratch *scratch[SCRATCHES];
	list_scratches(k, scratch);
	for (unsigned i = 0; i < SCRATCHES; i++)
		scratch[i]->of = k;
	return k;
}

void npu_kernels_free(struct npu_kernels *k)
{
	if (!k)
		return;
	npu_packer_free(&k->packer);
	npu_team_free(k->team);
	free(k->matrix);
	struct npu_scratch *scratch[SCRATCHES];
	list_scratches(k, scratch);
	for (unsigned i = 0; i < SCRATCHES; i++)
		free_large(scratch[i]);
	npu_store_clear(&k->store);
	free(k);
}

void npu_kernels_open(struct npu_kernels *k)
{
	k->packer.open = true;
}

void npu_kernels_leave(struct npu_kernels *k, const struct npu_lasting *lasting)
{
	k->packer.lasting = *lasting;
}

bool npu_kernels_share(struct npu_kernels *k, unsigned threads)
{
	struct npu_team *team = threads > 1 ? npu_team_new(threads, NPU_TEAM_PART) : NULL;
	struct npu_ahead *ahead = team ? npu_ahead_new(&k->packer, team, NPU_AHEAD_WORTH) : NULL;

	if (threads > 1 && !ahead) {
		npu_team_free(team);
		return false;
	}
	npu_ahead_end(k->packer.ahead);
	npu_ahead_free(k->packer.ahead);
	npu_team_free(k->team);
	k->packer.ahead = ahead;
	k->team = team;
	return true;
}

bool npu_kernels_foresees(const struct npu_kernels *k)
{
	return k->simd && k->packer.ahead && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
}

void npu_kernels_expect(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view)
{
	const unsigned taps = npu_turns(op) ? 0 : npu_mac_taps(k, op); /* turned ones are found by another key */
	struct npu_packed *s = taps && !op->u85.weights_ifm2 ? npu_pack_expect(&k->packer, op, view, taps) : NULL;

	if (s)
		npu_ahead_add(k->packer.ahead, s, op, view);
}

void npu_kernels_decode_ahead(struct npu_kernels *k)
{
	npu_ahead_begin(k->packer.ahead);
}

void npu_kernels_job_begins(struct npu_kernels *k, bool alone)
{
	k->alone = alone;
}

void npu_kernels_settle(struct npu_kernels *k)
{
	if (k->owed)
		npu_owed_settle(k);
}

void npu_kernels_job_over(struct npu_kernels *k)
{
	npu_kernels_settle(k);
	npu_ahead_end(k->packer.ahead);
}

const char *npu_kernels_name(const struct npu_kernels *k)
{
	return k->simd ? k->simd->name : "generic";
}

/* Bytes that the tiles of a map span. */
static size_t spanned(const struct npu_fm *fm, const u8 *const tile[NPU_TILES])
{
	struct npu_fm_box box;
	size_t bytes = 0;

	for (unsigned t = 0; t < NPU_TILES; t++)
		if (npu_fm_box(fm, tile, t, &box))
			bytes += box.end - box.first;
	return bytes;
}

/* Moves the view of an input to a copy of it. */
static void copy_input(const struct npu_fm *fm, const u8 *tile[NPU_TILES], u8 **to)
{
	struct npu_fm_box box;

	for (unsigned t = 0; t < NPU_TILES; t++) {
		if (!npu_fm_box(fm, tile, t, &box))
			continue;
		size_t bytes = box.end - box.first;
		memcpy(*to, (const void *)box.first, bytes);
		tile[t] = *to + ((uintptr_t)tile[t] - box.first);
		*to += bytes;
	}
}

/* True when results must not be stored before all of the input has been read. */
static bool in_the_way(const struct npu_op *op, const struct npu_fm *fm, const u8 *const tile[NPU_TILES],
		       const struct npu_view *view)
{
	const u8 *const *ofm = (const u8 *const *)view->ofm;
	bool single = op->kind == NPU_ELEMENTWISE ||
		      (op->kind == NPU_POOL && op->kernel_h == 1 && op->kernel_w == 1);

	return npu_fm_overlap(fm, tile, &op->ofm, ofm) &&
	       !(single && npu_fm_same(fm, tile, &op->ofm, ofm));
}

/* Inputs that the OFM lies upon are read from copies: *view becomes *own then. False: memory is short. */
static bool part_inputs(struct npu_kernels *k, const struct npu_op *op, const struct npu_view **where, struct npu_view *own)
{
	const struct npu_view *view = *where;
	bool first = in_the_way(op, &op->ifm, view->ifm, view);
	bool second = op->kind == NPU_ELEMENTWISE && !op->unary && !op->ifm2_scalar &&
		      in_the_way(op, &op->ifm2, view->ifm2, view);
	size_t bytes = (first ? spanned(&op->ifm, view->ifm) : 0) +
		       (second ? spanned(&op->ifm2, view->ifm2) : 0);

	if (!first && !second)
		return true;
	u8 *to = bytes <= MAX_COPY ? npu_scratch(&k->copies, bytes) : NULL;
	if (!to)
		return false;
	k->again = NULL; /* the copy is part of doing it */
	*own = *view;
	*where = own;
	if (first)
		copy_input(&op->ifm, own->ifm, &to);
	if (second)
		copy_input(&op->ifm2, own->ifm2, &to);
	return true;
}

bool npu_kernels_execute(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view)
{
	struct npu_view apart;

	if (!k->simd || op->u85.enabled || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)
		return false;
	if (op->kind == NPU_DMA || op->lo > op->hi /* in which order would count */ ||
	    !npu_fm_disjoint(&op->ofm, (const u8 *const *)view->ofm) || !part_inputs(k, op, &view, &apart))
		return false;
	switch (op->kind) {
	case NPU_CONV:
		return npu_fast_conv(k, op, view);
	case NPU_DEPTHWISE:
		return npu_fast_depthwise(k, op, view);
	case NPU_POOL:
		return k->simd->rows->pool(k, op, view);
	case NPU_ELEMENTWISE:
		return k->simd->rows->elementwise(k, op, view);
	default:
		return false;
	}
}

bool npu_kernels_first(struct npu_kernels *k, const struct npu_op *op, struct npu_again *again, struct npu85_carry *carry)
{
	k->again = again;
	const bool done = op->kind == NPU_DMA ? npu_fast_copy(k, op, &again->view)
			: op->u85.enabled ? npu85_kernels_execute(k, op, &again->view, carry) : npu_kernels_execute(k, op, &again->view);
	k->again = NULL;
	return done;
}

bool npu_kernels_again(struct npu_kernels *k, struct npu_again *again)
{
	if (k->owed && !again->minds_owed)
		npu_owed_settle(k);
	return again->run && again->run(k, again->ctx);
}
