/* SPDX-License-Identifier: Apache-2.0 */
/* A vector of operators is offsets of tables; those of the NPU's move to its front. Field numbers are those of schema.fbs, version 3. */
#include "tests/bench/npu_operators.h"

#include <stdio.h>
#include <string.h>

#include "loader/flatbuffer.h"

enum { MODEL_CODES = 1, MODEL_SUBGRAPHS = 2, GRAPH_OPERATORS = 3, OPERATOR_CODE = 0, CODE_CUSTOM = 1 };

static bool is_npu(struct flatbuffer *fb, struct fb_vector codes, struct fb_table operator)
{
	const struct fb_table code = fb_table_element(fb, codes, (u32)fb_scalar(fb, operator, OPERATOR_CODE, 4, 0));
	char name[16];

	fb_string(fb, code, CODE_CUSTOM, name, sizeof(name));
	return strcmp(name, "ethos-u") == 0;
}

static void put_le32(u8 *at, u32 value)
{
	for (unsigned i = 0; i < 4; i++)
		at[i] = (u8)(value >> 8 * i);
}

bool npu_operators_only(u8 *bytes, u64 size)
{
	struct flatbuffer fb = { .bytes = bytes, .size = size };
	const struct fb_table root = fb_root(&fb);
	const struct fb_table graph = fb_table_element(&fb, fb_vector(&fb, root, MODEL_SUBGRAPHS, 4), 0);
	const struct fb_vector codes = fb_vector(&fb, root, MODEL_CODES, 4), all = fb_vector(&fb, graph, GRAPH_OPERATORS, 4);
	u32 kept = 0;

	if (!fb_has_identifier(&fb, "TFL3") || !all.count)
		return true;
	printf("of %u operators the NPU's:", all.count);
	for (u32 i = 0; i < all.count; i++) {
		const struct fb_table operator = fb_table_element(&fb, all, i);
		if (!is_npu(&fb, codes, operator))
			continue;
		const u32 to = all.at + 4 * kept++;
		put_le32(bytes + to, operator.at - to);
		printf(" %u", i);
	}
	printf("\n");
	put_le32(bytes + all.at - 4, kept);
	return kept == all.count;
}
