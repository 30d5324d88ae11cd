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

static void report(const struct npu *n, enum npu_message m, char *to, size_t size, va_list args)
{
	char text[192];

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	vsnprintf(text, sizeof(text), messages[m].text, args);
#pragma GCC diagnostic pop
	snprintf(to, size, "command at offset 0x%x: %s; %s", n->s.qread, text, messages[m].fix);
	diag_report(n->options.diag, DIAG_GUEST, messages[m].id, "NPU %s", to);
}

void npu_say(struct npu *n, enum npu_message m, ...)
{
	va_list args;

	va_start(args, m);
	report(n, m, n->result.message, sizeof(n->result.message), args);
	va_end(args);
}

void npu_say_once(struct npu *n, enum npu_message m, ...)
{
	char text[sizeof(n->result.message)];
	va_list args;

	if (n->said & UINT32_C(1) << m)
		return;
	n->said |= UINT32_C(1) << m;
	va_start(args, m);
	report(n, m, text, sizeof(text), args);
	va_end(args);
}
