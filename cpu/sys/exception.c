/* SPDX-License-Identifier: Apache-2.0 */
/* Taking exceptions: Armv8-M ARM B3.20, pseudocode ExceptionEntry, ExceptionTaken,
 * DerivedLateArrival, ActivateException. A fault while stacking is pended like any other and
 * the most urgent pending exception is then taken, which is what the derived-exception rules
 * come to. */
#include "cpu/engine/engine.h"
#include "cpu/observed.h"
#include "cpu/sys/caches.h"
#include "cpu/sys/debug.h"
#include "cpu/sys/frame.h"
#include "cpu/sys/nvic.h"
#include "cpu/sys/protect.h"
#include "cpu/sys/scs.h"
#include "cpu/sys/state.h"

/* Cycles that entry and tail-chaining take besides the handler (Cortex-M55, zero wait states);
 * not measured. The ipc1 timing has none. */
#define ENTRY_CYCLES 12
#define TAIL_CYCLES 6

static void charge(struct cpu *c, unsigned cycles)
{
	if (c->config.timing == CPU_TIMING_IPC1)
		return;
	engine_charge(c, cycles);
	c->sys->count[COUNT_EXC_CYCLES] += cycles;
}

/* False: the HardFault that the failure is has been pended. */
static bool read_vector(struct cpu *c, unsigned num, bool secure, u32 *vector)
{
	u32 addr = (c->sys->reg[secure][SCS_VTOR] & ~0x7Fu) + 4 * num;
	enum protect_result result = access_vector(c, addr, secure, vector);
	if (result != PROTECT_OK)
		raise_vector_error(c, num, secure, result == PROTECT_SECURITY);
	return result == PROTECT_OK;
}

/* EXC_RETURN and the callee registers when the background code is Secure. */
static bool save_secure(struct cpu *c, bool target_secure, bool tail, bool ignore, u32 *lr)
{
	bool saved = true;
	if (*lr & EXC_RETURN_S) {
		bool on_stack = !(*lr & EXC_RETURN_DCRS) || (tail && !(*lr & EXC_RETURN_ES));
		if (!target_secure) {
			if (!on_stack)
				saved = frame_push_callee(c, *lr, tail, ignore);
			*lr |= EXC_RETURN_DCRS;
		} else if (on_stack) {
			*lr &= ~(u32)EXC_RETURN_DCRS;
		}
	}
	return saved;
}

/* A handler does not see what is in the frames: R0-R3, R12 and the flags in any state (R_KPZV), Secure
 * R4-R11 in Non-secure state. */
static void hide_registers(struct cpu *c, u32 lr, bool target_secure)
{
	bool callee = !target_secure && lr & EXC_RETURN_S;
	for (unsigned i = 0; i < 13; i++)
		if (i < 4 || i > 11 || callee)
			c->core.r[i] = 0;
	c->core.apsr = 0;
}

static void enter_handler(struct cpu *c, const struct nvic_choice *next, u32 lr, u32 vector, bool tail)
{
	struct cpu_sys *s = c->sys;
	const u32 end = c->core.r[15];
	exc_set_pending(c, next->num, next->secure, false);
	exc_set_active(s, next->num, next->secure, true);
	c->core.ipsr = next->num;
	c->core.secure = next->secure;
	s->control[next->secure] &= ~(u32)CONTROL_SPSEL;
	s->fpca = s->sfpa = false;
	s->thumb_clear = !(vector & 1);
	s->count[COUNT_EXC_TAKEN]++;
	c->core.epsr_it = c->core.eci = 0;
	c->core.btype = false;
	c->core.excl_valid = false;
	c->core.event = true;
	c->core.activity = CPU_RUNNING;
	c->core.r[14] = lr;
	c->core.r[15] = vector & ~1u;
	state_enter(c);
	if (c->caches)
		charge(c, caches_waits(c)); /* the frames' */
	if (UNLIKELY(c->observed))
		observed_entered(c, end, vector & ~1u, next->num, tail);
	if (s->thumb_clear)
		fault_raise(c, FAULT_INVSTATE, 0);
}

/* Takes the highest pending exception; sys.sp must be current, exc_return without ES and SPSEL. */
static void take_pending(struct cpu *c, u32 exc_return, bool tail, bool ignore_faults)
{
	const bool chained = tail;
	struct cpu_sys *s = c->sys;
	bool security = c->config.security;
	u32 lr = exc_return | EXC_RETURN_PREFIX | (c->config.fpu ? 0 : (u32)EXC_RETURN_FTYPE), vector = 0;
	for (;;) {
		struct nvic_choice next = nvic_best_pending(s);
		if (c->core.activity == CPU_LOCKED_UP || !next.num)
			break;
		if (security && !save_secure(c, next.secure, tail, ignore_faults, &lr) && !ignore_faults) {
			tail = ignore_faults = true;
			lr &= ~(u32)EXC_RETURN_ES; /* the room for the callee registers has been taken */
			continue;
		}
		lr &= ~(u32)(EXC_RETURN_ES | EXC_RETURN_SPSEL);
		lr |= next.secure ? (u32)EXC_RETURN_ES : 0;
		lr |= s->control[next.secure] & CONTROL_SPSEL ? (u32)EXC_RETURN_SPSEL : 0;
		if (!read_vector(c, next.num, next.secure, &vector)) {
			tail = ignore_faults = true;
			continue;
		}
		if (security)
			hide_registers(c, lr, next.secure);
		enter_handler(c, &next, lr, vector, chained);
		return;
	}
	state_enter(c);
}

static void exception_enter(struct cpu *c)
{
	u32 lr = EXC_RETURN_PREFIX | EXC_RETURN_DCRS;
	lr |= c->core.secure ? (u32)EXC_RETURN_S : 0;
	lr |= c->sys->fpca ? 0 : (u32)EXC_RETURN_FTYPE;
	lr |= state_handler(c) ? 0 : (u32)EXC_RETURN_MODE;
	if (UNLIKELY(c->observed))
		observed_entry_begins(c);
	charge(c, ENTRY_CYCLES);
	state_leave(c);
	bool pushed = frame_push(c);
	take_pending(c, lr, false, !pushed);
}

bool exception_poll(struct cpu *c)
{
	bool taken = false;
	while (c->core.activity != CPU_LOCKED_UP && exception_pending(c)) {
		exception_enter(c);
		taken = true;
	}
	return taken;
}

/* Takes an exception instead of resuming: the frame stays where it is. */
static void tail_chain(struct cpu *c, u32 exc_return)
{
	charge(c, TAIL_CYCLES);
	take_pending(c, exc_return, true, false);
}

static void tail_fault(struct cpu *c, u32 exc_return, enum fault kind, bool secure)
{
	raise_fault(c, kind, c->core.r[15], secure, RAISE_DERIVED);
	tail_chain(c, exc_return);
}

/* Pseudocode IsActiveForState. */
static bool active_for_state(const struct cpu *c, unsigned num, bool secure)
{
	return num && exc_active(c->sys, num, secure) &&
	       (!c->config.security || exc_targets_secure(c->sys, num, secure) == secure);
}

/* Pseudocode SetActive: an exception of the other state is left alone, as where an interrupt's target has changed. */
static void set_inactive(const struct cpu *c, unsigned num, bool secure)
{
	if (!c->config.security || exc_targets_secure(c->sys, num, secure) == secure)
		exc_set_active(c->sys, num, secure, false);
}

/* Pseudocode DeActivate: a corrupted IPSR must not leave the priority negative for ever. */
static void deactivate(struct cpu *c, bool secure)
{
	struct cpu_sys *s = c->sys;
	int raw = nvic_raw_priority(s);
	if (raw == -1)
		exc_set_active(s, EXC_HARD, !(scs_aircr(s) & AIRCR_BFHFNMINS), false);
	else if (raw == -2)
		exc_set_active(s, EXC_NMI, false, false);
	else if (raw == -3)
		exc_set_active(s, EXC_HARD, true, false);
	else if (c->core.ipsr)
		set_inactive(c, c->core.ipsr, secure);
	if (raw >= 0)
		s->faultmask[secure] = false;
	debug_update_target(c);
	nvic_masks_changed(s);
}

/* Words as they lie in the frame: R0 to R3 and these. */
enum { IN_R12 = 4, IN_LR, IN_PC, IN_PSR, IN_WORDS };
struct frame_in { u32 word[IN_WORDS], callee[8]; bool has_callee; };

/* Reads the integer part of the frame at *addr, which moves to the start of the basic frame. */
static bool pop_integer(struct stack_io *io, u32 exc_return, u32 *addr, struct frame_in *f)
{
	f->has_callee = io->secure && (!(exc_return & EXC_RETURN_ES) || !(exc_return & EXC_RETURN_DCRS));
	if (f->has_callee) {
		u32 signature = stack_load(io, *addr);
		if (io->ok && signature != frame_signature(exc_return)) {
			raise_fault(io->c, FAULT_INVIS, *addr, true, RAISE_DERIVED);
			return false;
		}
		for (unsigned i = 0; i < 8; i++)
			f->callee[i] = stack_load(io, *addr + 8 + 4 * i);
		*addr += FRAME_CALLEE;
	}
	if (!stack_words(io, *addr, false, f->word))
		for (unsigned i = 0; i < IN_WORDS; i++)
			f->word[i] = stack_load(io, *addr + 4 * i);
	return io->ok;
}

/* FP part of the frame; bytes: its size. False: fault pended. */
static bool pop_fp(struct stack_io *io, u32 frame, u32 *bytes)
{
	struct cpu *c = io->c;
	struct cpu_sys *s = c->sys;
	bool secure = io->secure, fault_secure;
	bool callee = secure && s->reg[BANK_S][SCS_FPCCR] & FPCCR_TS;
	*bytes = FRAME_FP + (callee ? FRAME_FP_CALLEE : 0);
	if (!secure && s->reg[BANK_S][SCS_FPCCR] & FPCCR_LSPACT) {
		raise_fault(c, FAULT_LSERR, 0, true, RAISE_DERIVED);
		return false;
	}
	if (s->reg[secure][SCS_FPCCR] & FPCCR_LSPACT) {
		s->reg[secure][SCS_FPCCR] &= ~(u32)FPCCR_LSPACT; /* still in the registers */
		return true;
	}
	if (!fp_permitted(c, secure, io->privileged, &fault_secure)) {
		raise_fault(c, FAULT_NOCP, 0, fault_secure, RAISE_DERIVED);
		return false;
	}
	fp_load(io, frame + FRAME_INTEGER, callee);
	return io->ok;
}

static void resume(struct cpu *c, const struct frame_in *f, bool secure)
{
	struct cpu_sys *s = c->sys;
	for (unsigned i = 0; i < 4; i++)
		c->core.r[i] = f->word[i];
	for (unsigned i = 0; f->has_callee && i < 8; i++)
		c->core.r[4 + i] = f->callee[i];
	c->core.r[12] = f->word[IN_R12];
	c->core.r[14] = f->word[IN_LR];
	c->core.r[15] = f->word[IN_PC] & ~1u;
	state_set_xpsr(c, f->word[IN_PSR]);
	if (secure)
		s->sfpa = f->word[IN_PSR] & XPSR_SFPA;
	c->core.excl_valid = false;
	c->core.event = true;
	s->count[COUNT_EXC_RETURN]++;
}

/* The scratch FP registers of the handler, which ran in that state; false: a fault is pended. */
static bool clear_on_return(struct cpu *c, bool secure)
{
	struct cpu_sys *s = c->sys;
	u32 fpccr = s->reg[BANK_S][SCS_FPCCR];
	bool fault_secure;
	if (!(fpccr & FPCCR_CLRONRET) || !s->fpca)
		return true;
	if (fpccr & FPCCR_LSPACT) {
		raise_fault(c, FAULT_LSERR, 0, true, RAISE_DERIVED);
		return false;
	}
	if (!fp_permitted(c, secure, true, &fault_secure)) {
		raise_fault(c, FAULT_NOCP, 0, fault_secure, RAISE_DERIVED);
		return false;
	}
	fp_clear(c, false);
	return true;
}

/* Pops the frame and resumes; false: a fault is pended and must be taken on the same frame. */
static bool unstack(struct cpu *c, u32 lr)
{
	struct cpu_sys *s = c->sys;
	bool secure = c->config.security && lr & EXC_RETURN_S;
	bool handler = !(lr & EXC_RETURN_MODE);
	bool process = state_uses_process(c, secure, handler);
	bool privileged = handler || !(s->control[secure] & CONTROL_NPRIV);
	u32 frame = s->sp[secure][process], fp_bytes = 0;
	struct stack_io io = { c, secure, privileged, ACC_UNSTACK, true, false };
	struct frame_in f;
	c->core.secure = secure;
	if (!pop_integer(&io, lr, &frame, &f))
		return false;
	if (handler != ((f.word[IN_PSR] & XPSR_EXCEPTION) != 0)) {
		raise_fault(c, FAULT_INVPC, 0, secure, RAISE_DERIVED);
		return false;
	}
	if (!(lr & EXC_RETURN_FTYPE) && !pop_fp(&io, frame, &fp_bytes))
		return false;
	s->fpca = !(lr & EXC_RETURN_FTYPE);
	s->sp[secure][process] = (frame + FRAME_INTEGER + fp_bytes) | (f.word[IN_PSR] & XPSR_SPREALIGN ? 4 : 0);
	resume(c, &f, secure);
	return true;
}

void exception_return(struct cpu *c, u32 exc_return)
{
	struct cpu_sys *s = c->sys;
	u32 lr = exc_return;
	bool security = c->config.security, secure_fault = false;
	state_leave(c);
	if (security && !c->core.secure && (lr & EXC_RETURN_ES || !(lr & EXC_RETURN_DCRS))) {
		secure_fault = true;
		lr &= ~(u32)EXC_RETURN_ES;
	}
	bool from_secure = security && lr & EXC_RETURN_ES;
	bool valid = active_for_state(c, c->core.ipsr, from_secure);
	deactivate(c, from_secure);
	s->control[from_secure] &= ~(u32)CONTROL_SPSEL;
	s->control[from_secure] |= lr & EXC_RETURN_SPSEL ? (u32)CONTROL_SPSEL : 0;
	if (!clear_on_return(c, from_secure)) {
		tail_chain(c, lr);
	} else if (secure_fault) {
		tail_fault(c, lr, FAULT_INVER, true);
	} else if (!valid || (!security && lr & (EXC_RETURN_ES | EXC_RETURN_S))) {
		tail_fault(c, lr, FAULT_INVPC, c->core.secure);
	} else if (nvic_ready(s).num) {
		tail_chain(c, lr);
	} else if (!unstack(c, lr)) {
		tail_chain(c, lr);
	} else {
		state_enter(c);
		if (UNLIKELY(c->observed))
			observed_left(c, c->core.r[15]);
		if (s->thumb_clear)
			fault_raise(c, FAULT_INVSTATE, 0);
		bool thread = !state_handler(c);
		if (thread && s->reg[c->core.secure][SCS_SCR] & SCR_SLEEPONEXIT && !nvic_active_count(s) &&
		    !nvic_ready(s).num) {
			c->core.activity = CPU_SLEEPING;
			s->sleep_event = false;
		}
	}
}
