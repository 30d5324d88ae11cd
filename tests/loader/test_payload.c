/* SPDX-License-Identifier: Apache-2.0 */
/* Payloads of custom operators: both formats, and what is refused. */
#include <criterion/criterion.h>
#include <string.h>

#include "loader/ethosu_payload.h"

#define TAG(a, b, c, d) ((u32)(a) | (u32)(b) << 8 | (u32)(c) << 16 | (u32)(d) << 24)

enum { CONFIG = 0x20000118, ID = 0x20007000, STOP = 0xffff0000 };

/* COP2 with one entry: metadata of 36 bytes, then two words of stream. */
static const u32 cop2[] = {
	TAG('C', 'O', 'P', '2'), 1, 56, 0,
	1, 48, 36, TAG('V', 'E', 'U', 'M'), 1, 20, CONFIG, ID, 1, 0, 0, 0xffffffff,
	0x0000012f, STOP,
};
enum { COP2_ADDRESSING = 12 };

static struct ethosu_payload read(const u32 *words, size_t bytes, bool expected)
{
	struct ethosu_payload p;
	char why[160] = "";

	cr_expect_eq(ethosu_payload_read((const u8 *)words, bytes, &p, why, sizeof(why)), expected, "%s", why);
	cr_expect_eq(why[0] == '\0', expected);
	return p;
}

Test(payload, driver_actions)
{
	static const u32 words[] = { TAG('C', 'O', 'P', '1'), 0x01001001, CONFIG, ID, 5, 5, 5,
				     2u << 16 | 2, 0x0000012f, STOP };
	struct ethosu_payload p = read(words, sizeof(words), true);

	cr_expect(p.has_config);
	cr_expect_eq(p.config, CONFIG);
	cr_expect_eq(p.id, ID);
	cr_expect_eq(p.stream_at, 32u);
	cr_expect_eq(p.stream_bytes, 8u);
	read(words, sizeof(words) - 4, false);
	read(words, 28, false);
}

Test(payload, the_product_that_vela_3_left_out)
{
	static const u32 words[] = { TAG('C', 'O', 'P', '1'), 0x01001001, 0x00006009, 0x10060000, 5, 5, 5,
				     2u << 16 | 2, 0x0000012f, STOP };

	cr_expect_eq(read(words, sizeof(words), true).config, 0x10006009u);
}

Test(payload, entries_with_metadata)
{
	struct ethosu_payload p = read(cop2, sizeof(cop2), true);

	cr_expect(p.has_config);
	cr_expect_eq(p.config, CONFIG);
	cr_expect_eq(p.id, ID);
	cr_expect_eq(p.stream_at, 64u);
	cr_expect_eq(p.stream_bytes, 8u);
	for (size_t bytes = 0; bytes < sizeof(cop2); bytes += 4)
		read(cop2, bytes, false);
}

Test(payload, regions_for_inputs_and_outputs_are_told)
{
	u32 words[ARRAY_LEN(cop2)];

	memcpy(words, cop2, sizeof(words));
	cr_expect(!read(words, sizeof(words), true).separate_io);
	words[COP2_ADDRESSING] = 2;
	cr_expect(read(words, sizeof(words), true).separate_io);
}

Test(payload, other_bytes_are_refused)
{
	static const u32 words[] = { TAG('C', 'O', 'P', '3'), 1, 0, 0 };

	read(words, sizeof(words), false);
	read(words, 3, false);
}
