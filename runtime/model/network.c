/* SPDX-License-Identifier: Apache-2.0 */
/* TFLite schema, version 3: field numbers below are those of schema.fbs.
 *
 * Inputs of the `ethos-u` operator: command stream, constants, arena, fast arena, then the network's inputs, in an order of
 * the compiler's; the subgraph has them in the network's. Their arena
 * offsets are in the metadata "OfflineMemoryAllocation": int32 version, subgraph, count, then one offset (or -1) per
 * tensor. With Vela's --separate-io-regions they are those in regions 3 (inputs) and 4 (outputs). */
#include "runtime/model/network.h"
#include "runtime/core/format.h"
#include "runtime/ethosu/payload.h"
#include "runtime/program/flat.h"

#include <stdarg.h>
#include <string.h>

enum { MODEL_OPERATOR_CODES = 1, MODEL_SUBGRAPHS = 2, MODEL_BUFFERS = 4, MODEL_METADATA = 6 };
enum { CODE_OLD_NUMBER = 0, CODE_CUSTOM = 1, CODE_NUMBER = 3, CODE_IS_CUSTOM = 32 /* BuiltinOperator CUSTOM */ };
enum { SUBGRAPH_TENSORS = 0, SUBGRAPH_INPUTS = 1, SUBGRAPH_OUTPUTS = 2, SUBGRAPH_OPERATORS = 3 };
enum { OPERATOR_CODE = 0, OPERATOR_INPUTS = 1, OPERATOR_OUTPUTS = 2 };
enum { TENSOR_SHAPE = 0, TENSOR_TYPE = 1, TENSOR_BUFFER = 2, TENSOR_NAME = 3, TENSOR_IS_VARIABLE = 5 };
enum { BUFFER_DATA = 0 };
enum { METADATA_NAME = 0, METADATA_BUFFER = 1 };
enum { IN_STREAM, IN_CONSTANTS, IN_ARENA, IN_FAST, IN_MAPS };
enum { ALLOCATION_HEADER = 3 }; /* words */
enum { REGIONS = 3, REGIONS_SEPARATE = 5 };

struct reading {
	struct flat f;
	struct flat_table model;
	struct flat_vector tensors, places; /* places: bytes of the metadata */
	struct network *n;
	char *why;
	size_t why_bytes;
};

__attribute__((format(printf, 2, 3))) static bool fail(struct reading *r, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	format_text_list(r->why, r->why_bytes, format, args);
	va_end(args);
	return false;
}

static struct flat_vector buffer_data(struct reading *r, uint64_t index)
{
	const struct flat_vector buffers = flat_vector(&r->f, r->model, MODEL_BUFFERS, 4);

	return index < buffers.count ? flat_vector(&r->f, flat_table_element(&r->f, buffers, (uint32_t)index), BUFFER_DATA, 1) :
	       (struct flat_vector){ 0 };
}

static void find_places(struct reading *r)
{
	const struct flat_vector metadata = flat_vector(&r->f, r->model, MODEL_METADATA, 4);

	for (uint32_t i = 0; i < metadata.count; i++) {
		const struct flat_table m = flat_table_element(&r->f, metadata, i);
		uint32_t bytes;

		if (!strcmp(flat_string(&r->f, m, METADATA_NAME, &bytes), "OfflineMemoryAllocation"))
			r->places = buffer_data(r, flat_number(&r->f, m, METADATA_BUFFER, 4, 0));
	}
}

static int32_t place_of(struct reading *r, uint32_t tensor)
{
	const struct flat_vector words = { r->places.at, r->places.count / 4 };

	return words.count > ALLOCATION_HEADER && tensor < words.count - ALLOCATION_HEADER ?
	       (int32_t)flat_element(&r->f, words, ALLOCATION_HEADER + tensor, 4) : -1;
}

static unsigned element_bytes(unsigned type)
{
	/* FLOAT32, FLOAT16, INT32, UINT8, INT64, STRING, BOOL, INT16, COMPLEX64, INT8, FLOAT64, COMPLEX128, UINT64, RESOURCE,
	 * VARIANT, UINT32, UINT16 */
	static const uint8_t bytes[] = { 4, 2, 4, 1, 8, 0, 1, 2, 8, 1, 8, 16, 8, 0, 0, 4, 2 };

	return type < sizeof bytes ? bytes[type] : 0;
}

/* Bytes of a tensor; INT32_MAX + 1 when they are more than that, or a size is negative. */
static uint64_t tensor_bytes(struct reading *r, struct flat_table t)
{
	const struct flat_vector shape = flat_vector(&r->f, t, TENSOR_SHAPE, 4);
	uint64_t n = element_bytes((unsigned)flat_number(&r->f, t, TENSOR_TYPE, 1, 0));

	for (uint32_t i = 0; i < shape.count; i++) {
		n *= flat_element(&r->f, shape, i, 4);
		if (n > INT32_MAX)
			return UINT64_C(1) << 31;
	}
	return n;
}

/* A tensor of the operator; absent when its number makes no sense. */
static struct flat_table tensor_of(struct reading *r, struct flat_vector list, uint32_t i, uint32_t *number)
{
	*number = (uint32_t)flat_element(&r->f, list, i, 4);
	return flat_table_element(&r->f, r->tensors, *number);
}

static struct flat_vector constant_of(struct reading *r, struct flat_vector list, uint32_t i)
{
	uint32_t number;
	const struct flat_table t = tensor_of(r, list, i, &number);

	return buffer_data(r, flat_number(&r->f, t, TENSOR_BUFFER, 4, 0));
}

static uint64_t size_of(struct reading *r, struct flat_vector list, uint32_t i)
{
	uint32_t number;
	const struct flat_table t = tensor_of(r, list, i, &number);

	return tensor_bytes(r, t);
}

/* Where tensors lie in the arena. */
struct part { uint32_t at, bytes; };

static bool describe(struct reading *r, struct flat_vector list, uint32_t i, struct part part, struct network_tensor *to)
{
	uint32_t number, name_bytes;
	const struct flat_table t = tensor_of(r, list, i, &number);
	const uint64_t bytes = tensor_bytes(r, t);
	const int32_t offset = place_of(r, number);

	to->name = flat_string(&r->f, t, TENSOR_NAME, &name_bytes);
	to->type = (uint8_t)flat_number(&r->f, t, TENSOR_TYPE, 1, 0);
	to->element_bytes = (uint8_t)element_bytes(to->type);
	to->bytes = (uint32_t)bytes;
	to->offset = part.at + (uint32_t)offset;
	if (r->f.bad)
		return fail(r, "the network is damaged: something in it points outside");
	if (!bytes)
		return fail(r, "tensor %.64s is of type %u, or has no elements", to->name, to->type);
	if (offset < 0 || bytes > part.bytes || (uint32_t)offset > part.bytes - bytes)
		return fail(r, "tensor %.64s lies outside of the arena", to->name);
	return true;
}

/* The network's inputs and outputs, in its own order. */
static bool read_graph(struct reading *r, struct flat_table graph)
{
	const struct flat_vector in = flat_vector(&r->f, graph, SUBGRAPH_INPUTS, 4);
	const struct flat_vector out = flat_vector(&r->f, graph, SUBGRAPH_OUTPUTS, 4);
	struct network *n = r->n;

	if (in.count > NETWORK_MAX_IO || out.count > NETWORK_MAX_IO)
		return fail(r, "the network has %u inputs and %u outputs, more than the %d of each that run here", (unsigned)in.count,
			    (unsigned)out.count, NETWORK_MAX_IO);
	const bool separate = n->regions == REGIONS_SEPARATE;
	const struct part in_part = { n->inputs_at, (separate ? n->outputs_at : n->arena_bytes) - n->inputs_at };
	const struct part out_part = { n->outputs_at, n->arena_bytes - n->outputs_at };

	n->inputs = in.count;
	n->outputs = out.count;
	for (uint32_t i = 0; i < n->inputs; i++)
		if (!describe(r, in, i, in_part, &n->input[i]))
			return false;
	for (uint32_t i = 0; i < n->outputs; i++)
		if (!describe(r, out, i, out_part, &n->output[i]))
			return false;
	return true;
}

/* How many bytes the tensors of a list need, from the `first` on; more than INT32_MAX: too many. */
static uint64_t region_bytes(struct reading *r, struct flat_vector list, uint32_t first)
{
	uint64_t most = 0;

	for (uint32_t i = first; i < list.count; i++) {
		const int32_t offset = place_of(r, (uint32_t)flat_element(&r->f, list, i, 4));
		const uint64_t end = offset < 0 ? 0 : (uint32_t)offset + size_of(r, list, i);

		most = end > most ? end : most;
	}
	return (most + NETWORK_ALIGNMENT - 1) & ~(uint64_t)(NETWORK_ALIGNMENT - 1);
}

/* Variables would be read in one region and written in the other. */
static bool has_variables(struct reading *r, struct flat_vector list)
{
	for (uint32_t i = IN_MAPS; i < list.count; i++) {
		uint32_t number;
		const struct flat_table t = tensor_of(r, list, i, &number);

		if (flat_number(&r->f, t, TENSOR_IS_VARIABLE, 1, 0))
			return true;
	}
	return false;
}

/* Puts regions 3 and 4 behind region 1. */
static bool separate(struct reading *r, struct flat_vector in, struct flat_vector out)
{
	struct network *n = r->n;
	const uint64_t at = (n->arena_bytes + (uint64_t)NETWORK_ALIGNMENT - 1) & ~(uint64_t)(NETWORK_ALIGNMENT - 1);
	const uint64_t inputs = region_bytes(r, in, IN_MAPS), outputs = region_bytes(r, out, 0);

	if (has_variables(r, in))
		return fail(r, "the network has variables, and was compiled with --separate-io-regions: compile it without");
	if (r->f.bad || at + inputs + outputs > INT32_MAX)
		return fail(r, "the ethos-u operator is damaged");
	n->regions = REGIONS_SEPARATE;
	n->inputs_at = (uint32_t)at;
	n->outputs_at = (uint32_t)(at + inputs);
	n->arena_bytes = (uint32_t)(at + inputs + outputs);
	return true;
}

static bool read_operator(struct reading *r, struct flat_table operator)
{
	const struct flat_vector in = flat_vector(&r->f, operator, OPERATOR_INPUTS, 4);
	struct network *n = r->n;
	struct flat_vector stream, constants;
	struct ethosu_payload payload;
	uint64_t arena, fast;

	if (in.count < IN_MAPS)
		return fail(r, "the ethos-u operator has %u inputs", (unsigned)in.count);
	stream = constant_of(r, in, IN_STREAM);
	constants = constant_of(r, in, IN_CONSTANTS);
	arena = size_of(r, in, IN_ARENA);
	fast = flat_element(&r->f, in, IN_FAST, 4) != flat_element(&r->f, in, IN_ARENA, 4) ? size_of(r, in, IN_FAST) : 0;
	if (r->f.bad || !stream.count || arena > INT32_MAX || fast > INT32_MAX)
		return fail(r, "the ethos-u operator is damaged");
	if (stream.at % NETWORK_ALIGNMENT || constants.at % NETWORK_ALIGNMENT)
		return fail(r, "commands or constants do not lie at a multiple of 16 bytes");
	n->payload = r->f.bytes + stream.at;
	n->payload_bytes = stream.count;
	n->constants = constants.at ? r->f.bytes + constants.at : NULL;
	n->constant_bytes = constants.count;
	n->arena_bytes = (uint32_t)arena;
	n->fast_bytes = (uint32_t)fast;
	n->regions = REGIONS;
	return !ethosu_payload_read(n->payload, n->payload_bytes, &payload) || !payload.separate_io ||
	       separate(r, in, flat_vector(&r->f, operator, OPERATOR_OUTPUTS, 4));
}

/* False, and says which operator it is: numbers of up to 127 are in the older of the two fields. */
static bool refuse_operator(struct reading *r, uint32_t index, struct flat_table code)
{
	const uint64_t number = flat_number(&r->f, code, CODE_NUMBER, 4, 0), old = flat_number(&r->f, code, CODE_OLD_NUMBER, 1, 0);
	char name[48];
	uint32_t bytes;

	if (number == CODE_IS_CUSTOM || old == CODE_IS_CUSTOM)
		format_text(name, sizeof name, "custom %s", flat_string(&r->f, code, CODE_CUSTOM, &bytes));
	else
		format_text(name, sizeof name, "BuiltinOperator %u", (unsigned)(number > old ? number : old));
	return fail(r, "operator %u (%s) is left to the processor: only networks that Vela compiles for the NPU as a whole run here",
		    (unsigned)index, name);
}

/* All operators of the file must be the one. */
static bool check_operators(struct reading *r, struct flat_vector operators)
{
	const struct flat_vector codes = flat_vector(&r->f, r->model, MODEL_OPERATOR_CODES, 4);

	for (uint32_t i = 0; i < operators.count; i++) {
		const struct flat_table o = flat_table_element(&r->f, operators, i);
		const uint64_t number = flat_number(&r->f, o, OPERATOR_CODE, 4, 0);
		const struct flat_table code = flat_table_element(&r->f, codes, (uint32_t)number);
		uint32_t bytes;
		const bool is_npu = !strcmp(flat_string(&r->f, code, CODE_CUSTOM, &bytes), "ethos-u");

		if (r->f.bad)
			return fail(r, "the network is damaged: something in it points outside");
		if (!is_npu)
			return refuse_operator(r, i, code);
	}
	return operators.count == 1 || fail(r, "the network has %u ethos-u operators, not one", (unsigned)operators.count);
}

bool network_open(struct network *n, const void *file, size_t bytes, char *why, size_t why_bytes)
{
	struct reading r = { .f = { .bytes = file, .size = bytes > INT32_MAX ? 0 : (uint32_t)bytes }, .n = n, .why = why,
			     .why_bytes = why_bytes };
	struct flat_vector subgraphs, operators;
	struct flat_table graph;

	*n = (struct network){ 0 };
	if (!flat_has_identifier(&r.f, "TFL3"))
		return fail(&r, "this is no .tflite file");
	r.model = flat_root(&r.f);
	subgraphs = flat_vector(&r.f, r.model, MODEL_SUBGRAPHS, 4);
	if (r.f.bad || subgraphs.count != 1)
		return fail(&r, "the network is damaged, or has not one subgraph");
	graph = flat_table_element(&r.f, subgraphs, 0);
	r.tensors = flat_vector(&r.f, graph, SUBGRAPH_TENSORS, 4);
	operators = flat_vector(&r.f, graph, SUBGRAPH_OPERATORS, 4);
	find_places(&r);
	return check_operators(&r, operators) && read_operator(&r, flat_table_element(&r.f, operators, 0)) &&
	       read_graph(&r, graph);
}
