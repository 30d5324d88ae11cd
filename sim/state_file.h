/* SPDX-License-Identifier: Apache-2.0 */
/* A machine's state in a file of the host: compressed, with a checksum. */
#ifndef SIM_STATE_FILE_H
#define SIM_STATE_FILE_H

#include "sim/packed_file.h"
#include "sim/state.h"

/* Creates or replaces the file. A line in `why` unless the result is STATE_FILE_OK. */
enum state_file_result machine_save_file(struct machine *m, const char *path, char *why, size_t why_size);

/* As machine_restore; with another result than STATE_FILE_OK nothing has changed. */
enum state_file_result machine_restore_file(struct machine *m, const char *path, char *why, size_t why_size);

#endif
