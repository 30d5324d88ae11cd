/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/host/rig.h"
#include "runtime/core/format.h"

const char *rig_signature(const char *name)
{
	const struct kernel_entry *k = kernel_find(kernel_table, kernel_count, name);

	return k ? k->signature : NULL;
}

bool rig_call(const char *name, struct value *const *args, unsigned count, void *temp, size_t temp_bytes, char *why,
	      size_t why_bytes)
{
	const struct kernel_entry *k = kernel_find(kernel_table, kernel_count, name);
	struct kernel_context c = { .temp = temp, .temp_bytes = temp_bytes };

	if (!k) {
		format_text(why, why_bytes, "there is no kernel %s", name);
		return false;
	}
	k = kernel_fitting(k, args, count, why, why_bytes);
	if (!k)
		return false;
	if (k->run(&c, args))
		return true;
	format_text(why, why_bytes, "%s", c.why);
	return false;
}
