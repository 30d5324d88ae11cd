/* SPDX-License-Identifier: Apache-2.0 */
/* Memory systems out of a configuration file of the compiler: sections System_Config.NAME and Memory_Mode.NAME of a
 * vela.ini. Names of sections and keys in any letter case, values may come from another section (`inherit`). */
#ifndef LOADER_VELA_INI_H
#define LOADER_VELA_INI_H

#include "memory/types.h"

enum { VELA_PORTS = 2 };

/* What lies behind a port. */
struct vela_memory {
	u32 read_latency, write_latency; /* cycles of the NPU */
	u32 max_reads, max_writes;       /* outstanding transactions, 0: not limited */
	u32 per_mille;                   /* of the port's beats, 1000: one every cycle; of all its ports together */
};

/* Which port constants and the arena lie behind. */
struct vela_mode { u8 constants, arena; };

/* Finds a system configuration, a memory mode in the text of a file (it ends with 0). False with one line in `why`: no
 * such section (and which there are), a number that cannot be read, a port that names no memory. */
bool vela_ini_system(const char *text, const char *name, struct vela_memory out[VELA_PORTS], char *why, size_t why_size);
bool vela_ini_mode(const char *text, const char *name, struct vela_mode *out, char *why, size_t why_size);

#endif
