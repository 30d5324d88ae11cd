/* SPDX-License-Identifier: Apache-2.0 */
#include "npu/timing/profiles.h"

#include <string.h>

const struct npu_memory_profile npu_memory_profiles[] = {
#define P(name, text, ...) { name, text, { __VA_ARGS__ } },
#include "npu/timing/profiles.def"
#undef P
	{ NULL, NULL, { { 0 } } },
};

const struct npu_memory_profile *npu_memory_profile_find(const char *name)
{
	for (const struct npu_memory_profile *p = npu_memory_profiles; p->name; p++)
		if (!strcmp(p->name, name))
			return p;
	return NULL;
}
