/* SPDX-License-Identifier: Apache-2.0 */
/* Which memory an operation's bytes went to and came from. */
#include "sim/network/npu_memories.h"
#include "npu/view.h"
#include "traces/json.h"

#include <string.h>

static const char *const regions[NPU_REGIONS] = { "region 0", "region 1", "region 2", "region 3", "region 4", "region 5", "region 6", "region 7" };

static const char *name_of(const struct npu_report *r, const struct npu_touched *t)
{
	return r->memory ? r->memory(r->ctx, t->first) : regions[t->region & 7];
}

/* The entry of that name, a new one if need be; NULL: there are too many. */
static struct npu_memory_bytes *entry(struct npu_memory_bytes *list, unsigned *count, const char *name)
{
	for (unsigned i = 0; i < *count; i++)
		if (!strcmp(list[i].name, name))
			return &list[i];
	if (*count == NPU_REPORT_MEMORIES)
		return NULL;
	list[*count] = (struct npu_memory_bytes){ .name = name };
	return &list[(*count)++];
}

unsigned npu_memories_of(const struct npu_report *r, const struct npu_op *op, const struct npu_region_bytes *bytes,
			 struct npu_memory_bytes list[NPU_REPORT_MEMORIES])
{
	struct npu_touched touched[NPU_TOUCHED];
	const unsigned ranges = npu_view_touched(op, touched);
	unsigned count = 0, seen = 0;

	for (unsigned i = 0; i < ranges; i++) {
		const unsigned region = touched[i].region & 7;
		struct npu_memory_bytes *e;

		if (seen >> region & 1 || !(bytes->read[region] | bytes->written[region]))
			continue;
		seen |= 1u << region;
		e = entry(list, &count, name_of(r, &touched[i]));
		if (e) {
			e->read += bytes->read[region];
			e->written += bytes->written[region];
		}
	}
	return count;
}

void npu_memories_add(struct npu_report *r, const struct npu_memory_bytes *list, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		struct npu_memory_bytes *e = entry(r->moved, &r->memories, list[i].name);

		if (e) {
			e->read += list[i].read;
			e->written += list[i].written;
		}
	}
}

void npu_memories_write(struct json *j, const struct npu_memory_bytes *list, unsigned count)
{
	json_array(j, "memories");
	for (unsigned i = 0; i < count; i++) {
		json_object(j, NULL);
		json_string(j, "memory", list[i].name);
		json_u64(j, "read_bytes", list[i].read);
		json_u64(j, "written_bytes", list[i].written);
		json_close(j, '}');
	}
	json_close(j, ']');
}
