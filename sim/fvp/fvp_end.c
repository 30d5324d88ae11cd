/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/fvp/fvp.h"
#include "sim/accuracy.h"
#include "sim/stop.h"

#include <stdio.h>
#include <sys/resource.h>

/* What stops a run before its program does. */
static const char *limit_text(int reason)
{
	switch (reason) {
	case STOP_TIME_LIMIT: case STOP_CPU_LIMIT: return "CPU time";
	case STOP_CYCLE_LIMIT: return "Cycle limit";
	case STOP_SIM_LIMIT: return "Simulated time";
	default: return NULL;
	}
}

void fvp_print_end(const struct run_config *c, int reason, u64 cycles, u64 instructions, double wall_seconds)
{
	const double simulated = (double)cycles / (double)c->machine.cpu.clock_hz;
	struct rusage used;
	double user, system;

	if (reason == STOP_INTERRUPTED)
		printf("Stopping simulation...\n");
	if (!c->quiet && limit_text(reason))
		printf("\nInfo: Simulation is stopping. Reason: %s has been exceeded.\n", limit_text(reason));
	if (!c->quiet)
		printf("\nInfo: /OSCI/SystemC: Simulation stopped by user.\n");
	if (!c->statistics)
		return;
	getrusage(RUSAGE_SELF, &used);
	user = (double)used.ru_utime.tv_sec + 1e-6 * (double)used.ru_utime.tv_usec;
	system = (double)used.ru_stime.tv_sec + 1e-6 * (double)used.ru_stime.tv_usec;
	printf("\n--- %s statistics: -----------------------------------------------\n", FVP_TOP_INSTANCE);
	printf("Simulated time                          : %.6fs\n", simulated);
	printf("User time                               : %.6fs\n", user);
	printf("System time                             : %.6fs\n", system);
	printf("Wall time                               : %.6fs\n", wall_seconds);
	printf("Performance index                       : %.2f\n", wall_seconds > 0 ? simulated / wall_seconds : 0);
	printf("%-40s: %.2f MIPS (%12llu Inst)\n", FVP_TOP_INSTANCE ".cpu0",
	       wall_seconds > 0 ? (double)instructions / wall_seconds / 1e6 : 0, (unsigned long long)instructions);
	printf("%-40s: %s\n", FVP_TOP_INSTANCE ".cpu0 cycles", accuracy_of_cpu(c->machine.cpu.timing));
	if (c->machine.npu)
		printf("%-40s: %s\n", FVP_TOP_INSTANCE ".ethosu cycles", accuracy_of_npu(c->machine.npu->product));
	printf("-------------------------------------------------------------------------------\n");
}
