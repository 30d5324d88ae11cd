/* SPDX-License-Identifier: Apache-2.0 */
/* What a timing adapter imposes on the port behind it. */
#ifndef DEVICES_TIMING_ADAPTER_H
#define DEVICES_TIMING_ADAPTER_H

#include "devices/device.h"

struct timing_adapter_settings {
	u32 read_latency, write_latency; /* least cycles of a transaction */
	u32 max_reads, max_writes;       /* outstanding, 0 = no limit */
	u32 window, open;                /* cycles of one pulse period, and of its open part; 0 = always on */
	u32 cap;                         /* data beats that pass in a window; 0 = no limit */
};

/* Told at once and after each change; kept by the caller for the device's life. */
struct timing_adapter_host {
	void (*changed)(void *ctx, const struct timing_adapter_settings *settings);
	void *ctx;
};

void timing_adapter_connect(struct device *adapter, struct timing_adapter_host *host); /* instead of an earlier host */

#endif
