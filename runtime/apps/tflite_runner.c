/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the embedded network of Vela's (.tflite) once on the Ethos-U, prints its outputs and both cycle counts, and, with
 * GOLDEN_FILE, compares the outputs with those bytes. Inputs are INPUT_FILE (one behind the other), or zeros when that is
 * empty. RUNNER_SHARED_SRAM: 1 for Vela's memory mode Shared_Sram, where the arena lies in SRAM when it fits; 0 for
 * Dedicated_Sram. Exit status: 0; 1 the outputs are different; 2 could not run. */
#include "runtime/apps/board_memory.h"
#include "runtime/console/console.h"
#include "runtime/ethosu/ethosu.h"
#include "runtime/model/network.h"
#include "runtime/start/cortex_m.h"

#include <string.h>

#include BOARD_HEADER

#define SHOWN_ELEMENTS 16
#define LINE_BYTES 32 /* of the data cache */

extern const uint8_t embedded_network[], embedded_network_end[], embedded_input[], embedded_input_end[];

enum { TFLITE_INT16 = 7, TFLITE_INT8 = 9 }; /* TensorType */
enum { STATUS_DIFFERENT = 1, STATUS_FAILED = 2 };

static struct network network;
static uint8_t *arena, *fast_arena;

int main(void);

static int give_up(const char *why)
{
	console_printf("error: %s\n", why);
	return STATUS_FAILED;
}

static bool take_memory(const struct network *n)
{
	struct memory sram = BOARD_MEMORY(__sram_free, __sram_end, "SRAM"), ddr = BOARD_MEMORY(__ddr_free, __ddr_end, "DDR");

	fast_arena = memory_take(&sram, n->fast_bytes, LINE_BYTES);
	arena = RUNNER_SHARED_SRAM ? memory_take(&sram, n->arena_bytes, LINE_BYTES) : NULL;
	if (!arena)
		arena = memory_take(&ddr, n->arena_bytes, LINE_BYTES);
	if (!n->fast_bytes)
		fast_arena = arena;
	if (arena && fast_arena)
		return true;
	console_printf("error: the network needs %u bytes of %s, %u more than there are\n",
		       (unsigned)(arena ? n->fast_bytes : n->arena_bytes), arena ? sram.name : ddr.name,
		       (unsigned)(arena ? sram.short_by : ddr.short_by));
	return false;
}

/* make-runner has looked at the size of the inputs. */
static void set_inputs(const struct network *n)
{
	const uint8_t *from = embedded_input;

	memset(arena, 0, n->arena_bytes);
	if (&embedded_input_end[0] == &embedded_input[0])
		return;
	for (unsigned i = 0; i < n->inputs; i++) {
		memcpy(arena + n->input[i].offset, from, n->input[i].bytes);
		from += n->input[i].bytes;
	}
}

static enum ethosu_status run(const struct network *n, uint32_t *cycles)
{
	const uint32_t bases[ETHOSU_REGIONS_SEPARATE] = { (uint32_t)n->constants, (uint32_t)arena, (uint32_t)fast_arena,
		(uint32_t)arena + n->inputs_at, (uint32_t)arena + n->outputs_at };
	enum ethosu_status status;
	uint64_t start;

	cortex_m_cache_flush(n->payload, n->payload_bytes);
	cortex_m_cache_flush(n->constants, n->constant_bytes);
	cortex_m_cache_flush(arena, n->arena_bytes);
	cortex_m_cycles_start();
	start = cortex_m_cycles();
	status = ethosu_run(n->payload, n->payload_bytes, bases, n->regions);
	*cycles = (uint32_t)(cortex_m_cycles() - start);
	cortex_m_cache_drop(arena, n->arena_bytes);
	return status;
}

/* The low 32 bits of larger elements. */
static int32_t element_at(const struct network_tensor *t, const uint8_t *at)
{
	int32_t word = 0;

	memcpy(&word, at, t->element_bytes < sizeof word ? t->element_bytes : sizeof word);
	switch (t->type) {
	case TFLITE_INT8: return (int8_t)word;
	case TFLITE_INT16: return (int16_t)word;
	default: return word;
	}
}

/* Name, size, where it lies (for --dump), the first elements. */
static void print_tensor(const struct network_tensor *t)
{
	const uint8_t *at = arena + t->offset;
	const uint32_t count = t->bytes / t->element_bytes;

	console_printf("output %.64s, %u bytes at %p:", t->name, (unsigned)t->bytes, (const void *)at);
	for (uint32_t i = 0; i < count && i < SHOWN_ELEMENTS; i++)
		console_printf(" %d", (int)element_at(t, at + (size_t)i * t->element_bytes));
	console_puts(count > SHOWN_ELEMENTS ? " ...\n" : "\n");
}

static void print_counters(uint32_t cpu_cycles)
{
	struct ethosu_counters c;

	ethosu_read_counters(&c);
	console_printf("NPU cycles: %lu total, %lu active\n", (unsigned long)c.cycles, (unsigned long)c.active);
	console_printf("NPU beats: AXI0 %lu read, %lu written; AXI1 %lu read\n", (unsigned long)c.axi0_read,
		       (unsigned long)c.axi0_write, (unsigned long)c.axi1_read);
	console_printf("CPU cycles: %lu from start to finish of the inference\n", (unsigned long)cpu_cycles);
}

#ifdef GOLDEN_FILE
extern const uint8_t embedded_golden[], embedded_golden_end[];

static int compare_outputs(const struct network *n)
{
	const uint8_t *golden = embedded_golden;
	unsigned long differences = 0;

	for (unsigned i = 0; i < n->outputs; i++)
		for (uint32_t k = 0; k < n->output[i].bytes; k++, golden++)
			differences += golden >= embedded_golden_end || arena[n->output[i].offset + k] != *golden;
	if (differences)
		console_printf("FAIL: %lu bytes differ from the golden output\n", differences);
	else
		console_puts("PASS: output equals the golden output\n");
	return differences ? STATUS_DIFFERENT : 0;
}
#else
static int compare_outputs(const struct network *n)
{
	(void)n;
	return 0;
}
#endif

int main(void)
{
	struct network *n = &network;
	enum ethosu_status status;
	uint32_t cpu_cycles;
	char why[160];

	console_init(false);
	console_puts("fvp-sim runtime on " BOARD_NAME "\n");
	if (!network_open(n, embedded_network, (size_t)(embedded_network_end - embedded_network), why, sizeof why))
		return give_up(why);
	if (!take_memory(n))
		return STATUS_FAILED;
	set_inputs(n);
	status = ethosu_init();
	if (status == ETHOSU_OK)
		status = run(n, &cpu_cycles);
	if (status == ETHOSU_RUN_FAILED || status == ETHOSU_TIMED_OUT)
		console_printf("NPU status %08x, at byte %u of its commands\n", (unsigned)ethosu_last_fault().status,
			       (unsigned)ethosu_last_fault().position);
	if (status != ETHOSU_OK)
		return give_up(ethosu_status_text(status));
	for (unsigned i = 0; i < n->outputs; i++)
		print_tensor(&n->output[i]);
	print_counters(cpu_cycles);
	return compare_outputs(n);
}
