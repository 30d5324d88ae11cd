/* SPDX-License-Identifier: Apache-2.0 */
/* The files behind semihosting handles. Private to sim/semihosting*.c. */
#ifndef SIM_SEMIHOSTING_FILES_H
#define SIM_SEMIHOSTING_FILES_H

#include "memory/types.h"

enum { SEMIHOSTING_HANDLES = 64, SEMIHOSTING_NAME = 512 /* bytes of a name, its end included */ };

struct semihosting_file {
	enum { FILE_CLOSED, FILE_HOST, FILE_CONSOLE, FILE_FEATURES } kind;
	int fd;
	u32 position; /* of FILE_FEATURES */
	bool append;  /* writes go to the end whatever the position */
};

struct semihosting_files {
	int directory; /* of the host; names are resolved beneath it */
	bool one_console; /* the program's standard error joins its standard output */
	int error;     /* errno of the last failing call */
	struct semihosting_file file[SEMIHOSTING_HANDLES];
};

/* Opens the folder that names are resolved in, NULL or "": the working directory. No file is open then. False: errno says why. */
bool files_open_directory(struct semihosting_files *f, const char *path);
void files_close_all(struct semihosting_files *f); /* and the folder */

/* Results follow the semihosting specification (Semihosting for AArch32 and AArch64, ARM-software/abi-aa): handles are
 * 1 and up, `mode` is 0 to 11, sizes and positions are bytes, -1 is failure, of which f->error is the errno. */
int files_open(struct semihosting_files *f, const char *name, unsigned mode);
int files_close(struct semihosting_files *f, u32 handle);
/* Number of bytes NOT transferred. */
u32 files_write(struct semihosting_files *f, u32 handle, const void *data, u32 size);
u32 files_read(struct semihosting_files *f, u32 handle, void *data, u32 size);
int files_seek(struct semihosting_files *f, u32 handle, u32 position);
int files_length(struct semihosting_files *f, u32 handle);
int files_istty(struct semihosting_files *f, u32 handle); /* 1, 0, or -1 */
int files_remove(struct semihosting_files *f, const char *name);
int files_rename(struct semihosting_files *f, const char *from, const char *to);

#endif
