/* SPDX-License-Identifier: Apache-2.0 */
/* Host side of a UART. */
#ifndef DEVICES_UART_H
#define DEVICES_UART_H

#include "devices/device.h"

/* Where a UART's bytes go and come from; kept by the caller for the device's life. */
struct uart_host {
	void (*put)(void *ctx, u8 byte); /* NULL: bytes are dropped */
	int (*get)(void *ctx);           /* next input byte or -1; NULL: no input */
	void *ctx;
	bool overruns; /* input comes at the line's speed and is lost when nobody reads it */
};

void uart_connect(struct device *uart, struct uart_host *host); /* instead of an earlier host */

#endif
