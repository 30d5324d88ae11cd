/* SPDX-License-Identifier: Apache-2.0 */
/* How boxes of a feature map and plain bytes become beats and transactions. Private to npu/timing/. */
#ifndef NPU_TIMING_ACCESS_H
#define NPU_TIMING_ACCESS_H

#include "npu/timing/model.h"

/* Who looks at a map, and how. */
struct map_access {
	const struct memory_model *memory;
	const struct npu_fm *map;
	bool write;
	bool pieces; /* NHWC of more than 16 channels moves in pieces of 16 channels, not as whole pixels */
	u32 together; /* channels of a pixel that one transaction reads at most */
};

/* `rows` x `columns` x `depth` elements; `run` columns of them lie side by side. */
struct box {
	u64 rows, columns, run, depth;
};

/* Adds a box of the map, `times` over, to the port behind which the map lies. */
void access_box(const struct map_access *a, const struct box *b, u64 times, struct traffic total[NPU_PORTS]);

/* Adds aligned runs of `bytes` contiguous bytes, `times` over, split into transactions of the port's burst. */
void access_bytes(const struct port_model *port, struct traffic *t, u64 bytes, u64 times, bool write);

/* Reads commands or scales, whose transactions are short. */
void access_short(const struct port_model *port, struct traffic *t, u64 bytes, u64 times);

#endif
