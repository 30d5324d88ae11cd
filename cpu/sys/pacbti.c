/* SPDX-License-Identifier: Apache-2.0 */
/* Pointer authentication codes: Armv8.1-M ARM, PACBTI extension (IsPACEnabled, ComputePAC). The
 * algorithm is ours to choose (ID_ISAR5.PACBTI = 2, implementation defined): SipHash-2-4 of value
 * and modifier with the 128-bit key of state and privilege, truncated to 32 bits. Codes therefore
 * differ from those of a real Cortex-M85; programs cannot tell, because keys are secret. */
#include "cpu/sys/protect.h"
#include "cpu/sys/state.h"

void pacbti_select(struct cpu *c)
{
	bool secure = c->core.secure, privileged = state_privileged(c, secure);
	u32 control = c->config.pacbti ? c->sys->control[secure] : 0;
	c->bti = control & (privileged ? CONTROL_BTI_EN : CONTROL_UBTI_EN);
	c->pac = control & (privileged ? CONTROL_PAC_EN : CONTROL_UPAC_EN);
}

static u64 rotate(u64 x, unsigned by) { return x << by | x >> (64 - by); }

static void sip_rounds(u64 v[4], unsigned rounds)
{
	for (unsigned i = 0; i < rounds; i++) {
		v[0] += v[1], v[2] += v[3];
		v[1] = rotate(v[1], 13) ^ v[0], v[3] = rotate(v[3], 16) ^ v[2];
		v[0] = rotate(v[0], 32);
		v[2] += v[1], v[0] += v[3];
		v[1] = rotate(v[1], 17) ^ v[2], v[3] = rotate(v[3], 21) ^ v[0];
		v[2] = rotate(v[2], 32);
	}
}

/* SipHash-2-4 of one 8-byte message. */
static u64 sip_hash(u64 key0, u64 key1, u64 message)
{
	u64 v[4] = { key0 ^ 0x736F6D6570736575, key1 ^ 0x646F72616E646F6D,
		     key0 ^ 0x6C7967656E657261, key1 ^ 0x7465646279746573 };
	const u64 blocks[2] = { message, UINT64_C(8) << 56 };
	for (unsigned i = 0; i < 2; i++) {
		v[3] ^= blocks[i];
		sip_rounds(v, 2);
		v[0] ^= blocks[i];
	}
	v[2] ^= 0xFF;
	sip_rounds(v, 4);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}

static u32 compute(const struct cpu *c, u32 value, u32 modifier)
{
	bool secure = c->core.secure;
	const u32 *key = &c->sys->pac_key[secure][state_privileged(c, secure) ? 0 : 4];
	return (u32)sip_hash(key[0] | (u64)key[1] << 32, key[2] | (u64)key[3] << 32,
			     value | (u64)modifier << 32);
}

bool sysop_pac(struct cpu *c, unsigned rd, unsigned rn, unsigned rm)
{
	if (c->pac)
		c->core.r[rd] = compute(c, c->core.r[rn], c->core.r[rm]);
	return true;
}

bool sysop_aut(struct cpu *c, unsigned ra, unsigned rn, unsigned rm)
{
	if (!c->pac || c->core.r[ra] == compute(c, c->core.r[rn], c->core.r[rm]))
		return true;
	fault_raise(c, FAULT_INVSTATE, 0);
	return false;
}
