/* SPDX-License-Identifier: Apache-2.0 */
/* Reader of .tflite files; see tflite.h. Field numbers are those of schema.fbs, version 3. */
#include "loader/tflite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/flatbuffer.h"

enum { MODEL_CODES = 1, MODEL_SUBGRAPHS = 2, MODEL_BUFFERS = 4, MODEL_METADATA = 6 };
enum { CODE_DEPRECATED = 0, CODE_CUSTOM = 1, CODE_BUILTIN = 3 };
enum { GRAPH_TENSORS = 0, GRAPH_INPUTS = 1, GRAPH_OUTPUTS = 2, GRAPH_OPERATORS = 3 };
enum { TENSOR_SHAPE = 0, TENSOR_TYPE = 1, TENSOR_BUFFER = 2, TENSOR_NAME = 3,
       TENSOR_QUANTIZATION = 4, TENSOR_VARIABLE = 5 };
enum { QUANTIZATION_SCALE = 2, QUANTIZATION_ZERO_POINT = 3 };
enum { OPERATOR_CODE = 0, OPERATOR_INPUTS = 1, OPERATOR_OUTPUTS = 2 };
enum { BUFFER_DATA = 0, BUFFER_OFFSET = 1, BUFFER_SIZE = 2 };
enum { METADATA_NAME = 0, METADATA_BUFFER = 1 };

/* No network for a microcontroller comes near; keeps a broken file from claiming memory. */
#define MAX_ITEMS 1000000u
#define MAX_TENSOR_BYTES (UINT64_C(1) << 31)

/* Bytes per element by TensorType; 0: no fixed size. */
static const u8 element_bytes[] = {
	[0] = 4 /* float32 */, [1] = 2 /* float16 */, [2] = 4 /* int32 */, [3] = 1 /* uint8 */,
	[4] = 8 /* int64 */, [6] = 1 /* bool */, [7] = 2 /* int16 */, [8] = 8 /* complex64 */,
	[9] = 1 /* int8 */, [10] = 8 /* float64 */, [12] = 8 /* uint64 */, [15] = 4 /* uint32 */,
	[16] = 2 /* uint16 */,
};

struct reader {
	struct flatbuffer fb;
	struct fb_vector buffers;
	struct tflite_model *model;
};

static struct fb_vector buffer_data(struct reader *r, u32 index)
{
	struct fb_table b = fb_table_element(&r->fb, r->buffers, index);
	u64 offset = fb_scalar(&r->fb, b, BUFFER_OFFSET, 8, 0);
	u64 size = fb_scalar(&r->fb, b, BUFFER_SIZE, 8, 0);

	if (offset > 1) { /* data of large models lies behind the flatbuffer */
		if (offset <= r->fb.size && size <= r->fb.size - offset)
			return (struct fb_vector){ .at = (u32)offset, .count = (u32)size };
		r->fb.bad = true;
	}
	return fb_vector(&r->fb, b, BUFFER_DATA, 1);
}

static void read_tensor(struct reader *r, struct fb_table t, struct tflite_tensor *out)
{
	struct flatbuffer *fb = &r->fb;
	struct fb_vector shape = fb_vector(fb, t, TENSOR_SHAPE, 4);
	struct fb_table quantization = fb_child(fb, t, TENSOR_QUANTIZATION);
	struct fb_vector zero = fb_vector(fb, quantization, QUANTIZATION_ZERO_POINT, 8);
	struct fb_vector scale = fb_vector(fb, quantization, QUANTIZATION_SCALE, 4);
	u32 buffer = (u32)fb_scalar(fb, t, TENSOR_BUFFER, 4, 0), scale_bits = (u32)fb_element(fb, scale, 0, 4);

	out->type = (u8)fb_scalar(fb, t, TENSOR_TYPE, 1, 0);
	out->element_bytes = out->type < ARRAY_LEN(element_bytes) ? element_bytes[out->type] : 0;
	out->variable = fb_scalar(fb, t, TENSOR_VARIABLE, 1, 0) != 0;
	out->zero_point = (i64)fb_element(fb, zero, 0, 8);
	memcpy(&out->scale, &scale_bits, sizeof(out->scale));
	out->rank = shape.count < TFLITE_RANK ? shape.count : TFLITE_RANK;
	out->arena_offset = -1;
	fb_string(fb, t, TENSOR_NAME, out->name, sizeof(out->name));
	out->bytes = out->element_bytes;
	for (u32 i = 0; i < shape.count; i++) {
		u64 dim = (u32)fb_element(fb, shape, i, 4);
		if (dim > MAX_TENSOR_BYTES || out->bytes * dim > MAX_TENSOR_BYTES) {
			fb->bad = true;
			return;
		}
		out->bytes *= dim;
		if (i < out->rank)
			out->shape[i] = (u32)dim;
	}
	struct fb_vector data = buffer ? buffer_data(r, buffer) : (struct fb_vector){ 0 };
	if (data.count) {
		out->data = fb->bytes + data.at;
		out->data_bytes = data.count;
	}
}

/* Copies a vector of tensor indices; all are checked to exist. */
static i32 *read_indices(struct reader *r, struct fb_vector v, u32 *count)
{
	i32 *list = calloc(v.count + 1u, sizeof(*list));

	*count = list ? v.count : 0;
	r->fb.bad |= !list;
	for (u32 i = 0; i < *count; i++) {
		list[i] = (i32)fb_element(&r->fb, v, i, 4);
		if (list[i] < -1 || (list[i] >= 0 && (u32)list[i] >= r->model->tensor_count))
			r->fb.bad = true;
	}
	return list;
}

static void read_operator(struct reader *r, struct fb_vector codes, struct fb_table t,
			  struct tflite_operator *out)
{
	struct flatbuffer *fb = &r->fb;
	struct fb_table code = fb_table_element(fb, codes, (u32)fb_scalar(fb, t, OPERATOR_CODE, 4, 0));
	i32 old = (i8)fb_scalar(fb, code, CODE_DEPRECATED, 1, 0);
	i32 builtin = (i32)fb_scalar(fb, code, CODE_BUILTIN, 4, 0);

	out->builtin = builtin > old ? builtin : old;
	fb_string(fb, code, CODE_CUSTOM, out->code, sizeof(out->code));
	out->inputs = read_indices(r, fb_vector(fb, t, OPERATOR_INPUTS, 4), &out->input_count);
	out->outputs = read_indices(r, fb_vector(fb, t, OPERATOR_OUTPUTS, 4), &out->output_count);
}

/* Metadata OfflineMemoryAllocation: version, subgraph, tensor count, one offset per tensor. */
static void read_placement(struct reader *r, struct fb_vector metadata)
{
	for (u32 i = 0; i < metadata.count; i++) {
		struct fb_table m = fb_table_element(&r->fb, metadata, i);
		char name[32];
		fb_string(&r->fb, m, METADATA_NAME, name, sizeof(name));
		if (strcmp(name, "OfflineMemoryAllocation") != 0)
			continue;
		struct fb_vector words = buffer_data(r, (u32)fb_scalar(&r->fb, m, METADATA_BUFFER, 4, 0));
		words.count /= 4;
		for (u32 t = 0; t < r->model->tensor_count && t + 3 < words.count; t++)
			r->model->tensors[t].arena_offset = (i32)fb_element(&r->fb, words, t + 3, 4);
	}
}

static bool read_graph(struct reader *r, struct fb_table root, struct fb_table graph)
{
	struct flatbuffer *fb = &r->fb;
	struct tflite_model *m = r->model;
	struct fb_vector codes = fb_vector(fb, root, MODEL_CODES, 4);
	struct fb_vector tensors = fb_vector(fb, graph, GRAPH_TENSORS, 4);
	struct fb_vector operators = fb_vector(fb, graph, GRAPH_OPERATORS, 4);

	if (tensors.count > MAX_ITEMS || operators.count > MAX_ITEMS)
		return false;
	m->tensors = calloc(tensors.count + 1u, sizeof(*m->tensors));
	m->operators = calloc(operators.count + 1u, sizeof(*m->operators));
	if (!m->tensors || !m->operators)
		return false;
	m->tensor_count = tensors.count;
	m->operator_count = operators.count;
	for (u32 i = 0; i < tensors.count; i++)
		read_tensor(r, fb_table_element(fb, tensors, i), &m->tensors[i]);
	for (u32 i = 0; i < operators.count; i++)
		read_operator(r, codes, fb_table_element(fb, operators, i), &m->operators[i]);
	m->inputs = read_indices(r, fb_vector(fb, graph, GRAPH_INPUTS, 4), &m->input_count);
	m->outputs = read_indices(r, fb_vector(fb, graph, GRAPH_OUTPUTS, 4), &m->output_count);
	read_placement(r, fb_vector(fb, root, MODEL_METADATA, 4));
	for (u32 i = 0; i < m->input_count; i++)
		fb->bad |= m->inputs[i] < 0;
	for (u32 i = 0; i < m->output_count; i++)
		fb->bad |= m->outputs[i] < 0;
	return !fb->bad;
}

struct tflite_model *tflite_read(const u8 *bytes, u64 size, char *why, size_t why_size)
{
	struct reader r = { .fb = { .bytes = bytes, .size = size } };

	if (fb_has_identifier(&r.fb, "BP08")) {
		snprintf(why, why_size, "a bundled ExecuTorch program (.bpte): give the .pte that it was made of, "
			 "or build an image with make-runner, which sets the bundle's inputs and checks its outputs");
		return NULL;
	}
	if (!fb_has_identifier(&r.fb, "TFL3")) {
		snprintf(why, why_size, "neither a .tflite file (TFL3) nor an ExecuTorch program (ET12); "
			 "give a network compiled by vela");
		return NULL;
	}
	struct fb_table root = fb_root(&r.fb);
	struct fb_vector graphs = fb_vector(&r.fb, root, MODEL_SUBGRAPHS, 4);
	r.buffers = fb_vector(&r.fb, root, MODEL_BUFFERS, 4);
	r.model = calloc(1, sizeof(*r.model));
	if (r.model && graphs.count && read_graph(&r, root, fb_table_element(&r.fb, graphs, 0)))
		return r.model;
	snprintf(why, why_size, "damaged .tflite file (an offset leads outside of it); compile or copy it again");
	tflite_free(r.model);
	return NULL;
}

void tflite_free(struct tflite_model *m)
{
	if (!m)
		return;
	for (u32 i = 0; m->operators && i < m->operator_count; i++) {
		free(m->operators[i].inputs);
		free(m->operators[i].outputs);
	}
	free(m->tensors);
	free(m->operators);
	free(m->inputs);
	free(m->outputs);
	free(m);
}
