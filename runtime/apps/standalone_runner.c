/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the program that is built in (NETWORK_FILE), or that lies at MODEL_AT and has MODEL_BYTES, once; its data may be in
 * another file (DATA_FILE). Inputs are those of a
 * bundle's first test, or the built-in INPUT_FILE (one input behind the other), or zeros. Prints the outputs and what the run
 * took. Exit status: 0; 1 the outputs are not those that the bundle expects; 2 could not run. */
#include "runtime/apps/inputs.h"
#include "runtime/apps/log.h"
#include "runtime/apps/session.h"
#include "runtime/console/console.h"
#include "runtime/core/format.h"
#include "runtime/kernels/half.h"

#include <string.h>

#define SHOWN_ELEMENTS 16

enum { STATUS_DIFFERENT = 1, STATUS_FAILED = 2 };

#ifdef MODEL_AT
#define MODEL ((struct span){ (const uint8_t *)MODEL_AT, MODEL_BYTES })
#else
extern const uint8_t embedded_network[], embedded_network_end[];
#define MODEL ((struct span){ embedded_network, (size_t)(embedded_network_end - embedded_network) })
#endif
#ifdef DATA_FILE
extern const uint8_t embedded_data[], embedded_data_end[];
#define DATA ((struct span){ embedded_data, (size_t)(embedded_data_end - embedded_data) })
#else
#define DATA ((struct span){ 0 })
#endif
extern const uint8_t embedded_input[], embedded_input_end[];

static struct session session;

int main(void);

static int give_up(const char *what, const char *reason)
{
	LOG('E', "%s: %s", what, reason);
	return STATUS_FAILED;
}

/* The next input from the built-in bytes, or zeros. Numbers stay as the program was traced with. */
static bool set_inputs(struct session *s)
{
	const uint8_t *from = embedded_input;
	const bool has_input = &embedded_input_end[0] != &embedded_input[0];

	if (has_input && !inputs_fit((size_t)(embedded_input_end - from), inputs_bytes(&s->method), s->why, sizeof s->why))
		return false;
	for (uint32_t i = 0; i < s->method.input_count; i++) {
		const struct value *v = s->method.inputs[i];
		const size_t bytes = input_bytes(v);
		uint8_t *copy;

		if (!has_input && v->kind != VALUE_TENSOR)
			continue;
		copy = memory_take(&s->memory, bytes, PROGRAM_ALIGNMENT);
		if (!copy) {
			format_text(s->why, sizeof s->why, "input %u has %zu bytes, %zu more than the %s has left", (unsigned)i, bytes,
				    s->memory.short_by, s->memory.name);
			return false;
		}
		memset(copy, 0, bytes);
		if (has_input)
			memcpy(copy, from, bytes);
		from += has_input ? bytes : 0;
		if (!method_set_input(&s->method, i, copy, bytes)) {
			format_text(s->why, sizeof s->why, "%s", s->method.why);
			return false;
		}
	}
	return true;
}

static void print_element(const struct tensor *t, size_t i)
{
	const uint8_t *at = (const uint8_t *)t->data + i * dtype_bytes(t->type);
	float single;
	double twice;

	switch (t->type) {
	case DTYPE_FLOAT16: console_printf(" %.4f", (double)half_to_float(*(const uint16_t *)at)); break;
	case DTYPE_BFLOAT16: console_printf(" %.4f", (double)bfloat_to_float(*(const uint16_t *)at)); break;
	case DTYPE_FLOAT32:
		memcpy(&single, at, sizeof single);
		console_printf(" %.4f", (double)single);
		break;
	case DTYPE_FLOAT64:
		memcpy(&twice, at, sizeof twice);
		console_printf(" %.4f", twice);
		break;
	case DTYPE_INT8: console_printf(" %d", (int8_t)*at); break;
	case DTYPE_INT16: console_printf(" %d", *(const int16_t *)at); break;
	case DTYPE_INT32: console_printf(" %d", (int)*(const int32_t *)at); break;
	case DTYPE_INT64: console_printf(" %lld", (long long)*(const int64_t *)at); break;
	default: console_printf(" %02x", *at); break;
	}
}

/* Name, shape, the first elements, and where it lies, for --dump. */
static void print_output(uint32_t index, const struct value *v)
{
	const struct tensor *t = v->as.tensor;
	size_t count;

	switch (v->kind) {
	case VALUE_TENSOR: break;
	case VALUE_NONE: console_printf("output %u: None\n", (unsigned)index); return;
	case VALUE_STRING: console_printf("output %u: \"%s\"\n", (unsigned)index, v->as.text); return;
	case VALUE_INT: console_printf("output %u: %lld\n", (unsigned)index, (long long)v->as.integer); return;
	case VALUE_BOOL: console_printf("output %u: %s\n", (unsigned)index, v->as.boolean ? "True" : "False"); return;
	case VALUE_DOUBLE: console_printf("output %u: %f\n", (unsigned)index, v->as.number); return;
	default: console_printf("output %u: a list of %u\n", (unsigned)index, (unsigned)v->count); return;
	}
	count = tensor_elements(t);
	console_printf("output %u: %s [", (unsigned)index, dtype_name(t->type));
	for (unsigned i = 0; i < t->rank; i++)
		console_printf(i ? ",%d" : "%d", (int)t->sizes[i]);
	console_printf("] at %p:", t->data);
	for (size_t i = 0; i < count && i < SHOWN_ELEMENTS; i++)
		print_element(t, i);
	console_puts(count > SHOWN_ELEMENTS ? " ...\n" : "\n");
}

int main(void)
{
	struct session *s = &session;

	if (!session_start(s, false))
		return STATUS_FAILED;
	if (!session_load(s, MODEL, DATA))
		return give_up("loading the program failed", s->why);
	if (!s->is_bundle && !set_inputs(s))
		return give_up("the inputs cannot be set", s->why);
	if (!session_run(s))
		return give_up("the run failed", s->why);
	for (uint32_t i = 0; i < s->method.output_count; i++)
		print_output(i, s->method.outputs[i]);
	return session_check(s) ? 0 : STATUS_DIFFERENT;
}
