/* SPDX-License-Identifier: Apache-2.0 */
/* ETDump (etdump_schema_flatcc.fbs, identifier ED00): what ran, when, and the tensors it gave, for ExecuTorch's Inspector.
 * Times are cycles of the processor. */
#ifndef RUNTIME_APPS_ETDUMP_H
#define RUNTIME_APPS_ETDUMP_H

#include "runtime/executor/method.h"

struct etdump_event {
	uint8_t kind;          /* enum event_kind */
	uint8_t has_times;     /* a profile event; else a debug event with a tensor */
	uint8_t type, rank, is_output;
	const char *name;
	uint32_t instruction;
	uint64_t start, end;
	uint32_t offset;       /* of the tensor's bytes in the debug buffer */
	int32_t sizes[TENSOR_MAX_RANK], strides[TENSOR_MAX_RANK];
};

struct etdump {
	struct tracer tracer;  /* for the method's environment */
	struct etdump_event *events;
	uint32_t count, room, lost; /* lost: events that found no room */
	uint32_t load_count;   /* the first of them belong to loading */
	uint8_t *tensors;      /* the debug buffer */
	size_t tensor_bytes, tensor_room;
};

/* Readies a dump: `events` has room for `room` of them, `tensors` for `tensor_room` bytes (0: tensors are not kept). `now`
 * gives the time. */
void etdump_start(struct etdump *d, struct etdump_event *events, uint32_t room, uint8_t *tensors, size_t tensor_room,
		  uint64_t (*now)(void));

/* A profile event that is not one of the method's: "Method::init". */
void etdump_add(struct etdump *d, const char *name, uint64_t start, uint64_t end);

/* What comes from now on belongs to the run, not to loading. */
void etdump_loaded(struct etdump *d);

/* Writes the FlatBuffer to `to`; its length, 0 when there is not enough room. */
size_t etdump_encode(const struct etdump *d, uint8_t *to, size_t room);

#endif
