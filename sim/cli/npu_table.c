/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/cli/npu_table.h"

#include <inttypes.h>
#include <stdio.h>

/* A dma has no maps. */
static void describe(const struct fvpsim_operation *op, char *out, size_t size)
{
	const uint32_t *i = op->ifm, *o = op->ofm;

	if (!o[2])
		snprintf(out, size, "%" PRIu64 " bytes", op->bytes);
	else
		snprintf(out, size, "%ux%ux%u -> %ux%ux%u", i[0], i[1], i[2], o[0], o[1], o[2]);
}

void npu_table_print(const struct fvpsim_network *n, bool named)
{
	struct fvpsim_operation op = { .size = sizeof op };
	char shape[80];

	printf("%5s %8s  %-12s %-34s %12s %12s %6s  %-8s %10s %10s %10s %10s%s\n", "op", "offset", "kind", "shape", "cycles", "macs",
	       "use %", "bound", "read 0", "written 0", "read 1", "written 1", named ? "  source operator" : "");
	for (unsigned i = 0; !fvpsim_network_operation(n, i, &op, NULL); i++) {
		describe(&op, shape, sizeof shape);
		printf("%5u %8x  %-12s %-34s %12" PRIu64 " %12" PRIu64 " %4u.%u  %-8s %10" PRIu64 " %10" PRIu64 " %10" PRIu64 " %10" PRIu64
		       "%s%s\n", i, op.offset, op.kind, shape, op.cycles, op.macs, op.utilisation / 10, op.utilisation % 10, op.bound,
		       op.read[0], op.written[0], op.read[1], op.written[1], op.source ? "  " : "", op.source ? op.source : "");
	}
	printf("total %" PRIu64 " cycles, %u operations (%s)\n", fvpsim_network_cycles(n), fvpsim_network_operations(n),
	       fvpsim_network_accuracy(n));
}
