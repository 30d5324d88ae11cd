/* SPDX-License-Identifier: Apache-2.0 */
/* Register tables: one row per register of a device, written so that it reads like the manual.
 *
 * A device's .c file holds its table as one list
 *
 *     #define REGS(R) \
 *         R(0x000, 1, DATA,  RW, 0, 0xff, "byte to send; reading takes a received byte") \
 *         R(0x004, 1, STATE, RO, 0, 0xf,  "1 TX full, 2 RX full ...")
 *     REG_TABLE(REGS)
 *
 * which makes an enumerator per register (DATA = 0x000, the byte offset) and the const array
 * `rows`. Decoding, defaults, write masks, names in messages, the documentation
 * (docs/reference/devices.md) and the generic test all come from the rows. */
#ifndef DEVICES_REGS_H
#define DEVICES_REGS_H

#include "memory/types.h"

enum reg_access {
	RO,  /* writes are ignored and reported once */
	RW,
	WO,  /* reads as zero unless the device's read hook answers */
	W1C, /* writing 1 clears the bit */
};

struct reg_row {
	u16 offset; /* bytes from the device's base, multiple of 4 */
	u16 count;  /* how many such registers follow each other, 4 bytes apart */
	const char *name;
	u8 access;  /* enum reg_access */
	u32 reset;
	u32 mask;   /* bits that exist; others read as zero and ignore writes */
	const char *doc;
};

#define REG_ENUM(off, n, nm, acc, rst, msk, text) nm = (off),
#define REG_ROW(off, n, nm, acc, rst, msk, text) {(off), (n), #nm, (acc), (rst), (msk), text},

#define REG_TABLE(list)                                 \
	enum { list(REG_ENUM) };                        \
	static const struct reg_row rows[] = {list(REG_ROW)};

#endif
