/* SPDX-License-Identifier: Apache-2.0 */
/* CMSIS-DSP in single precision, with the vector instructions: filters, a transform, matrices, statistics. */
#include "dsp/basic_math_functions.h"
#include "dsp/complex_math_functions.h"
#include "dsp/filtering_functions.h"
#include "dsp/matrix_functions.h"
#include "dsp/statistics_functions.h"
#include "dsp/transform_functions.h"
#include "real.h"

enum { SAMPLES = 1024, BLOCK = 128, TAPS = 29, STAGES = 4, ORDER = 24, ROUNDS = 1000 };

static float input[SAMPLES], output[2 * SAMPLES], coefficients[TAPS + 3], filter_state[TAPS + 2 * BLOCK], sections[5 * STAGES], section_state[4 * STAGES];
static float left[ORDER * ORDER], right[ORDER * ORDER], product[ORDER * ORDER], spectrum[2 * 256], power[256];
static float dot, mean;
static arm_biquad_mod_coef_f32 modified[STAGES];
static arm_fir_instance_f32 fir;
static arm_biquad_casd_df1_inst_f32 biquad;

static void fill(float *to, unsigned count)
{
	static unsigned seed = 1;

	for (unsigned i = 0; i < count; i++) {
		seed = seed * 1664525 + 1013904223;
		to[i] = (float)((int)seed >> 8) / (1 << 23);
	}
}

static void filters(void)
{
	for (unsigned i = 0; i < SAMPLES; i += BLOCK) {
		arm_fir_f32(&fir, input + i, output + i, BLOCK);
		arm_biquad_cascade_df1_f32(&biquad, input + i, output + SAMPLES + i, BLOCK);
	}
}

static void transforms(void)
{
	static arm_cfft_instance_f32 fft;

	arm_cfft_init_256_f32(&fft);
	memcpy(spectrum, input, sizeof spectrum);
	arm_cfft_f32(&fft, spectrum, 0, 1);
	arm_cmplx_mag_squared_f32(spectrum, power, 256);
}

static void matrices(void)
{
	arm_matrix_instance_f32 a = { ORDER, ORDER, left }, b = { ORDER, ORDER, right }, c = { ORDER, ORDER, product };

	arm_mat_mult_f32(&a, &b, &c);
	arm_dot_prod_f32(input, output, SAMPLES, &dot);
	arm_mean_f32(product, ORDER * ORDER, &mean);
	arm_scale_f32(input, mean, output, SAMPLES);
	arm_add_f32(input, output, output, SAMPLES);
}

unsigned bench(void)
{
	unsigned sum = 0;

	fill(input, SAMPLES);
	fill(coefficients, TAPS);
	fill(left, ORDER * ORDER);
	fill(right, ORDER * ORDER);
	arm_fir_init_f32(&fir, TAPS, coefficients, filter_state, BLOCK);
	for (unsigned i = 0; i < 5 * STAGES; i++)
		sections[i] = i % 5 < 3 ? 0.25f : -0.125f;
	arm_biquad_cascade_df1_mve_init_f32(&biquad, STAGES, sections, modified, section_state);
	for (unsigned i = 0; i < ROUNDS; i++) {
		filters();
		transforms();
		matrices();
	}
	sum = real_sum(sum, output, sizeof output);
	sum = real_sum(sum, product, sizeof product);
	sum = real_sum(sum, spectrum, sizeof spectrum);
	sum = real_sum(sum, power, sizeof power);
	return real_sum(real_sum(sum, &dot, sizeof dot), section_state, sizeof section_state);
}
