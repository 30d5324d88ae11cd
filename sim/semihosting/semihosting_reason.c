/* SPDX-License-Identifier: Apache-2.0 */
/* Why a program says that it ends (Semihosting for AArch32 and AArch64, 7.6). */
#include "sim/semihosting/call.h"

const char *call_reason_text(u32 reason)
{
	static const struct { u32 reason; const char *text; } rows[] = {
		{ 0x20000, "branch through zero" }, { 0x20001, "undefined instruction" }, { 0x20003, "prefetch abort" }, { 0x20004, "data abort" },
		{ 0x20023, "run-time error, as of abort()" }, { 0x20024, "internal error" }, { 0x20027, "stack overflow" },
		{ 0x20028, "division by zero" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (rows[i].reason == reason)
			return rows[i].text;
	return "not the application's exit, 0x20026";
}
