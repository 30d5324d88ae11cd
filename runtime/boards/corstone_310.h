/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses of the Corstone-310 (SSE-310 on MPS3) that the runtime uses, Secure aliases. */
#ifndef BOARD_CORSTONE_310_H
#define BOARD_CORSTONE_310_H

#define BOARD_NAME "Corstone-310"
#define BOARD_UART0_BASE 0x59303000u
#define BOARD_UART_DIVIDER 217 /* 25 MHz / 115200 */
#define BOARD_ETHOSU_BASE 0x50004000u
#define BOARD_ETHOSU_IRQ 16
#define BOARD_IRQS 144
#define BOARD_CPU_HZ 25000000u

#endif
