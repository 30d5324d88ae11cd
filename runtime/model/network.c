/* SPDX-License-Identifier: Apache-2.0 */
/* TFLite schema, version 3: field numbers below are those of schema.fbs.
 *
 * Inputs of the `ethos-u` operator: command stream, constants, arena, fast arena, then the
 * network's inputs. Their arena offsets are in the metadata "OfflineMemoryAllocation":
 * int32 version, subgraph, count, then one offset (or -1) per tensor. */
#include "runtime/model/network.h"
#include "runtime/model/flatbuffer.h"

enum { MODEL_OPERATOR_CODES = 1, MODEL_SUBGRAPHS = 2, MODEL_BUFFERS = 4, MODEL_METADATA = 6 };
enum { CODE_CUSTOM = 1 };
enum { SUBGRAPH_TENSORS = 0, SUBGRAPH_OPERATORS = 3 };
enum { OPERATOR_INPUTS = 1, OPERATOR_OUTPUTS = 2 };
enum { TENSOR_SHAPE = 0, TENSOR_TYPE = 1, TENSOR_BUFFER = 2, TENSOR_NAME = 3 };
enum { BUFFER_DATA = 0 };
enum { METADATA_NAME = 0, METADATA_BUFFER = 1 };
enum { ETHOSU_FIXED_INPUTS = 4 };

static bool string_is(fb_vector s, const char *text)
{
	return fb_length(s) == strlen(text) && !memcmp(fb_data(s), text, fb_length(s));
}

static fb_vector buffer_data(fb_table model, uint32_t index)
{
	const fb_vector buffers = fb_ref(model, MODEL_BUFFERS);

	return index < fb_length(buffers) ? fb_ref(fb_table_at(buffers, index), BUFFER_DATA) : NULL;
}

static fb_vector arena_offsets(fb_table model)
{
	const fb_vector metadata = fb_ref(model, MODEL_METADATA);

	for (uint32_t i = 0; i < fb_length(metadata); i++) {
		const fb_table m = fb_table_at(metadata, i);

		if (string_is(fb_ref(m, METADATA_NAME), "OfflineMemoryAllocation"))
			return buffer_data(model, fb_field_u32(m, METADATA_BUFFER));
	}
	return NULL;
}

static uint32_t element_bytes(fb_table tensor)
{
	/* TensorType: FLOAT32 0, FLOAT16, INT32, UINT8, INT64, STRING, BOOL, INT16, COMPLEX64, INT8 */
	static const uint8_t bytes[] = { 4, 2, 4, 1, 8, 0, 1, 2, 8, 1 };
	const uint8_t *type = fb_field(tensor, TENSOR_TYPE);

	return !type ? 4 : *type < sizeof bytes ? bytes[*type] : 0;
}

static uint32_t tensor_bytes(fb_table tensor)
{
	const fb_vector shape = fb_ref(tensor, TENSOR_SHAPE);
	uint32_t n = element_bytes(tensor);

	for (uint32_t i = 0; i < fb_length(shape); i++)
		n *= (uint32_t)fb_i32_at(shape, i);
	return n;
}

static void describe(struct network_tensor *out, fb_table tensor, int32_t offset)
{
	const fb_vector name = fb_ref(tensor, TENSOR_NAME);

	out->name = name ? (const char *)fb_data(name) : "";
	out->name_bytes = fb_length(name);
	out->bytes = tensor_bytes(tensor);
	out->offset = (uint32_t)offset;
}

bool network_open(struct network *n, const void *file)
{
	const fb_table model = fb_follow(file);
	const fb_vector subgraphs = fb_ref(model, MODEL_SUBGRAPHS);
	const fb_vector codes = fb_ref(model, MODEL_OPERATOR_CODES);
	const fb_vector offsets = arena_offsets(model);
	fb_vector tensors, operators, in, out;

	if (memcmp((const uint8_t *)file + 4, "TFL3", 4) || fb_length(subgraphs) != 1 || fb_length(codes) != 1 ||
	    !string_is(fb_ref(fb_table_at(codes, 0), CODE_CUSTOM), "ethos-u") || !offsets)
		return false;
	tensors = fb_ref(fb_table_at(subgraphs, 0), SUBGRAPH_TENSORS);
	operators = fb_ref(fb_table_at(subgraphs, 0), SUBGRAPH_OPERATORS);
	if (fb_length(operators) != 1)
		return false;
	in = fb_ref(fb_table_at(operators, 0), OPERATOR_INPUTS);
	out = fb_ref(fb_table_at(operators, 0), OPERATOR_OUTPUTS);
	if (fb_length(in) < ETHOSU_FIXED_INPUTS || fb_length(in) - ETHOSU_FIXED_INPUTS > NETWORK_MAX_IO ||
	    fb_length(out) > NETWORK_MAX_IO)
		return false;

#define TENSOR(v, i) fb_table_at(tensors, (uint32_t)fb_i32_at(v, i))
#define CONSTANT(i) buffer_data(model, fb_field_u32(TENSOR(in, i), TENSOR_BUFFER))
	n->payload = fb_data(CONSTANT(0));
	n->payload_bytes = fb_length(CONSTANT(0));
	n->constants = CONSTANT(1) ? fb_data(CONSTANT(1)) : NULL;
	n->arena_bytes = tensor_bytes(TENSOR(in, 2));
	n->fast_bytes = tensor_bytes(TENSOR(in, 3));
	n->inputs = fb_length(in) - ETHOSU_FIXED_INPUTS;
	n->outputs = fb_length(out);
	for (unsigned i = 0; i < n->inputs; i++) {
		const uint32_t k = i + ETHOSU_FIXED_INPUTS;

		describe(&n->input[i], TENSOR(in, k), fb_i32_at(offsets, 3 + (uint32_t)fb_i32_at(in, k)));
	}
	for (unsigned i = 0; i < n->outputs; i++)
		describe(&n->output[i], TENSOR(out, i), fb_i32_at(offsets, 3 + (uint32_t)fb_i32_at(out, i)));
#undef CONSTANT
#undef TENSOR
	return n->payload_bytes > 0;
}
