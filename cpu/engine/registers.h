/* SPDX-License-Identifier: Apache-2.0 */
/* Host registers that handlers keep for the whole run: first of all includes of a handler file, as such variables
 * must stand before any function. Private to engine/ and stencil/. */
#ifndef CPU_ENGINE_REGISTERS_H
#define CPU_ENGINE_REGISTERS_H

#if defined(ENGINE_FREE_REGISTERS) && !defined(ENGINE_NO_TAIL)
#define ENGINE_PINNED 1
/* cpu->mem, and cpu->page_ok as it is now: whatever may choose another table is followed by PIN(). */
register unsigned char *engine_memory __asm__("r14");
register const unsigned char *engine_rights __asm__("r15");
#define PIN(c) do { \
		engine_memory = (c)->mem; \
		engine_rights = (c)->page_ok; \
	} while (0)
#else
#define PIN(c) ((void)0)
#endif

#endif
