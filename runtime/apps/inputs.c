/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/apps/inputs.h"
#include "runtime/core/format.h"

size_t input_bytes(const struct value *v)
{
	switch (v->kind) {
	case VALUE_TENSOR: return tensor_bytes(v->as.tensor);
	case VALUE_NONE: return 0;
	case VALUE_BOOL: return 1;
	default: return 8;
	}
}

uint64_t inputs_bytes(const struct method *m)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < m->input_count; i++)
		bytes += input_bytes(m->inputs[i]);
	return bytes;
}

bool inputs_fit(uint64_t given, uint64_t wanted, char *why, size_t why_bytes)
{
	if (given == wanted)
		return true;
	format_text(why, why_bytes, "the file of --input has %llu bytes, the inputs take %llu in all", (unsigned long long)given,
		    (unsigned long long)wanted);
	return false;
}
