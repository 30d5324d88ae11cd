/* SPDX-License-Identifier: Apache-2.0 */
/* The heap of a program that soon ends. */
#ifndef SIM_CLI_HEAP_H
#define SIM_CLI_HEAP_H

/* From here on the heap grows in a huge page, where the host has them. Only time depends on it. */
void heap_in_huge_page(void);

#endif
