/* SPDX-License-Identifier: Apache-2.0 */
/* Checked memory accesses: Armv8-M ARM B6 and B7, pseudocode MemA, MemU, ValidateAddress; the
 * Cortex-M55's TCM enables and TCM gates (TRM 4.9, 4.10).
 *
 * A failing store is reported as precise, as on every access here; on hardware stores may be
 * imprecise. Unaligned accesses are made byte by byte after both ends were checked. */
#include "cpu/observed.h"
#include "cpu/sys/caches.h"
#include "cpu/sys/debug.h"
#include "cpu/sys/nvic.h"
#include "cpu/sys/pages.h"
#include "cpu/sys/scs.h"
#include "cpu/sys/state.h"

#include <string.h>

/* What one checked access found. */
struct checked { struct sau_result attribution; struct mpu_result mpu; };

/* The TCM that is enabled at addr: 0: ITCM, 1: DTCM, 2: none. */
static unsigned tcm_at(const struct cpu *c, u32 addr)
{
	const unsigned tcm = addr >> 29, code = tcm ? c->config.dtcm_size_code : c->config.itcm_size_code;

	if (tcm > 1 || !code || (addr & 0x0FFFFFFF) >= UINT32_C(512) << code)
		return 2;
	return c->sys->reg[BANK_NS][tcm ? SCS_DTCMCR : SCS_ITCMCR] & 1 ? tcm : 2;
}

bool tcm_read_waits(const struct cpu *c, u32 addr)
{
	return c->config.timing == CPU_TIMING_M55 && tcm_at(c, addr) == 0;
}

/* For timing_waits (cpu/engine/timing.c), which takes them away after each instruction. */
static void note_read(struct cpu *c, u32 addr, unsigned bytes)
{
	if (!tcm_read_waits(c, addr))
		return;
	c->sys->itcm_reads++;
	c->sys->itcm_bytes += (u8)bytes;
}

static void note_access(struct cpu *c, const struct protect_request *q)
{
	if (UNLIKELY(c->caches && q->kind != PROTECT_FETCH && caches_time(c, q->addr)))
		caches_note(c, q->addr, q->bytes, q->kind == PROTECT_WRITE, q->secure);
}

/* The permission of pages whose accesses are noted. */
static u8 noted(u8 right) { return right == PERM_WRITE ? PERM_WAIT_WRITE : PERM_WAIT_READ; }

static enum protect_result check(const struct cpu *c, const struct protect_request *q, struct checked *k)
{
	sau_lookup(c, q->addr, q->kind == PROTECT_FETCH, q->secure, &k->attribution);
	if (q->kind != PROTECT_FETCH && !q->secure && !k->attribution.ns)
		return PROTECT_SECURITY;
	mpu_lookup(c, q->addr, q->secure, q->privileged, &k->mpu);
	u8 need = q->kind == PROTECT_FETCH ? PERM_EXECUTE : q->kind == PROTECT_WRITE ? PERM_WRITE : PERM_READ;
	if (!(k->mpu.perm & need))
		return PROTECT_MPU;
	return PROTECT_OK;
}

/* The bytes themselves; addr is aligned. */
static enum protect_result transfer(struct cpu *c, const struct protect_request *q, bool ns, u32 *value)
{
	bool write = q->kind == PROTECT_WRITE;
	struct bus_attr attr = { !ns, q->privileged, q->kind == PROTECT_FETCH ? BUS_CPU | BUS_FETCH : BUS_CPU };
	enum bus_status status;
	if (scs_covers(q->addr)) {
		bool ok = write ? scs_store(c, q->addr, q->bytes, q->secure, q->privileged, *value) :
				  scs_load(c, q->addr, q->bytes, q->secure, q->privileged, value);
		c->sys->fault.status = BUS_REFUSED;
		return ok ? PROTECT_OK : PROTECT_BUS;
	}
	const enum tcm_answer tcm = tcm_answer(c, q->addr, ns, q->kind == PROTECT_FETCH);
	if (tcm == TCM_DROPS) {
		*value = write ? *value : 0;
		status = BUS_OK;
	} else if (tcm == TCM_REFUSES)
		status = BUS_REFUSED;
	else if (write)
		status = bus_write(c->bus, q->addr, q->bytes, attr, *value);
	else
		status = bus_read(c->bus, q->addr, q->bytes, attr, value);
	if (UNLIKELY(c->caches)) /* a device may have begun to take more of a memory */
		pay_look_again(c);
	c->sys->fault.status = (u8)status;
	return status == BUS_OK ? PROTECT_OK : PROTECT_BUS;
}

static enum protect_result aligned(struct cpu *c, const struct protect_request *q, u32 *value)
{
	struct checked k;
	bool ns;

	if (pages_device(c, q, &ns))
		return transfer(c, q, ns, value);
	enum protect_result result = check(c, q, &k);
	if (result == PROTECT_OK)
		result = transfer(c, q, k.attribution.ns, value);
	if (result == PROTECT_OK)
		pages_open(c, q->addr, q->secure, q->privileged);
	return result;
}

enum protect_result access_do(struct cpu *c, const struct protect_request *q, u32 *value)
{
	const u8 need = q->kind == PROTECT_WRITE ? PERM_WRITE : PERM_READ;
	note_access(c, q);
	if (pages_allow(c, q->addr, q->secure, q->privileged) & (need | noted(need))) {
		if (q->kind == PROTECT_WRITE)
			memcpy(c->mem + q->addr, value, 4);
		else
			memcpy(value, c->mem + q->addr, 4);
		return PROTECT_OK;
	}
	return aligned(c, q, value);
}

enum protect_result access_vector(struct cpu *c, u32 addr, bool secure, u32 *value)
{
	struct protect_request q = { addr, 4, PROTECT_READ, secure, true };
	struct sau_result attribution;
	sau_lookup(c, addr, false, secure, &attribution);
	if (!secure && !attribution.ns) {
		c->sys->fault.status = BUS_REFUSED;
		return PROTECT_SECURITY;
	}
	return transfer(c, &q, attribution.ns, value);
}

/* Only while a counter wants them: fast paths make such accesses without coming here. */
static void count_unaligned(struct cpu *c, bool is)
{
	c->sys->count[COUNT_UNALIGNED] += is && c->sys->count_wanted & COUNT_BIT(UNALIGNED);
}

/* Byte by byte, both ends checked first so that a fault leaves nothing changed. A fault of the
 * later bytes reports the first of them: MemU is an access to each byte (Armv8-M ARM). */
static enum protect_result unaligned(struct cpu *c, const struct protect_request *q, u32 *value, u32 *fault_addr)
{
	struct protect_request first = *q, last = *q;
	struct checked k, kl;
	last.addr += q->bytes - 1u;
	enum protect_result result = check(c, &first, &k);
	if (result == PROTECT_OK) {
		result = check(c, &last, &kl);
		*fault_addr = (q->addr | 31) + 1;
	}
	if (result != PROTECT_OK)
		return result;
	*fault_addr = q->addr;
	if (k.mpu.device || kl.mpu.device)
		return PROTECT_DEVICE;
	u32 sum = 0;
	for (unsigned i = 0; i < q->bytes && result == PROTECT_OK; i++) {
		struct protect_request one = *q;
		u32 byte = *value >> 8 * i & 0xFF;
		one.addr += i;
		one.bytes = 1;
		result = transfer(c, &one, (one.addr ^ q->addr) & ~31u ? kl.attribution.ns : k.attribution.ns, &byte);
		sum |= byte << 8 * i;
	}
	if (q->kind != PROTECT_WRITE)
		*value = sum;
	return result;
}

/* Bus errors of data accesses are ignored at a negative priority with CCR.BFHFNMIGN. */
static bool ignored(const struct cpu *c)
{
	bool secure = c->core.secure;
	return c->sys->reg[BANK_S][SCS_CCR] & CCR_BFHFNMIGN && nvic_negative(c->sys, secure);
}

static bool data_access(struct cpu *c, const struct protect_request *q, unsigned flags, u32 *value)
{
	static const u8 kinds[] = {
		[PROTECT_SECURITY] = FAULT_AUVIOL, [PROTECT_MPU] = FAULT_DACCVIOL,
		[PROTECT_DEVICE] = FAULT_UNALIGNED, [PROTECT_BUS] = FAULT_PRECISERR,
	};
	enum protect_result result;
	u32 fault_addr = q->addr;
	bool odd = q->addr & (q->bytes - 1u);
	if (odd && (flags & ACC_ALIGNED || c->sys->reg[c->core.secure][SCS_CCR] & CCR_UNALIGN_TRP)) {
		fault_raise(c, FAULT_UNALIGNED, q->addr);
		return false;
	}
	result = odd ? unaligned(c, q, value, &fault_addr) : aligned(c, q, value);
	if (result == PROTECT_BUS && ignored(c)) {
		if (q->kind == PROTECT_READ)
			*value = 0;
		return true;
	}
	if (result != PROTECT_OK) {
		fault_raise(c, kinds[result], fault_addr);
		return false;
	}
	count_unaligned(c, odd);
	note_access(c, q);
	if (q->kind == PROTECT_READ)
		note_read(c, q->addr, q->bytes);
	debug_data_access(c, q->addr, q->bytes, q->kind == PROTECT_WRITE, *value);
	return true;
}

static bool requester(const struct cpu *c, unsigned flags, bool *privileged)
{
	bool secure = c->core.secure && !(flags & ACC_NS);
	*privileged = state_privileged(c, secure) && !(flags & ACC_UNPRIV);
	return secure;
}

/* What the pages of all bytes allow, and whether that, or their granules where regions cut a page, is all of `need`. */
static u8 rights_at(const struct cpu *c, u32 addr, unsigned bytes)
{
	return c->page_ok[addr >> BUS_PAGE_SHIFT] & c->page_ok[(addr + bytes - 1) >> BUS_PAGE_SHIFT];
}
static bool permits(const struct cpu *c, u8 rights, u32 addr, unsigned bytes, u8 need)
{
	return (rights & need) == need || (UNLIKELY(c->cut) && access_granules(c, addr, bytes, need));
}

bool access_direct(struct cpu *c, u32 addr, unsigned bytes, unsigned flags, u8 right)
{
	const bool odd = addr & (bytes - 1);

	if (flags & (ACC_UNPRIV | ACC_NS) || (odd && (flags & ACC_ALIGNED || !c->unaligned)) || addr > addr + (bytes - 1))
		return false;
	const u8 rights = rights_at(c, addr, bytes);
	if (!permits(c, rights, addr, bytes, right | PERM_NORMAL)) {
		if (c->caches && permits(c, rights, addr, bytes, noted(right) | PERM_NORMAL))
			caches_note(c, addr, bytes, right == PERM_WRITE, c->core.secure);
		else if (right == PERM_READ && permits(c, rights, addr, bytes, PERM_TIMED | PERM_NORMAL))
			note_read(c, addr, bytes);
		else
			return false;
	}
	count_unaligned(c, odd);
	return true;
}

/* Where the core's data side finds addr, for the counters that ask: DTCM, data cache, or neither. */
static u64 place_of(const struct cpu *c, const struct protect_request *q)
{
	const struct cpu_sys *s = c->sys;
	struct mpu_result mpu;
	const unsigned tcm = tcm_at(c, q->addr);
	if (tcm < 2)
		return tcm ? COUNT_BIT(DTCM) : 0;
	if (!c->config.dcache_size || !(s->reg[q->secure][SCS_CCR] & CCR_DC))
		return 0;
	mpu_lookup(c, q->addr, q->secure, q->privileged, &mpu);
	return !mpu.cacheable ? 0 : COUNT_BIT(DCACHE) | (q->kind == PROTECT_READ ? COUNT_BIT(DCACHE_READ) : 0);
}

static void note_place(struct cpu *c, struct protect_request q, unsigned flags)
{
	if (c->sys->placed)
		return;
	q.secure = requester(c, flags, &q.privileged);
	c->sys->place = place_of(c, &q);
	c->sys->placed = true;
}

static bool load(struct cpu *c, u32 addr, unsigned bytes, unsigned flags, u32 *value)
{
	struct protect_request q = { .addr = addr, .bytes = (u8)bytes, .kind = PROTECT_READ };
	u32 result = 0;
	if (UNLIKELY(c->sys->count_wanted & COUNT_PLACES))
		note_place(c, q, flags);
	if (access_direct(c, addr, bytes, flags, PERM_READ)) {
		*value = 0;
		memcpy(value, c->mem + addr, bytes);
		return true;
	}
	q.secure = requester(c, flags, &q.privileged);
	if (!data_access(c, &q, flags, &result))
		return false;
	*value = result;
	return true;
}

static bool store(struct cpu *c, u32 addr, unsigned bytes, unsigned flags, u32 value)
{
	struct protect_request q = { .addr = addr, .bytes = (u8)bytes, .kind = PROTECT_WRITE };
	if (UNLIKELY(c->sys->count_wanted & COUNT_PLACES))
		note_place(c, q, flags);
	if (access_direct(c, addr, bytes, flags, PERM_WRITE)) {
		memcpy(c->mem + addr, &value, bytes);
		return true;
	}
	q.secure = requester(c, flags, &q.privileged);
	return data_access(c, &q, flags, &value);
}

bool cpu_load(struct cpu *c, u32 addr, unsigned bytes, unsigned flags, u32 *value)
{
	if (!load(c, addr, bytes, flags, value))
		return false;
	if (UNLIKELY(c->observed)) {
		const struct cpu_access a = { .addr = addr, .value = *value, .bytes = (u8)bytes };
		observed_access(c, &a);
	}
	return true;
}

bool cpu_store(struct cpu *c, u32 addr, unsigned bytes, unsigned flags, u32 value)
{
	struct cpu_access a = { .addr = addr, .value = value, .bytes = (u8)bytes, .write = true };

	if (UNLIKELY(c->observed))
		a.before = observed_before(c, addr, bytes, &a.memory);
	if (!store(c, addr, bytes, flags, value))
		return false;
	if (UNLIKELY(c->observed))
		observed_access(c, &a);
	return true;
}

static bool is_gateway(struct cpu *c, u32 addr)
{
	u32 words[2] = { 0, 0 };
	for (unsigned i = 0; i < 2; i++) {
		struct protect_request q = { addr + 2 * i, 2, PROTECT_FETCH, true, true };
		struct sau_result attribution;
		sau_lookup(c, q.addr, true, false, &attribution);
		if (attribution.ns || !attribution.nsc || transfer(c, &q, false, &words[i]) != PROTECT_OK)
			return false;
	}
	return words[0] == 0xE97F && words[1] == 0xE97F;
}

/* Security side of a fetch: Non-secure code may enter Secure memory only at an SG instruction. */
static bool fetch_allowed(struct cpu *c, u32 addr, const struct sau_result *attribution)
{
	bool secure = c->core.secure;
	if (!c->config.security || attribution->ns != secure)
		return true;
	if (secure) {
		fault_raise(c, FAULT_INVTRAN, addr);
		return false;
	}
	/* The second halfword of the SG is fetched by the same instruction. */
	if (attribution->nsc && (is_gateway(c, addr) || (addr == c->core.r[15] + 2 && is_gateway(c, addr - 2))))
		return true;
	fault_raise(c, FAULT_INVEP, addr);
	return false;
}

bool cpu_fetch(struct cpu *c, u32 addr, u16 *halfword)
{
	bool secure = c->core.secure;
	struct protect_request q = { addr, 2, PROTECT_FETCH, secure, state_privileged(c, secure) };
	struct checked k;
	u32 value = 0;
	sau_lookup(c, addr, true, secure, &k.attribution);
	if (!fetch_allowed(c, addr, &k.attribution))
		return false;
	if (c->config.security && !secure && k.attribution.nsc) { /* the Secure MPU guards the gateway */
		q.secure = true;
		q.privileged = state_privileged(c, true);
	}
	enum protect_result result = check(c, &q, &k);
	if (result == PROTECT_OK) {
		result = transfer(c, &q, k.attribution.ns, &value);
	}
	if (result != PROTECT_OK) {
		fault_raise(c, result == PROTECT_BUS ? FAULT_IBUSERR : FAULT_IACCVIOL, addr);
		return false;
	}
	*halfword = (u16)value;
	pages_open(c, addr, q.secure, q.privileged);
	return !debug_instruction(c, addr);
}
