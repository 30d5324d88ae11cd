/* SPDX-License-Identifier: Apache-2.0 */
/* How long the host takes for a compiled network: first inference (weights are decoded) and
 * further ones, per operation and in total; and the weight decoder alone. Not a test: figures
 * depend on the host. docs/evidence/bench-npu.md says how to read them.
 *
 *   npu_bench --accelerator ethos-u55-128 --model m_vela.tflite [--host-simd LEVEL]
 *             [--repeat N] [--threads N] [--layers] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/file.h"
#include "npu/kernels/kernels.h"
#include "npu/kernels/simd.h"
#include "npu/kernels/weights.h"
#include "sim/network/npu_program.h"
#include "tests/bench/yardstick.h"

#define MAX_LAYERS 16384

struct layer {
	struct npu_op op;
	double first, best; /* seconds */
};

struct bench {
	const char *accelerator, *model, *simd;
	unsigned repeat, threads;
	bool show_layers, further;
	bool whole; /* this inference is timed as one: reading the clock takes longer than small operations */
	struct layer *layer;
	unsigned layers, at;
	double mark;
	/* decoder alone */
	const struct npu_simd *level;
	struct npu_weights_tables tables;
	double decode_seconds;
	u64 decode_weights, decode_bytes;
};

/* Of several threads the time that passes counts, of one its own. */
static double now(const struct bench *b)
{
	return b->threads > 1 ? yardstick_clock() : yardstick_now();
}

static void operation(void *ctx, const struct npu_op *op, const struct npu_cost *cost)
{
	struct bench *b = ctx;

	if (b->whole)
		return;
	double t = now(b), took = t - b->mark;

	if (b->at < MAX_LAYERS) {
		struct layer *l = &b->layer[b->at++];
		if (!b->further) {
			l->op = *op;
			l->first = took;
			l->best = 1e9;
			b->layers = b->at;
		} else if (took < l->best) {
			l->best = took;
		}
	}
	b->mark = now(b);
}

static bool parse(int argc, char **argv, struct bench *b)
{
	b->repeat = 20;
	for (int i = 1; i < argc; i++) {
		const char *value = i + 1 < argc ? argv[i + 1] : NULL;
		if (strcmp(argv[i], "--layers") == 0) {
			b->show_layers = true;
			continue;
		}
		if (!value)
			return false;
		if (strcmp(argv[i], "--accelerator") == 0)
			b->accelerator = value;
		else if (strcmp(argv[i], "--model") == 0)
			b->model = value;
		else if (strcmp(argv[i], "--host-simd") == 0)
			b->simd = value;
		else if (strcmp(argv[i], "--threads") == 0)
			b->threads = (unsigned)atoi(value);
		else if (strcmp(argv[i], "--repeat") == 0)
			b->repeat = (unsigned)atoi(value);
		else
			return false;
		i++;
	}
	return b->accelerator && b->model && b->repeat;
}

static void fill_inputs(struct npu_program *p)
{
	u32 v = 1;
	for (u32 i = 0; i < p->input_count; i++)
		for (u64 k = 0; k < p->inputs[i].bytes; k++) {
			v = v * 1664525u + 1013904223u;
			p->inputs[i].host[k] = (u8)(v >> 24);
		}
}

static const u8 *bytes_at(const struct npu_program *p, u64 addr, u64 size)
{
	struct npu_memory m = npu_program_memory((struct npu_program *)p);
	return m.span(m.ctx, addr, size, false);
}

/* The streams of one operation; those that another operation's data has since replaced are
 * refused by the decoder and not counted. */
static void decode(struct bench *b, const struct npu_program *p, const struct npu_config *config,
		   const struct npu_op *op)
{
	for (unsigned core = 0; npu_is_mac(op) && core < op->cores; core++) {
		struct npu_weights_shape s = npu_weights_shape_of(op, core, config->ofm_ublock_d);
		u64 need = npu_weights_stream_count(&s);
		u32 bytes = op->weights[core].length;
		const u8 *from = bytes_at(p, op->weights[core].addr, bytes);
		u8 *stream = calloc(1, bytes + NPU_WEIGHTS_SLACK);
		i16 *out = malloc(need * sizeof(*out) + 1);
		size_t count;
		if (from && stream && out) {
			memcpy(stream, from, bytes);
			double best = 1e9;
			for (unsigned i = 0; i < 5; i++) {
				double t = now(b);
				npu_weights_decode(NULL, b->level->next, &b->tables, stream, bytes, out, need, &count);
				t = now(b) - t;
				best = t < best ? t : best;
			}
			if (count == need) {
				b->decode_seconds += best;
				b->decode_weights += need;
				b->decode_bytes += bytes;
			}
		}
		free(out);
		free(stream);
	}
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return x < y ? -1 : x > y;
}

static const char *const kinds[] = { [NPU_CONV] = "conv", [NPU_DEPTHWISE] = "depthwise", [NPU_POOL] = "pool",
				     [NPU_ELEMENTWISE] = "elementwise", [NPU_RESIZE] = "resize", [NPU_DMA] = "dma" };

static void print_layers(const struct bench *b)
{
	printf("%5s %-12s %4s %18s %18s %9s %10s %10s\n", "op", "kind", "mode", "ifm", "ofm", "kernel",
	       "first/us", "best/us");
	for (unsigned i = 0; i < b->layers; i++) {
		const struct layer *l = &b->layer[i];
		const struct npu_op *op = &l->op;
		char ifm[40], ofm[40], kernel[24];
		snprintf(ifm, sizeof(ifm), "%ux%ux%u", op->ifm.height, op->ifm.width, op->ifm.depth);
		snprintf(ofm, sizeof(ofm), "%ux%ux%u", op->ofm.height, op->ofm.width, op->ofm.depth);
		snprintf(kernel, sizeof(kernel), "%ux%u", op->kernel_h, op->kernel_w);
		printf("%5u %-12s %4u %18s %18s %9s %10.1f %10.1f\n", i, kinds[op->kind], op->mode, ifm,
		       ofm, kernel, l->first * 1e6, l->best * 1e6);
	}
}

static void print_kinds(const struct bench *b)
{
	for (unsigned k = 0; k < ARRAY_LEN(kinds); k++) {
		double first = 0, best = 0;
		unsigned n = 0;
		for (unsigned i = 0; i < b->layers; i++)
			if (b->layer[i].op.kind == k) {
				n++;
				first += b->layer[i].first;
				best += b->layer[i].best;
			}
		if (n)
			printf("  %-12s %4u operations, first %8.3f ms, best %8.3f ms\n", kinds[k], n,
			       first * 1e3, best * 1e3);
	}
}

/* The host's speed, and what the inference is in its terms. */
static void print_host(const struct bench *b, double best)
{
	const struct npu_simd *level = npu_simd_find(b->simd);
	double adds = yardstick_adds(), macs = 0;

	if (!level)
		return; /* the generic path: nothing to compare with */
	for (unsigned i = 0; i < b->layers; i++) {
		const struct npu_op *op = &b->layer[i].op;
		double per_element = (double)op->kernel_h * op->kernel_w * (op->kind == NPU_CONV ? op->ifm.depth : 1);
		if (npu_is_mac(op))
			macs += per_element * op->ofm.height * op->ofm.width * op->ofm.depth;
	}
	double products = yardstick_products(level);
	printf("host: %.2f G dependent adds/s, %.0f G products/s by the inner loop; "
	       "best inference = %.1f M adds, %.1f times its %.0f M products\n",
	       1e-9 * adds, 1e-9 * products, 1e-6 * adds * best, best * products / macs, 1e-6 * macs);
}

static bool run(struct bench *b, struct npu_program *p, const struct npu_config *config)
{
	struct npu_options o = { .config = config, .memory = npu_program_memory(p),
				 .listener = { .operation = operation, .ctx = b }, .host_simd = b->simd,
				 .threads = b->threads };
	struct npu *n = npu_new(&o);
	double *times = calloc(b->repeat, sizeof(*times));
	double first = 0;

	if (!n || !times) {
		fprintf(stderr, "npu_bench: host level not available, or memory is short\n");
		return false;
	}
	for (unsigned i = 0; i <= 2 * b->repeat; i++) {
		fill_inputs(p);
		b->at = 0;
		b->further = i > 0;
		b->whole = i % 2 == 0 && i > 0;
		double t = now(b);
		b->mark = t;
		if (!npu_program_run(p, n)) {
			fprintf(stderr, "npu_bench: %s\n", npu_result(n)->message);
			return false;
		}
		t = now(b) - t;
		if (i == 0)
			first = t;
		else if (b->whole)
			times[i / 2 - 1] = t;
	}
	qsort(times, b->repeat, sizeof(*times), by_value);
	if (b->show_layers)
		print_layers(b);
	print_host(b, times[0]);
	printf("level %s: first %.3f ms, further best %.3f ms, median %.3f ms of %u\n",
	       b->simd ? b->simd : "auto", first * 1e3, times[0] * 1e3, times[b->repeat / 2] * 1e3,
	       b->repeat);
	print_kinds(b);
	npu_free(n);
	free(times);
	npu_weights_tables_init(&b->tables);
	b->level = npu_simd_find(b->simd);
	/* U85 orders its weights otherwise */
	bool counted = b->level && config->product != NPU_U85;
	for (unsigned i = 0; counted && i < b->layers; i++)
		decode(b, p, config, &b->layer[i].op);
	if (b->decode_seconds > 0)
		printf("decoder: %.2f Mweights of %.2f MB in %.3f ms: %.0f Mweights/s, %.1f adds each\n",
		       1e-6 * (double)b->decode_weights, 1e-6 * (double)b->decode_bytes,
		       1e3 * b->decode_seconds, 1e-6 * (double)b->decode_weights / b->decode_seconds,
		       yardstick_adds() * b->decode_seconds / (double)b->decode_weights);
	return true;
}

int main(int argc, char **argv)
{
	struct bench b = { 0 };
	struct file_bytes file;
	char why[320];

	if (!parse(argc, argv, &b)) {
		fprintf(stderr, "usage: npu_bench --accelerator NAME --model FILE [--host-simd LEVEL] "
			"[--repeat N] [--threads N] [--layers]\n");
		return 64;
	}
	const struct npu_config *config = npu_config_find(b.accelerator);
	if (!config || !file_read(b.model, &file, why, sizeof(why))) {
		fprintf(stderr, "npu_bench: %s\n", config ? why : "unknown accelerator");
		return 66;
	}
	struct npu_program *p = npu_program_load(file.data, file.size, why, sizeof(why));
	if (!p || !npu_program_fits(p, config, why, sizeof(why))) {
		fprintf(stderr, "npu_bench: %s\n", why);
		return 65;
	}
	b.layer = calloc(MAX_LAYERS, sizeof(*b.layer));
	int status = b.layer && run(&b, p, config) ? 0 : 1;
	free(b.layer);
	npu_program_free(p);
	file_free(&file);
	return status;
}
