/* SPDX-License-Identifier: Apache-2.0 */
/* ExecuTorch program to NPU jobs: Ethos-U delegates, quantise and dequantise kernels between them
 * and the float world, and kernels that only move data. Tensors lie where the program's memory plan
 * puts them; a delegate copies its inputs into scratch memory and its outputs out of it, as the
 * backend does at run time (regions: 0 weights, 1 scratch, 2 fast scratch, which the payload does not
 * size: the host application owns it). */
#include "loader/ethosu_payload.h"
#include "loader/vela_bin.h"
#include "sim/network/npu_program_pte.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Arguments of quantize_per_tensor and dequantize_per_tensor (.out); the latter has an output type
 * more. The output comes last. */
enum { Q_INPUT, Q_SCALE, Q_ZERO_POINT, Q_LOW, Q_HIGH, Q_TYPE, Q_ARGS };
/* Larger than the SRAM of any system configuration of Vela. */
#define FAST_BYTES UINT64_C(0x400000)
/* Planned memories of a program, which usually has one, number 1. */
#define MEMORIES 8

/* ScalarType of the schema, as far as numbers are quantised from and to. */
enum { SCALAR_UINT8 = 0, SCALAR_INT8 = 1, SCALAR_INT16 = 2, SCALAR_INT32 = 3, SCALAR_FLOAT32 = 6, SCALAR_UINT16 = 27 };

bool npu_pte_fail(const struct npu_pte_loading *l, const char *text)
{
	snprintf(l->why, l->why_size, "%s", text);
	return false;
}

bool npu_pte_add_step(struct npu_pte_loading *l, const struct npu_step *step)
{
	struct npu_step *grown = realloc(l->p->steps, (l->p->step_count + 1) * sizeof *grown);

	if (!grown)
		return npu_pte_fail(l, "host memory is short");
	l->p->steps = grown;
	grown[l->p->step_count++] = *step;
	return true;
}

static bool add_copy(struct npu_pte_loading *l, u8 *to, const u8 *from, u64 bytes)
{
	const struct npu_step step = { .kind = NPU_STEP_COPY, .from = from, .to = to, .count = bytes };

	return npu_pte_add_step(l, &step);
}

/* Alignment of a value's memory. */
static u64 room(u64 bytes)
{
	return (bytes + 15) & ~UINT64_C(15);
}

/* Sizes of the planned memories; in [0] of all tensors that have no place in one. */
static bool measure(struct npu_pte_loading *l, u64 size[MEMORIES])
{
	for (u32 i = 0; i < l->pte->value_count; i++) {
		const struct pte_value *v = &l->pte->values[i];

		if (v->kind != PTE_TENSOR)
			continue;
		if (v->is_external)
			return npu_pte_fail(l, "the program's constants are in another file (.ptd): export it with them inside");
		if (v->memory_id >= MEMORIES || v->offset > UINT32_MAX)
			return npu_pte_fail(l, "the program's tensors need more memory than fits");
		if (!v->memory_id)
			size[0] += room(v->bytes);
		else if (v->offset + v->bytes > size[v->memory_id])
			size[v->memory_id] = v->offset + v->bytes;
	}
	return true;
}

static bool give_memory(struct npu_pte_loading *l)
{
	u64 size[MEMORIES] = { 0 }, apart = 0;
	u8 *memory[MEMORIES];

	if (!measure(l, size))
		return false;
	for (u32 m = 0; m < MEMORIES; m++) {
		if (!npu_program_add_block(l->p, NULL, size[m], true))
			return npu_pte_fail(l, "the program's tensors need more memory than fits");
		memory[m] = l->p->blocks[l->p->block_count - 1].host;
	}
	l->memory = calloc(l->pte->value_count + 1u, sizeof *l->memory);
	for (u32 i = 0; l->memory && i < l->pte->value_count; i++) {
		const struct pte_value *v = &l->pte->values[i];

		if (v->kind != PTE_TENSOR)
			continue;
		l->memory[i] = memory[v->memory_id] + (v->memory_id ? v->offset : apart);
		apart += v->memory_id ? 0 : room(v->bytes);
		if (v->data)
			memcpy(l->memory[i], v->data, v->bytes);
	}
	return l->memory ? true : npu_pte_fail(l, "host memory is short");
}

/* One scratch memory as large as the largest delegate that is called needs. */
static bool give_scratch(struct npu_pte_loading *l)
{
	struct vela_bin bin;

	for (u32 i = 0; i < l->pte->call_count; i++) {
		const struct pte_call *c = &l->pte->calls[i];
		const struct pte_delegate *d = c->kind == PTE_DELEGATE ? &l->pte->delegates[c->index] : NULL;

		if (d && vela_bin_read(d->data, d->size, &bin, l->why, l->why_size) &&
		    bin.scratch_bytes > l->scratch_bytes)
			l->scratch_bytes = bin.scratch_bytes;
	}
	l->scratch_base = npu_program_add_block(l->p, NULL, l->scratch_bytes + 16, true);
	if (!l->scratch_base)
		return npu_pte_fail(l, "the delegates need more memory than fits");
	l->scratch = l->p->blocks[l->p->block_count - 1].host;
	l->fast_base = npu_program_add_block(l->p, NULL, FAST_BYTES, true);
	return l->fast_base ? true : npu_pte_fail(l, "host memory is short");
}

/* A block of the Vela stream, wherever it is stored; its bus address. */
static bool find_block(const struct npu_pte_loading *l, const struct vela_bin_block *b, const u8 **data, u64 *size, u64 *addr)
{
	*data = b->data;
	*size = b->size;
	if (!*data && !pte_named_data(l->file, l->file_size, b->key, data, size))
		return npu_pte_fail(l, "the delegate's data is not in the file (stored under a key that is missing)");
	*addr = l->file_base + (u64)(*data - l->file);
	return true;
}

/* An output whose lines the compiler made longer than the tensor's: what is behind a line's end is left. */
static bool add_lines(struct npu_pte_loading *l, const struct vela_bin_io *io, u8 *value, u64 bytes, const u8 *place)
{
	const u64 lines = io->line_bytes ? io->bytes / io->line_bytes : 0, line = lines ? bytes / lines : 0;
	const struct npu_step s = { .kind = NPU_STEP_MOVE, .from = place, .to = value, .count = bytes,
				    .element_bytes = 1, .rank = 2, .size = { (u32)lines, (u32)line },
				    .from_step = { (i64)io->line_bytes, 1 }, .to_step = { (i64)line, 1 } };

	if (!lines || !line || bytes % lines || line > io->line_bytes)
		return npu_pte_fail(l, "a tensor of the program and of its delegate differ in size: export the program again");
	return npu_pte_add_step(l, &s);
}

/* Copies between values and scratch: the delegate's inputs before, its outputs after the job. */
static bool add_io(struct npu_pte_loading *l, const struct vela_bin_io *io, u32 count, const i32 *values, bool in)
{
	for (u32 i = 0; i < count; i++) {
		const u64 bytes = l->pte->values[values[i]].bytes;
		u8 *value = l->memory[values[i]], *place = l->scratch + io[i].offset;

		if (!value || (in && bytes != io[i].bytes))
			return npu_pte_fail(l, "a tensor of the program and of its delegate differ in size: export the program again");
		if (io[i].offset > l->scratch_bytes || io[i].bytes > l->scratch_bytes - io[i].offset)
			return npu_pte_fail(l, "a tensor of the delegate lies outside of its memory: damaged program");
		if (bytes != io[i].bytes ? !add_lines(l, &io[i], value, bytes, place)
					 : !add_copy(l, in ? place : value, in ? value : place, bytes))
			return false;
	}
	return true;
}

static bool set_job(struct npu_pte_loading *l, const struct vela_bin *bin, struct npu_job *j)
{
	struct ethosu_payload payload;
	const u8 *commands, *weights;
	u64 size, addr = 0;

	if (!find_block(l, &bin->commands, &commands, &size, &addr) ||
	    !ethosu_payload_read(commands, size, &payload, l->why, l->why_size))
		return false;
	if (payload.separate_io)
		return npu_pte_fail(l, "compiled with --separate-io-regions, which is not modelled for programs: export without it");
	j->stream = addr + payload.stream_at;
	j->stream_bytes = payload.stream_bytes;
	j->config = payload.config;
	j->id = payload.id;
	if (bin->weights.size && !find_block(l, &bin->weights, &weights, &size, &j->base[0]))
		return false;
	j->base[1] = l->scratch_base;
	j->base[2] = l->fast_base;
	j->bases = 3;
	return true;
}

static bool add_delegate(struct npu_pte_loading *l, const struct pte_call *c)
{
	const struct pte_delegate *d = &l->pte->delegates[c->index];
	struct npu_job *j = &l->p->jobs[l->p->job_count];
	const struct npu_step run = { .kind = NPU_STEP_JOB, .job = l->p->job_count };
	struct vela_bin bin;

	if (strcmp(d->id, "EthosUBackend")) {
		snprintf(l->why, l->why_size, "delegate %s: only the Ethos-U backend runs without a CPU", d->id);
		return false;
	}
	if (d->turns_images)
		return npu_pte_fail(l, "a delegate's backend is to turn images (permute_memory_format): export the program again by ExecuTorch 0.6 or later");
	if (!vela_bin_read(d->data, d->size, &bin, l->why, l->why_size))
		return false;
	/* Vela 5.1 and 5.2 drop some outputs that the network reads, too. */
	if (bin.input_count + bin.output_count != c->arg_count) {
		snprintf(l->why, l->why_size, "delegate %u: its call has %u inputs and outputs, Vela compiled it for %u and %u: results would be wrong",
			 (unsigned)l->p->job_count, (unsigned)c->arg_count, (unsigned)bin.input_count, (unsigned)bin.output_count);
		return false;
	}
	if (!set_job(l, &bin, j))
		return false;
	l->p->job_count++;
	return add_io(l, bin.inputs, bin.input_count, c->args, true) &&
	       npu_pte_add_step(l, &run) &&
	       add_io(l, bin.outputs, bin.output_count, c->args + bin.input_count, false);
}

/* Bytes of an integer type that is quantised to; 0: none. */
static unsigned integer_bytes(u8 scalar_type)
{
	switch (scalar_type) {
	case SCALAR_UINT8: case SCALAR_INT8: return 1;
	case SCALAR_UINT16: case SCALAR_INT16: return 2;
	case SCALAR_INT32: return 4;
	default: return 0;
	}
}

static bool add_kernel(struct npu_pte_loading *l, const struct pte_call *c)
{
	const char *name = l->pte->operators[c->index];
	const bool to_float = strstr(name, "::dequantize_per_tensor") != NULL;
	const i32 input = c->arg_count ? c->args[Q_INPUT] : 0, output = c->arg_count ? c->args[c->arg_count - 1] : 0;
	const struct pte_value *v = l->pte->values, *integers = &v[to_float ? input : output];
	struct npu_step s = { .kind = to_float ? NPU_STEP_DEQUANTIZE : NPU_STEP_QUANTIZE };

	if (npu_pte_moves(name))
		return npu_pte_add_movement(l, name, c);
	if (!strstr(name, "quantize_per_tensor") || c->arg_count <= Q_ARGS) {
		snprintf(l->why, l->why_size,
			 "operator %s needs a CPU: run the program on a whole system, or delegate it", name);
		return false;
	}
	s.from = l->memory[input];
	s.to = l->memory[output];
	s.element_bytes = (u8)integer_bytes(integers->scalar_type);
	s.is_signed = integers->scalar_type != SCALAR_UINT8 && integers->scalar_type != SCALAR_UINT16;
	s.scale = (float)v[c->args[Q_SCALE]].number;
	s.zero_point = (i32)v[c->args[Q_ZERO_POINT]].integer;
	s.low = (i32)v[c->args[Q_LOW]].integer;
	s.high = (i32)v[c->args[Q_HIGH]].integer;
	if (!s.from || !s.to || !s.element_bytes || !(s.scale > 0))
		return npu_pte_fail(l, "a quantise operator has arguments of the wrong kind: damaged program");
	if (v[to_float ? output : input].scalar_type != SCALAR_FLOAT32)
		return npu_pte_fail(l, "an operator quantises from or to another type than float32, which needs a CPU");
	s.count = integers->bytes / s.element_bytes;
	if (v[to_float ? output : input].bytes != s.count * sizeof(float))
		return npu_pte_fail(l, "a quantise operator's tensors differ in size: damaged program");
	return npu_pte_add_step(l, &s);
}

static bool add_call(struct npu_pte_loading *l, const struct pte_call *c)
{
	switch (c->kind) {
	case PTE_DELEGATE:
		return add_delegate(l, c);
	case PTE_KERNEL:
		return add_kernel(l, c);
	case PTE_MOVE:
		if (!c->arg_count || !l->memory[c->index] || !l->memory[c->args[0]] ||
		    l->pte->values[c->index].bytes != l->pte->values[c->args[0]].bytes)
			return npu_pte_fail(l, "a move between values of different kinds: damaged program");
		return add_copy(l, l->memory[c->args[0]], l->memory[c->index], l->pte->values[c->index].bytes);
	case PTE_FREE:
		return true;
	default:
		return npu_pte_fail(l, "the program jumps: only straight programs run without a CPU");
	}
}

/* By ScalarType of the schema. */
static const u8 value_types[] = {
	[0] = NPU_VALUE_UINT8, [1] = NPU_VALUE_INT8, [2] = NPU_VALUE_INT16, [3] = NPU_VALUE_INT32, [4] = NPU_VALUE_INT64,
	[6] = NPU_VALUE_FLOAT32, [11] = NPU_VALUE_BOOL,
};

static void describe_type(struct npu_value *v, const struct pte_value *from)
{
	v->bytes = from->bytes;
	v->type = from->scalar_type < ARRAY_LEN(value_types) ? value_types[from->scalar_type] : NPU_VALUE_BYTES;
	v->rank = from->rank;
	memcpy(v->shape, from->sizes, sizeof v->shape);
}

/* Plain numbers among the inputs have their values in the program, which ExecuTorch only checks: no file, no place here. */
static bool describe(struct npu_pte_loading *l, const i32 *values, u32 count, struct npu_value **out, u32 *out_count,
		     bool in)
{
	*out = calloc(count + 1u, sizeof **out);
	for (u32 i = 0; *out && i < count; i++) {
		struct npu_value *v = &(*out)[*out_count];

		if (!l->memory[values[i]] && in)
			continue;
		if (!l->memory[values[i]])
			return npu_pte_fail(l, "an output of the program is not a tensor");
		snprintf(v->name, sizeof v->name, "%s %u", in ? "input" : "output", i);
		v->host = l->memory[values[i]];
		describe_type(v, &l->pte->values[values[i]]);
		(*out_count)++;
	}
	return *out ? true : npu_pte_fail(l, "host memory is short");
}

static bool build(struct npu_pte_loading *l)
{
	l->p->jobs = calloc(l->pte->call_count + 1u, sizeof *l->p->jobs);
	l->file_base = npu_program_add_block(l->p, l->file, l->file_size, false);
	if (!l->p->jobs || !l->file_base)
		return npu_pte_fail(l, "host memory is short");
	if (!give_memory(l) || !give_scratch(l))
		return false;
	for (u32 i = 0; i < l->pte->call_count; i++)
		if (!add_call(l, &l->pte->calls[i]))
			return false;
	if (!l->p->job_count)
		return npu_pte_fail(l, "the program calls no Ethos-U delegate: nothing to run on the NPU");
	return describe(l, l->pte->inputs, l->pte->input_count, &l->p->inputs, &l->p->input_count, true) &&
	       describe(l, l->pte->outputs, l->pte->output_count, &l->p->outputs, &l->p->output_count, false);
}

bool npu_program_from_pte(struct npu_program *p, u8 *bytes, u64 size, const char *method, char *why, size_t why_size)
{
	struct pte_program *pte = pte_read(bytes, size, method, why, why_size);
	struct npu_pte_loading l = { .p = p, .pte = pte, .file = bytes, .file_size = size, .why = why, .why_size = why_size };
	bool ok;

	if (!pte)
		return false;
	ok = build(&l);
	free(l.memory);
	pte_free(pte);
	return ok;
}
