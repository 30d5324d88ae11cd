/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses of the Corstone-320 (SSE-320 on MPS4) that the runtime uses, Secure aliases. */
#ifndef BOARD_CORSTONE_320_H
#define BOARD_CORSTONE_320_H

#define BOARD_NAME "Corstone-320"
#define BOARD_UART0_BASE 0x58203000u
#define BOARD_UART_DIVIDER 217 /* 25 MHz / 115200 */
#define BOARD_ETHOSU_BASE 0x50004000u
#define BOARD_ETHOSU_IRQ 16
#define BOARD_IRQS 160
#define BOARD_CPU_HZ 25000000u

#endif
