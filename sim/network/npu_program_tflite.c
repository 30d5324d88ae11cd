/* SPDX-License-Identifier: Apache-2.0 */
/* Vela-compiled .tflite to the NPU's jobs: a chain of `ethos-u` operators.
 *
 * Operator inputs are command stream, constants (region 0), scratch (region 1), fast scratch
 * (region 2), then feature maps; the metadata places scratch and feature maps in one arena,
 * so that offsets in region 1 are arena offsets. Fast scratch gets memory of its own, as the
 * driver does when it owns a fast memory; other tensors without a place follow the arena.
 *
 * With Vela's --separate-io-regions (its scheduler.cpp, ToRegion() of its command stream generators) what operators write for
 * others lies in region 4, what they only read in region 3, both apart from the scratch memory of region 1; the metadata then
 * has offsets within the region. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/bytes.h"
#include "loader/ethosu_payload.h"
#include "loader/tflite.h"
#include "npu/cmd.h"
#include "sim/network/npu_program.h"

enum { IN_STREAM, IN_CONSTANTS, IN_SCRATCH, IN_FAST, IN_MAPS };
enum { REGION_SCRATCH = 1, REGION_FAST = 2, REGION_INPUTS = 3, REGION_OUTPUTS = 4, REGIONS_SEPARATE };

#define MAX_ARENA (UINT64_C(1) << 30)

struct loading {
	struct npu_program *p;
	const struct tflite_model *m;
	u8 *file;
	u64 file_base;
	bool separate_io;
	struct area { u8 *host; u64 base; } area[REGIONS_SEPARATE]; /* by region; only that of the arena when not separate */
	struct place { u8 region; u64 offset; } *place; /* per tensor: in which area, and where */
	char *why;
	size_t why_size;
};

static bool fail(struct loading *l, const char *text)
{
	snprintf(l->why, l->why_size, "%s", text);
	return false;
}

/* Without a size the network has no memory of its own: an early compiler left it to the host to know. TFLite Micro fails on
 * such models, too. */
static bool has_scratch(const struct loading *l, const struct tflite_operator *o)
{
	const i32 scratch = o->inputs[IN_SCRATCH];

	return scratch < 0 || l->m->tensors[scratch].bytes;
}

static bool is_job(const struct tflite_operator *o)
{
	return !strcmp(o->code, "ethos-u");
}

static bool refuse_operator(struct loading *l, u32 number)
{
	const struct tflite_operator *operators = l->m->operators;
	const char *advice = "only ethos-u operators run without a CPU; compile the model with vela, or run it";

	for (u32 i = 0; i < l->m->operator_count; i++)
		if (is_job(&operators[i]))
			advice = "vela left it to the CPU; run the model";
	snprintf(l->why, l->why_size, "operator %u is %s%s: %s on a whole system", number,
		 operators[number].code[0] ? "the custom operator " : "a built-in operator of TFLite",
		 operators[number].code, advice);
	return false;
}

static bool check_operators(struct loading *l)
{
	for (u32 i = 0; i < l->m->operator_count; i++) {
		const struct tflite_operator *o = &l->m->operators[i];
		if (!is_job(o))
			return refuse_operator(l, i);
		if (o->input_count < IN_MAPS)
			return fail(l, "an ethos-u operator has less than 4 inputs: damaged model");
	}
	return l->m->operator_count ? true : fail(l, "the model has no operators");
}

static bool read_payload(struct loading *l, const struct tflite_operator *o, struct ethosu_payload *payload)
{
	const i32 stream = o->inputs[IN_STREAM];
	const struct tflite_tensor *t = stream < 0 ? NULL : &l->m->tensors[stream];

	if (!t || !t->data)
		return fail(l, "an ethos-u operator has no command stream: damaged model");
	return ethosu_payload_read(t->data, t->data_bytes, payload, l->why, l->why_size);
}

static void set_region(struct loading *l, const i32 *tensors, u32 count, u8 region)
{
	for (u32 i = 0; i < count; i++)
		if (tensors[i] >= 0)
			l->place[tensors[i]].region = region;
}

/* An operator's inputs, then all outputs: what one writes and another reads is an output for both. */
static bool find_regions(struct loading *l)
{
	const struct tflite_model *m = l->m;
	struct ethosu_payload payload;

	for (u32 i = 0; i < m->tensor_count; i++)
		l->place[i].region = REGION_SCRATCH;
	if (!read_payload(l, &m->operators[0], &payload))
		return false;
	l->separate_io = payload.separate_io;
	for (u32 i = 0; l->separate_io && i < m->tensor_count; i++)
		if (m->tensors[i].variable)
			return fail(l, "compiled with --separate-io-regions, but its variables are read in one region and written in "
				       "another, so that they keep nothing: compile without it");
	for (u32 i = 0; l->separate_io && i < m->operator_count; i++)
		set_region(l, m->operators[i].inputs + IN_MAPS, m->operators[i].input_count - IN_MAPS, REGION_INPUTS);
	for (u32 i = 0; l->separate_io && i < m->operator_count; i++)
		set_region(l, m->operators[i].outputs, m->operators[i].output_count, REGION_OUTPUTS);
	return true;
}

/* Gives every tensor without data its offset in the area of a region; returns the area's size. */
static u64 place_tensors(struct loading *l, u8 region)
{
	const struct tflite_model *m = l->m;
	u64 end = 0;

	for (u32 i = 0; i < m->tensor_count; i++)
		if (l->place[i].region == region && m->tensors[i].arena_offset >= 0 && !m->tensors[i].data) {
			l->place[i].offset = (u64)m->tensors[i].arena_offset;
			if (l->place[i].offset + m->tensors[i].bytes > end)
				end = l->place[i].offset + m->tensors[i].bytes;
		}
	for (u32 i = 0; i < m->tensor_count; i++)
		if (l->place[i].region == region && m->tensors[i].arena_offset < 0 && !m->tensors[i].data) {
			l->place[i].offset = (end + 15) & ~UINT64_C(15);
			end = l->place[i].offset + m->tensors[i].bytes;
			if (end > MAX_ARENA)
				break;
		}
	return end;
}

static bool add_area(struct loading *l, u8 region)
{
	const u64 bytes = place_tensors(l, region);
	struct area *a = &l->area[region];

	a->base = bytes <= MAX_ARENA ? npu_program_add_block(l->p, NULL, bytes + 16, true) : 0;
	if (!a->base)
		return fail(l, "the model needs more memory than 1 GiB");
	a->host = l->p->blocks[l->p->block_count - 1].host;
	return true;
}

static u8 *host_of(const struct loading *l, i64 tensor)
{
	const struct place *p = &l->place[tensor];

	return l->area[p->region].host + p->offset;
}

static u64 address(const struct loading *l, i32 tensor)
{
	const struct tflite_tensor *t;

	if (tensor < 0)
		return 0;
	t = &l->m->tensors[tensor];
	return t->data ? l->file_base + (u64)(t->data - l->file)
		       : l->area[l->place[tensor].region].base + l->place[tensor].offset;
}

static void set_bases(struct loading *l, const struct tflite_operator *o, struct npu_job *j)
{
	for (u32 i = IN_CONSTANTS; i < (l->separate_io ? IN_MAPS : o->input_count) && j->bases < NPU_REGIONS; i++)
		j->base[j->bases++] = address(l, o->inputs[i]);
	if (l->separate_io) {
		j->base[REGION_INPUTS] = l->area[REGION_INPUTS].base;
		j->base[REGION_OUTPUTS] = l->area[REGION_OUTPUTS].base;
		j->bases = REGIONS_SEPARATE;
		return;
	}
	for (u32 i = 0; i < o->output_count && j->bases < NPU_REGIONS; i++)
		j->base[j->bases++] = address(l, o->outputs[i]);
}

/* Does a command take something from that region, or put it there? Codes and field are those of all products. */
static bool stream_names(const u8 *stream, u32 bytes, u32 region)
{
	static const u16 codes[] = {
		NPU_CMD_IFM_REGION, NPU_CMD_IFM2_REGION, NPU_CMD_OFM_REGION, NPU_CMD_WEIGHT_REGION, NPU_CMD_SCALE_REGION,
		NPU_CMD_DMA0_SRC_REGION, NPU_CMD_DMA0_DST_REGION,
	};
	u32 word;

	for (u32 at = 0; at + sizeof word <= bytes; at += word & NPU_CMD1 ? 8 : 4) {
		word = le32_at(stream + at);
		for (unsigned i = 0; i < ARRAY_LEN(codes); i++)
			if ((word & NPU_CMD_MASK) == codes[i] && (word >> 16 & 7) == region)
				return true;
	}
	return false;
}

/* Is the fast scratch apart from the arena, as in the compiler's dedicated memory mode? In the others Vela 5 gives the scratch
 * a second time. Releases before it give another tensor of the same size, which no command uses. */
static bool is_dedicated(const struct loading *l, const struct tflite_operator *o, const struct ethosu_payload *payload)
{
	const struct tflite_tensor *tensors = l->m->tensors;
	const i32 scratch = o->inputs[IN_SCRATCH], fast = o->inputs[IN_FAST];

	if (fast < 0 || fast == scratch)
		return false;
	return scratch < 0 || tensors[fast].bytes != tensors[scratch].bytes ||
	       stream_names(tensors[o->inputs[IN_STREAM]].data + payload->stream_at, payload->stream_bytes, REGION_FAST);
}

static bool add_job(struct loading *l, const struct tflite_operator *o, struct npu_job *j)
{
	const struct tflite_tensor *tensors = l->m->tensors;
	const i32 fast = o->inputs[IN_FAST];
	struct ethosu_payload payload;

	if (!read_payload(l, o, &payload))
		return false;
	if (payload.separate_io != l->separate_io)
		return fail(l, "only some of the operators are compiled with --separate-io-regions: damaged model");
	if (!l->separate_io && !has_scratch(l, o))
		return fail(l, "the model does not say how much scratch memory its network needs (a scratch tensor of "
			       "0 bytes): compile it again with vela");
	j->stream = address(l, o->inputs[IN_STREAM]) + payload.stream_at;
	j->stream_bytes = payload.stream_bytes;
	j->config = payload.config;
	j->id = payload.id;
	for (u32 i = 0; i < o->output_count; i++)
		if (o->outputs[i] >= 0 && !tensors[o->outputs[i]].bytes) {
			snprintf(l->why, l->why_size, "output '%s' of the network has no bytes: damaged model", tensors[o->outputs[i]].name);
			return false;
		}
	set_bases(l, o, j);
	if (is_dedicated(l, o, &payload))
		l->p->memory_mode = NPU_MEMORY_DEDICATED;
	if (fast >= 0 && fast != o->inputs[IN_SCRATCH] && tensors[fast].bytes) {
		j->base[2] = npu_program_add_block(l->p, NULL, tensors[fast].bytes, true);
		if (!j->base[2])
			return fail(l, "fast scratch memory is too large");
	}
	return true;
}

/* By TensorType of the schema. */
static const u8 value_types[] = {
	[0] = NPU_VALUE_FLOAT32, [2] = NPU_VALUE_INT32, [3] = NPU_VALUE_UINT8, [4] = NPU_VALUE_INT64, [6] = NPU_VALUE_BOOL,
	[7] = NPU_VALUE_INT16, [9] = NPU_VALUE_INT8, [15] = NPU_VALUE_UINT32, [16] = NPU_VALUE_UINT16,
};

static void describe(const struct loading *l, i32 tensor, struct npu_value *v)
{
	const struct tflite_tensor *t = &l->m->tensors[tensor];

	v->type = t->type < ARRAY_LEN(value_types) ? value_types[t->type] : NPU_VALUE_BYTES;
	v->rank = (u8)t->rank;
	memcpy(v->shape, t->shape, sizeof(v->shape));
	v->scale = t->scale;
	v->zero_point = (i32)t->zero_point;

	snprintf(v->name, sizeof(v->name), "%s", t->name);
	v->bytes = t->data ? t->data_bytes : t->bytes;
	v->host = t->data ? l->file + (t->data - l->file) : host_of(l, tensor);
}

static bool describe_all(struct loading *l)
{
	struct npu_program *p = l->p;
	const struct tflite_model *m = l->m;

	p->inputs = calloc(m->input_count + 1u, sizeof(*p->inputs));
	p->outputs = calloc(m->output_count + 1u, sizeof(*p->outputs));
	if (!p->inputs || !p->outputs)
		return fail(l, "host memory is short");
	for (; p->input_count < m->input_count; p->input_count++) {
		if (m->tensors[m->inputs[p->input_count]].data)
			return fail(l, "an input of the model is a constant: damaged model");
		describe(l, m->inputs[p->input_count], &p->inputs[p->input_count]);
	}
	for (; p->output_count < m->output_count; p->output_count++)
		describe(l, m->outputs[p->output_count], &p->outputs[p->output_count]);
	return true;
}

/* State starts at its zero point, which is the quantised 0. */
static void start_variables(struct loading *l)
{
	for (u32 i = 0; i < l->m->tensor_count; i++) {
		const struct tflite_tensor *t = &l->m->tensors[i];
		if (!t->variable || t->data || !t->element_bytes)
			continue;
		u8 *at = host_of(l, i);
		for (u64 b = 0; b < t->bytes; b++)
			at[b] = (u8)((u64)t->zero_point >> (8 * (b % t->element_bytes)));
	}
}

static bool build(struct loading *l, u64 size)
{
	struct npu_program *p = l->p;

	l->place = calloc(l->m->tensor_count + 1u, sizeof(*l->place));
	p->jobs = calloc(l->m->operator_count + 1u, sizeof(*p->jobs));
	if (!l->place || !p->jobs)
		return fail(l, "host memory is short");
	if (!find_regions(l))
		return false;
	l->file_base = npu_program_add_block(p, l->file, size, false);
	if (!l->file_base)
		return fail(l, "the model needs more memory than 1 GiB");
	if (!add_area(l, REGION_SCRATCH) || (l->separate_io && (!add_area(l, REGION_INPUTS) || !add_area(l, REGION_OUTPUTS))))
		return false;
	for (; p->job_count < l->m->operator_count; p->job_count++)
		if (!add_job(l, &l->m->operators[p->job_count], &p->jobs[p->job_count]))
			return false;
	start_variables(l);
	return describe_all(l);
}

bool npu_program_from_tflite(struct npu_program *p, u8 *bytes, u64 size, char *why, size_t why_size)
{
	struct tflite_model *m = tflite_read(bytes, size, why, why_size);
	struct loading l = { .p = p, .m = m, .file = bytes, .why = why, .why_size = why_size };

	if (!m)
		return false;
	bool ok = check_operators(&l) && build(&l, size);
	free(l.place);
	tflite_free(m);
	return ok;
}
