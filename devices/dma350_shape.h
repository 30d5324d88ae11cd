/* SPDX-License-Identifier: Apache-2.0 */
/* Which source element a DMA-350 command puts where (Arm CoreLink DMA-350 TRM, 1D and 2D
 * commands, templated transfers). */
#ifndef DEVICES_DMA350_SHAPE_H
#define DEVICES_DMA350_SHAPE_H

#include "memory/types.h"

/* What happens where the destination is larger than the source. */
enum dma350_type { DMA350_DISABLE, DMA350_CONTINUE, DMA350_WRAP, DMA350_FILL };

/* One side of a copy; distances in elements. With a template, a line uses the places whose bits are set and
 * repeats its `places` (2 to 32); 0 places: column_step counts. */
struct dma350_side { u32 columns, lines; i32 column_step, line_step; u32 pattern, places; };

struct dma350_shape { struct dma350_side from, to; u8 x_type, y_type; };

/* Distance of an element of that side from its first. */
i64 dma350_distance(const struct dma350_side *side, u64 line, u64 column);

enum dma350_source { DMA350_SOURCE_ELEMENT, DMA350_SOURCE_FILL, DMA350_SOURCE_END };

/* Elements of the destination. */
u64 dma350_elements(const struct dma350_shape *s);

/* Where element k (below dma350_elements) of the destination comes from, and the distances of
 * both from their first elements, in elements. END: nothing more is copied. */
enum dma350_source dma350_element(const struct dma350_shape *s, u64 k, i64 *from, i64 *to);

#endif
