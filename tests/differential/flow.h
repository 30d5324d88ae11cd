/* SPDX-License-Identifier: Apache-2.0 */
/* Units that branch. */
#ifndef TESTS_DIFFERENTIAL_FLOW_H
#define TESTS_DIFFERENTIAL_FLOW_H

#include "tests/differential/emit.h"

/* A branch of that row over up to three instructions. */
void flow_unit(struct emit *e, const struct insn_row *row);
/* A low-overhead loop, with or without tail predication. */
void flow_loop(struct emit *e);

/* From gen.c. */
const struct insn_row *gen_pick_plain(struct emit *e);
bool gen_is_filler(const struct insn_row *row);
void gen_plain(struct emit *e, const struct insn_row *row);

#endif
