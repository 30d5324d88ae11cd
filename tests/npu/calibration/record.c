/* SPDX-License-Identifier: Apache-2.0 */
/* `fvp-sim npu` that also writes down what its timing model is called with: record FILE OPTIONS... */
#include <stdio.h>
#include <stdlib.h>

#include "sim/cli/npu_command.h"
#include "tests/npu/calibration/stream.h"

static FILE *file;

/* The linker sends the calls here (--wrap) and makes the model's own functions __real_... */
void __real_npu_timing_start(struct npu_timing *t);
void __real_npu_timing_op(struct npu_timing *t, struct npu_shapes *known, const struct npu_config *config, const struct npu_ports *ports,
			  const struct npu_op *op, u32 stream_bytes, struct npu_cost *cost);
void __real_npu_timing_wait(struct npu_timing *t, bool dma, unsigned n);
void __wrap_npu_timing_start(struct npu_timing *t);
void __wrap_npu_timing_op(struct npu_timing *t, struct npu_shapes *known, const struct npu_config *config, const struct npu_ports *ports,
			  const struct npu_op *op, u32 stream_bytes, struct npu_cost *cost);
void __wrap_npu_timing_wait(struct npu_timing *t, bool dma, unsigned n);

static void write(int call, const void *arguments, size_t size)
{
	if (fputc(call, file) == EOF || fwrite(arguments, 1, size, file) != size) {
		perror("record");
		exit(1);
	}
}

void __wrap_npu_timing_start(struct npu_timing *t)
{
	write(STREAM_START, "", 0);
	__real_npu_timing_start(t);
}

void __wrap_npu_timing_op(struct npu_timing *t, struct npu_shapes *known, const struct npu_config *config, const struct npu_ports *ports,
			  const struct npu_op *op, u32 stream_bytes, struct npu_cost *cost)
{
	static struct stream_op s;

	s = (struct stream_op){ *config, *ports, *op, stream_bytes };
	write(STREAM_OP, &s, sizeof s);
	__real_npu_timing_op(t, known, config, ports, op, stream_bytes, cost);
}

void __wrap_npu_timing_wait(struct npu_timing *t, bool dma, unsigned n)
{
	const struct stream_wait w = { dma, n };

	write(STREAM_WAIT, &w, sizeof w);
	__real_npu_timing_wait(t, dma, n);
}

int main(int argc, char **argv)
{
	int status;

	file = argc > 1 ? fopen(argv[1], "wb") : NULL;
	if (!file) {
		fprintf(stderr, "record FILE OPTIONS-OF-FVP-SIM-NPU...\n");
		return 1;
	}
	status = npu_command(argc - 1, argv + 1);
	return fclose(file) ? 1 : status;
}
