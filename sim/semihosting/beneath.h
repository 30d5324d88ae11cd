/* SPDX-License-Identifier: Apache-2.0 */
/* Names that lead to nothing outside one directory of the host: neither "..", an absolute name nor a symbolic link does (names of what lies there are made relative before). */
#ifndef SIM_SEMIHOSTING_BENEATH_H
#define SIM_SEMIHOSTING_BENEATH_H

/* As openat(2), with O_CLOEXEC, beneath the directory. -1: errno says why; EXDEV: it would leave the directory. Flags are
 * neither O_EXCL nor O_NOFOLLOW. */
int beneath_open(int directory, const char *name, int flags);

/* The same without the kernel's help, part by part: what beneath_open does on hosts that have no openat2. */
int beneath_walk(int directory, const char *name, int flags);

#endif
