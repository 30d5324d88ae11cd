/* SPDX-License-Identifier: Apache-2.0 */
/* Memory protection: SAU/IDAU attribution, MPU, TCM gates; the permission tables. Private. */
#ifndef CPU_SYS_PROTECT_H
#define CPU_SYS_PROTECT_H

#include "cpu/sys/sys.h"

/* Only in permission tables: NORMAL: not Device memory, so unaligned accesses are allowed. TIMED, in place of READ: may be
 * read, but only by what counts that it takes time of its own (tcm_read_waits), or knows that it takes none. WAIT_READ and
 * WAIT_WRITE, in place of READ and WRITE: may be accessed, but only by what notes each access (caches_note). */
enum { PERM_READ = 1, PERM_WRITE = 2, PERM_EXECUTE = 4, PERM_NORMAL = 8, PERM_TIMED = 16, PERM_WAIT_READ = 32, PERM_WAIT_WRITE = 64 };

/* Security attribution of an address (pseudocode SecurityCheck). */
struct sau_result {
	bool ns, nsc;
	bool sregion_valid, iregion_valid;
	u8 sregion, iregion;
	u32 first, last; /* around addr, inside its 4 KiB page: the same for all of these */
};
/* secure: state of the access (exempt regions take it over). */
void sau_lookup(const struct cpu *c, u32 addr, bool fetch, bool secure, struct sau_result *out);

/* What a data cache does with cacheable memory. */
enum { CACHE_ALLOCATES_READ = 1, CACHE_ALLOCATES_WRITE = 2, CACHE_WRITES_BACK = 4 };

/* Permissions by the MPU of one Security state or the default memory map. */
struct mpu_result {
	u8 perm;          /* OR of PERM_ */
	bool device, cacheable;
	u8 cache;         /* OR of CACHE_ */
	bool region_valid;
	u8 region;
	u32 first, last;  /* as above */
};
/* Narrows first..last, which hold addr, by the ends of a region. */
static inline void region_narrows(u32 addr, u32 base, u32 limit, u32 *first, u32 *last)
{
	if (addr < base) {
		*last = base - 1 < *last ? base - 1 : *last;
	} else if (addr > limit) {
		*first = limit + 1 > *first ? limit + 1 : *first;
	} else {
		*first = base > *first ? base : *first;
		*last = limit < *last ? limit : *last;
	}
}
/* Is addr in the region of RBAR and RLAR (MPU or SAU) and is that enabled? Whatever the answer, it narrows
 * first..last as above. */
static inline bool region_holds(u32 addr, u32 rbar, u32 rlar, u32 *first, u32 *last)
{
	u32 base = rbar & ~31u, limit = rlar | 31;
	if (!(rlar & 1) || base > limit)
		return false;
	region_narrows(addr, base, limit, first, last);
	return addr >= base && addr <= limit;
}
void mpu_lookup(const struct cpu *c, u32 addr, bool secure, bool privileged, struct mpu_result *out);
/* False at negative priorities, too, unless MPU_CTRL.HFNMIENA is set. */
bool mpu_enabled(const struct cpu *c, bool secure);

/* Software has set up the gate of the TCM at addr. */
bool tcm_gated(const struct cpu *c, u32 addr);
/* What the TCM at addr, if there is one, does with an access with that attribution: a bus fault, or data that reads as zero and is lost. */
enum tcm_answer { TCM_TAKES, TCM_REFUSES, TCM_DROPS };
enum tcm_answer tcm_answer(const struct cpu *c, u32 addr, bool ns, bool fetch);
/* The estimated core's ITCM is at addr, and reading it as data takes the port from which instructions come. */
bool tcm_read_waits(const struct cpu *c, u32 addr);

/* Why an access fails. */
enum protect_result {
	PROTECT_OK, PROTECT_SECURITY, PROTECT_MPU, PROTECT_DEVICE /* unaligned to Device */, PROTECT_BUS,
};
enum protect_kind { PROTECT_READ, PROTECT_WRITE, PROTECT_FETCH };

struct protect_request {
	u32 addr;
	u8 bytes;       /* 1, 2, 4 */
	u8 kind;        /* enum protect_kind */
	bool secure, privileged;
};
/* One aligned word as somebody else than the current instruction would access it (stacking); no
 * fault is raised. */
enum protect_result access_do(struct cpu *c, const struct protect_request *q, u32 *value);
/* Reads a word by the default memory map (vector table): the MPU has no say. */
enum protect_result access_vector(struct cpu *c, u32 addr, bool secure, u32 *value);

/* Points c->page_ok to the table of the current state, and sets what else depends on it. */
void access_select(struct cpu *c);
void pacbti_select(struct cpu *c);
/* Forgets all permissions: SAU, TCM, gates or debug registers changed. */
void access_flush(struct cpu *c);
/* Forgets those that an enabled MPU gives to first..last. */
void access_flush_mpu(struct cpu *c, bool secure, u32 first, u32 last);

#endif
