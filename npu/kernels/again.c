/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of operations that are done again; see again.h. */
#include "npu/kernels/again.h"

#include <stdlib.h>

#include "npu/kernels/private.h"

struct npu_again *npu_again_new(const struct npu_view *view)
{
	struct npu_again *a = malloc(sizeof(*a));

	if (a)
		*a = (struct npu_again){ .view = *view, .bytes = sizeof(*a) };
	return a;
}

void npu_again_clear(struct npu_again *a)
{
	while (a->rooms)
		free(a->room[--a->rooms]);
	a->run = NULL;
	a->move = NULL;
	a->job = NULL;
	a->product = NULL;
	a->sum = NULL;
	a->bytes = sizeof(*a);
	a->tried = a->minds_owed = false;
}

void npu_again_free(struct npu_again *a)
{
	if (a)
		npu_again_clear(a);
	free(a);
}

void *npu_again_room(struct npu_kernels *k, size_t bytes)
{
	struct npu_again *a = k->again;
	void *room = a && a->rooms < NPU_AGAIN_ROOMS ? aligned_alloc(64, (bytes + 63) / 64 * 64) : NULL;

	if (room) {
		a->room[a->rooms++] = room;
		a->bytes += bytes;
	}
	return room;
}

void npu_again_keep(struct npu_kernels *k, void *room, npu_again_fn *run)
{
	if (!k->again || !room)
		return;
	k->again->run = run;
	k->again->ctx = room;
}
