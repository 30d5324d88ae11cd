/* SPDX-License-Identifier: Apache-2.0 */
/* Look-up and disassembly over the table of commands. */
#include "npu/cmd.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "npu/config.h"

#define U5 (NPU_U55 | NPU_U65)
#define U55 NPU_U55
#define U65 NPU_U65

const struct npu_command_info npu_commands[] = {
#define OP(code_, name_, products_, doc_) \
	{ .code = code_, .kind = NPU_KIND_OP, .products = products_, .name = #name_, .doc = doc_ },
#define C0(code_, name_, products_, doc_) \
	{ .code = code_, .kind = NPU_KIND_C0, .products = products_, .name = #name_, .doc = doc_ },
#define C1(code_, name_, products_, doc_) \
	{ .code = (code_) | NPU_CMD1, .kind = NPU_KIND_C1, .products = products_, .name = #name_, \
	  .doc = doc_ },
#include "npu/cmd.def"
#define ROW85(code_, kind_, name_, doc_) \
	{ .code = code_, .kind = kind_, .products = NPU_U85, .name = #name_, .doc = doc_ },
#define OP(code, name, doc) ROW85(code, NPU_KIND_OP, name, doc)
#define C0(code, name, doc) ROW85(code, NPU_KIND_C0, name, doc)
#define C1(code, name, doc) ROW85((code) | NPU_CMD1, NPU_KIND_C1, name, doc)
#define X(code, name, doc) ROW85((code) | NPU_CMD1, NPU_KIND_OP1, name, doc)
#include "npu/u85/cmd.def"
};
const unsigned npu_command_count = ARRAY_LEN(npu_commands);

const struct npu_field_info npu_fields[] = {
#define F(name_, field_, low_, width_, doc_) \
	{ .code = NPU_CMD_##name_, .products = U5, .low = low_, .width = width_, .command = #name_, \
	  .name = #field_, .doc = doc_ },
#include "npu/cmd.def"
#define F(name_, field_, low_, width_, doc_) \
	{ .code = NPU85_CMD_##name_, .products = NPU_U85, .low = low_, .width = width_, \
	  .command = #name_, .name = #field_, .doc = doc_ },
#include "npu/u85/cmd.def"
};
const unsigned npu_field_count = ARRAY_LEN(npu_fields);

void npu_command_index_build(struct npu_command_index *x, u8 product)
{
	*x = (struct npu_command_index){ 0 };
	for (unsigned i = 0; i < npu_command_count; i++)
		if (npu_commands[i].products & product)
			x->row[npu_commands[i].code >> 14][npu_commands[i].code & 0x3ff] = (u16)(i + 1);
}

const struct npu_command_info *npu_command_any(u32 word)
{
	for (unsigned i = 0; i < npu_command_count; i++)
		if (npu_commands[i].code == (word & NPU_CMD_MASK))
			return &npu_commands[i];
	return NULL;
}

char *npu_command_text(const struct npu_command_info *c, u64 value, char *out, size_t size)
{
	size_t used = (size_t)snprintf(out, size, "%s", c->name);

	for (unsigned i = 0; i < npu_field_count && used < size; i++) {
		const struct npu_field_info *f = &npu_fields[i];
		if (f->code != c->code || !(f->products & c->products) || strcmp(f->command, c->name) != 0)
			continue;
		used += (size_t)snprintf(out + used, size - used, " %s=%" PRIu64, f->name,
					 npu_bits(value, f->low, f->width));
	}
	return out;
}
