/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/accuracy.h"

#define ACCURACY(model, rows, mean, largest) \
	static const char of_##model[] = "estimated, " #model ": mean error " mean " % over " rows ", largest " largest " %";
#include "sim/accuracy.def"
#undef ACCURACY

const char *accuracy_of_cpu(enum cpu_timing timing)
{
	switch (timing) {
	case CPU_TIMING_M55: return of_M55;
	case CPU_TIMING_M85: return of_M85;
	default: return "instructions are counted, as an FVP does: no estimate of a core's cycles";
	}
}

const char *accuracy_of_npu(enum npu_product product)
{
	return product == NPU_U55 ? of_U55 : product == NPU_U65 ? of_U65 : of_U85;
}
