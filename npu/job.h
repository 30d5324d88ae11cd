/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of a job's life share: its course (job.c), commands (job_command.c), effects
 * (job_complete.c). Not for use by others, which have private.h. */
#ifndef NPU_JOB_H
#define NPU_JOB_H

#include "npu/private.h"

/* Ends the job; `status`: flags of STATUS besides. */
void npu_job_end(struct npu *n, enum npu_end end, u32 status);
/* The same with an interrupt, after an error. */
void npu_job_fail(struct npu *n, enum npu_end end, u32 status);
/* The same after a bus error; bit 1 of `attr` names the port, as in npu_ports.region_attr and QCONFIG. */
void npu_job_fail_bus(struct npu *n, u8 attr, enum npu_channel channel);

/* Bytes of SHRAM, or of the table memory of U85. */
u32 npu_job_internal_bytes(const struct npu *n);

/* The operation of a command at the bases of the regions that the registers hold, and as the commands before it have set `regs`. False: *fault
 * says what is wrong with it. */
bool npu_job_decode(const struct npu *n, const struct npu_regs *regs, enum npu_command command, u16 param, struct npu_op *op,
		    struct npu_decode_fault *fault);

/* Reads one command and does it, or leaves an operation pending. */
void npu_job_step(struct npu *n);

/* Has threads decode the weights that the job at its start will want; without threads nothing is done. */
void npu_foresee(struct npu *n);

/* The pending operation's time has come: it lands, or the job ends with an error. */
void npu_job_complete(struct npu *n);
/* Tells everybody concerned which bytes an operation wrote. */
void npu_job_wrote(struct npu *n, const struct npu_op *op, const struct npu_view *view);

#endif
