/* SPDX-License-Identifier: Apache-2.0 */
/* What every operation of a network read and wrote. */
#include "sim/api/network.h"

#include <stdlib.h>
#include <string.h>

void api_tensor(struct fvpsim_tensor *out, enum npu_role role, const struct npu_tensor *tensor)
{
	static const struct { char name[3]; int type; } types[] = {
		{ "i1", FVPSIM_INT8 }, { "u1", FVPSIM_UINT8 }, { "i2", FVPSIM_INT16 }, { "u2", FVPSIM_UINT16 },
		{ "i4", FVPSIM_INT32 }, { "u4", FVPSIM_UINT32 }, { "i8", FVPSIM_INT64 },
	};

	out->name = npu_role_name(role);
	for (unsigned i = 0; i < sizeof types / sizeof *types; i++)
		if (!strcmp(types[i].name, tensor->type))
			out->type = types[i].type;
	out->rank = 4;
	memcpy(out->shape, tensor->shape, sizeof tensor->shape);
	out->zero_point = tensor->zero_point;
	out->data = tensor->data;
	out->bytes = tensor->bytes;
}

static void begins(void *ctx, const struct npu_op *op, const struct npu_view *view)
{
	struct fvpsim_network *n = ctx;

	if (n->keep)
		npu_capture_begin(&n->capture, n->config, op, view);
}

static void keep(struct fvpsim_network *n)
{
	if (n->tensors_count == n->tensors_room) {
		const u32 room = n->tensors_room ? 2 * n->tensors_room : 64;
		struct api_tensors *more = realloc(n->tensors, room * sizeof *more);

		if (!more)
			return;
		n->tensors = more;
		n->tensors_room = room;
	}
	npu_capture_end(&n->capture);
	memcpy(n->tensors[n->tensors_count++].of, n->capture.tensor, sizeof n->capture.tensor);
	memset(n->capture.tensor, 0, sizeof n->capture.tensor); /* the list has them now */
}

static void operation(void *ctx, const struct npu_op *op, const struct npu_cost *cost)
{
	struct fvpsim_network *n = ctx;
	const struct npu_listener report = npu_report_listener(&n->report);

	report.operation(report.ctx, op, cost);
	if (n->keep)
		keep(n);
}

struct npu_listener api_network_listener(struct fvpsim_network *n)
{
	return (struct npu_listener){ .begins = begins, .operation = operation, .ctx = n };
}

void api_network_forget_tensors(struct fvpsim_network *n)
{
	npu_capture_clear(&n->capture);
	for (u32 i = 0; i < n->tensors_count; i++)
		for (unsigned role = 0; role < NPU_ROLES; role++)
			free(n->tensors[i].of[role].data);
	free(n->tensors);
	n->tensors = NULL;
	n->tensors_count = n->tensors_room = 0;
}

void fvpsim_network_keep_tensors(struct fvpsim_network *n, bool wanted)
{
	n->keep = wanted;
}

unsigned fvpsim_network_operation_tensors(const struct fvpsim_network *n, unsigned i)
{
	unsigned count = 0;

	if (i < n->tensors_count)
		for (unsigned role = 0; role < NPU_ROLES; role++)
			count += n->tensors[i].of[role].bytes != 0;
	return count;
}

int fvpsim_network_operation_tensor(const struct fvpsim_network *n, unsigned i, unsigned t, struct fvpsim_tensor *tensor,
				    struct fvpsim_error *error)
{
	struct fvpsim_tensor full = { .size = sizeof full };
	unsigned role = 0;

	if (t >= fvpsim_network_operation_tensors(n, i))
		return api_fail(error, FVPSIM_USAGE, "operation %u has no tensor %u; fvpsim_network_keep_tensors() keeps those of the runs "
				"behind it", i, t);
	while (!n->tensors[i].of[role].bytes || t--)
		role++;
	api_tensor(&full, (enum npu_role)role, &n->tensors[i].of[role]);
	return api_copy_out(tensor, &full, sizeof full, error);
}
