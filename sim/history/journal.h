/* SPDX-License-Identifier: Apache-2.0 */
/* What came from outside, in the order in which the machine asked: input of serial ports, results of semihosting, answers of
 * scripts. A machine that has gone back, or repeats a record, gets the same once more, and the outside is not asked again. */
#ifndef SIM_HISTORY_JOURNAL_H
#define SIM_HISTORY_JOURNAL_H

#include "memory/state.h"

enum journal_kind { JOURNAL_SERIAL, JOURNAL_SEMIHOSTING, JOURNAL_SCRIPT };

struct journal {
	struct state_buffer entries; /* struct journal_head, then bytes */
	u64 at;                      /* where the machine is: entries behind it come again */
	bool closed;                 /* of a record: there is no outside to ask */
};

static inline bool journal_replays(const struct journal *j)
{
	return j && (j->closed || j->at < j->entries.bytes);
}

/* The next entry, where journal_replays. NULL: it is not one of that kind and number (port, operation), or there is none: this is
 * not the run that it was. */
const u8 *journal_next(struct journal *j, enum journal_kind kind, u32 number, u64 *bytes);
/* Is the next entry one of that kind and number? */
bool journal_holds(const struct journal *j, enum journal_kind kind, u32 number);
/* Appends one; j NULL: nobody keeps it. */
void journal_add(struct journal *j, enum journal_kind kind, u32 number, const void *data, u64 bytes);
/* Forgets what would come again: the machine takes another course. A record stays. */
void journal_cut(struct journal *j);
/* Forgets the first so many bytes, whole entries, which nobody goes back to. */
void journal_forget(struct journal *j, u64 bytes);
void journal_free(struct journal *j);

#endif
