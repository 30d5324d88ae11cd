/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/fuzz/npu_seed.h"

#include <stdio.h>

static const char *const folders[] = {
	"conv_102_ethos-u55-32", "softmax_101_ethos-u55-32", "resize_bilinear_101_ethos-u55-64",
	"tanh_102_ethos-u65-256", "conv_101_ethos-u65-512", "batch_matmul_101_ethos-u55-64",
	"network_101_ethos-u55-32", "sub_102_ethos-u65-512", "softmax_101_ethos-u85-128",
	"gather_101_ethos-u85-2048", "conv_101_ethos-u85-256", "attention_101_ethos-u85-2048",
};

size_t npu_seed_model(unsigned index, u8 out[FUZZ_MAX_BYTES])
{
	char path[600];

	if (index >= ARRAY_LEN(folders))
		return 0;
	snprintf(path, sizeof path, "%s/%s/model_vela.tflite", NPU_DATA, folders[index]);
	FILE *f = fopen(path, "rb");
	if (!f)
		return 0;
	size_t size = fread(out, 1, FUZZ_MAX_BYTES, f);
	fclose(f);
	return size;
}
