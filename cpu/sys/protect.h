/* SPDX-License-Identifier: Apache-2.0 */
/* Memory protection: SAU/IDAU attribution, MPU, TCM gates; the permission tables. Private. */
#ifndef CPU_SYS_PROTECT_H
#define CPU_SYS_PROTECT_H

#include "cpu/sys/sys.h"

/* NORMAL: not Device memory, so unaligned accesses are allowed; only in permission tables. */
enum { PERM_READ = 1, PERM_WRITE = 2, PERM_EXECUTE = 4, PERM_NORMAL = 8 };

/* Security attribution of an address (pseudocode SecurityCheck). */
struct sau_result {
	bool ns, nsc;
	bool sregion_valid, iregion_valid;
	u8 sregion, iregion;
	bool whole_page; /* the same for all of its 4 KiB page */
};
/* secure: state of the access (exempt regions take it over). */
void sau_lookup(const struct cpu *c, u32 addr, bool fetch, bool secure, struct sau_result *out);

/* Permissions by the MPU of one Security state or the default memory map. */
struct mpu_result {
	u8 perm;          /* OR of PERM_ */
	bool device;
	bool region_valid;
	u8 region;
	bool whole_page;
};
void mpu_lookup(const struct cpu *c, u32 addr, bool secure, bool privileged, struct mpu_result *out);

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
bool access_vector(struct cpu *c, u32 addr, bool secure, u32 *value);

/* Points c->page_ok to the table of the current state, and sets what else depends on it. */
void access_select(struct cpu *c);
void pacbti_select(struct cpu *c);
/* Forgets all permissions: SAU, MPU, TCM or gates changed. */
void access_flush(struct cpu *c);
bool access_new(struct cpu *c);
void access_free(struct cpu *c);

#endif
