/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/fvp/fvp.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

/* What stops a run before its program does. */
static const char *limit_text(const char *reason)
{
	static const struct { const char *reason, *text; } limits[] = {
		{ "TIME_LIMIT", "CPU time" }, { "CPU_LIMIT", "CPU time" }, { "CYCLE_LIMIT", "Cycle limit" }, { "SIM_LIMIT", "Simulated time" },
	};

	for (size_t i = 0; i < ARRAY_LEN(limits); i++)
		if (!strcmp(limits[i].reason, reason))
			return limits[i].text;
	return NULL;
}

void fvp_print_end(const struct request *c, struct fvpsim_machine *m, double wall_seconds)
{
	struct fvpsim_end end = { .size = sizeof end };
	struct fvpsim_counts counts = { .size = sizeof counts };
	struct fvpsim_config_info info = { .size = sizeof info };
	struct rusage used;
	double user, system, simulated;

	fvpsim_get_end(m, &end, NULL);
	fvpsim_get_counts(m, &counts, NULL);
	fvpsim_config_get_info(c->config, &info, NULL);
	simulated = (double)counts.cycles / (double)info.clock_hz;
	if (!strcmp(end.reason, "INTERRUPTED"))
		printf("Stopping simulation...\n");
	if (!c->quiet && limit_text(end.reason))
		printf("\nInfo: Simulation is stopping. Reason: %s has been exceeded.\n", limit_text(end.reason));
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
	       wall_seconds > 0 ? (double)counts.instructions / wall_seconds / 1e6 : 0, (unsigned long long)counts.instructions);
	printf("%-40s: %s\n", FVP_TOP_INSTANCE ".cpu0 cycles", info.cpu_accuracy);
	if (info.npu_accuracy)
		printf("%-40s: %s\n", FVP_TOP_INSTANCE ".ethosu cycles", info.npu_accuracy);
	printf("-------------------------------------------------------------------------------\n");
}
