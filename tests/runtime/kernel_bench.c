/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions per multiplication of the cortex_m dialect's layers: the core's performance counter INST_RETIRED (Armv8-M
 * ARM B14) around each kernel, shapes of MobileNet, ResNet-8 and DS-CNN. docs/reference/kernels.md says what came out. */
#include "runtime/console/console.h"
#include "runtime/kernels/kernels.h"
#include "runtime/start/cortex_m.h"

#include <string.h>

#define PMU_COUNTER(n) CORTEX_M_REG(0xe0003000 + 4 * (n))
#define PMU_TYPE(n) CORTEX_M_REG(0xe0003400 + 4 * (n))
#define PMU_ENABLE CORTEX_M_REG(0xe0003c00)
#define PMU_CONTROL CORTEX_M_REG(0xe0003e04)
#define EVENT_INST_RETIRED 0x08
#define EVENT_CHAIN 0x1e /* the odd counter counts the even one's overflows: each has 16 bits */

#define MOST_CHANNELS 256

static int8_t in_data[64 * 1024], out_data[64 * 1024], weight_data[40 * 1024];
static int32_t bias_data[MOST_CHANNELS], multiplier_data[MOST_CHANNELS], shift_data[MOST_CHANNELS];
static uint8_t temp[16 * 1024] __attribute__((aligned(16)));

int main(void);

struct layer {
	const char *name;
	bool depthwise;
	int32_t size, in, out, kernel, stride;
};

static const struct layer layers[] = {
	{ "1x1, 14x14, 64 to 128", false, 14, 64, 128, 1, 1 },
	{ "1x1, 28x28, 16 to 32", false, 28, 16, 32, 1, 1 },
	{ "3x3, 32x32, 3 to 16", false, 32, 3, 16, 3, 1 },
	{ "3x3, 16x16, 32 to 32", false, 16, 32, 32, 3, 1 },
	{ "3x3, 8x8, 64 to 64", false, 8, 64, 64, 3, 1 },
	{ "depthwise 3x3, 28x28, 16", true, 28, 16, 16, 3, 1 },
	{ "depthwise 3x3, 14x14, 64", true, 14, 64, 64, 3, 1 },
	{ "depthwise 3x3 by 2, 28x28, 64", true, 28, 64, 64, 3, 2 },
	{ "depthwise 5x5, 14x14, 40", true, 14, 40, 40, 5, 1 },
};

static uint32_t counted(void)
{
	return PMU_COUNTER(1) << 16 | PMU_COUNTER(0);
}

/* Instructions of a call; 0 when it fails. */
static uint32_t measure(kernel_function *f, struct value *values, unsigned count)
{
	struct kernel_context c = { .temp = temp, .temp_bytes = sizeof temp };
	struct value *args[16];
	uint32_t before;

	for (unsigned i = 0; i < count; i++)
		args[i] = &values[i];
	PMU_ENABLE = 3;
	PMU_CONTROL = 1 | 1 << 1 | 1 << 2; /* on, counters cleared */
	before = counted();
	if (f(&c, args))
		return counted() - before;
	console_printf("%s\n", c.why);
	return 0;
}

static void print(const char *name, uint32_t instructions, uint32_t products)
{
	const unsigned thousandths = (unsigned)((uint64_t)instructions * 1000 / products);

	console_printf("%-32s %9u instructions, %8u products, %u.%03u each\n", name, (unsigned)instructions, (unsigned)products,
		       thousandths / 1000, thousandths % 1000);
}

static struct value tensor_value(struct tensor *t, void *data, unsigned type, unsigned rank, int32_t *sizes, int32_t *strides,
				 uint8_t *order)
{
	*t = (struct tensor){ .data = data, .sizes = sizes, .strides = strides, .order = order, .capacity = 1 << 20,
			      .type = (uint8_t)type, .rank = (uint8_t)rank };
	tensor_set_strides(t);
	return (struct value){ .kind = VALUE_TENSOR, .as.tensor = t };
}

static struct value integer(int64_t x)
{
	return (struct value){ .kind = VALUE_INT, .as.integer = x };
}

static bool run_layer(const struct layer *l)
{
	const int64_t stride[] = { l->stride, l->stride }, padding[] = { l->kernel / 2, l->kernel / 2 }, dilation[] = { 1, 1 };
	const int32_t size = (l->size + 2 * (l->kernel / 2) - l->kernel) / l->stride + 1, per_output = l->depthwise ? 1 : l->in;
	int32_t in[] = { 1, l->in, l->size, l->size }, out[] = { 1, l->out, size, size }, channels[] = { l->out }, strides[4][4];
	int32_t weight[] = { l->depthwise ? 1 : l->out, l->kernel, l->kernel, l->depthwise ? l->out : l->in };
	uint8_t nhwc[] = { 0, 2, 3, 1 }, plain[] = { 0, 1, 2, 3 };
	struct tensor t[6];
	struct value v[16];
	unsigned n = 0;
	uint32_t instructions;

	v[n++] = tensor_value(&t[0], in_data, DTYPE_INT8, 4, in, strides[0], nhwc);
	v[n++] = tensor_value(&t[1], weight_data, DTYPE_INT8, 4, weight, strides[1], plain);
	v[n++] = tensor_value(&t[2], bias_data, DTYPE_INT32, 1, channels, strides[2], plain);
	v[n++] = (struct value){ .kind = VALUE_INT_LIST, .count = 2, .as.integers = stride };
	v[n++] = (struct value){ .kind = VALUE_INT_LIST, .count = 2, .as.integers = padding };
	v[n++] = (struct value){ .kind = VALUE_INT_LIST, .count = 2, .as.integers = dilation };
	if (l->depthwise)
		v[n++] = integer(1);
	v[n++] = integer(5);
	v[n++] = integer(-3);
	v[n++] = tensor_value(&t[3], multiplier_data, DTYPE_INT32, 1, channels, strides[2], plain);
	v[n++] = tensor_value(&t[4], shift_data, DTYPE_INT32, 1, channels, strides[2], plain);
	v[n++] = integer(-128);
	v[n++] = integer(127);
	v[n++] = integer(0);
	v[n++] = tensor_value(&t[5], out_data, DTYPE_INT8, 4, out, strides[3], nhwc);
	instructions = measure(l->depthwise ? kernel_cortex_m_depthwise : kernel_cortex_m_convolve, v, n);
	print(l->name, instructions, (uint32_t)(size * size * l->out * per_output * l->kernel * l->kernel));
	return instructions;
}

static bool run_linear(const char *name, int32_t k, int32_t outputs)
{
	const int64_t multiplier = 1 << 30, shift = -8;
	int32_t in[] = { 1, k }, weight[] = { outputs, k }, out[] = { 1, outputs }, strides[4][4];
	uint8_t plain[] = { 0, 1 };
	struct tensor t[4];
	struct value v[] = {
		tensor_value(&t[0], in_data, DTYPE_INT8, 2, in, strides[0], plain),
		tensor_value(&t[1], weight_data, DTYPE_INT8, 2, weight, strides[1], plain),
		{ .kind = VALUE_NONE },
		tensor_value(&t[2], bias_data, DTYPE_INT32, 1, out + 1, strides[2], plain),
		integer(5), integer(0), integer(-3),
		{ .kind = VALUE_INT_LIST, .count = 1, .as.integers = &multiplier },
		{ .kind = VALUE_INT_LIST, .count = 1, .as.integers = &shift },
		integer(127), integer(-128),
		tensor_value(&t[3], out_data, DTYPE_INT8, 2, out, strides[3], plain),
	};
	const uint32_t instructions = measure(kernel_cortex_m_linear, v, 12);

	print(name, instructions, (uint32_t)(k * outputs));
	return instructions;
}

int main(void)
{
	bool good = true;

	console_init(true);
	PMU_TYPE(0) = EVENT_INST_RETIRED;
	PMU_TYPE(1) = EVENT_CHAIN;
	for (unsigned i = 0; i < sizeof in_data; i++)
		in_data[i] = (int8_t)(i * 37);
	for (unsigned i = 0; i < sizeof weight_data; i++)
		weight_data[i] = (int8_t)(i * 91 % 255 - 127);
	for (unsigned i = 0; i < MOST_CHANNELS; i++) {
		multiplier_data[i] = 1 << 30;
		shift_data[i] = -8;
	}
	for (unsigned i = 0; i < sizeof layers / sizeof *layers; i++)
		good &= run_layer(&layers[i]);
	good &= run_linear("linear, 64 to 12", 64, 12);
	good &= run_linear("linear, 256 to 128", 256, 128);
	console_flush();
	return !good;
}
