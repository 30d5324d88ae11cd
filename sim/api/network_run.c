/* SPDX-License-Identifier: Apache-2.0 */
/* Networks on the NPU alone: tensors in buffers, one run after the other, and what each of them was like. */
#include "sim/api/network.h"

#include <stdio.h>
#include <string.h>

#include "sim/network/npu_unwritten.h"
#include "traces/json.h"

_Static_assert((int)NPU_VALUE_BOOL == (int)FVPSIM_BOOL && NPU_STEP_RANK == FVPSIM_RANK, "types are numbered alike");

unsigned fvpsim_network_inputs(const struct fvpsim_network *n)
{
	return n->program->input_count;
}

unsigned fvpsim_network_outputs(const struct fvpsim_network *n)
{
	return n->program->output_count;
}

static int describe(const struct npu_value *list, unsigned count, unsigned i, const char *what, struct fvpsim_tensor *tensor,
		    struct fvpsim_error *error)
{
	struct fvpsim_tensor full = { .size = sizeof full };

	if (i >= count)
		return api_fail(error, FVPSIM_USAGE, "there is no %s %u: the network has %u", what, i, count);
	full.name = list[i].name;
	full.type = list[i].type;
	full.rank = list[i].rank;
	memcpy(full.shape, list[i].shape, sizeof full.shape);
	full.scale = list[i].scale;
	full.zero_point = list[i].zero_point;
	full.data = list[i].host;
	full.bytes = list[i].bytes;
	return api_copy_out(tensor, &full, sizeof full, error);
}

int fvpsim_network_input(struct fvpsim_network *n, unsigned i, struct fvpsim_tensor *tensor, struct fvpsim_error *error)
{
	return describe(n->program->inputs, n->program->input_count, i, "input", tensor, error);
}

int fvpsim_network_output(struct fvpsim_network *n, unsigned i, struct fvpsim_tensor *tensor, struct fvpsim_error *error)
{
	return describe(n->program->outputs, n->program->output_count, i, "output", tensor, error);
}

/* Told once: every run has the same operations. */
static void tell_unwritten(struct fvpsim_network *n)
{
	char names[400];

	if (n->was_run)
		return;
	n->was_run = true;
	npu_unwritten(n->program, &n->report, names, sizeof names);
	if (*names)
		diag_report(&n->diag, DIAG_GUEST, "NET001", "no operation writes output %s, or not all of it: the compiler has dropped what gives it; "
			    "compile the network by another release of Vela", names);
}

int fvpsim_network_run(struct fvpsim_network *n, struct fvpsim_error *error)
{
	const struct npu_result *result = npu_result(n->npu);
	const int kind = api_network_outside(n, error);
	bool ok;

	if (kind)
		return kind;
	n->before = *result;
	npu_report_clear(&n->report);
	api_network_forget_tensors(n);
	n->inside = true;
	ok = npu_program_run(n->program, n->npu);
	n->inside = false;
	n->was_stopped = __atomic_exchange_n(&n->stopped, 0, __ATOMIC_SEQ_CST) && !ok;
	if (n->was_stopped)
		return api_fail(error, FVPSIM_STOPPED, "the run was stopped");
	if (ok)
		tell_unwritten(n);
	return ok ? api_ok(error) : api_fail(error, FVPSIM_NPU, "%s", *result->message ? result->message : "the NPU ended a job with an error");
}

void fvpsim_network_stop(struct fvpsim_network *n)
{
	__atomic_store_n(&n->stopped, 1, __ATOMIC_SEQ_CST);
}

void fvpsim_network_forget_stop(struct fvpsim_network *n)
{
	__atomic_store_n(&n->stopped, 0, __ATOMIC_SEQ_CST);
}

/* Of the latest run alone. */
static struct npu_result latest(const struct fvpsim_network *n)
{
	struct npu_result r = *npu_result(n->npu);

	r.jobs -= n->before.jobs;
	r.total_cycles -= n->before.total_cycles;
	for (unsigned e = 0; e < NPU_EVENTS; e++)
		r.event[e] -= n->before.event[e];
	return r;
}

uint64_t fvpsim_network_cycles(const struct fvpsim_network *n)
{
	return npu_result(n->npu)->total_cycles - n->before.total_cycles;
}

unsigned fvpsim_network_operations(const struct fvpsim_network *n)
{
	return n->report.count;
}

int fvpsim_network_operation(const struct fvpsim_network *n, unsigned i, struct fvpsim_operation *op, struct fvpsim_error *error)
{
	struct fvpsim_operation full = { .size = sizeof full };

	if (i >= n->report.count)
		return api_fail(error, FVPSIM_USAGE, "there is no operation %u: the latest run had %u", i, n->report.count);
	api_operation(&full, &n->report.list[i].op, &n->report.list[i].cost, n->config, n->names);
	return api_copy_out(op, &full, sizeof full, error);
}

const char *fvpsim_network_event(const struct fvpsim_network *n, unsigned i, uint64_t *count)
{
	for (unsigned e = 0; e < NPU_EVENTS; e++) {
		const char *name = npu_event_name(n->config, (enum npu_event)e);

		if (!name || i--)
			continue;
		*count = npu_result(n->npu)->event[e] - n->before.event[e];
		return name;
	}
	return NULL;
}

int fvpsim_network_get_end(const struct fvpsim_network *n, struct fvpsim_network_end *end, struct fvpsim_error *error)
{
	const struct npu_result r = latest(n);
	struct fvpsim_network_end full = { .size = sizeof full, .reason = npu_report_end(r.end), .jobs = r.jobs };

	snprintf(full.text, sizeof full.text, "%s", n->was_stopped ? "the run was stopped" : r.message);
	if (n->was_stopped)
		full.reason = "stopped";
	return api_copy_out(end, &full, sizeof full, error);
}

/* What a report is made of. */
struct wanted {
	const struct fvpsim_network *network;
	bool operations;
};

static void write_report(void *ctx, FILE *out)
{
	const struct wanted *w = ctx;
	const struct npu_result result = latest(w->network);
	struct json j;

	json_into(&j, out);
	npu_report_write(&j, &w->network->report, &result, w->network->config, w->operations);
	json_into_end(&j);
}

int fvpsim_network_report(const struct fvpsim_network *n, bool operations, char **json, struct fvpsim_error *error)
{
	const int kind = api_network_outside(n, error);

	return kind ? kind : api_give_text(write_report, &(struct wanted){ n, operations }, json, error);
}
