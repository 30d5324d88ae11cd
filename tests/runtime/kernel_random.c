/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of the cortex_m dialect with random operands, a digest of the output per call. Compiled for the host (plain C)
 * and for the simulated core (MVE); both must print the same lines (kernel_random.sh). */
#include "kernel_random.h"
#include "runtime/core/format.h"
#include "runtime/kernels/kernels.h"

#include <string.h>

#define MOST_BYTES 65536
#define TEMP_BYTES 65536

static uint8_t pools[4][MOST_BYTES] __attribute__((aligned(16))), temp[TEMP_BYTES] __attribute__((aligned(16)));
static uint32_t state;

static uint32_t draw(void)
{
	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	return state;
}

static int32_t between(int32_t low, int32_t high)
{
	return low + (int32_t)(draw() % (uint32_t)(high - low + 1));
}

/* Tensors with their own arrays; `pool` says where the data lie. */
struct operand {
	struct tensor t;
	int32_t sizes[4], strides[4];
	uint8_t order[4];
	struct value v;
};

static void shape(struct operand *o, unsigned pool, unsigned type, unsigned rank, const int32_t *sizes, bool nhwc)
{
	static const uint8_t last[] = { 0, 2, 3, 1 };

	o->t = (struct tensor){ .data = pools[pool], .sizes = o->sizes, .strides = o->strides, .order = o->order,
				.capacity = MOST_BYTES, .type = (uint8_t)type, .rank = (uint8_t)rank };
	for (unsigned d = 0; d < rank; d++) {
		o->sizes[d] = sizes[d];
		o->order[d] = nhwc && rank == 4 ? last[d] : (uint8_t)d;
	}
	tensor_set_strides(&o->t);
	o->v = (struct value){ .kind = VALUE_TENSOR, .as.tensor = &o->t };
}

static void fill(struct operand *o, int32_t low, int32_t high)
{
	for (size_t k = 0; k < tensor_elements(&o->t); k++)
		if (o->t.type == DTYPE_INT8)
			((int8_t *)o->t.data)[k] = (int8_t)between(low, high);
		else
			((int32_t *)o->t.data)[k] = between(low, high);
}

static struct value integer(int64_t x)
{
	return (struct value){ .kind = VALUE_INT, .as.integer = x };
}

static uint32_t digest(const struct tensor *t)
{
	uint32_t h = 2166136261u;

	for (size_t k = 0; k < tensor_bytes(t); k++)
		h = (h ^ ((uint8_t *)t->data)[k]) * 16777619u;
	return h;
}

static void run(kernel_function *f, const char *name, struct value *values, unsigned count, struct tensor *out,
		void (*print)(const char *line))
{
	struct kernel_context c = { .temp = temp, .temp_bytes = sizeof temp };
	struct value *args[20];
	char line[256];

	for (unsigned i = 0; i < count; i++)
		args[i] = &values[i];
	memset(out->data, 0, tensor_bytes(out));
	if (f(&c, args))
		format_text(line, sizeof line, "%s %zu %08x", name, tensor_bytes(out), (unsigned)digest(out));
	else
		format_text(line, sizeof line, "%s %s", name, c.why);
	print(line);
}

/* Image and windows of a convolution or pool. */
struct geometry {
	struct operand in, out, weight, bias, multipliers, shifts;
	int32_t channels, outputs;
	int64_t kernel[2], stride[2], padding[2], dilation[2], more[2];
	int32_t out_size[2];
	struct value in_offset, out_offset;
};

static struct value list(const int64_t *pair)
{
	return (struct value){ .kind = VALUE_INT_LIST, .count = 2, .as.integers = pair };
}

static void draw_geometry(struct geometry *g, bool transposed, bool pool)
{
	static const int32_t widths[] = { 1, 3, 8, 15, 16, 17, 32, 40 };
	int32_t size[2];

	g->channels = widths[draw() % 8];
	g->outputs = pool ? g->channels : between(1, 21);
	do {
		for (unsigned i = 0; i < 2; i++) {
			size[i] = between(1, 9);
			g->kernel[i] = between(1, 4);
			g->stride[i] = between(1, 3);
			g->padding[i] = between(0, (int32_t)g->kernel[i] / 2);
			g->dilation[i] = pool ? 1 : between(1, 2);
			g->more[i] = transposed ? between(0, (int32_t)g->stride[i] - 1) : 0;
			const int32_t reach = (int32_t)(g->dilation[i] * (g->kernel[i] - 1)), pads = 2 * (int32_t)g->padding[i];

			g->out_size[i] = transposed ? (size[i] - 1) * (int32_t)g->stride[i] - pads + reach + (int32_t)g->more[i] + 1
				: size[i] + pads - reach < 1 ? 0 : (size[i] + pads - reach - 1) / (int32_t)g->stride[i] + 1;
		}
	} while (g->out_size[0] < 1 || g->out_size[1] < 1);
	const int32_t images = between(1, 2);

	shape(&g->in, 0, DTYPE_INT8, 4, (int32_t[]){ images, g->channels, size[0], size[1] }, draw() & 3);
	fill(&g->in, -128, 127);
	g->in_offset = integer(between(-127, 128));
	g->out_offset = integer(between(-128, 127));
}

static void draw_channels(struct geometry *g, const int32_t *weight)
{
	static int32_t arrays[3][256];
	struct operand *of[] = { &g->bias, &g->multipliers, &g->shifts };

	shape(&g->weight, 1, DTYPE_INT8, 4, weight, false);
	fill(&g->weight, draw() & 1 ? -128 : -127, 127);
	for (unsigned i = 0; i < 3; i++) {
		shape(of[i], 0, DTYPE_INT32, 1, &g->outputs, false);
		of[i]->t.data = arrays[i];
	}
	fill(&g->bias, -30000, 30000);
	fill(&g->multipliers, 1 << 30, INT32_MAX);
	fill(&g->shifts, -12, -2);
	shape(&g->out, 2, DTYPE_INT8, 4, (int32_t[]){ g->in.sizes[0], g->outputs, g->out_size[0], g->out_size[1] }, true);
}

static void convolution(void (*print)(const char *line))
{
	struct geometry g;

	draw_geometry(&g, false, false);
	draw_channels(&g, (int32_t[]){ g.outputs, (int32_t)g.kernel[0], (int32_t)g.kernel[1], g.channels });

	struct value v[] = { g.in.v, g.weight.v, g.bias.v, list(g.stride), list(g.padding), list(g.dilation),
			     g.in_offset, g.out_offset, g.multipliers.v, g.shifts.v, integer(-100),
			     integer(120), integer(0), g.out.v };

	run(kernel_cortex_m_convolve, "convolve", v, 14, &g.out.t, print);
}

static void depthwise(void (*print)(const char *line))
{
	struct geometry g;

	draw_geometry(&g, false, false);
	g.outputs = g.channels * between(1, 2);
	draw_channels(&g, (int32_t[]){ 1, (int32_t)g.kernel[0], (int32_t)g.kernel[1], g.outputs });

	struct value v[] = { g.in.v, g.weight.v, g.bias.v, list(g.stride), list(g.padding), list(g.dilation), integer(1),
			     g.in_offset, g.out_offset, g.multipliers.v, g.shifts.v, integer(-100),
			     integer(120), integer(0), g.out.v };

	run(kernel_cortex_m_depthwise, "depthwise", v, 15, &g.out.t, print);
}

static void transposed(void (*print)(const char *line))
{
	struct geometry g;

	draw_geometry(&g, true, false);
	draw_channels(&g, (int32_t[]){ g.outputs, (int32_t)g.kernel[0], (int32_t)g.kernel[1], g.channels });

	struct value v[] = { g.in.v, g.weight.v, g.bias.v, list(g.stride), list(g.padding), list(g.more), list(g.dilation),
			     g.in_offset, g.out_offset, g.multipliers.v, g.shifts.v, integer(-100),
			     integer(120), integer(0), integer(0), g.out.v };

	run(kernel_cortex_m_transpose_convolve, "transpose_convolve", v, 16, &g.out.t, print);
}

static void pools_of(void (*print)(const char *line))
{
	struct geometry g;
	const struct value zero = integer(between(-128, 127)), multiplier = integer(between(1 << 30, INT32_MAX));
	const struct value shift = integer(between(-8, 2));

	draw_geometry(&g, false, true);
	shape(&g.out, 2, DTYPE_INT8, 4, (int32_t[]){ g.in.sizes[0], g.channels, g.out_size[0], g.out_size[1] }, true);

	struct value most[] = { g.in.v, list(g.kernel), list(g.stride), list(g.padding), list(g.dilation),
				{ .kind = VALUE_BOOL }, zero, zero, integer(-100), integer(100), g.out.v };
	struct value mean[] = { g.in.v, list(g.kernel), list(g.stride), list(g.padding), zero, multiplier, shift,
				integer(0), g.out.v };

	run(kernel_cortex_m_max_pool, "max_pool", most, 11, &g.out.t, print);
	run(kernel_cortex_m_average_pool, "average_pool", mean, 9, &g.out.t, print);
}

static void linear(void (*print)(const char *line))
{
	const int32_t k = between(1, 100), rows = between(1, 5), outputs = between(1, 40);
	const int64_t multiplier = between(1 << 30, INT32_MAX), shift = between(-12, -4);
	struct operand in, weight, bias, out;
	static int32_t initial[40];

	shape(&in, 0, DTYPE_INT8, 2, (int32_t[]){ rows, k }, false);
	shape(&weight, 1, DTYPE_INT8, 2, (int32_t[]){ outputs, k }, false);
	shape(&bias, 3, DTYPE_INT32, 1, &outputs, false);
	shape(&out, 2, DTYPE_INT8, 2, (int32_t[]){ rows, outputs }, false);
	bias.t.data = initial;
	fill(&in, -128, 127);
	fill(&weight, -128, 127);
	fill(&bias, -30000, 30000);

	const struct value none = { .kind = VALUE_NONE }, in_offset = integer(between(-127, 128));
	const struct value filter_offset = integer(draw() & 1 ? 0 : between(-127, 128)), out_offset = integer(between(-128, 127));
	const bool sums = draw() & 1;
	struct value v[] = { in.v, weight.v, sums ? none : bias.v, sums ? bias.v : none, in_offset,
			     filter_offset, out_offset,
			     { .kind = VALUE_INT_LIST, .count = 1, .as.integers = &multiplier },
			     { .kind = VALUE_INT_LIST, .count = 1, .as.integers = &shift }, integer(120), integer(-110), out.v };

	run(kernel_cortex_m_linear, "linear", v, 12, &out.t, print);
}

static void sums_and_products(void (*print)(const char *line))
{
	const int32_t channels = between(1, 40), n = between(1, 30);
	struct operand a, b, out;
	struct value numbers[9];

	shape(&a, 0, DTYPE_INT8, 4, (int32_t[]){ 1, channels, n, 1 }, true);
	shape(&b, 1, DTYPE_INT8, 4, (int32_t[]){ 1, channels, draw() & 1 ? n : 1, 1 }, true);
	shape(&out, 2, DTYPE_INT8, 4, (int32_t[]){ 1, channels, n, 1 }, true);
	fill(&a, -128, 127);
	fill(&b, -128, 127);
	for (unsigned i = 0; i < 9; i++)
		numbers[i] = integer(i % 3 == 0 ? between(-128, 127) : i % 3 == 1 ? between(1 << 30, INT32_MAX)
						: i < 6 ? between(-3, 1) : between(-21, -16));

	struct value sum[] = { a.v, numbers[0], numbers[1], numbers[2], b.v, numbers[3], numbers[4], numbers[5], numbers[6],
			       numbers[7], numbers[8], integer(-120), integer(110), out.v };
	struct value product[] = { a.v, numbers[0], b.v, numbers[3], numbers[6], numbers[7], integer(between(-12, 2)), out.v };

	run(kernel_cortex_m_add, "add", sum, 14, &out.t, print);
	run(kernel_cortex_m_mul, "mul", product, 8, &out.t, print);
}

static void softmax(void (*print)(const char *line))
{
	struct operand in, out;
	const int32_t rows = between(1, 9), columns = between(1, 40), sizes[] = { rows, columns };
	const struct value dim = integer(between(0, 1)), zero = integer(between(-128, 127));
	const struct value multiplier = integer(between(1 << 30, INT32_MAX)), shift = integer(between(20, 24));

	shape(&in, 0, DTYPE_INT8, 2, sizes, false);
	shape(&out, 2, DTYPE_INT8, 2, sizes, false);
	fill(&in, -128, 127);

	struct value v[] = { in.v, dim, zero, integer(-128), multiplier, shift, integer(0), out.v };

	run(kernel_cortex_m_softmax, "softmax", v, 8, &out.t, print);
}

void kernel_random(unsigned rounds, void (*print)(const char *line))
{
	state = 2463534242u;
	while (rounds--) {
		convolution(print);
		depthwise(print);
		transposed(print);
		pools_of(print);
		linear(print);
		sums_and_products(print);
		softmax(print);
	}
}
