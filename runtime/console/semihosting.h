/* SPDX-License-Identifier: Apache-2.0 */
/* Arm semihosting calls (Semihosting for AArch32 and AArch64, 2021). */
#ifndef RUNTIME_SEMIHOSTING_H
#define RUNTIME_SEMIHOSTING_H

#include <stddef.h>
#include <stdint.h>

/* Modes of semihosting_open(): fopen's, by number. */
enum { SEMIHOSTING_READ = 1, SEMIHOSTING_WRITE = 5 };

/* One call: BKPT 0xAB with the number in r0 and the parameter in r1. -1 when nobody serves it. */
int semihosting_call(int number, const void *parameter);

/* Ends the run with that status (SYS_EXIT_EXTENDED); without semihosting the console gets the
 * end-of-transmission character instead, and the call returns. */
void semihosting_exit(int status);

/* Files on the host. Open: a handle, -1 when it cannot be opened. Length in bytes, -1 on failure. Read and write:
 * whether all bytes went. */
int semihosting_open(const char *name, int mode);
int32_t semihosting_length(int handle);
int semihosting_read_all(int handle, void *to, size_t bytes);
int semihosting_write_all(int handle, const void *from, size_t bytes);
void semihosting_close(int handle);

/* Text for the host's console, ended by a zero. */
void semihosting_write(const char *text);

/* The command line, ended by a zero; 0 when there is none or it is longer. */
int semihosting_command_line(char *to, size_t bytes);

#endif
