/* SPDX-License-Identifier: Apache-2.0 */
/* What the FVPs write for --pmu-trace: Chrome trace events, gzip-compressed, one "qread" event when the NPU's read position in
 * the command stream moves (in words, times in NPU cycles), as ExecuTorch's examples/arm/visualize.py reads them; and, for
 * other viewers, the operations as slices. */
#include "sim/trace/kind.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#define ZLIB_CONST
#include <zlib.h>

enum { GZIP = 16 + MAX_WBITS, MEMORY_LEVEL = 8 /* zlib's own for gzip files */ };

struct state {
	z_stream z;
	FILE *file;
	bool any, begun;
	u64 zero;  /* cycle at which the first job began: times count from there */
	u64 job;   /* cycle at which the present one began */
	u64 done;  /* cycle at which the operation before was done */
	u32 qread; /* last one written */
};

static void compress_text(struct state *s, const void *text, size_t bytes, int flush)
{
	u8 out[4096];

	s->z.next_in = text;
	s->z.avail_in = (uInt)bytes;
	do {
		s->z.next_out = out;
		s->z.avail_out = sizeof out;
		deflate(&s->z, flush);
		fwrite(out, 1, sizeof out - s->z.avail_out, s->file);
	} while (!s->z.avail_out);
}

static void put_text(struct state *s, const char *text)
{
	compress_text(s, text, strlen(text), Z_NO_FLUSH);
}

static __attribute__((format(printf, 2, 3))) void put(struct state *s, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	if (s->any)
		put_text(s, ",\n");
	put_text(s, text);
	s->any = true;
}

static void put_qread(struct state *s, u64 cycle, u32 offset)
{
	put(s, "{\"name\":\"qread\",\"ph\":\"C\",\"pid\":\"ethosu\",\"tid\":\"qread\",\"ts\":%" PRIu64 ",\"args\":{\"qread\":%u}}", cycle, offset / 4);
}

static void job(void *ctx, bool running)
{
	struct trace *t = ctx;
	struct state *s = t->state;

	if (running) {
		s->zero = s->begun ? s->zero : trace_now(t);
		s->begun = true;
		s->job = trace_now(t);
		s->done = s->job;
		s->qread = 0;
		put_qread(s, s->job - s->zero, 0);
	} else if (s->begun && npu_result(t->machine->npu)->offset != s->qread) {
		put_qread(s, trace_now(t) - s->zero, npu_result(t->machine->npu)->offset);
	}
}

static void operation(void *ctx, const struct npu_op *op, const struct npu_cost *cost)
{
	struct trace *t = ctx;
	struct state *s = t->state;
	const u64 start = s->job - s->zero + cost->start;

	put(s, "{\"name\":\"%s\",\"ph\":\"X\",\"pid\":\"ethosu\",\"tid\":\"operations\",\"ts\":%" PRIu64 ",\"dur\":%" PRIu64
	    ",\"args\":{\"offset\":%u,\"macs\":%" PRIu64 ",\"bound\":\"%s\"}}", npu_op_name(op), start, cost->finish - cost->start, op->offset,
	    cost->macs, npu_bound_name(cost->bound));
	put_qread(s, s->done - s->zero, op->offset); /* reading goes on to the next operation and waits there */
	s->qread = op->offset;
	s->done = trace_now(t);
}

static bool begin(struct trace *t)
{
	struct state *s = calloc(1, sizeof *s);

	if (!s || deflateInit2(&s->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK) {
		free(s);
		return false;
	}
	s->file = t->file;
	t->state = s;
	put_text(s, "{\"traceEvents\":[\n");
	return machine_listen(t->machine, &(struct machine_listener){ .npu = { .operation = operation, .job = job, .ctx = t }, .ctx = t });
}

static void end(struct trace *t)
{
	struct state *s = t->state;

	machine_unlisten(t->machine, t);
	if (!s)
		return;
	put_text(s, "\n],\"displayTimeUnit\":\"ns\"}\n");
	compress_text(s, NULL, 0, Z_FINISH);
	deflateEnd(&s->z);
	free(s);
}

const struct trace_kind trace_pmu = { "pmu", "pmu.json.gz", "the FVPs' --pmu-trace: the NPU's position in the command stream",
	0, begin, end };
