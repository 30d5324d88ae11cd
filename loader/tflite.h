/* SPDX-License-Identifier: Apache-2.0 */
/* What is needed of a .tflite file to run a network that Vela compiled: tensors, operators,
 * inputs, outputs and the arena placement that Vela put into the metadata. Only the first
 * subgraph. Own reader over checked flatbuffer accesses; schema: TensorFlow Lite v3. */
#ifndef LOADER_TFLITE_H
#define LOADER_TFLITE_H

#include "memory/types.h"

#define TFLITE_NAME 64
#define TFLITE_RANK 16 /* dimensions that are kept */

struct tflite_tensor {
	char name[TFLITE_NAME];
	u8 type;            /* TensorType of the schema */
	u8 element_bytes;   /* 0: a type without fixed size */
	bool variable;      /* keeps its value between invocations */
	i64 zero_point;     /* first one; 0 when not quantised */
	float scale;        /* first one; 0 when not quantised */
	u32 rank;           /* of shape[]; more dimensions than that are not told */
	u32 shape[TFLITE_RANK];
	u64 bytes;          /* of the whole tensor */
	i64 arena_offset;   /* OfflineMemoryAllocation, -1: anywhere */
	const u8 *data;     /* constant data inside the file, NULL when there is none */
	u64 data_bytes;
};

struct tflite_operator {
	char code[TFLITE_NAME]; /* custom code, "" for a built-in operator */
	i32 builtin;            /* BuiltinOperator of the schema */
	u32 input_count, output_count;
	i32 *inputs, *outputs;  /* tensor indices, -1: absent */
};

struct tflite_model {
	u32 tensor_count, operator_count, input_count, output_count;
	struct tflite_tensor *tensors;
	struct tflite_operator *operators;
	i32 *inputs, *outputs;
};

/* Reads the `size` bytes at `bytes`, which must stay while the model is used. NULL when it is
 * no usable .tflite file; `why` then gets one line (what is wrong). */
struct tflite_model *tflite_read(const u8 *bytes, u64 size, char *why, size_t why_size);
void tflite_free(struct tflite_model *m);

#endif
