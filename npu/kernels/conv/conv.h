/* SPDX-License-Identifier: Apache-2.0 */
/* A convolution at work (conv.c), and what is done with a tile of its pixels (conv_tiles.c). Not for use elsewhere. */
#ifndef NPU_KERNELS_CONV_H
#define NPU_KERNELS_CONV_H

#include "npu/kernels/conv/mac.h"

struct conv;
struct channels;

typedef void npu_conv_tile_fn(const struct conv *c, const struct channels *part, void *panel, struct npu_place first, unsigned pixels,
			      struct npu_target *target);

/* Everything one operation's tiles need; shared by all parts, which only read it. */
struct conv {
	struct npu_mac mac;
	struct npu_layer8 layer;
	struct npu_fields fields;
	unsigned tile;      /* pixels */
	size_t part;        /* sums of 64 bits: so many products' sums have 32 */
	unsigned rows, columns; /* that threads share: parts of the tiles, and of the channels */
	u8 *panels;         /* one for each thread; NULL: none is used */
	size_t panel_bytes; /* from one to the next */
	u8 *staged;         /* what tiles of the host's matrix unit are read from, for each thread; NULL: it is not used */
	size_t staged_bytes;
	npu_conv_tile_fn *run_tile;
	bool follows;       /* done again as npu_mac_follow() does it */
	struct npu_gather plain; /* as it is before the map gets its padding */
};

/* The groups of channels that a part has. */
struct channels {
	u32 first, end;
	struct npu_layer8 layer; /* of these alone */
};

npu_conv_tile_fn npu_conv_tile_layer;  /* to bytes in one */
npu_conv_tile_fn npu_conv_tile_split;  /* words as two bytes */
npu_conv_tile_fn npu_conv_tile_pairs;  /* words by words in two parts */
npu_conv_tile_fn npu_conv_tile_fields; /* fields where they lie; no panel */
npu_conv_tile_fn npu_conv_tile_narrow; /* sums of 32 bits for the sink */
npu_conv_tile_fn npu_conv_tile_wide;   /* ... of 64 bits */

#endif
