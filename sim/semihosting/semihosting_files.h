/* SPDX-License-Identifier: Apache-2.0 */
/* The files behind semihosting handles. Private to sim/semihosting*.c. */
#ifndef SIM_SEMIHOSTING_FILES_H
#define SIM_SEMIHOSTING_FILES_H

#include "sim/host.h"
#include "sim/semihosting/debugger.h"
#include "sim/wait.h"

enum { SEMIHOSTING_HANDLES = 64, SEMIHOSTING_NAME = 512 /* bytes of a name, its end included */ };

struct semihosting_file {
	enum { FILE_CLOSED, FILE_HOST, FILE_CONSOLE, FILE_FEATURES, FILE_DEBUGGER } kind;
	int fd;
	u32 position; /* of FILE_FEATURES */
	struct debugger_file remote; /* of FILE_DEBUGGER */
	bool append;  /* writes go to the end whatever the position */
	u8 mode;      /* as it was opened */
	char name[SEMIHOSTING_NAME]; /* of FILE_HOST */
};

struct coming;

struct semihosting_files {
	int directory; /* of the host; names are resolved beneath it */
	char *path;    /* where it lies, absolute and without links; NULL: not known */
	bool one_console; /* the program's standard error joins its standard output */
	int error;     /* errno of the last failing call */
	const struct wait *wait;
	const struct machine_host *host; /* where the console is; NULL: the standard streams */
	const struct semihosting_debugger *debugger; /* who is asked first; NULL: nobody */
	struct semihosting_file file[SEMIHOSTING_HANDLES];
	struct coming *coming; /* while a state is restored */
};

/* Opens the folder that names are resolved in, NULL or "": the working directory. No file is open then. False: errno says
 * why. Calls that wait for the host (pipes, standard input) fail when `wait` ends; it must outlive the files. */
bool files_open_directory(struct semihosting_files *f, const char *path, const struct wait *wait);
void files_close_all(struct semihosting_files *f); /* and the folder */

/* Results follow the semihosting specification (Semihosting for AArch32 and AArch64, ARM-software/abi-aa): handles are
 * 1 and up, `mode` is 0 to 11, sizes and positions are bytes, -1 is failure, of which f->error is the errno. */
int files_open(struct semihosting_files *f, const char *name, unsigned mode);
int files_close(struct semihosting_files *f, u32 handle);
/* Number of bytes NOT transferred. */
u32 files_write(struct semihosting_files *f, u32 handle, const void *data, u32 size);
u32 files_read(struct semihosting_files *f, u32 handle, void *data, u32 size);
int files_read_console(struct semihosting_files *f); /* one byte of standard input; -1: there is none */
int files_seek(struct semihosting_files *f, u32 handle, u32 position);
int files_length(struct semihosting_files *f, u32 handle);
/* The stream of the console that the handle stands for (enum machine_stream); 0: it is no console. */
int files_console(const struct semihosting_files *f, u32 handle);
/* Prints on that stream of the debugger's; false: there is none, and nothing is printed. */
bool files_print_at_debugger(struct semihosting_files *f, int stream, const void *data, u32 size);
/* Prints on that stream; bytes NOT printed. */
u32 files_print(struct semihosting_files *f, int stream, const void *data, u32 size);
int files_istty(struct semihosting_files *f, u32 handle); /* 1, 0, or -1 */
int files_remove(struct semihosting_files *f, const char *name);
int files_rename(struct semihosting_files *f, const char *from, const char *to);
int files_system(struct semihosting_files *f, const char *command); /* only a debugger runs commands */

/* Opens a name of the host's beneath the folder, as open(2); -1: errno says why. */
int files_open_beneath(const struct semihosting_files *f, const char *name, int flags);

struct state_list;
/* Registers the handles. A file open for reading is opened again by its name, and must be as long as it was; of one
 * that is open for writing the bytes are saved and written back. */
void files_state(struct semihosting_files *f, struct state_list *list);

#endif
