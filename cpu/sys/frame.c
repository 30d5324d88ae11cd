/* SPDX-License-Identifier: Apache-2.0 */
/* Exception frames on the stack: Armv8-M ARM B3.20-B3.22, pseudocode PushStack,
 * PushCalleeStack. Whether a part of a frame above the stack limit is written is
 * implementation defined: nothing is. */
#include "cpu/sys/frame.h"
#include "cpu/sys/caches.h"
#include "cpu/sys/nvic.h"
#include "cpu/sys/pages.h"
#include "cpu/sys/scs.h"
#include "cpu/sys/state.h"

/* The fault that a failing stack access gives, by reason and kind of access. */
static enum fault stack_fault(enum protect_result why, unsigned kind)
{
	static const u8 table[3][3] = {
		{ FAULT_AUVIOL, FAULT_AUVIOL, FAULT_SLSPERR },
		{ FAULT_MSTKERR, FAULT_MUNSTKERR, FAULT_MLSPERR },
		{ FAULT_STKERR, FAULT_UNSTKERR, FAULT_LSPERR },
	};
	unsigned column = kind == ACC_STACK ? 0 : kind == ACC_UNSTACK ? 1 : 2;
	unsigned row = why == PROTECT_SECURITY ? 0 : why == PROTECT_MPU ? 1 : 2;
	return table[row][column];
}

static void stack_access(struct stack_io *io, u32 addr, enum protect_kind kind, u32 *value)
{
	if (!io->ok)
		return;
	struct protect_request q = { addr, 4, (u8)kind, io->secure, io->privileged };
	enum protect_result why = access_do(io->c, &q, value);
	if (why == PROTECT_OK)
		return;
	io->ok = false;
	raise_fault(io->c, stack_fault(why, io->kind), addr, io->secure,
		    io->ignore_faults ? RAISE_IGNORED : io->kind == ACC_LAZYFP ? RAISE_LAZY : RAISE_DERIVED);
}

void stack_store(struct stack_io *io, u32 addr, u32 value)
{
	stack_access(io, addr, PROTECT_WRITE, &value);
}

u32 stack_load(struct stack_io *io, u32 addr)
{
	u32 value = 0;
	stack_access(io, addr, PROTECT_READ, &value);
	return io->ok ? value : 0;
}

/* What is known to be allowed for all of the eight words at addr. */
static u8 rights_of_words(const struct stack_io *io, u32 addr)
{
	const u32 last = addr + FRAME_INTEGER - 1;

	if ((addr ^ last) >> BUS_PAGE_SHIFT)
		return 0;
	return pages_allow(io->c, addr, io->secure, io->privileged) & pages_allow(io->c, last, io->secure, io->privileged);
}

/* Of two granules at most, so that the first and the last byte say what holds for all. */
bool stack_words(struct stack_io *io, u32 addr, bool write, u32 words[8])
{
	const u8 rights = rights_of_words(io, addr), waits = write ? PERM_WAIT_WRITE : PERM_WAIT_READ;
	u8 *memory = io->c->mem + addr;

	if (!io->ok || !(rights & (waits | (write ? PERM_WRITE : PERM_READ))))
		return false;
	if (rights & waits)
		caches_note(io->c, addr, FRAME_INTEGER, write, io->secure);
	memcpy(write ? memory : (u8 *)words, write ? (u8 *)words : memory, FRAME_INTEGER);
	return true;
}

u32 frame_signature(u32 exc_return)
{
	return exc_return & EXC_RETURN_FTYPE ? 0xFEFA125B : 0xFEFA125A;
}

/* Bytes of FP state in the frame of the current context. */
static u32 fp_frame_size(const struct cpu *c)
{
	const struct cpu_sys *s = c->sys;
	if (!s->fpca || !fp_shared(c, c->core.secure))
		return 0;
	bool callee = c->core.secure && s->reg[BANK_S][SCS_FPCCR] & FPCCR_TS;
	return FRAME_FP + (callee ? FRAME_FP_CALLEE : 0);
}

/* Why the FP context cannot be on the stack, whatever happened to the integer part; true: a fault is pended. */
static bool push_forbidden(struct cpu *c, bool secure)
{
	const struct cpu_sys *s = c->sys;
	bool owner = s->reg[BANK_S][SCS_FPCCR] & FPCCR_S;
	bool deferred = s->reg[owner][SCS_FPCCR] & FPCCR_LSPACT; /* an attack: that context was not active */

	if (!c->config.security || (!deferred && fp_shared(c, secure)))
		return false;
	raise_fault(c, deferred ? FAULT_LSERR : FAULT_NOCP, 0, true, RAISE_DERIVED);
	return true;
}

/* The FP part. It is deferred, or cleared, also when the integer part failed: a handler must not see it. */
static void push_fp(struct cpu *c, struct stack_io *io, u32 frame)
{
	const struct cpu_sys *s = c->sys;
	bool callee = io->secure && s->reg[BANK_S][SCS_FPCCR] & FPCCR_TS, fault_secure;
	if (push_forbidden(c, io->secure)) {
		io->ok = false;
		return;
	}
	if (s->reg[BANK_S][SCS_FPCCR] & FPCCR_LSPEN) {
		fp_defer(c, frame + FRAME_INTEGER, true);
		return;
	}
	bool permitted = fp_permitted(c, io->secure, io->privileged, &fault_secure);
	if (io->ok && !permitted) {
		raise_fault(c, FAULT_NOCP, c->core.r[15], fault_secure, RAISE_DERIVED);
		io->ok = false;
	}
	fp_store(io, frame + FRAME_INTEGER, callee);
	if (permitted)
		fp_clear(c, callee); /* with the Security Extension always, whoever owns them */
}

static void push_integer(struct cpu *c, struct stack_io *io, u32 frame, u32 psr)
{
	const u32 *r = c->core.r;
	u32 words[8] = { r[0], r[1], r[2], r[3], r[12], r[14], r[15], psr };

	if (stack_words(io, frame, true, words))
		return;
	for (unsigned i = 0; i < 8; i++)
		stack_store(io, frame + 4 * i, words[i]);
}

bool frame_push(struct cpu *c)
{
	struct cpu_sys *s = c->sys;
	bool secure = c->core.secure, process = c->core.psp_used;
	u32 old = s->sp[secure][process], frame = (old - FRAME_INTEGER - fp_frame_size(c)) & ~7u;
	u32 limit = state_stack_limit(c, secure, process);
	struct stack_io io = { c, secure, state_privileged(c, secure), ACC_STACK, frame >= limit, false };
	u32 psr = state_xpsr(c) | (old & 4 ? (u32)XPSR_SPREALIGN : 0) |
		  (secure && s->sfpa ? (u32)XPSR_SFPA : 0);
	if (!io.ok)
		raise_fault(c, FAULT_STKOF, frame, secure, RAISE_DERIVED);
	push_integer(c, &io, frame, psr);
	if (s->fpca)
		push_fp(c, &io, frame);
	s->sp[secure][process] = frame >= limit ? frame : limit; /* also when a store failed */
	return io.ok;
}

bool frame_push_callee(struct cpu *c, u32 exc_return, bool tail, bool ignore_faults)
{
	struct cpu_sys *s = c->sys;
	bool handler = tail ? !(exc_return & EXC_RETURN_MODE) : state_handler(c);
	bool process = state_uses_process(c, true, handler);
	bool privileged = handler || !(s->control[BANK_S] & CONTROL_NPRIV);
	u32 old = s->sp[BANK_S][process], frame = old - FRAME_CALLEE;
	u32 limit = state_stack_limit(c, true, process);
	if (frame < limit) {
		s->sp[BANK_S][process] = limit;
		raise_fault(c, FAULT_STKOF, frame, true, ignore_faults ? RAISE_IGNORED : RAISE_DERIVED);
		return false;
	}
	struct stack_io io = { c, true, privileged, ACC_STACK, true, ignore_faults };
	stack_store(&io, frame, frame_signature(exc_return));
	for (unsigned i = 4; i < 12; i++)
		stack_store(&io, frame + 8 + 4 * (i - 4), c->core.r[i]);
	s->sp[BANK_S][process] = frame;
	return io.ok;
}
