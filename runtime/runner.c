/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the embedded network once on the Ethos-U, compares its output with the golden bytes and
 * prints both cycle counts. Exit status: 0 equal, 1 different, 2 could not run. */
#include "runtime/console/console.h"
#include "runtime/ethosu/ethosu.h"
#include "runtime/model/network.h"
#include "runtime/start/cortex_m.h"

#include <string.h>

#include BOARD_HEADER

#define ARENA_BYTES (1024 * 1024)
#define FAST_BYTES (256 * 1024)

extern const uint8_t embedded_network[], embedded_input[], embedded_input_end[];
extern const uint8_t embedded_golden[], embedded_golden_end[];

__attribute__((section(".arena"), aligned(16))) static uint8_t arena[ARENA_BYTES];
__attribute__((section(".arena"), aligned(16))) static uint8_t fast_arena[FAST_BYTES];

int main(void);

static int give_up(const char *why)
{
	console_printf("cannot run: %s\n", why);
	return 2;
}

static bool in_arena(const struct network_tensor *t)
{
	return t->bytes <= sizeof arena && t->offset <= sizeof arena - t->bytes;
}

static bool load_inputs(const struct network *n)
{
	const uint8_t *from = embedded_input;

	for (unsigned i = 0; i < n->inputs; i++) {
		const struct network_tensor *t = &n->input[i];

		if (t->bytes > (uint32_t)(embedded_input_end - from) || !in_arena(t))
			return false;
		memcpy(arena + t->offset, from, t->bytes);
		from += t->bytes;
	}
	return true;
}

static bool outputs_fit(const struct network *n)
{
	for (unsigned i = 0; i < n->outputs; i++)
		if (!in_arena(&n->output[i]))
			return false;
	return true;
}

static void print_tensor(const struct network_tensor *t)
{
	console_puts("output ");
	for (uint32_t i = 0; i < t->name_bytes; i++)
		console_putc(t->name[i]);
	console_puts(":");
	for (uint32_t i = 0; i < t->bytes; i++)
		console_printf(" %d", (int8_t)arena[t->offset + i]);
	console_puts("\n");
}

/* Number of output bytes that differ from the golden ones. */
static uint32_t compare_outputs(const struct network *n)
{
	const uint8_t *golden = embedded_golden;
	uint32_t differences = 0;

	for (unsigned i = 0; i < n->outputs; i++) {
		const struct network_tensor *t = &n->output[i];

		print_tensor(t);
		for (uint32_t k = 0; k < t->bytes; k++, golden++)
			differences += golden >= embedded_golden_end || arena[t->offset + k] != *golden;
	}
	return differences;
}

static void print_counters(uint32_t cpu_cycles)
{
	struct ethosu_counters c;

	ethosu_read_counters(&c);
	console_printf("NPU cycles: %lu total, %lu active\n", (uint32_t)c.cycles, c.active);
	console_printf("NPU beats: AXI0 %lu read, %lu written; AXI1 %lu read\n", c.axi0_read, c.axi0_write, c.axi1_read);
	console_printf("CPU cycles: %lu from start to finish of the inference\n", cpu_cycles);
}

int main(void)
{
	struct network n;
	enum ethosu_status status;
	uint32_t start, differences;

	console_init();
	console_puts("fvp-sim runtime on " BOARD_NAME "\n");
	if (!network_open(&n, embedded_network))
		return give_up("the embedded file is not a network compiled by Vela");
	if (n.arena_bytes > sizeof arena || n.fast_bytes > sizeof fast_arena || !load_inputs(&n) || !outputs_fit(&n))
		return give_up("the network does not fit this runner's memory");
	status = ethosu_init();
	if (status != ETHOSU_OK)
		return give_up(ethosu_status_text(status));

	const uint32_t bases[] = { (uint32_t)n.constants, (uint32_t)arena, (uint32_t)fast_arena };

	CORTEX_M_DWT_CYCCNT = 0;
	CORTEX_M_DWT_CTRL |= 1;
	start = CORTEX_M_DWT_CYCCNT;
	status = ethosu_run(n.payload, n.payload_bytes, bases, 3);
	const uint32_t cpu_cycles = CORTEX_M_DWT_CYCCNT - start;

	if (status != ETHOSU_OK) {
		console_printf("NPU status %lx\n", ethosu_last_status());
		return give_up(ethosu_status_text(status));
	}
	differences = compare_outputs(&n);
	print_counters(cpu_cycles);
	if (differences)
		console_printf("FAIL: %lu bytes differ from the golden output\n", differences);
	else
		console_puts("PASS: output equals the golden output\n");
	return differences != 0;
}
