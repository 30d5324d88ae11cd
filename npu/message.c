/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of the NPU: where in the stream, what, and what to do about it. */
#include <stdarg.h>
#include <stdio.h>

#include "npu/private.h"

static const struct {
	const char *id, *text, *fix;
} messages[NPU_MESSAGES] = {
#define M(name_, id_, text_, fix_) [NPU_MSG_##name_] = { id_, text_, fix_ },
#include "npu/message.def"
#undef M
};

void npu_say(struct npu *n, enum npu_message m, ...)
{
	char text[192];
	va_list args;

	va_start(args, m);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	vsnprintf(text, sizeof(text), messages[m].text, args);
#pragma GCC diagnostic pop
	va_end(args);
	snprintf(n->result.message, sizeof(n->result.message), "command at offset 0x%x: %s; %s",
		 n->s.qread, text, messages[m].fix);
	diag_report(n->options.diag, DIAG_GUEST, messages[m].id, "NPU %s", n->result.message);
}
