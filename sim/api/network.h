/* SPDX-License-Identifier: Apache-2.0 */
/* A network of the public interface. Private to sim/api/. */
#ifndef SIM_API_NETWORK_H
#define SIM_API_NETWORK_H

#include "sim/api/private.h"
#include "sim/network/npu_program.h"
#include "sim/network/npu_report.h"

struct api_tensors { struct npu_tensor of[NPU_ROLES]; };

struct fvpsim_network {
	const struct npu_config *config;
	u8 *model;
	struct npu_program *program;
	struct npu *npu;
	struct npu_report report; /* operations of the latest run */
	u64 cycles;
	u64 before[NPU_EVENTS]; /* events until the latest run */
	struct npu_memory memory;   /* the program's */
	int stopped;                /* fvpsim_network_stop; only atomic accesses */
	bool keep;                  /* the tensors of the next run */
	struct npu_capture capture; /* of the operation at work */
	struct api_tensors *tensors; /* of the latest run's operations, as many as `report` has; fewer when memory was short */
	u32 tensors_count, tensors_room;
};

/* For the network's NPU: keeps operations, and tensors where they are wanted. */
struct npu_listener api_network_listener(struct fvpsim_network *n);
void api_network_forget_tensors(struct fvpsim_network *n);

#endif
