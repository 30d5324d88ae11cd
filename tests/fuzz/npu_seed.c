/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/fuzz/npu_seed.h"

#include <stdio.h>

static const char *const folders[] = {
	"conv_stride_101_ethos-u55-256", "softmax_101_ethos-u55-64", "resize_bilinear_101_ethos-u55-64",
	"tanh_101_ethos-u65-512", "conv_line_101_ethos-u65-512", "batch_matmul_101_ethos-u55-256",
	"network_101_ethos-u65-256", "unet_101_ethos-u55-256", "softmax_102_ethos-u85-1024",
	"gather_102_ethos-u85-512", "conv_102_ethos-u85-512", "attention_102_ethos-u85-256",
	"relu_101_ethos-u55-128", /* a COP2 payload */
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
