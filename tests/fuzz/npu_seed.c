/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/fuzz/npu_seed.h"

#include <stdio.h>

#define NETWORK(folder) "data/" folder "/model_vela.tflite"

static const char *const files[] = {
	NETWORK("conv_stride_101_ethos-u55-256"),
	NETWORK("softmax_101_ethos-u55-64"),
	NETWORK("resize_bilinear_101_ethos-u55-64"),
	NETWORK("tanh_101_ethos-u65-512"),
	NETWORK("conv_line_101_ethos-u65-512"),
	NETWORK("batch_matmul_101_ethos-u55-256"),
	NETWORK("network_101_ethos-u65-256"),
	NETWORK("unet_101_ethos-u55-256"),
	NETWORK("softmax_102_ethos-u85-1024"),
	NETWORK("gather_102_ethos-u85-512"),
	NETWORK("conv_102_ethos-u85-512"),
	NETWORK("attention_102_ethos-u85-256"),
	NETWORK("relu_101_ethos-u55-128"), /* a COP2 payload */
	"programs/moved/model.pte",
	"programs/methods/model.pte",
};

size_t npu_seed_model(unsigned index, u8 out[FUZZ_MAX_BYTES])
{
	char path[600];

	if (index >= ARRAY_LEN(files))
		return 0;
	snprintf(path, sizeof path, "%s/%s", NPU_TESTS, files[index]);
	FILE *f = fopen(path, "rb");
	if (!f)
		return 0;
	size_t size = fread(out, 1, FUZZ_MAX_BYTES, f);
	fclose(f);
	return size;
}
