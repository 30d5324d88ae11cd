/* SPDX-License-Identifier: Apache-2.0 */
/* kissfft in 16-bit fixed point: transforms of several lengths. */
#include "kiss_fft.h"
#include "real.h"

unsigned bench(void)
{
	static const int lengths[] = { 256, 240, 360, 1024 };
	static kiss_fft_cpx in[1024], out[1024];
	unsigned sum = 0;

	for (int k = 0; k < 1024; k++) {
		in[k].r = (kiss_fft_scalar)(k * 7919);
		in[k].i = (kiss_fft_scalar)(k * 104729);
	}
	for (int k = 0; k < 4; k++) {
		kiss_fft_cfg plan = kiss_fft_alloc(lengths[k], 0, NULL, NULL);
		for (int i = 0; i < 60; i++)
			kiss_fft(plan, in, out);
		sum = real_sum(sum, out, sizeof(out));
		free(plan);
	}
	return sum;
}
