/* SPDX-License-Identifier: Apache-2.0 */
/* A network of the public interface. Private to sim/api/. */
#ifndef SIM_API_NETWORK_H
#define SIM_API_NETWORK_H

#include "loader/file.h"
#include "sim/api/private.h"
#include "sim/network/npu_program.h"
#include "sim/network/npu_report.h"
#include "sim/network/npu_tensors.h"

struct api_tensors { struct npu_tensor of[NPU_ROLES]; };

struct fvpsim_network {
	const struct npu_config *config;
	struct file_bytes model;
	struct npu_program *program;
	struct npu *npu;
	struct npu_names *names;    /* of operations; NULL: not known */
	struct fvpsim_callbacks callbacks;
	struct diag diag;
	struct npu_report report;   /* operations of the latest run */
	struct npu_result before;   /* the NPU's counts when it began */
	struct npu_memory memory;   /* the program's */
	bool inside;                /* a run is under way */
	bool was_run;               /* once, to its end */
	int stopped;                /* fvpsim_network_stop; only atomic accesses */
	bool was_stopped;           /* so the latest run ended */
	bool keep;                  /* the tensors of the next run */
	bool captures;              /* the tensors of the operation at work are taken */
	struct npu_capture capture;
	struct api_tensors *tensors; /* of the latest run's operations, as many as `report` has; fewer when memory was short */
	u32 tensors_count, tensors_room;
	struct npu_tensors *folder[2]; /* of tensors, to write and to compare with; NULL: none */
};

/* For the network's NPU: keeps operations, and tensors where they are wanted, and tells of both. */
struct npu_listener api_network_listener(struct fvpsim_network *n);
void api_network_forget_tensors(struct fvpsim_network *n);
/* Ends the folders of a network that ends. */
void api_network_close_folders(struct fvpsim_network *n);
/* FVPSIM_OK unless a run is under way. */
int api_network_outside(const struct fvpsim_network *n, struct fvpsim_error *error);

#endif
