/* SPDX-License-Identifier: Apache-2.0 */
/* What the small bare-metal programs of this folder share: guest.c begins one, endings/NAME.c ends it. */
#ifndef TESTS_CLI_GUEST_H
#define TESTS_CLI_GUEST_H

#include "calls.h"

/* Corstone-300, Secure addresses (Arm 101773, SSE-300 and AN547's memory map) */
#define R32(addr) (*(volatile uint32_t *)(addr))
#define UART0_DATA R32(0x59303000u)
#define UART0_STATE R32(0x59303004u)
#define UART0_CTRL R32(0x59303008u)
#define UART0_BAUDDIV R32(0x59303010u)
#define FPGAIO_CLK1HZ R32(0x59302010u)
#define SYST_CSR R32(0xe000e010u)
#define SYST_RVR R32(0xe000e014u)
#define SYST_CVR R32(0xe000e018u)
#define VTOR R32(0xe000ed08u)
#define SHPR1 R32(0xe000ed18u)
#define SHPR3 R32(0xe000ed20u)
#define SHCSR R32(0xe000ed24u)
#define COUNTFLAG 0x10000u
#define BUSFAULTENA (1u << 17)
#define NOTHING_THERE 0x5fff0000u

extern volatile int ticks; /* SysTick exceptions so far */

/* The subject of one program: called once, after "hello". */
void ending(void);

void print(const char *text);
void start_systick(int interrupt); /* at its longest period */

#endif
