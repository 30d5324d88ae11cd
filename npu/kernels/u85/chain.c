/* SPDX-License-Identifier: Apache-2.0 */
/* What chains are made of; see chain.h. */
#include "npu/kernels/u85/chain.h"

#include <stdlib.h>
#include <string.h>

#include "npu/integer.h"
#include "npu/kernels/conv/thin.h"

static bool is_tap(const struct npu85_job *j)
{
	const struct npu_op *op = &j->op;
	const struct npu85_op *u = &op->u85;

	return op->kind == NPU_CONV && op->kernel_h == 1 && op->kernel_w == 1 && !op->upscale && op->ifm.bytes == 1 && !op->ifm.tiled && op->ifm.depth <= NPU_GROUP &&
	       !u->ifm_chained && !u->weights_ifm2 && !u->acc48;
}

bool npu85_chain_begins(const struct npu85_job *j)
{
	return is_tap(j) && j->op.u85.acc_output_off && j->op.u85.acc_input == NPU85_ACC_RESET;
}

bool npu85_chain_follows(const struct npu85_job *first, const struct npu85_job *j)
{
	const struct npu_fm *const a = &first->op.ifm, *const b = &j->op.ifm;

	/* those that do not fit the accumulators begin anew */
	return is_tap(j) && j->op.u85.acc_input == NPU85_ACC_KEEP && a->is_signed == b->is_signed && a->zero_point == b->zero_point && a->depth == b->depth;
}

void npu85_chain_reaches(const struct npu85_job *j, struct npu_fm_box *all)
{
	struct npu_fm_box box;

	if (!npu_fm_box(&j->op.ifm, j->view.ifm, 0, &box))
		return;
	all->first = box.first < all->first ? box.first : all->first;
	all->end = box.end > all->end ? box.end : all->end;
}

/* Results from *first up to *end of `count` have an element of `size` that is no padding. */
static void inside(u32 *first, u32 *end, u32 count, u32 size, u32 stride, u32 padding)
{
	*end = min_u32(count, (u32)div_up((u64)size + padding, stride));
	*first = min_u32(*end, (u32)div_up(padding, stride));
}

static struct npu85_chain_tap tap_of(const struct npu85_job *j)
{
	const struct npu_op *op = &j->op;
	const struct npu_fm *ifm = &op->ifm;
	struct npu85_chain_tap t = { .down = op->stride_y * ifm->stride_y, .across = op->stride_x * ifm->stride_x };

	inside(&t.top, &t.bottom, op->ofm.height, ifm->height, op->stride_y, op->pad_top);
	inside(&t.left, &t.right, op->ofm.width, ifm->width, op->stride_x, op->pad_left);
	if (t.top == t.bottom || t.left == t.right)
		t.top = t.bottom = t.left = t.right = 0;
	else
		t.from = npu_fm_pixel(ifm, j->view.ifm, t.top * op->stride_y - op->pad_top, t.left * op->stride_x - op->pad_left);
	return t;
}

/* What the tap would find for the result in the upper left corner. */
static uintptr_t corner(const struct npu85_chain_tap *t)
{
	return (uintptr_t)t->from - (uintptr_t)(t->top * t->down) - (uintptr_t)(t->left * t->across);
}

static bool lies_beside(const struct npu85_chain_tap *a, const struct npu85_chain_tap *b, u32 bytes)
{
	return a->from && b->from && a->down == b->down && a->across == b->across && corner(a) + bytes == corner(b);
}

/* The last run with one tap more. */
static void go_on(struct npu85_chain_run *r, const struct npu85_chain_tap *t)
{
	r->taps++;
	r->top = t->top > r->top ? t->top : r->top;
	r->left = t->left > r->left ? t->left : r->left;
	r->bottom = min_u32(r->bottom, t->bottom);
	r->right = min_u32(r->right, t->right);
}

static void add_tap(struct npu85_chain_taps *all, const struct npu85_job *j)
{
	struct npu85_chain_tap *const t = &all->tap[all->taps++];

	*t = tap_of(j);
	if (all->runs && lies_beside(t - 1, t, j->op.ifm.depth))
		go_on(&all->run[all->runs - 1], t);
	else
		all->run[all->runs++] = (struct npu85_chain_run){ all->taps - 1, 1, t->top, t->bottom, t->left, t->right };
}

static i32 weight_of(const struct npu_packed *w, u32 channel, size_t k)
{
	const size_t at = channel / NPU_GROUP * w->group_step + npu_thin_place(w->key.taps, channel % NPU_GROUP, k);

	return w->key.taps == 4 ? ((const i8 *)w->weights)[at] : ((const i16 *)w->weights)[at];
}

/* Those of the tap that was added last. */
static void add_weights(struct npu85_chain_taps *all, const struct npu_mac *m)
{
	const u32 depth = m->op->ifm.depth;
	const size_t first = (all->taps - 1) * (size_t)depth;

	for (u32 c = 0; c < m->op->ofm.depth; c++)
		for (u32 i = 0; i < depth; i++)
			all->weights[c / NPU_GROUP * all->row * NPU_GROUP + npu_thin_place(2, c % NPU_GROUP, first + i)] = (i16)weight_of(m->weights, c, i);
}

static void *take(u8 **room, size_t bytes)
{
	void *const p = *room;

	*room += round_up_to(bytes, 64);
	return p;
}

static size_t weights_bytes(const struct npu_op *op, size_t row)
{
	return round_up_to(op->ofm.depth, NPU_GROUP) * row * sizeof(i16);
}

static void share_room(struct npu85_chain_taps *all, const struct npu_op *op, u32 taps, u8 **room)
{
	all->row = round_up_to((size_t)taps * op->ifm.depth, 2);
	all->tap = take(room, taps * sizeof(*all->tap));
	all->run = take(room, taps * sizeof(*all->run));
	all->weights = take(room, weights_bytes(op, all->row));
}

static struct npu85_chain *chain_of(const struct npu_op *op, u32 sums, u32 last)
{
	const size_t row = ((size_t)sums + last) * op->ifm.depth + 4, piece = 64;
	const size_t bytes = sizeof(struct npu85_chain) + weights_bytes(op, row) + (sums + last) * (sizeof(struct npu85_chain_tap) + sizeof(struct npu85_chain_run)) + 8 * piece;
	struct npu85_chain *const c = aligned_alloc(piece, round_up_to(bytes, piece));

	if (!c)
		return NULL;
	memset(c, 0, bytes);
	c->bytes = bytes;
	u8 *room = (u8 *)c;
	take(&room, sizeof(*c));
	share_room(&c->sums, op, sums, &room);
	share_room(&c->last, op, last, &room);
	return c;
}

/* Its weights, which cannot change, and what it adds to sums at most. */
static bool open_mac(struct npu_mac *m, struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view)
{
	if (!npu_mac_init(m, k, op, view))
		return false;
	npu_mac_start(m, k);
	return npu_mac_lasts(m, k) && m->fixed;
}

static bool add_sum(struct npu85_chain_taps *to, struct npu_kernels *k, const struct npu85_job *j, u64 *magnitude)
{
	struct npu_mac m;

	if (!open_mac(&m, k, &j->op, &j->view))
		return false;
	*magnitude += m.magnitude;
	if (!to)
		return true;
	add_tap(to, j);
	add_weights(to, &m);
	return true;
}

/* Results go to where they are stored, as they are there. */
static bool maps_result(struct npu85_chain *c, const struct npu85_job *j)
{
	const struct npu85_op *u = &j->decoded->u85;

	if (u->ofm_chained || u->transpose || u->reverse || (u64)j->op.ofm.height * j->op.ofm.width * j->op.ofm.depth == 1)
		return false;
	c->op.ofm = u->stored;
	c->op.ofm.zero_point = j->decoded->ofm.zero_point;
	memcpy(c->view.ofm, j->stored, sizeof(c->view.ofm));
	return true;
}

static bool init_words(struct npu_mac *m, struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view)
{
	return npu_mac_init(m, k, op, view) && npu_mac_words(m, k);
}

/* Constants of channels are found beside weights, and stay there, from the second time on. */
static bool add_last(struct npu85_chain *c, struct npu_kernels *k, const struct npu85_job *j, u64 magnitude)
{
	struct npu_mac *const m = &c->mac;

	if (!maps_result(c, j) || !init_words(m, k, &c->op, &c->view) || !(m->channels.kept || init_words(m, k, &c->op, &c->view)))
		return false;
	npu_mac_start(m, k);
	const u64 reach = npu_channels_reach(&m->channels, &c->op.ifm, magnitude + m->magnitude);
	npu_channels_limit(&m->channels, reach);
	npu_sink_limit(&m->sink, reach);
	if (reach > INT32_MAX || !npu_mac_lasts(m, k) || !m->fixed)
		return false;
	add_tap(&c->last, j);
	add_weights(&c->last, m);
	return true;
}

/* No input lies where results are stored. */
static bool is_apart(const struct npu85_chain *c, struct npu85_job *const *job, u32 count)
{
	bool apart = true;

	for (u32 i = 0; i < count; i++)
		apart &= !npu_fm_overlap(&job[i]->op.ifm, job[i]->view.ifm, &c->op.ofm, (const u8 *const *)c->view.ofm);
	return apart;
}

struct npu85_chain *npu85_chain_new(struct npu_kernels *k, struct npu85_job *const *job, u32 count, u32 done)
{
	const struct npu85_job *const end = job[count - 1];
	const bool stores = !end->op.u85.acc_output_off;
	const u32 sums = count - stores;
	struct npu85_chain *const c = sums > done ? chain_of(&end->op, sums - done, stores) : NULL;
	u64 magnitude = 0;
	bool good = true;

	if (!c)
		return NULL;
	c->op = end->op;
	c->view = end->view;
	c->goes_on = done;
	c->anew = !done && job[0]->anew;
	c->stores = stores;
	c->kept = job[0]->op.ofm;
	for (u32 i = 0; good && i < sums; i++)
		good = add_sum(i < done ? NULL : &c->sums, k, job[i], &magnitude);
	if (!good || (stores && !(add_last(c, k, end, magnitude) && is_apart(c, job, count)))) {
		npu85_chain_free(c);
		return NULL;
	}
	return c;
}

void npu85_chain_free(struct npu85_chain *c)
{
	free(c);
}

static size_t panel_bytes(const struct npu85_chain *c)
{
	return ((c->sums.row + c->last.row) * NPU_TILE + 2 * NPU_PANEL_SLACK) * sizeof(i16);
}

bool npu85_chain_ready(struct npu_kernels *k, const struct npu85_chain *c, struct npu85_carry *carry)
{
	const struct npu85_tensor *t = &carry->accumulators;

	if (c->stores && c->mac.era != k->packer.era)
		return false;
	if ((c->goes_on && !(npu85_tensor_fits(t, &c->kept) && t->bytes == sizeof(i32))) || (c->anew && npu85_tensor_fits(t, &c->kept)))
		return false;
	return npu_scratch(&k->panel, panel_bytes(c)) && npu85_tensor_take(&carry->spare, c->kept.height, c->kept.width, c->kept.depth, sizeof(i32), true);
}

void npu85_chain_run(struct npu_kernels *k, struct npu85_chain *c, struct npu85_carry *carry)
{
	const struct npu85_tensor old = carry->accumulators;

	if (c->stores)
		npu_sink_again(&c->mac.sink);
	k->simd->rows->chain85(k, c, c->goes_on ? (const void *)old.data : NULL, (void *)carry->spare.data);
	carry->accumulators = carry->spare;
	carry->spare = old;
}
