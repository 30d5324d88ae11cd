/* SPDX-License-Identifier: Apache-2.0 */
/* How long the host takes for a compiled network: first inference (weights are decoded) and
 * further ones, per operation and in total; and the weight decoder alone. Not a test: figures
 * depend on the host. docs/evidence/bench-npu.md says how to read them.
 *
 *   npu_bench --accelerator ethos-u55-128 --model m_vela.tflite [--host-simd LEVEL]
 *             [--repeat N] [--threads N] [--layers] [--npu-only]
 *
 * --repeat 0: only the first inference. --layers: operations of the first inference are timed as well, which makes it longer.
 * --npu-only: operators that the compiler left to the processor are left out; those of the NPU get noise as their inputs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/file.h"
#include "npu/kernels/kernels.h"
#include "npu/kernels/simd/simd.h"
#include "npu/kernels/weights/weights.h"
#include "npu/u85/u85.h"
#include "sim/network/npu_program.h"
#include "tests/bench/npu_operators.h"
#include "tests/bench/yardstick.h"

#define MAX_LAYERS 16384
#define MAX_STREAMS 4096

struct layer {
	struct npu_op op;
	double first, best; /* seconds */
};

/* A weight stream as an operation found it: compilers bring weights to memory that others use before and after. */
struct stream {
	u8 *bytes; /* slack behind them */
	u32 length;
	u64 need;  /* weights */
};

struct bench {
	const char *accelerator, *model, *simd;
	unsigned repeat, threads;
	bool show_layers, npu_only;
	bool further; /* operations are known */
	bool whole; /* this inference is timed as one: reading the clock takes longer than small operations */
	struct layer *layer;
	unsigned layers, at;
	double mark, reading; /* seconds; what is read at two marks is as far apart at least */
	/* decoder alone */
	const struct npu_config *config;
	const struct npu_program *program;
	bool collect; /* streams of this inference */
	struct stream stream[MAX_STREAMS];
	unsigned streams;
	const struct npu_simd *level;
	struct npu_weights_tables tables;
	double decode_seconds;
	u64 decode_weights, decode_bytes;
};

typedef double (*clock_reader)(void);

/* Of several threads the time that passes counts, of one its own. */
static clock_reader clock_of(const struct bench *b)
{
	return b->threads > 1 ? yardstick_clock : yardstick_now;
}

static double now(const struct bench *b)
{
	return clock_of(b)();
}

static const u8 *bytes_at(const struct npu_program *p, u64 addr, u64 size)
{
	struct npu_memory m = npu_program_memory((struct npu_program *)p);
	return m.span(m.ctx, addr, size, false);
}

static void collect(struct bench *b, const struct npu_op *op)
{
	for (unsigned core = 0; npu_is_mac(op) && !op->u85.fast && core < op->cores && b->streams < MAX_STREAMS; core++) {
		const struct npu_weights_shape shape = npu_weights_shape_of(op, core, b->config->ofm_ublock_d);
		const u32 length = op->weights[core].length;
		const u8 *from = bytes_at(b->program, op->weights[core].addr, length);
		u8 *bytes = from ? calloc(1, length + NPU_WEIGHTS_SLACK) : NULL;
		if (!bytes)
			continue;
		memcpy(bytes, from, length);
		b->stream[b->streams++] = (struct stream){
			bytes, length, op->u85.enabled ? npu85_weights_count(b->config, op, core) : npu_weights_stream_count(&shape) };
	}
}

static void operation(void *ctx, const struct npu_op *op, const struct npu_cost *cost)
{
	struct bench *b = ctx;

	if (b->whole)
		return;
	const double t = now(b), spent = t - b->mark, took = spent > b->reading ? spent - b->reading : 0;

	if (b->at < MAX_LAYERS) {
		struct layer *l = &b->layer[b->at++];
		if (!b->further) {
			l->op = *op;
			l->first = took;
			l->best = b->show_layers ? 1e9 : took;
			b->layers = b->at;
		} else if (took < l->best) {
			l->best = took;
		}
	}
	if (b->collect)
		collect(b, op);
	b->mark = now(b);
}

/* Only an inference that is timed by operations: else a map that only the next operation reads need not be there. */
static bool looks(void *ctx)
{
	const struct bench *b = ctx;

	return !b->whole;
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
		if (strcmp(argv[i], "--npu-only") == 0) {
			b->npu_only = true;
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
	return b->accelerator && b->model;
}

static u32 fill(u8 *bytes, u64 count, u32 v)
{
	for (u64 k = 0; k < count; k++) {
		v = v * 1664525u + 1013904223u;
		bytes[k] = (u8)(v >> 24);
	}
	return v;
}

static void fill_inputs(struct npu_program *p)
{
	u32 v = 1;
	for (u32 i = 0; i < p->input_count; i++)
		v = fill(p->inputs[i].host, p->inputs[i].bytes, v);
}

/* What the processor would have computed lies anywhere in it. */
static void fill_memory(struct npu_program *p)
{
	for (unsigned i = 0; i < p->block_count; i++)
		if (p->blocks[i].writable)
			fill(p->blocks[i].host, p->blocks[i].size, i + 1);
}

/* Weights of one stream, slice by slice as packing takes them; 0: something else has replaced it. */
static u64 decode_stream(const struct bench *b, struct npu_weights_decoder *d, const struct stream *s)
{
	u64 at = 0;

	npu_weights_start(d, &b->tables, s->bytes, s->length);
	npu_weights_narrow(d);
	while (at < s->need) {
		const void *weights;
		size_t n;
		if (b->level->next(d, &weights, &n) != NPU_WEIGHTS_OK || n == 0)
			return 0;
		at += n;
	}
	return at;
}

static void decode(struct bench *b)
{
	struct npu_weights_decoder *d = npu_weights_decoder_new();

	npu_weights_tables_init(&b->tables);
	b->level = npu_simd_find(b->simd);
	for (unsigned i = 0; i < b->streams; i++) {
		double best = 1e9;
		u64 count = 0;
		for (unsigned k = 0; d && b->level && k < 5; k++) {
			double t = now(b);
			count = decode_stream(b, d, &b->stream[i]);
			t = now(b) - t;
			best = t < best ? t : best;
		}
		if (count) {
			b->decode_seconds += best;
			b->decode_weights += count;
			b->decode_bytes += b->stream[i].length;
		}
		free(b->stream[i].bytes);
	}
	npu_weights_decoder_free(d);
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
	printf("%5s %-12s %4s %18s %18s %9s %6s %10s %10s\n", "op", "kind", "mode", "ifm", "ofm", "kernel", "bytes",
	       "first/us", "best/us");
	for (unsigned i = 0; i < b->layers; i++) {
		const struct layer *l = &b->layer[i];
		const struct npu_op *op = &l->op;
		char ifm[40], ofm[40], kernel[24], bytes[8]; /* of an element */
		snprintf(ifm, sizeof(ifm), "%ux%ux%u", op->ifm.height, op->ifm.width, op->ifm.depth);
		snprintf(ofm, sizeof(ofm), "%ux%ux%u", op->ofm.height, op->ofm.width, op->ofm.depth);
		snprintf(kernel, sizeof(kernel), "%ux%u", op->kernel_h, op->kernel_w);
		snprintf(bytes, sizeof(bytes), "%u>%u", op->ifm.bytes, op->ofm.bytes);
		printf("%5u %-12s %4u %18s %18s %9s %6s %10.1f %10.1f\n", i, kinds[op->kind], op->mode, ifm,
		       ofm, kernel, bytes, l->first * 1e6, l->best * 1e6);
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
		if (n && b->show_layers)
			printf("  %-12s %4u operations, first %8.3f ms, best %8.3f ms\n", kinds[k], n, first * 1e3, best * 1e3);
		else if (n)
			printf("  %-12s %4u operations, best %8.3f ms\n", kinds[k], n, best * 1e3);
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

/* The first inference of a second machine, which finds the weights of the first one. */
static void print_second(const struct bench *b, struct npu_program *p, const struct npu_options *options)
{
	struct npu_options o = *options;

	o.listener = (struct npu_listener){ 0 };
	struct npu *n = npu_new(&o);
	fill_inputs(p);
	const double t = now(b);
	if (n && npu_program_run(p, n))
		printf("a second machine: first %.3f ms\n", (now(b) - t) * 1e3);
	npu_free(n);
}

static bool run(struct bench *b, struct npu_program *p, const struct npu_config *config)
{
	struct npu_options o = { .config = config, .memory = npu_program_memory(p),
				 .listener = { .operation = operation, .looks = looks, .ctx = b }, .host_simd = b->simd,
				 .threads = b->threads, .share_weights = true };
	struct npu *n = npu_new(&o);
	double *times = calloc(b->repeat + 1, sizeof(*times));
	double first = 0;

	b->config = config;
	b->program = p;
	b->reading = yardstick_reading(clock_of(b));
	if (!n || !times) {
		fprintf(stderr, "npu_bench: host level not available, or memory is short\n");
		return false;
	}
	for (unsigned i = 0; i <= 2 * b->repeat; i++) {
		fill_inputs(p);
		b->at = 0;
		b->whole = i % 2 == 0 && (i > 0 || !b->show_layers);
		b->further = b->layers > 0;
		b->collect = i == 1;
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
	if (b->repeat == 0) {
		printf("first %.3f ms\n", first * 1e3);
		npu_free(n);
		free(times);
		return true;
	}
	qsort(times, b->repeat, sizeof(*times), by_value);
	if (b->show_layers)
		print_layers(b);
	print_host(b, times[0]);
	printf("level %s: first %.3f ms, further best %.5f ms, median %.5f ms of %u\n",
	       b->simd ? b->simd : "auto", first * 1e3, times[0] * 1e3, times[b->repeat / 2] * 1e3,
	       b->repeat);
	print_kinds(b);
	print_second(b, p, &o);
	npu_free(n);
	free(times);
	decode(b);
	if (b->decode_seconds > 0)
		printf("decoder: %.2f Mweights of %.2f MB in %.3f ms: %.0f Mweights/s, %.1f adds each\n",
		       1e-6 * (double)b->decode_weights, 1e-6 * (double)b->decode_bytes,
		       1e3 * b->decode_seconds, 1e-6 * (double)b->decode_weights / b->decode_seconds,
		       yardstick_adds() * b->decode_seconds / (double)b->decode_weights);
	return true;
}

int main(int argc, char **argv)
{
	static struct bench b;
	struct file_bytes file;
	char why[320];

	if (!parse(argc, argv, &b)) {
		fprintf(stderr, "usage: npu_bench --accelerator NAME --model FILE [--host-simd LEVEL] "
			"[--repeat N] [--threads N] [--layers] [--npu-only]\n");
		return 64;
	}
	const struct npu_config *config = npu_config_find(b.accelerator);
	if (!config || !file_read(b.model, &file, why, sizeof(why))) {
		fprintf(stderr, "npu_bench: %s\n", config ? why : "unknown accelerator");
		return 66;
	}
	const bool whole = !b.npu_only || npu_operators_only(file.data, file.size);
	struct npu_program *p = npu_program_load(file.data, file.size, NULL, why, sizeof(why));
	if (!p || !npu_program_fits(p, config, why, sizeof(why))) {
		fprintf(stderr, "npu_bench: %s\n", why);
		return 65;
	}
	if (!whole)
		fill_memory(p);
	b.layer = calloc(MAX_LAYERS, sizeof(*b.layer));
	int status = b.layer && run(&b, p, config) ? 0 : 1;
	free(b.layer);
	npu_program_free(p);
	file_free(&file);
	return status;
}
