/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/fuzz/npu_seed.h"
#include "sim/network/npu_program.h"
#include "tests/npu/packed_case.h"

#include <stdio.h>
#include <string.h>

static const char *const cases[] = {
	"conv_stride_101_ethos-u55-256",
	"softmax_101_ethos-u55-64",
	"resize_bilinear_101_ethos-u55-64",
	"tanh_101_ethos-u65-512",
	"conv_line_101_ethos-u65-512",
	"batch_matmul_101_ethos-u55-256",
	"network_101_ethos-u65-256",
	"unet_101_ethos-u55-256",
	"softmax_102_ethos-u85-1024",
	"gather_102_ethos-u85-512",
	"conv_102_ethos-u85-512",
	"attention_102_ethos-u85-256",
	"relu_101_ethos-u55-128", /* a COP2 payload */
};
static const char *const programs[] = { "moved", "methods" };

static size_t network(const char *name, u8 out[FUZZ_MAX_BYTES])
{
	struct packed_case c;
	struct packed_file f;
	char path[600];
	size_t size = 0;

	snprintf(path, sizeof path, "%s/data/%s.tar", NPU_TESTS, name);
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

size_t npu_seed_model(unsigned index, u8 out[FUZZ_MAX_BYTES])
{
	if (index < ARRAY_LEN(cases))
		return network(cases[index], out);
	index -= (unsigned)ARRAY_LEN(cases);
	return index < ARRAY_LEN(programs) ? program(programs[index], out) : 0;
}

size_t npu_seed_stream(unsigned index, u8 *out, size_t room, const struct npu_config **config)
{
	static u8 file[FUZZ_MAX_BYTES];
	const size_t size = npu_seed_model(index, file);
	char why[320];

	if (!size)
		return 0;
	struct npu_program *p = npu_program_load(file, size, why, sizeof why);
	const struct npu_memory m = npu_program_memory(p);
	const struct npu_job *j = &p->jobs[0];
	const u32 bytes = j->stream_bytes < room ? j->stream_bytes : (u32)room & ~3u;
	memcpy(out, m.span(m.ctx, j->stream, bytes, false), bytes);
	*config = npu_config_of_register(j->config);
	npu_program_free(p);
	return bytes;
}
