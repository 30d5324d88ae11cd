/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/stop.h"

static const struct { const char *name, *text; int status, fvp_status; } table[] = {
#define S(name, code, fvp_code, text) { #name, text, code, fvp_code },
#include "sim/stop.def"
#undef S
};

const char *stop_name(enum stop_reason r)
{
	return table[r].name;
}

const char *stop_text(enum stop_reason r)
{
	return table[r].text;
}

int stop_status(enum stop_reason r, bool fvp, int guest)
{
	const int status = fvp ? table[r].fvp_status : table[r].status;

	return status < 0 ? guest & 0xff : status;
}

bool stop_is_endless(enum stop_reason r)
{
	return r == STOP_LOCKUP || r == STOP_FAULT || r == STOP_SPIN || r == STOP_SLEEP;
}
