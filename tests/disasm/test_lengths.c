/* SPDX-License-Identifier: Apache-2.0 */
/* The lengths of each operation are those of its rows: a handler is made for each, and none that nothing reaches. */
#include <stdio.h>

#include "cpu/insn/insn.h"

static unsigned length_of(const char *pattern)
{
	unsigned bits = 0;

	for (; *pattern && *pattern != ';'; pattern++)
		bits += *pattern != ' ';
	return bits > 16 ? L4 : L2;
}

int main(void)
{
	static unsigned needed[OP_COUNT];
	int bad = 0;

	for (unsigned i = 0; i < insn_row_count; i++)
		needed[insn_rows[i].op] |= length_of(insn_rows[i].pattern);
	for (unsigned op = 0; op < OP_COUNT; op++) {
		if (op_infos[op].lengths == needed[op])
			continue;
		printf("%s: lengths %u, its rows have %u\n", op_infos[op].name, op_infos[op].lengths, needed[op]);
		bad = 1;
	}
	return bad;
}
