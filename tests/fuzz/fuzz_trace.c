/* SPDX-License-Identifier: Apache-2.0 */
/* Compact traces: whatever the records of a block are, and what its instructions are said to have loaded, reading them ends, and what comes
 * out can be made text of. The checksum is made to fit; the first byte says how many bytes were loaded. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "sim/trace/fvpt.h"
#include "tests/fuzz/fuzz.h"

static void put_word(u8 *p, u32 v)
{
	for (unsigned i = 0; i < 4; i++)
		p[i] = (u8)(v >> 8 * i);
}

static void read_all(FILE *in, FILE *out)
{
	char why[200];
	struct fvpt_reader *r = fvpt_reader_new(in, why, sizeof why);
	struct tarmac_text *text = tarmac_text_new();
	struct cpu_record i = { 0 };
	struct trace_exception e;
	enum fvpt_result result;
	unsigned most = 100000; /* a loop of a few bytes may go on for long */

	if (!r || !text)
		abort();
	while (most-- && (result = fvpt_read(r, &i, &e, why, sizeof why)) <= FVPT_IS_EXCEPTION)
		if (result == FVPT_IS_INSTRUCTION)
			tarmac_text_instruction(text, &i, out);
		else
			tarmac_text_exception(&e, out);
	tarmac_text_free(text);
	fvpt_reader_free(r);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	const u32 bytes = !size ? 0 : (u32)(size < FVPT_RECORDS_MAX ? size - 1 : FVPT_RECORDS_MAX), loads = bytes ? data[0] % bytes : 0;
	u8 *file = calloc(1, FVPT_HEAD + 2 * FVPT_BLOCK_HEAD + bytes);
	FILE *in = file ? fmemopen(file, FVPT_HEAD + 2 * FVPT_BLOCK_HEAD + bytes, "rb") : NULL, *out = fopen("/dev/null", "w");

	if (in && out && bytes) {
		memcpy(file, FVPT_MAGIC, sizeof FVPT_MAGIC);
		put_word(file + sizeof FVPT_MAGIC, FVPT_VERSION);
		put_word(file + sizeof FVPT_MAGIC + 4, 0x1ff);
		put_word(file + FVPT_HEAD, loads);
		put_word(file + FVPT_HEAD + 4, bytes - loads);
		put_word(file + FVPT_HEAD + 8, (u32)crc32(0, data + 1, bytes));
		memcpy(file + FVPT_HEAD + FVPT_BLOCK_HEAD, data + 1, bytes);
		read_all(in, out);
	}
	if (in)
		fclose(in);
	if (out)
		fclose(out);
	free(file);
	return 0;
}

/* 0: a jump to 0x40 with a shape that reads and writes; the same again; one with a number and time; an exception.
 * 1: a word that was loaded; all registers; a load and a branch to itself as code at 0x40; ten instructions are left out. */
size_t fuzz_seed(unsigned index, u8 out[FUZZ_MAX_BYTES])
{
	static const u8 block[] = {
		0, FVPT_JUMP | FVPT_SHAPE | FVPT_STATE, 0x80, 0x01, 2, 0x88, 0x58, 2, 0, 16, 1, 4, FVPT_SECURE, 0x10, 0x02, 0x80, 0x40, 1, 2, 3, 4,
		FVPT_JUMP, 0x03, 0x02, 0x00, 0x08, 4, 3, 2, 1,
		FVPT_EVENT | FVPT_EXCEPTION | FVPT_EXCEPTION_SECURE, 0x64, 15, 0x40,
		FVPT_SHAPE | FVPT_TIME | FVPT_STATE, 4, 0x81, 0xed, 0x00, 0x0a, 1, 64, 1, 4 | FVPT_ACCESS_WRITES, 0x90, 0x4e,
		FVPT_HANDLER | FVPT_NUMBER, 0x20, 0x06, 0x00, 9, 9, 9, 9,
	};
	static const u8 outline[] = {
		4, 4, 3, 2, 1, FVPT_EVENT | FVPT_ALL, FVPT_SECURE, 0, 0, 0x40, [60] = FVPT_EVENT | FVPT_CODE, 0x80, 0x01, 2, 0x08, 0x68,
		FVPT_EVENT | FVPT_CODE, 0, 2, 0xfe, 0xe7, FVPT_EVENT | FVPT_RUN, 10,
	};

	if (index > 1)
		return 0;
	memcpy(out, index ? outline : block, index ? sizeof outline : sizeof block);
	return index ? sizeof outline : sizeof block;
}
