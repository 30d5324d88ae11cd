/* SPDX-License-Identifier: Apache-2.0 */
/* CoreMark's platform: prints the cycles of an iteration. */
#include "coremark.h"

#include "bench.h"

#define CYCCNT (*(volatile unsigned *)0xe0001004)

volatile ee_s32 seed1_volatile = 0, seed2_volatile = 0, seed3_volatile = 0x66, seed4_volatile = ITERATIONS, seed5_volatile;
ee_u32 default_num_contexts = 1;
static unsigned first, last;
int main(void);
void print_decimal(unsigned value);

void start_time(void) { first = CYCCNT; }
void stop_time(void) { last = CYCCNT; }
CORE_TICKS get_time(void) { return last - first; }
secs_ret time_in_secs(CORE_TICKS ticks) { return ticks; }
void portable_init(core_portable *p, int *argc, char *argv[]) { p->portable_id = 1; }
void portable_fini(core_portable *p) { p->portable_id = 0; }
int ee_printf(const char *format, ...) { return 0; }

unsigned bench(void)
{
	*(volatile unsigned *)0xe000edfc |= 1u << 24; /* DEMCR.TRCENA */
	*(volatile unsigned *)0xe0001000 |= 1;        /* DWT_CTRL.CYCCNTENA */
	main();
	print_decimal((last - first) / ITERATIONS);
	return 0;
}
