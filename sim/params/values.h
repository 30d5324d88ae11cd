/* SPDX-License-Identifier: Apache-2.0 */
/* Values on command lines and in parameter files. What is refused leaves `*out` as it was. */
#ifndef SIM_VALUES_H
#define SIM_VALUES_H

#include "memory/types.h"

/* Decimal or 0x hexadecimal, whole string. */
bool value_u64(const char *text, u64 *out);
bool value_u32(const char *text, u32 *out);
/* 0, 1, true, false, on, off. */
bool value_bool(const char *text, bool *out);
/* A non-negative decimal number of seconds. */
bool value_seconds(const char *text, double *out);

/* YYYY-MM-DD or YYYY-MM-DDThh:mm:ss, UTC, from 1970 to 2105; or seconds since 1970. */
bool value_date(const char *text, u32 *out);

/* Bytes of a file at an address. */
struct data_file {
	const char *path;
	const char *instance; /* INSTANCE= before FILE, NULL: none */
	u32 addr;
	u64 size; /* with_size only */
};

/* [INSTANCE=]FILE@[MEMSPACE:]ADDR and, with_size, ,SIZE. The file name may contain '@': the last
 * one counts. Keeps `text`, and cuts it when the value is good. */
bool value_data_file(char *text, bool with_size, struct data_file *out);

#endif
