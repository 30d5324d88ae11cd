/* SPDX-License-Identifier: Apache-2.0 */
/* What the small bare-metal programs of this folder share: guest.c begins one, endings/NAME.c ends it. */
#ifndef TESTS_CLI_GUEST_H
#define TESTS_CLI_GUEST_H

#include "calls.h"

/* Secure addresses; those of Corstone-300 (Arm 101773, SSE-300 and AN547's memory map) where no other board is named. */
#define R32(addr) (*(volatile uint32_t *)(addr))
#ifdef CORSTONE_320
#define UART0 0x58203000u
#else
#define UART0 0x59303000u
#endif
#ifdef DMA350
#define STACK 0x31080000u
#else
#define STACK 0x30080000u
#endif
#define UART0_DATA R32(UART0)
#define UART0_STATE R32(UART0 + 0x04)
#define UART0_CTRL R32(UART0 + 0x08)
#define UART0_BAUDDIV R32(UART0 + 0x10)
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
