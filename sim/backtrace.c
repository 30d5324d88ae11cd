/* SPDX-License-Identifier: Apache-2.0 */
/* What exceptions and calls between the Security states leave on the stack: Armv8-M ARM B3.19 (exception entry), B3.22
 * (return), B3.16 (FNC_RETURN). Nothing is checked as hardware would: a debugger shows what is there. */
#include "sim/backtrace.h"

#include <stdio.h>
#include <string.h>

enum {
	SP = 13,
	ES = 1 << 0, SPSEL = 1 << 2, MODE = 1 << 3, FTYPE = 1 << 4, DCRS = 1 << 5, S = 1 << 6, /* EXC_RETURN */
	CALLEE_BYTES = 0x28, BASIC_BYTES = 0x20, FP_BYTES = 0x48, FP_CALLEE_BYTES = 0x40,
	CONTROL_SPSEL = 2, XPSR_REALIGNED = 1 << 9, XPSR_EXCEPTION = 0x1ff,
};
#define EXC_RETURN 0xffffff80u /* and above */
#define FNC_RETURN 0xfefffffeu /* bit 0 does not count */
#define RESET_LR 0xffffffffu
#define FPCCR_S 0xe000ef34u
#define FPCCR_TS (1u << 26)

struct walk {
	struct machine *m;
	u32 r[16];
	u32 sp[2][2];     /* [Secure][process]; the one in use is r[SP] */
	u32 control[2];
	u16 exception;
	bool secure, process;
};

static bool word(void *ctx, u32 addr, u32 *out)
{
	const struct walk *w = ctx;

	return cpu_peek(w->m->cpu, addr, out, 4);
}

static void start(struct walk *w, struct machine *m)
{
	const struct cpu *c = m->cpu;
	struct cpu_fault_info fault;

	*w = (struct walk){ .m = m, .exception = cpu_get_reg(c, CPU_REG_XPSR) & XPSR_EXCEPTION, .secure = cpu_get_reg(c, CPU_REG_SECURE) };
	for (unsigned i = 0; i < 16; i++)
		w->r[i] = cpu_get_reg(c, i);
	cpu_fault_info(c, &fault);
	if (fault.valid && fault.lockup) /* the pc is that of Lockup, 0xeffffffe */
		w->r[15] = fault.pc;
	for (unsigned s = 0; s < 2; s++) {
		w->sp[s][0] = cpu_get_reg(c, s ? CPU_REG_MSP_S : CPU_REG_MSP_NS);
		w->sp[s][1] = cpu_get_reg(c, s ? CPU_REG_PSP_S : CPU_REG_PSP_NS);
		w->control[s] = cpu_get_reg(c, s ? CPU_REG_CONTROL_S : CPU_REG_CONTROL_NS);
	}
	w->process = !w->exception && w->control[w->secure] & CONTROL_SPSEL;
}

/* Goes on with the stack of that state. */
static void change_state(struct walk *w, bool secure)
{
	w->sp[w->secure][w->process] = w->r[SP];
	w->secure = secure;
	w->process = !w->exception && w->control[secure] & CONTROL_SPSEL;
	w->r[SP] = w->sp[secure][w->process];
}

static u32 fp_bytes(const struct walk *w, bool secure)
{
	u32 fpccr = 0;

	cpu_debug_access(w->m->cpu, FPCCR_S, 4, false, &fpccr);
	return FP_BYTES + (secure && fpccr & FPCCR_TS ? FP_CALLEE_BYTES : 0);
}

/* From a handler that would return with `lr` to what it interrupted. */
static bool leave_exception(struct walk *w, u32 lr)
{
	const bool secure = w->m->config.cpu.security && lr & S, from_secure = w->m->config.cpu.security && lr & ES;
	u32 at, frame[8];

	w->sp[w->secure][w->process] = w->r[SP];
	w->control[from_secure] = (w->control[from_secure] & ~(u32)CONTROL_SPSEL) | (lr & SPSEL ? CONTROL_SPSEL : 0);
	w->secure = secure;
	w->process = lr & MODE && w->control[secure] & CONTROL_SPSEL;
	at = w->sp[secure][w->process];
	if (secure && (!(lr & ES) || !(lr & DCRS))) {
		for (unsigned i = 0; i < 8; i++)
			if (!word(w, at + 8 + 4 * i, &w->r[4 + i]))
				return false;
		at += CALLEE_BYTES;
	}
	for (unsigned i = 0; i < 8; i++)
		if (!word(w, at + 4 * i, &frame[i]))
			return false;
	memcpy(w->r, frame, 4 * sizeof *frame);
	w->r[12] = frame[4];
	w->r[14] = frame[5];
	w->r[15] = frame[6];
	w->exception = frame[7] & XPSR_EXCEPTION;
	w->r[SP] = (at + BASIC_BYTES + (lr & FTYPE ? 0 : fp_bytes(w, secure))) | (frame[7] & XPSR_REALIGNED ? 4 : 0);
	return true;
}

/* From a Non-secure function that a Secure one called with BLXNS: what the call pushed is on the Secure stack. */
static bool leave_nonsecure(struct walk *w)
{
	u32 back, psr;

	change_state(w, true);
	if (!word(w, w->r[SP], &back) || !word(w, w->r[SP] + 4, &psr))
		return false;
	w->r[15] = back;
	w->r[SP] += 8;
	if (psr & XPSR_EXCEPTION)
		w->exception = psr & XPSR_EXCEPTION;
	return true;
}

static const struct image_function *function_at(const struct machine *m, u32 place)
{
	const struct image_function *f = NULL;

	for (unsigned i = 0; i < m->image_count && !f; i++)
		f = image_function_at(&m->images[i], place);
	return f;
}

/* To where `to`, which a function returns to, leads. */
static enum backtrace_link follow(struct walk *w, u32 to)
{
	if (to == RESET_LR)
		return LINK_END;
	if (!to) /* no code is there, but it stands on the stack where nothing says what was saved (around BLXNS, for one) */
		return LINK_UNKNOWN;
	if (to >= EXC_RETURN)
		return leave_exception(w, to) ? LINK_EXCEPTION : LINK_UNKNOWN;
	if ((to | 1) == (FNC_RETURN | 1))
		return leave_nonsecure(w) ? LINK_SECURITY : LINK_UNKNOWN;
	w->r[15] = to;
	if (to & 1)
		return LINK_CALL;
	if (!w->m->config.cpu.security || !w->secure || !function_at(w->m, to - 2)) /* BX there would fault, or it is no address of code */
		return LINK_UNKNOWN;
	change_state(w, false);
	return LINK_SECURITY;
}

/* At what an exception interrupted, lr is where a call came from that led to no code at all, or to a function that has not made another. */
static bool called_by_lr(const struct walk *w, u32 place)
{
	const struct image_function *caller = function_at(w->m, w->r[14] - 2);

	return w->r[14] >= EXC_RETURN || (caller && caller != function_at(w->m, place));
}

/* Where nothing is known of the innermost function, or of one that was interrupted, it may be one that has not touched lr. */
static bool unwind(struct walk *w, u32 place, bool innermost, bool interrupted)
{
	struct machine *m = w->m;

	for (unsigned i = 0; i < m->image_count; i++)
		if (image_unwind(&m->images[i], place, w->r, word, w))
			return true;
	if (!innermost && !(interrupted && called_by_lr(w, place)))
		return false;
	w->r[15] = w->r[14];
	return true;
}

static bool is_start(const struct machine *m, u32 place)
{
	for (unsigned i = 0; i < m->image_count; i++) {
		const struct image_function *f = image_function_at(&m->images[i], place);

		if (f && m->images[i].has_entry && f == image_function_at(&m->images[i], m->images[i].entry))
			return true;
	}
	return false;
}

static enum backtrace_link go_out(struct walk *w, u32 place, bool innermost, bool interrupted)
{
	u32 before[16];

	if (is_start(w->m, place) && !w->exception)
		return LINK_END;
	memcpy(before, w->r, sizeof before);
	if (!unwind(w, place, innermost, interrupted))
		return LINK_UNKNOWN;
	if (w->r[15] == before[15] && w->r[SP] == before[SP]) /* it would go on for ever */
		return LINK_UNKNOWN;
	return follow(w, w->r[15]);
}

unsigned backtrace(struct machine *m, struct backtrace_frame *frames, unsigned most)
{
	struct walk w;
	bool returns = false; /* r[15] is where a call comes back to */
	unsigned n = 0;

	start(&w, m);
	for (; n < most; n++) {
		struct backtrace_frame *f = &frames[n];

		*f = (struct backtrace_frame){ .pc = w.r[15] & ~1u, .exception = w.exception, .secure = w.secure };
		f->place = returns ? f->pc - 2 : f->pc;
		f->link = go_out(&w, f->place, !n, n && f[-1].link == LINK_EXCEPTION);
		if (f->link == LINK_END || f->link == LINK_UNKNOWN)
			return n + 1;
		returns = f->link != LINK_EXCEPTION;
	}
	return n;
}

const char *backtrace_exception(u16 number, char *text, size_t size)
{
	static const char *const names[16] = { "", "Reset", "NMI", "HardFault", "MemManage", "BusFault", "UsageFault", "SecureFault",
		"", "", "", "SVCall", "DebugMonitor", "", "PendSV", "SysTick" };

	if (number < 16 && *names[number])
		snprintf(text, size, "%s", names[number]);
	else if (number < 16)
		snprintf(text, size, "exception %u", number);
	else
		snprintf(text, size, "irq %u", number - 16);
	return text;
}

const char *backtrace_link_text(const struct backtrace_frame *f, char *text, size_t size)
{
	char exception[32];

	switch (f->link) {
	case LINK_EXCEPTION:
		snprintf(text, size, "<%s, came in between>", backtrace_exception(f->exception, exception, sizeof exception));
		break;
	case LINK_SECURITY:
		snprintf(text, size, "<called from %s state>", f->secure ? "Non-secure" : "Secure");
		break;
	case LINK_UNKNOWN:
		snprintf(text, size, "<nothing says where that was called from>");
		break;
	default:
		return NULL;
	}
	return text;
}
