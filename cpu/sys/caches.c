/* SPDX-License-Identifier: Apache-2.0 */
/* Wait states and caches. Sources and constants: docs/evidence/timing-cpu.md, "Memories".
 *
 * The bus moves 8 bytes a beat (M-AXI of both cores is 64 bits wide). Reads hold the core until their last beat is there. Writes
 * are posted: they hold it only as long as the bus is busy beyond the instruction's own cycle. A line that is written
 * and not there is read without holding the core for its latency; a changed line that must go takes its beats.
 * Not modelled: critical word first, prefetching, write streaming, fills beside execution. */
#include "cpu/sys/caches_inside.h"
#include "cpu/sys/pay.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { DATA_WAYS = 4 };
_Static_assert(CACHE_WAITS_MAX >= 4 * (CPU_LATENCY_MAX + 2 * 2 * LINE_BEATS * CPU_BEAT_MAX), "four lines come and go, and others take turns");

bool caches_new(struct cpu *c)
{
	if (c->config.timing == CPU_TIMING_IPC1 || !c->config.memory_count)
		return true;
	void *lines = mmap(NULL, CACHE_LINES_ALL, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (lines == MAP_FAILED)
		return false;
	c->lines = lines;
	c->caches = calloc(1, sizeof(*c->caches));
	pay_reset(c);
	return c->caches;
}

void caches_free(struct cpu *c)
{
	if (c->lines)
		munmap(c->lines, CACHE_LINES_ALL);
	free(c->caches);
}

void caches_restored(struct cpu *c)
{
	if (!c->caches)
		return;
	madvise(c->lines, CACHE_LINES_ALL, MADV_DONTNEED);
	pay_forget(c);
}

void caches_reset(struct cpu *c)
{
	if (!c->caches)
		return;
	memset(c->caches, 0, sizeof(*c->caches));
	memset(c->fetched, 0, sizeof(c->fetched));
	pay_reset(c);
	caches_restored(c);
}

static bool lies_in(u32 addr, const struct cpu_memory *m) { return addr - m->base < m->bytes; }

/* The next access is often to the memory of the last one. */
const struct cpu_memory *caches_memory(const struct cpu *c, u32 addr)
{
	const struct cpu_memory *const m = c->config.memories;
	u32 *const last = &c->caches->last_memory;

	if (LIKELY(lies_in(addr, &m[*last])))
		return &m[*last];
	for (u32 i = 0; i < c->config.memory_count; i++)
		if (lies_in(addr, &m[i])) {
			*last = i;
			return &m[i];
		}
	return NULL;
}

bool caches_time(const struct cpu *c, u32 addr) { return c->caches && caches_memory(c, addr); }

bool caches_beat_free(const struct cpu *c, u32 addr, bool write)
{
	const struct cpu_memory *m = c->caches ? caches_memory(c, addr) : NULL;

	return m && !transfer_cost(c, m, addr, 1, write);
}

/* ---- data ------------------------------------------------------------------------------------------ */

static unsigned data_sets(const struct cpu *c) { return sets_of(c->config.dcache_size, DATA_WAYS); }

static bool data_cached(const struct cpu *c, bool secure) { return c->config.dcache_size && c->sys->reg[secure][SCS_CCR] & CCR_DC; }

bool caches_data_off(const struct cpu *c) { return !data_cached(c, c->core.secure); }

static u32 *data_line(const struct cpu *c, u32 addr)
{
	return c->config.dcache_size ? find(&c->caches->state.data, addr, data_sets(c), DATA_WAYS) : NULL;
}

/* A changed line goes to memory. */
static u32 write_back(struct cpu *c, u32 *line)
{
	const struct cpu_memory *m = caches_memory(c, *line);

	if (!(*line & LINE_DIRTY) || !m)
		return 0;
	leaves(c, *line, FREE_WRITE);
	*line &= ~(u32)LINE_DIRTY;
	c->sys->count[COUNT_DCACHE_WB]++;
	count_beats(c, LINE_BEATS);
	return LINE_BEATS * m->beat + beats_between(c, m, *line, LINE_BEATS);
}

static u32 fill(struct cpu *c, const struct cpu_memory *m, u32 addr, bool write, bool back)
{
	u32 *line = place(&c->caches->state.data, addr, data_sets(c), DATA_WAYS);
	const u32 waits = write_back(c, line);

	leaves(c, *line, FREE_DATA);
	*line = (addr & ~(CACHE_LINE - 1)) | LINE_VALID | (back ? LINE_BACK | (write ? LINE_DIRTY : 0) : 0);
	c->sys->count[COUNT_DCACHE_REFILL]++;
	c->sys->count[COUNT_DCACHE_REFILL_READ] += !write;
	count_beats(c, LINE_BEATS);
	return waits + (write ? 0 : m->latency) + (LINE_BEATS - (write ? 0 : 1)) * m->beat + beats_between(c, m, addr, LINE_BEATS);
}

/* The bytes themselves, past the cache. */
static u32 transfer(struct cpu *c, const struct cpu_memory *m, u32 addr, u32 bytes, bool write)
{
	const u32 beats = (addr + bytes - 1) / BEAT - addr / BEAT + 1;

	count_beats(c, beats);
	return transfer_cost(c, m, addr, beats, write);
}

/* Bytes of one line. */
static u32 access_line(struct cpu *c, const struct cpu_memory *m, u32 addr, u32 bytes, bool write, bool secure)
{
	const bool enabled = data_cached(c, secure);
	u32 *line = enabled ? data_line(c, addr) : NULL;
	struct mpu_result mpu;

	if (line && (!write || *line & LINE_BACK)) {
		*line |= write ? LINE_DIRTY : 0;
		return 0;
	}
	if (!enabled && secure == c->core.secure)
		pay_data(c, m, addr);
	if (line || !enabled)
		return transfer(c, m, addr, bytes, write);
	mpu_lookup(c, addr, secure, true, &mpu);
	const bool allocates = mpu.cacheable && mpu.cache & (write ? CACHE_ALLOCATES_WRITE : CACHE_ALLOCATES_READ);
	return allocates ? fill(c, m, addr, write, mpu.cache & CACHE_WRITES_BACK) : transfer(c, m, addr, bytes, write);
}

static u32 access_run(struct cpu *c, const struct cache_run *r)
{
	const struct cpu_memory *m = caches_memory(c, r->addr);
	u32 waits = 0;

	for (u32 at = r->addr, left = r->bytes; m && left;) {
		const u32 room = CACHE_LINE - at % CACHE_LINE, n = left < room ? left : room;

		waits += access_line(c, m, at, n, r->write, r->secure);
		at += n;
		left -= n;
	}
	return waits;
}

void caches_note(struct cpu *c, u32 addr, unsigned bytes, bool write, bool secure)
{
	struct caches *k = c->caches;
	struct cache_run *r = &k->run[k->runs];

	if (k->runs && r[-1].addr + r[-1].bytes == addr && r[-1].write == write && r[-1].secure == secure) {
		r[-1].bytes = (u16)(r[-1].bytes + bytes);
		return;
	}
	if (k->runs == CACHE_RUNS) /* no instruction makes so many; frames of exceptions are runs */
		return;
	*r = (struct cache_run){ addr, (u16)bytes, write, secure };
	k->runs++;
}

u32 caches_waits(struct cpu *c)
{
	struct caches *k = c->caches;
	u32 waits = k->maintenance;

	for (u32 i = 0; i < k->runs; i++)
		waits += access_run(c, &k->run[i]);
	k->runs = k->maintenance = 0;
	return waits;
}

/* Marks what costs nothing from now on in the lines from addr on. */
static void note_lines(struct cpu *c, u32 addr, u32 bytes)
{
	for (u32 at = addr & ~(CACHE_LINE - 1); at - addr < bytes || at < addr; at += CACHE_LINE) {
		const u32 *line = data_line(c, at);
		if (line)
			c->lines[at / CACHE_LINE] |= FREE_READ | (*line & LINE_BACK && *line & LINE_DIRTY ? FREE_WRITE : 0);
	}
}

/* Memory that takes no time: but the ITCM's port may. */
static i32 access_untimed(struct cpu *c, u32 addr, u32 what)
{
	const u32 last = (addr + (what >> 8) - 1) / CACHE_LINE, free = tcm_read_waits(c, addr) ? FREE_BESIDE | FREE_WRITE : FREE_DATA;

	for (u32 line = addr / CACHE_LINE; line <= last; line++)
		c->lines[line] |= (u8)free;
	return free & what ? 0 : -1;
}

i32 caches_access(struct cpu *c, u32 addr, u32 what)
{
	const struct cache_run r = { addr, (u16)(what >> 8), what & FREE_WRITE, c->core.secure };

	if (!caches_memory(c, addr))
		return access_untimed(c, addr, what);
	const u32 waits = access_run(c, &r);
	if (data_cached(c, r.secure))
		note_lines(c, addr, r.bytes);
	return (i32)(waits << 16);
}

/* ---- maintenance ------------------------------------------------------------------------------------- */

static void maintain(struct cpu *c, u32 *line, unsigned work)
{
	if (line && work & CACHE_CLEAN)
		c->caches->maintenance += write_back(c, line);
	if (line && work & CACHE_INVALIDATE) {
		leaves(c, *line, FREE_DATA);
		*line = 0;
	}
}

void caches_maintain(struct cpu *c, u32 addr, unsigned work)
{
	if (c->caches)
		maintain(c, data_line(c, addr), work);
}

/* Way in the upper two bits, set from the line's size on (Armv8-M ARM, DCISW). */
void caches_maintain_way(struct cpu *c, u32 set_way, unsigned work)
{
	if (c->caches && c->config.dcache_size)
		maintain(c, &c->caches->state.data.line[(set_way / CACHE_LINE & (data_sets(c) - 1)) * DATA_WAYS + (set_way >> 30)], work);
}
