/* SPDX-License-Identifier: Apache-2.0 */
/* The network, its input and its golden output as bytes of the image. Paths come from the build. */
	.section .network, "a"
	.macro embed name, path
	.balign 16
	.global \name
\name:
	.incbin "\path"
	.global \name\()_end
\name\()_end:
	.endm

	embed embedded_network, NETWORK_FILE
	embed embedded_input, INPUT_FILE
	embed embedded_golden, GOLDEN_FILE
