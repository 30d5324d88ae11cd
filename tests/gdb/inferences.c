/* SPDX-License-Identifier: Apache-2.0 */
/* The runner's network twice: with its input, and with another one. */
#define main run_once
#include "runtime/apps/tflite_runner.c"
#undef main

int main(void);

volatile uint32_t done;           /* inferences so far */
const volatile uint8_t *output;   /* the first byte of the first output */

__attribute__((noinline)) static void inference(uint32_t *cycles)
{
	if (run(&network, cycles) == ETHOSU_OK)
		done++;
}

__attribute__((noinline)) static void last(void)
{
	__asm__ volatile("");
}

int main(void)
{
	uint32_t cycles;
	const int status = run_once();

	inference(&cycles);
	output = arena + network.output[0].offset;
	for (uint32_t i = 0; i < network.input[0].bytes; i++)
		arena[network.input[0].offset + i] ^= 0x55;
	inference(&cycles);
	last();
	return status;
}
