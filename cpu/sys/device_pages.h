/* SPDX-License-Identifier: Apache-2.0 */
/* The last pages without memory that were accessed, with what may be done there, so that a device is accessed without
 * asking SAU and MPU each time. One set per permission table (pages.h). Private to cpu/sys/. */
#ifndef CPU_SYS_DEVICE_PAGES_H
#define CPU_SYS_DEVICE_PAGES_H

#include "cpu/sys/protect.h"

#define DEVICE_PAGES 4 /* remembered; a power of two */

/* Addresses inside one page for which one answer holds: OR of PERM_, and their security attribution. perm 0: none. */
struct device_page { u32 first, last; u8 perm; bool ns; };
struct device_pages { struct device_page page[DEVICE_PAGES]; };

/* Nothing is known any more. */
void device_pages_forget(struct device_pages *d);
/* Puts page in place of another one; addr: any address inside it. */
void device_pages_remember(struct device_pages *d, u32 addr, struct device_page page);
/* A data access is known to be allowed; ns: the address' security attribution. False: unknown. */
bool device_pages_allow(const struct device_pages *d, const struct protect_request *q, bool *ns);

#endif
