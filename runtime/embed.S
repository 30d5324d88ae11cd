/* SPDX-License-Identifier: Apache-2.0 */
/* The network, its input and its golden output as bytes of the image. Paths come from the build. 128 bytes:
 * what programs and bundles are aligned to. */
	.section .network, "a"
	.macro embed name, path
	.balign 128
	.global \name
\name:
	.incbin "\path"
	.global \name\()_end
\name\()_end:
	.endm

#ifdef NETWORK_FILE
	embed embedded_network, NETWORK_FILE
#endif
#ifdef DATA_FILE
	embed embedded_data, DATA_FILE
#endif
	embed embedded_input, INPUT_FILE
#ifdef GOLDEN_FILE
	embed embedded_golden, GOLDEN_FILE
#endif
