/* SPDX-License-Identifier: Apache-2.0 */
/* Where QEMU 7.2 does not do what the architecture says (docs/evidence/qemu-deviations.md). */
#ifndef TESTS_DIFFERENTIAL_DEVIATION_H
#define TESTS_DIFFERENTIAL_DEVIATION_H

#include "cpu/insn/insn.h"
#include "tests/differential/case.h"

/* Reason why a difference at that row is QEMU's; NULL: it is not known. `before` may be NULL. */
const char *deviation_reason(const struct insn_row *row, const struct case_out *ours,
			     const struct case_out *theirs, const struct case_out *before, const struct case_in *in);

#endif
