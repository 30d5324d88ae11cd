/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/fuzz/npu_seed.h"
#include "sim/network/npu_program.h"
#include "tests/npu/packed_case.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const programs[] = { "moved", "methods" };

/* The cases of tests/npu: each operator, compiled for U55, U65 and U85. */
static const glob_t *all_cases(void)
{
	static glob_t cases;

	if (!cases.gl_pathc && glob(NPU_TESTS "/data/*.tar", 0, NULL, &cases) != 0) {
		fprintf(stderr, NPU_TESTS "/data has no cases\n");
		exit(1);
	}
	return &cases;
}

static size_t network(const char *path, u8 out[FUZZ_MAX_BYTES])
{
	struct packed_case c;
	struct packed_file f;
	size_t size = 0;

	if (packed_case_read(&c, path) && packed_case_find(&c, "model_vela.tflite", &f) && f.size <= FUZZ_MAX_BYTES) {
		memcpy(out, f.data, f.size);
		size = f.size;
	}
	packed_case_free(&c);
	return size;
}

static size_t program(const char *name, u8 out[FUZZ_MAX_BYTES])
{
	char path[600];

	snprintf(path, sizeof path, "%s/programs/%s/model.pte", NPU_TESTS, name);
	FILE *f = fopen(path, "rb");
	if (!f)
		return 0;
	size_t size = fread(out, 1, FUZZ_MAX_BYTES, f);
	fclose(f);
	return size;
}

size_t npu_seed_case(const char *name, u8 out[FUZZ_MAX_BYTES])
{
	char path[600];

	snprintf(path, sizeof path, NPU_TESTS "/data/%s.tar", name);
	return network(path, out);
}

size_t npu_seed_model(unsigned index, u8 out[FUZZ_MAX_BYTES])
{
	const glob_t *cases = all_cases();

	if (index < ARRAY_LEN(programs))
		return program(programs[index], out);
	index -= (unsigned)ARRAY_LEN(programs);
	return index < cases->gl_pathc ? network(cases->gl_pathv[index], out) : 0;
}

size_t npu_seed_stream(unsigned index, u8 *out, size_t room, const struct npu_config **config)
{
	static u8 file[FUZZ_MAX_BYTES];
	const size_t size = npu_seed_model(index, file);
	char why[320];

	if (!size)
		return 0;
	struct npu_program *p = npu_program_load(file, size, NULL, why, sizeof why);
	const struct npu_memory m = npu_program_memory(p);
	const struct npu_job *j = &p->jobs[0];
	const u32 bytes = j->stream_bytes < room ? j->stream_bytes : (u32)room & ~3u;
	memcpy(out, m.span(m.ctx, j->stream, bytes, false), bytes);
	*config = npu_config_of_register(j->config);
	npu_program_free(p);
	return bytes;
}
