/* SPDX-License-Identifier: Apache-2.0 */
/* ExecuTorch programs (.pte): the values, calls and delegate payloads of one method.
 * Schema: ExecuTorch's program.fbs, identifier ET12; all accesses are checked. */
#ifndef LOADER_PTE_H
#define LOADER_PTE_H

#include "memory/types.h"

#define PTE_NAME 128
#define PTE_RANK 16 /* as ExecuTorch's limit */

enum pte_value_kind { PTE_OTHER, PTE_NONE, PTE_INT, PTE_DOUBLE, PTE_TENSOR, PTE_LIST };

struct pte_value {
	enum pte_value_kind kind;
	i64 integer;       /* PTE_INT */
	double number;     /* PTE_DOUBLE */
	u8 scalar_type;    /* PTE_TENSOR: ScalarType of the schema (1 int8, 2 int16, 3 int32, 6 float) */
	u8 element_bytes;
	u64 bytes;
	u32 memory_id;     /* the planned memory that it lies in, at `offset`; 0: none. Views lie on each other. */
	u64 offset;
	u8 rank;
	u8 order[PTE_RANK];  /* dimensions, outermost in memory first */
	u32 sizes[PTE_RANK];
	const u8 *data;    /* contents, or those to begin with; NULL when there are none */
	bool is_external;  /* the contents are in another file (.ptd) */
	i32 *items;        /* PTE_LIST of integers or of tensors: value numbers; -1: none */
	u32 item_count;
};

enum pte_call_kind { PTE_KERNEL = 1, PTE_DELEGATE = 2, PTE_MOVE = 3, PTE_JUMP_FALSE = 4, PTE_FREE = 5 };

struct pte_call {
	u8 kind;         /* enum pte_call_kind */
	u32 index;       /* operator or delegate; MOVE: source value */
	i32 *args;       /* value numbers; MOVE: destination */
	u32 arg_count;
};

struct pte_delegate {
	char id[PTE_NAME]; /* "EthosUBackend" */
	const u8 *data;
	u64 size;
	bool turns_images; /* the backend is to change the order of their dimensions */
};

struct pte_program {
	struct pte_value *values;
	struct pte_call *calls;
	char (*operators)[PTE_NAME]; /* "namespace::name.overload" */
	struct pte_delegate *delegates;
	i32 *inputs, *outputs;       /* value numbers */
	u32 value_count, call_count, operator_count, delegate_count, input_count, output_count;
};

bool pte_is(const u8 *bytes, u64 size); /* by the identifier "ET12" alone */

/* Reads the bytes, which must stay. `method` NULL: "forward", or the first where there is none. NULL with a line in `why`: no
 * such method, damaged, or something that this reader has no need for (several chains). */
struct pte_program *pte_read(const u8 *bytes, u64 size, const char *method, char *why, size_t why_size);
void pte_free(struct pte_program *p);

/* Data stored under a name in the program's segments; false when there is none. */
bool pte_named_data(const u8 *bytes, u64 size, const char *key, const u8 **data, u64 *data_size);

#endif
