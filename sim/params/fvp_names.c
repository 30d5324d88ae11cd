/* SPDX-License-Identifier: Apache-2.0 */
/* The FVPs' names and what each of them is. */
#include "sim/params/fvp_names.h"

#include <string.h>

static const struct fvp_name { const char *name, *board, *npu; } names[] = {
#define N(name, board, npu) { name, board, npu },
#include "sim/params/fvp_names.def"
#undef N
};

static const struct fvp_name *name_of(const char *program)
{
	const char *slash = strrchr(program, '/'), *base = slash ? slash + 1 : program;
	const size_t length = strcspn(base, "."); /* scripts that run everywhere call FVP_....exe */

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (strlen(names[i].name) == length && !strncmp(base, names[i].name, length))
			return &names[i];
	return NULL;
}

const char *fvp_name(unsigned i)
{
	return i < ARRAY_LEN(names) ? names[i].name : NULL;
}

bool fvp_machine_config(struct machine_config *c, const char *program)
{
	const struct fvp_name *name = name_of(program);

	if (!name)
		return false;
	machine_config_init(c, board_find(name->board));
	c->semihosting.one_console = true; /* tools search the FVPs' standard output for a program's errors */
	c->load_what_fits = true; /* armlink's images reserve more than there is; the FVPs warn */
	c->npu = npu_config_find(name->npu);
	return true;
}
