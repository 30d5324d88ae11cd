/* SPDX-License-Identifier: Apache-2.0 */
/* cJSON: a document made, printed, parsed and printed again. */
#include "cJSON.h"
#include "real.h"

unsigned bench(void)
{
	unsigned sum = 0;

	for (int k = 0; k < 20; k++) {
		cJSON *all = cJSON_CreateArray();
		for (int i = 0; i < 60; i++) {
			cJSON *one = cJSON_CreateObject();
			cJSON_AddNumberToObject(one, "number", i * 37 + k);
			cJSON_AddStringToObject(one, "name", i & 1 ? "register" : "memory \"of\" a processor");
			cJSON_AddBoolToObject(one, "odd", i & 1);
			cJSON_AddItemToArray(all, one);
		}
		char *text = cJSON_Print(all);
		cJSON *back = cJSON_Parse(text);
		char *again = cJSON_PrintUnformatted(back);
		sum = real_sum(sum, again, (unsigned)strlen(again));
		free(text);
		free(again);
		cJSON_Delete(all);
		cJSON_Delete(back);
	}
	return sum;
}
