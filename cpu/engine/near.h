/* SPDX-License-Identifier: Apache-2.0 */
/* Host memory near the program, so that 32 bits name what lies in it (slot.h) and jumps between it and the
 * handlers are direct ones. Private to engine/. */
#ifndef CPU_ENGINE_NEAR_H
#define CPU_ENGINE_NEAR_H

#include <stddef.h>

#define NEAR_ALIGN 65536u

/* `bytes` (a multiple of NEAR_ALIGN) of a file from `offset`, or zeroed memory (fd -1), with these rights (mmap's
 * PROT_...), aligned to NEAR_ALIGN; NULL: there is no room, or the host refuses. Ends with munmap. Any two places
 * in near memory and the program are less than 2 GiB apart. */
void *near_map(size_t bytes, int rights, int fd, size_t offset);

#endif
