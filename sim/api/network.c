/* SPDX-License-Identifier: Apache-2.0 */
/* Networks on the NPU alone: how they are made. */
#include "sim/api/network.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "npu/timing/profiles.h"
#include "sim/accuracy.h"
#include "sim/network/npu_memory.h"
#include "sim/params/host_simd.h"

const char *fvpsim_memory_system(unsigned i, const char **system, const char **text)
{
	for (const struct npu_memory_profile *p = npu_memory_profiles; p->name; p++)
		if (!i--) {
			*system = p->system;
			*text = p->text;
			return p->name;
		}
	return NULL;
}

/* What is wrong with the name, with all that are possible. */
static int unknown_accelerator(const char *name, struct fvpsim_error *error)
{
	char names[256];
	size_t n = 0;

	for (const struct npu_config *c = npu_configs; c->name && n < sizeof names; c++)
		n += (size_t)snprintf(names + n, sizeof names - n, " %s", c->name);
	return api_fail(error, FVPSIM_USAGE, "unknown accelerator '%.600s'; accelerators:%s", name, names);
}

/* What a network runs on. */
struct system {
	struct npu_memory_profile memory;
	bool mode_given;
	enum npu_memory_mode mode;
};

/* Accelerator, memory system and memory mode. */
static int find_system(struct fvpsim_network *n, const char *accelerator, const struct fvpsim_network_options *o, struct system *s,
		       struct fvpsim_error *error)
{
	const struct npu_memory_words words = { o->memory, o->vela_config, o->system_config, o->memory_mode };
	char why[API_WHY];

	n->config = npu_config_find(accelerator);
	if (!n->config)
		return unknown_accelerator(accelerator, error);
	return api_told(npu_memory_find(&words, n->config, &s->memory, &s->mode, &s->mode_given, why, sizeof why), why, error);
}

/* `path`: what sentences about the model begin with; NULL: nothing. */
static int load(struct fvpsim_network *n, const char *path, const char *method, struct fvpsim_error *error)
{
	const char *colon = path ? ": " : "";
	char why[512];

	path = path ? path : "";
	n->program = npu_program_load(n->model.data, n->model.size, method, why, sizeof why);
	if (!n->program)
		return api_fail(error, FVPSIM_BAD_INPUT, "%s%s%s", path, colon, why);
	if (!npu_program_fits(n->program, n->config, why, sizeof why))
		return api_fail(error, FVPSIM_ACCELERATOR, "%s%s%s", path, colon, why);
	return FVPSIM_OK;
}

/* The program's memory, which is gone once somebody has asked for a stop: the job ends with a bus error then. */
static u8 *span(void *ctx, u64 addr, u64 size, bool write)
{
	struct fvpsim_network *n = ctx;

	return __atomic_load_n(&n->stopped, __ATOMIC_RELAXED) ? NULL : n->memory.span(n->memory.ctx, addr, size, write);
}

static u64 constant(void *ctx, u64 addr)
{
	const struct fvpsim_network *n = ctx;

	return n->memory.constant(n->memory.ctx, addr);
}

/* diag.emit; what a stop looks like to the NPU is nobody's mistake. */
static void message(void *ctx, enum diag_kind kind, const char *id, const char *text)
{
	const struct fvpsim_network *n = ctx;

	if (n->callbacks.message && !__atomic_load_n(&n->stopped, __ATOMIC_RELAXED))
		n->callbacks.message(n->callbacks.ctx, (int)kind, id, text);
}

static int make_npu(struct fvpsim_network *n, const struct fvpsim_network_options *o, const struct system *s, struct fvpsim_error *error)
{
	const struct npu_options options = {
		.config = n->config,
		.memory = { .span = span, .constant = constant, .ctx = n, .still = true, .gone = &n->stopped },
		.diag = &n->diag,
		.listener = api_network_listener(n),
		.host_simd = o->host_simd,
		.threads = o->threads,
		.share_weights = true,
		.work_limit = o->work_limit,
	};

	n->memory = npu_program_memory(n->program);
	if (s->mode_given)
		n->program->memory_mode = s->mode;
	n->npu = npu_new(&options);
	if (!n->npu && !o->host_simd)
		return api_fail(error, FVPSIM_INTERNAL, "host memory is short");
	if (!n->npu)
		return api_fail(error, FVPSIM_USAGE, "unknown host instruction set '%.600s', or not one of this host; give " HOST_SIMD_WANTED,
				o->host_simd);
	for (unsigned port = 0; port < NPU_PORTS; port++)
		npu_set_adapter(n->npu, port, &s->memory.adapter[port]);
	n->report.npu = n->npu;
	return FVPSIM_OK;
}

/* Where a model comes from: a file, or bytes. */
struct source {
	const char *path; /* NULL: bytes */
	const void *bytes;
	size_t count;
};

static int get_model(struct fvpsim_network *n, const struct source *from, struct fvpsim_error *error)
{
	char why[512];

	if (!from->path)
		return file_copy(from->bytes, from->count, &n->model) ? FVPSIM_OK : api_fail(error, FVPSIM_INTERNAL, "host memory is short");
	return file_read(from->path, &n->model, why, sizeof why) ? FVPSIM_OK : api_fail(error, FVPSIM_NO_INPUT, "%s", why);
}

static struct fvpsim_network *make(const char *accelerator, const struct source *from, const struct fvpsim_network_options *options,
				   struct fvpsim_error *error)
{
	struct fvpsim_network_options o = { .size = sizeof o };
	struct fvpsim_network *n = calloc(1, sizeof *n);
	int kind = n ? FVPSIM_OK : api_fail(error, FVPSIM_INTERNAL, "host memory is short");
	struct system system;

	if (options)
		memcpy(&o, options, options->size < sizeof o ? options->size : sizeof o);
	if (!kind && options && options->size <= sizeof options->size)
		kind = api_sizeless(error);
	if (!kind) {
		n->report.layers = true;
		n->diag = (struct diag){ message, n };
		kind = find_system(n, accelerator, &o, &system, error);
	}
	if (!kind)
		kind = get_model(n, from, error);
	if (!kind)
		kind = load(n, from->path, o.method, error);
	if (!kind)
		kind = make_npu(n, &o, &system, error);
	if (kind) {
		fvpsim_network_free(n);
		return NULL;
	}
	api_ok(error);
	return n;
}

struct fvpsim_network *fvpsim_network_new(const char *accelerator, const void *model, size_t count,
					  const struct fvpsim_network_options *options, struct fvpsim_error *error)
{
	return make(accelerator, &(struct source){ .bytes = model, .count = count }, options, error);
}

struct fvpsim_network *fvpsim_network_open(const char *accelerator, const char *path, const struct fvpsim_network_options *options,
					   struct fvpsim_error *error)
{
	return make(accelerator, &(struct source){ .path = path }, options, error);
}

void fvpsim_network_free(struct fvpsim_network *n)
{
	if (!n)
		return;
	api_network_close_folders(n);
	if (n->npu) {
		npu_free_with(n->npu, n->model.data, n->model.size, free, n->model.data);
		n->model.data = NULL;
	}
	npu_program_free(n->program);
	npu_report_free(&n->report);
	npu_names_free(n->names);
	api_network_forget_tensors(n);
	file_free(&n->model);
	free(n);
}

int api_network_outside(const struct fvpsim_network *n, struct fvpsim_error *error)
{
	return n->inside ? api_refuse_inside(error) : FVPSIM_OK;
}

int fvpsim_network_set_callbacks(struct fvpsim_network *n, const struct fvpsim_callbacks *callbacks, struct fvpsim_error *error)
{
	const int kind = api_network_outside(n, error);

	return kind ? kind : api_copy_callbacks(&n->callbacks, callbacks, error);
}

int fvpsim_network_name_operations(struct fvpsim_network *n, const char *path, struct fvpsim_error *error)
{
	const int kind = api_network_outside(n, error);
	enum failure failure;
	char why[API_WHY];

	if (kind)
		return kind;
	if (n->names)
		return api_fail(error, FVPSIM_USAGE, "the operations of this network have names already");
	failure = npu_names_read(&n->names, path, why, sizeof why);
	n->report.names = n->names;
	return api_told(failure, why, error);
}

const char *fvpsim_network_accuracy(const struct fvpsim_network *n)
{
	return accuracy_of_npu(n->config->product);
}
