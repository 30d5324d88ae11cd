/* SPDX-License-Identifier: Apache-2.0 */
/* Jansson: a document parsed, changed and written. */
#include "jansson.h"
#include "real.h"

unsigned bench(void)
{
	unsigned sum = 0;
	json_t *all = json_array();

	for (int i = 0; i < 60; i++)
		json_array_append_new(all, json_pack("{s:i,s:s,s:b}", "number", i * 37, "name", i & 1 ? "register" : "memory", "odd", i & 1));
	for (int k = 0; k < 20; k++) {
		char *text = json_dumps(all, k & 1 ? JSON_INDENT(2) : JSON_COMPACT);
		json_error_t error;
		json_t *back = json_loads(text, 0, &error);
		json_object_set_new(json_array_get(back, (size_t)k), "round", json_integer(k));
		sum = real_sum(sum, text, (unsigned)strlen(text));
		free(text);
		json_decref(all);
		all = back;
	}
	return sum;
}
