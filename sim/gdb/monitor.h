/* SPDX-License-Identifier: Apache-2.0 */
/* Commands of "monitor" that have files of their own. */
#ifndef SIM_GDB_MONITOR_H
#define SIM_GDB_MONITOR_H

#include "sim/gdb/session.h"

/* Text for the debugger's console, at most 511 characters. */
void monitor_print(struct gdb *g, const char *format, ...) __attribute__((format(printf, 2, 3)));

void monitor_npu(struct gdb *g, const char *rest);      /* monitor_npu.c */
void monitor_irqs(struct gdb *g, const char *rest);     /* monitor_core.c */
/* regions of the MPU */
void monitor_mpu(struct gdb *g, const char *rest);
void monitor_trace(struct gdb *g, const char *rest);    /* monitor_look.c */
/* who called whom */
void monitor_backtrace(struct gdb *g, const char *rest);
/* the last branches before here */
void monitor_branches(struct gdb *g, const char *rest);

#endif
