/* SPDX-License-Identifier: Apache-2.0 */
/* Operations of the NPU as the interface tells them, and what each of a network's read and wrote. */
#include "sim/api/network.h"

#include <stdlib.h>
#include <string.h>

void api_operation(struct fvpsim_operation *out, const struct npu_op *op, const struct npu_cost *cost,
		   const struct npu_config *config, const struct npu_names *names)
{
	const bool dma = op->kind == NPU_DMA;
	const u64 *event = cost->event;

	out->kind = npu_op_name(op);
	out->offset = op->offset;
	out->index = op->index;
	if (!dma) {
		memcpy(out->ifm, (const u32[]){ op->ifm.height, op->ifm.width, op->ifm.depth }, sizeof out->ifm);
		memcpy(out->ofm, (const u32[]){ op->ofm.height, op->ofm.width, op->ofm.depth }, sizeof out->ofm);
	}
	out->bytes = dma ? op->dma.length * op->dma.rows * op->dma.planes : 0;
	out->cycles = cost->cycles;
	out->start = cost->start;
	out->finish = cost->finish;
	out->macs = cost->macs;
	out->bound = npu_bound_name(cost->bound);
	out->read[0] = event[NPU_EVENT_AXI0_RD_DATA_BEAT_RECEIVED] * config->axi_bytes;
	out->read[1] = event[NPU_EVENT_AXI1_RD_DATA_BEAT_RECEIVED] * config->axi_bytes;
	out->written[0] = event[NPU_EVENT_AXI0_WR_DATA_BEAT_WRITTEN] * config->axi_bytes;
	out->written[1] = event[NPU_EVENT_AXI1_WR_DATA_BEAT_WRITTEN] * config->axi_bytes;
	out->waiting = cost->waiting;
	out->utilisation = npu_report_utilisation(cost, config);
	out->source = npu_names_find(names, op->offset);
}

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

void api_tell_tensors(const struct fvpsim_callbacks *callbacks, const struct npu_capture *capture)
{
	for (unsigned role = 0; role < NPU_ROLES; role++)
		if (capture->tensor[role].bytes) {
			struct fvpsim_tensor told = { .size = sizeof told };

			api_tensor(&told, (enum npu_role)role, &capture->tensor[role]);
			callbacks->tensor(callbacks->ctx, &told);
		}
}

static void begins(void *ctx, const struct npu_op *op, const struct npu_view *view)
{
	struct fvpsim_network *n = ctx;

	n->captures = n->keep || n->callbacks.tensor;
	if (n->captures)
		npu_capture_begin(&n->capture, n->config, op, view);
	for (unsigned i = 0; i < ARRAY_LEN(n->folder); i++)
		if (n->folder[i])
			npu_tensors_listener(n->folder[i]).begins(n->folder[i], op, view);
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
	memcpy(n->tensors[n->tensors_count++].of, n->capture.tensor, sizeof n->capture.tensor);
	memset(n->capture.tensor, 0, sizeof n->capture.tensor); /* the list has them now */
}

static void take_tensors(struct fvpsim_network *n)
{
	npu_capture_end(&n->capture);
	if (n->callbacks.tensor)
		api_tell_tensors(&n->callbacks, &n->capture);
	if (n->keep)
		keep(n);
}

static void tell_operation(const struct fvpsim_network *n, const struct npu_op *op, const struct npu_cost *cost)
{
	struct fvpsim_operation told = { .size = sizeof told };

	api_operation(&told, op, cost, n->config, n->names);
	n->callbacks.operation(n->callbacks.ctx, &told);
}

static void operation(void *ctx, const struct npu_op *op, const struct npu_cost *cost)
{
	struct fvpsim_network *n = ctx;

	npu_report_add(&n->report, op, cost);
	if (n->captures)
		take_tensors(n);
	for (unsigned i = 0; i < ARRAY_LEN(n->folder); i++)
		if (n->folder[i])
			npu_tensors_listener(n->folder[i]).operation(n->folder[i], op, cost);
	if (n->callbacks.operation)
		tell_operation(n, op, cost);
}

static bool looks(void *ctx)
{
	const struct fvpsim_network *n = ctx;
	bool folder = false;

	for (unsigned i = 0; i < ARRAY_LEN(n->folder); i++)
		folder |= n->folder[i] != NULL;
	return n->keep || n->callbacks.tensor || n->callbacks.operation || folder;
}

struct npu_listener api_network_listener(struct fvpsim_network *n)
{
	return (struct npu_listener){ .begins = begins, .operation = operation, .looks = looks, .ctx = n };
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

/* A failure comes with a line in `why`. */
static enum failure close_folder(struct npu_tensors **folder, char *why, size_t why_size)
{
	bool differs = false;
	const bool ok = !*folder || npu_tensors_end(*folder, &differs, why, why_size);

	npu_tensors_free(*folder);
	*folder = NULL;
	return ok ? FAIL_NONE : differs ? FAIL_DIFFERS : FAIL_NO_OUTPUT;
}

void api_network_close_folders(struct fvpsim_network *n)
{
	char unheard[8];

	for (unsigned i = 0; i < ARRAY_LEN(n->folder); i++)
		close_folder(&n->folder[i], unheard, sizeof unheard);
}

static int change_folder(struct fvpsim_network *n, bool compares, const char *directory, struct fvpsim_error *error)
{
	const int kind = api_network_outside(n, error);
	struct npu_tensors **folder = &n->folder[compares];
	char why[API_WHY];

	if (kind)
		return kind;
	if (!directory)
		return api_told(close_folder(folder, why, sizeof why), why, error);
	if (*folder)
		return api_fail(error, FVPSIM_USAGE, "tensors go into, or are compared with, one folder at a time");
	if (npu_tensors_share(n->folder[!compares], directory, why, sizeof why))
		return api_fail(error, FVPSIM_USAGE, "%s", why);
	*folder = npu_tensors_new(n->config, directory, compares, why, sizeof why);
	if (!*folder)
		return api_fail(error, compares ? FVPSIM_NO_INPUT : FVPSIM_NO_OUTPUT, "%s", why);
	npu_tensors_name(*folder, n->names);
	return api_ok(error);
}

int fvpsim_network_dump_layers(struct fvpsim_network *n, const char *directory, struct fvpsim_error *error)
{
	return change_folder(n, false, directory, error);
}

int fvpsim_network_compare_layers(struct fvpsim_network *n, const char *directory, struct fvpsim_error *error)
{
	return change_folder(n, true, directory, error);
}
