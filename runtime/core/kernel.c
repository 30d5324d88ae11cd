/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/core/kernel.h"
#include "runtime/core/format.h"

#include <stdarg.h>
#include <string.h>

#define TEMP_ALIGNMENT 16u

bool kernel_fail(struct kernel_context *c, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	format_text_list(c->why, sizeof c->why, format, args);
	va_end(args);
	return false;
}

void *kernel_temp(struct kernel_context *c, size_t bytes)
{
	const size_t from = (c->temp_used + TEMP_ALIGNMENT - 1) & ~(size_t)(TEMP_ALIGNMENT - 1);

	if (from > c->temp_bytes || bytes > c->temp_bytes - from) {
		c->temp_short = from > c->temp_bytes ? bytes : bytes - (c->temp_bytes - from);
		kernel_fail(c, "needs %zu bytes of temporary memory, %zu more than there are", from + bytes, c->temp_short);
		return NULL;
	}
	c->temp_used = from + bytes;
	if (c->temp_used > c->temp_peak)
		c->temp_peak = c->temp_used;
	return c->temp + from;
}

bool kernel_resize(struct kernel_context *c, struct tensor *t, const int32_t *sizes, unsigned rank)
{
	unsigned same = 0;
	size_t bytes;

	if (t->rank != rank)
		return kernel_fail(c, "the output has %u dimensions, the result %u", t->rank, rank);
	while (same < rank && t->sizes[same] == sizes[same])
		same++;
	if (same == rank)
		return true;
	if (t->dynamism == SHAPE_STATIC)
		return kernel_fail(c, "dimension %u of the output is %d, that of the result %d", same, (int)t->sizes[same],
				   (int)sizes[same]);
	if (!shape_bytes(sizes, rank, t->type, &bytes) || bytes > t->capacity)
		return kernel_fail(c, "the result does not fit the %zu bytes planned for it", t->capacity);
	memcpy(t->sizes, sizes, rank * sizeof *sizes);
	tensor_set_strides(t);
	return true;
}

bool kernel_resize_list(struct kernel_context *c, struct tensor *t, const struct value *list)
{
	int32_t sizes[TENSOR_MAX_RANK];

	if (list->count > TENSOR_MAX_RANK)
		return kernel_fail(c, "%u dimensions are too many", (unsigned)list->count);
	for (unsigned d = 0; d < list->count; d++) {
		if (list->as.integers[d] < 0 || list->as.integers[d] > INT32_MAX)
			return kernel_fail(c, "dimension %u cannot be %lld", d, (long long)list->as.integers[d]);
		sizes[d] = (int32_t)list->as.integers[d];
	}
	return kernel_resize(c, t, sizes, list->count);
}

bool kernel_resize_like(struct kernel_context *c, struct tensor *t, const struct tensor *like)
{
	return kernel_resize(c, t, like->sizes, like->rank);
}

const struct kernel_entry *kernel_find(const struct kernel_entry *table, unsigned count, const char *name)
{
	for (unsigned i = 0; i < count; i++)
		if (!strcmp(table[i].name, name))
			return &table[i];
	return NULL;
}

static bool has_data(const struct tensor *t)
{
	return t && (t->data || !tensor_elements(t));
}

/* Only kernels that say so take complex numbers. */
static bool is_real_data(const struct tensor *t)
{
	return has_data(t) && dtype_of_parts(t->type) == t->type;
}

static bool list_has_data(const struct value *v)
{
	for (uint32_t i = 0; i < v->count; i++)
		if (v->as.tensors[i] ? !is_real_data(v->as.tensors[i]) : v->kind == VALUE_TENSOR_LIST)
			return false;
	return true;
}

/* Letter of the signature: what it stands for. */
static bool argument_fits(char letter, const struct value *v)
{
	switch (letter) {
	case 't': return v->kind == VALUE_TENSOR && is_real_data(v->as.tensor);
	case 'o': return v->kind == VALUE_TENSOR && is_real_data(v->as.tensor) && !v->as.tensor->is_constant;
	case 'z': return v->kind == VALUE_TENSOR && has_data(v->as.tensor);
	case 'Z': return v->kind == VALUE_TENSOR && has_data(v->as.tensor) && !v->as.tensor->is_constant;
	case 'i': return v->kind == VALUE_INT;
	case 'd': return v->kind == VALUE_DOUBLE || v->kind == VALUE_INT;
	case 'b': return v->kind == VALUE_BOOL;
	case 's': return v->kind == VALUE_INT || v->kind == VALUE_DOUBLE || v->kind == VALUE_BOOL;
	case 'c': return v->kind == VALUE_STRING;
	case 'I': return v->kind == VALUE_INT_LIST;
	case 'D': return v->kind == VALUE_DOUBLE_LIST;
	case 'B': return v->kind == VALUE_BOOL_LIST;
	case 'T': return v->kind == VALUE_TENSOR_LIST && list_has_data(v);
	case 'U': return (v->kind == VALUE_TENSOR_LIST || v->kind == VALUE_OPTIONAL_TENSOR_LIST) && list_has_data(v);
	case 'v': return true;
	default: return false;
	}
}

bool kernel_arguments_fit(const char *signature, struct value *const *args, unsigned count, char *why, size_t why_bytes)
{
	unsigned i = 0;

	for (const char *letter = signature; *letter; letter++, i++) {
		const bool optional = letter[1] == '?';

		if (i == count) {
			format_text(why, why_bytes, "it has %u arguments, fewer than its kernel takes (%s)", count, signature);
			return false;
		}
		if (!(optional && value_is_none(args[i])) && !argument_fits(*letter, args[i])) {
			format_text(why, why_bytes, "argument %u is not what its kernel takes (%s): kind %u%s", i, signature,
				    (unsigned)args[i]->kind,
				    args[i]->kind == VALUE_TENSOR ? ", a complex tensor, or one without data or not to be written" : "");
			return false;
		}
		letter += optional;
	}
	return true;
}

const struct kernel_entry *kernel_fitting(const struct kernel_entry *first, struct value *const *args, unsigned count, char *why,
					  size_t why_bytes)
{
	char other[KERNEL_WHY_BYTES];

	if (kernel_arguments_fit(first->signature, args, count, why, why_bytes))
		return first;
	for (const struct kernel_entry *k = first + 1; !strcmp(k->name, first->name); k++)
		if (kernel_arguments_fit(k->signature, args, count, other, sizeof other))
			return k;
	return NULL;
}
