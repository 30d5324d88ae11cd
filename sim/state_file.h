/* SPDX-License-Identifier: Apache-2.0 */
/* A machine's state in a file of the host: compressed, with a checksum. */
#ifndef SIM_STATE_FILE_H
#define SIM_STATE_FILE_H

#include "sim/packed_file.h"
#include "sim/state.h"

/* Creates or replaces the file. A failure comes with a line in `why`. */
enum failure machine_save_file(struct machine *m, const char *path, char *why, size_t why_size);

/* As machine_restore; after a failure nothing has changed. */
enum failure machine_restore_file(struct machine *m, const char *path, char *why, size_t why_size);

#endif
