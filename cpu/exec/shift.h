/* SPDX-License-Identifier: Apache-2.0 */
/* The barrel shifter: operand two of data-processing instructions, with its carry. */
#ifndef CPU_EXEC_SHIFT_H
#define CPU_EXEC_SHIFT_H

#include "cpu/exec/body.h"

/* Constant amounts: lsl and ror 1..31, lsr and asr 1..32. `in` is the carry before; the carry out
 * goes to *carry where the instruction sets it, else `carry` is NULL. One shift gives result and
 * carry: variable shifts cost several cycles on some hosts. */
BODY u32 shift_rr(u32 x, u32 n, u32 in, u32 *carry)
{
	if (carry)
		*carry = in;
	return x;
}
BODY u32 shift_lsl(u32 x, u32 n, u32 in, u32 *carry)
{
	if (!carry)
		return SHL_IMM(x, n);
	u64 wide = SHL_IMM((u64)x, n);
	*carry = wide >> 32 & 1;
	return (u32)wide;
}
BODY u32 shift_lsr(u32 x, u32 n, u32 in, u32 *carry)
{
	if (!carry)
		return (u32)SHR_IMM((u64)x, n);
	u64 wide = SHR_IMM((u64)x << 32, n);
	*carry = (u32)wide >> 31;
	return (u32)(wide >> 32);
}
BODY u32 shift_asr(u32 x, u32 n, u32 in, u32 *carry)
{
	if (!carry)
		return (u32)SHR_IMM((i64)(i32)x, n);
	i64 wide = SHR_IMM((i64)((u64)x << 32), n);
	*carry = (u32)wide >> 31;
	return (u32)(wide >> 32);
}
BODY u32 shift_ror(u32 x, u32 n, u32 in, u32 *carry)
{
	u32 r = ROR_IMM(x, n);
	if (carry)
		*carry = r >> 31;
	return r;
}
BODY u32 shift_rrx(u32 x, u32 n, u32 in, u32 *carry)
{
	if (carry)
		*carry = x & 1;
	return x >> 1 | in << 31;
}

/* Amounts from a register: 0..255. */
BODY u32 shift_by_lsl(u32 x, u32 n, u32 *carry)
{
	if (n) /* bit 32 of the wide value is what falls out */
		*carry = n > 32 ? 0 : (u32)((u64)x << n >> 32) & 1;
	return n > 31 ? 0 : x << n;
}
BODY u32 shift_by_lsr(u32 x, u32 n, u32 *carry)
{
	if (n)
		*carry = n > 32 ? 0 : (u32)((u64)x >> (n - 1)) & 1;
	return n > 31 ? 0 : x >> n;
}
BODY u32 shift_by_asr(u32 x, u32 n, u32 *carry)
{
	if (n)
		*carry = (u32)((i64)(i32)x >> (n > 32 ? 32 : n - 1)) & 1;
	return (u32)((i64)(i32)x >> (n > 32 ? 32 : n));
}
BODY u32 shift_by_ror(u32 x, u32 n, u32 *carry)
{
	u32 r = ror32(x, n);
	if (n)
		*carry = r >> 31;
	return r;
}

#endif
