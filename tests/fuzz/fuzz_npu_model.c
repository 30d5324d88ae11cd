/* SPDX-License-Identifier: Apache-2.0 */
/* Compiled networks (.tflite, .pte): read, laid out and run, whatever the bytes are. */
#include <stdlib.h>
#include <string.h>

#include "sim/network/npu_program.h"
#include "tests/fuzz/npu_seed.h"

/* As often as it takes until operations are done as the time before. */
enum { TIMES = 4 };

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	u8 *copy = malloc(size + 16);
	char why[320];

	if (!copy)
		return 0;
	memcpy(copy, data, size);
	struct npu_program *p = npu_program_load(copy, size, NULL, why, sizeof why);
	const struct npu_config *config = p && p->job_count ? npu_config_of_register(p->jobs[0].config) : NULL;
	if (config && npu_program_fits(p, config, why, sizeof why)) {
		struct npu_options o = { .config = config, .memory = npu_program_memory(p),
					 .work_limit = 1 << 20 };
		struct npu *n = npu_new(&o);
		for (unsigned i = 0; i < TIMES; i++)
			npu_program_run(p, n);
		npu_free(n);
	}
	npu_program_free(p);
	free(copy);
	return 0;
}

size_t fuzz_seed(unsigned index, u8 out[FUZZ_MAX_BYTES])
{
	return npu_seed_model(index, out);
}
