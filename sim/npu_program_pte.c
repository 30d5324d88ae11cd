/* SPDX-License-Identifier: Apache-2.0 */
/* ExecuTorch .pte to a program: a chain of calls of the Ethos-U delegate.
 *
 * As its runtime does: inputs are copied into the delegate's scratch memory, the job runs with
 * exactly three bases (weights, scratch, fast scratch), outputs are copied out again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/ethosu_payload.h"
#include "loader/pte.h"
#include "sim/npu_program.h"

#define MAX_SCRATCH (UINT64_C(1) << 30)
/* The file does not say how much fast scratch it uses; a system's fast memory is smaller. */
#define FAST_BYTES (UINT64_C(1) << 24)

struct loading {
	struct npu_program *p;
	const struct pte_program *m;
	u8 *file;
	u64 file_base;
	struct npu_value *values; /* per value index; host NULL: not seen yet */
	char *why;
	size_t why_size;
};

static bool fail(struct loading *l, const char *text)
{
	snprintf(l->why, l->why_size, "%s", text);
	return false;
}

/* The memory of a value, made by its first use. */
static struct npu_value *value(struct loading *l, u32 index, u64 bytes)
{
	struct npu_value *v = &l->values[index];

	if (!v->host) {
		if (!npu_program_add_block(l->p, NULL, bytes, true))
			return NULL;
		v->host = l->p->blocks[l->p->block_count - 1].host;
		v->bytes = bytes;
		snprintf(v->name, sizeof(v->name), "value %u", index);
	}
	return v->bytes == bytes ? v : NULL;
}

static bool add_copies(struct loading *l, const struct pte_call *c, const struct vela_stream *s,
		       u8 *scratch, struct npu_job *j)
{
	j->copies = calloc(s->input_count + s->output_count + 1u, sizeof(*j->copies));
	if (!j->copies || c->arg_count < s->input_count + s->output_count)
		return fail(l, "a delegate call has fewer values than its network has inputs and outputs");
	for (u32 i = 0; i < s->input_count + s->output_count; i++) {
		bool output = i >= s->input_count;
		const struct vela_io *io = output ? &s->outputs[i - s->input_count] : &s->inputs[i];
		struct npu_value *v = value(l, c->args[i], io->bytes);
		if (!v)
			return fail(l, "a value of the program has two sizes: damaged model");
		struct npu_copy copy = { .to = scratch + io->offset, .from = v->host, .bytes = io->bytes };
		if (output)
			copy = (struct npu_copy){ .to = v->host, .from = scratch + io->offset, .bytes = io->bytes };
		j->copies[j->copy_count++] = copy;
		j->copies_before += !output;
	}
	return true;
}

static bool add_job(struct loading *l, const struct pte_call *c, struct npu_job *j)
{
	struct ethosu_payload payload;
	struct vela_stream *s;

	if (strcmp(c->backend, "EthosUBackend") != 0)
		return fail(l, "the program has instructions other than calls of EthosUBackend: only those "
			       "run without a CPU; run it on a whole system");
	s = malloc(sizeof(*s));
	bool ok = s && vela_stream_read(c->data, c->bytes, s, l->why, l->why_size) &&
		  ethosu_payload_read(s->commands, s->command_bytes, &payload, l->why, l->why_size);
	if (ok && s->scratch_bytes > MAX_SCRATCH)
		ok = fail(l, "the model needs more scratch memory than 1 GiB");
	if (ok) {
		u64 scratch = npu_program_add_block(l->p, NULL, s->scratch_bytes + 16, true);
		u8 *host = l->p->blocks[l->p->block_count - 1].host;
		u64 fast = npu_program_add_block(l->p, NULL, FAST_BYTES, true);
		j->stream = l->file_base + (u64)(s->commands - l->file) + payload.stream_at;
		j->stream_bytes = payload.stream_bytes;
		j->config = payload.config;
		j->id = payload.id;
		j->bases = 3;
		j->base[0] = s->weights ? l->file_base + (u64)(s->weights - l->file) : 0;
		j->base[1] = scratch;
		j->base[2] = fast;
		ok = scratch && fast ? add_copies(l, c, s, host, j) : fail(l, "too many memory blocks");
	}
	free(s);
	return ok;
}

static bool list(struct loading *l, const u32 *indices, u32 count, struct npu_value **out, u32 *n)
{
	*out = calloc(count + 1u, sizeof(**out));
	if (!*out)
		return fail(l, "host memory is short");
	for (; *n < count; (*n)++) {
		if (!l->values[indices[*n]].host)
			return fail(l, "an input or output of the program is not used by a delegate");
		(*out)[*n] = l->values[indices[*n]];
	}
	return true;
}

static bool build(struct loading *l, u64 size)
{
	struct npu_program *p = l->p;

	l->values = calloc(l->m->value_count + 1u, sizeof(*l->values));
	p->jobs = calloc(l->m->call_count + 1u, sizeof(*p->jobs));
	if (!l->values || !p->jobs)
		return fail(l, "host memory is short");
	l->file_base = npu_program_add_block(p, l->file, size, false);
	if (!l->file_base)
		return fail(l, "the file is too large");
	for (u32 i = 0; i < l->m->call_count; i++)
		if (!add_job(l, &l->m->calls[i], &p->jobs[p->job_count++]))
			return false;
	return list(l, l->m->inputs, l->m->input_count, &p->inputs, &p->input_count) &&
	       list(l, l->m->outputs, l->m->output_count, &p->outputs, &p->output_count);
}

bool npu_program_from_pte(struct npu_program *p, u8 *bytes, u64 size, char *why, size_t why_size)
{
	struct pte_program *m = pte_read(bytes, size, why, why_size);
	struct loading l = { .p = p, .m = m, .file = bytes, .why = why, .why_size = why_size };

	if (!m)
		return false;
	bool ok = build(&l, size);
	free(l.values);
	pte_free(m);
	return ok;
}
