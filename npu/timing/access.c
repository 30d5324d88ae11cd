/* SPDX-License-Identifier: Apache-2.0 */
/* NHCWB16 rows are bricks of 16 channels (16 * width elements contiguous). NHWC lies as pixels; runs that are
 * not aligned to the port's width touch one beat more, and some channels of a wider tensor are a run for each pixel. Published beat
 * counts agree within one per cent. */
#include "npu/timing/access.h"

#include "npu/timing/geometry.h"

/* PIECE: channels. SHORT_BURST: bytes; with it the number of transactions fits published cycles of U85 with one
 * read at a time. */
enum { PIECE = 16, SHORT_BURST = 64 };

static void add(struct traffic *t, u64 beats, u64 transactions, bool write)
{
	*(write ? &t->write_beats : &t->read_beats) += beats;
	*(write ? &t->writes : &t->reads) += transactions;
}

void access_bytes(const struct port_model *port, struct traffic *t, u64 bytes, u64 times, bool write)
{
	add(t, div_up(bytes, port->width) * times, div_up(bytes, port->burst) * times, write);
}

void access_short(const struct port_model *port, struct traffic *t, u64 bytes, u64 times)
{
	add(t, div_up(bytes, port->width) * times, div_up(bytes, min_u64(port->burst, SHORT_BURST)) * times, false);
}

/* Beats of `times` runs whose starts are `stride` bytes apart. */
static u64 beats_of_runs(const struct port_model *port, u64 base, u64 stride, u64 bytes, u64 times)
{
	const u64 sample = min_u64(times, port->width); /* starts repeat after `width` runs */
	u64 beats = 0;

	for (u64 i = 0; i < sample; i++)
		beats += div_up((base + i * stride) % port->width + bytes, port->width);
	return sample ? beats * times / sample : 0;
}

/* How far pixels of an NHWC map lie apart: further where the map is some channels of a wider tensor. */
static u64 pixel_stride(const struct npu_fm *map)
{
	return max_u64((u64)map->depth * map->bytes, map->stride_x > 0 ? (u64)map->stride_x : 0);
}

/* Transactions that one pixel's channels take. Pieces are written one by one; what an IFM block holds of a pixel is read in one go
 * (Vela 5.2: bursts of NHWC are as long as the IFM block is deep, of what is written 16 channels). */
static u64 transactions_of_pixel(const struct port_model *port, const struct map_access *a, u64 depth)
{
	const u64 step = a->write ? PIECE : max_u64(a->together, 1), es = a->map->bytes, rest = depth % step;

	return depth / step * div_up(step * es, port->burst) + div_up(rest * es, port->burst);
}

static void add_pieces(const struct port_model *port, struct traffic *t, const struct map_access *a, u64 pixels, u64 depth)
{
	const u64 es = a->map->bytes, pixel = pixel_stride(a->map);
	u64 beats = 0;

	for (u64 z = 0; z < depth; z += PIECE)
		beats += beats_of_runs(port, a->map->base[0] + z * es, pixel, min_u64(PIECE, depth - z) * es, pixels);
	add(t, beats, pixels * transactions_of_pixel(port, a, depth), a->write);
}

static void add_runs(const struct port_model *port, struct traffic *t, const struct map_access *a, u64 stride, u64 bytes,
		     u64 times)
{
	add(t, beats_of_runs(port, a->map->base[0], stride, bytes, times), div_up(bytes, port->burst) * times, a->write);
}

/* True where pixels leave no beat between them: then a row is one run, whatever bytes of it are meant. */
static bool pixels_touch(const struct port_model *port, u64 pixel, u64 bytes)
{
	return pixel < bytes + port->width;
}

void access_box(const struct map_access *a, const struct box *b, u64 times, struct traffic total[NPU_PORTS])
{
	const u8 index = a->memory->region_port[a->map->region & 7];
	const struct port_model *port = &a->memory->port[index];
	struct traffic *t = &total[index];
	const u64 es = a->map->bytes, rows = b->rows * times, runs = div_up(b->columns, max_u64(b->run, 1));

	if (!rows || !b->columns || !b->depth)
		return;
	const u64 run = div_up(b->columns, runs), pixel = pixel_stride(a->map), bytes = b->depth * es;

	if (a->map->format == NPU_NHCWB16)
		access_bytes(port, t, run * PIECE * es, rows * runs * div_up(b->depth, PIECE), a->write);
	else if (a->pieces && pixel > PIECE * es)
		add_pieces(port, t, a, rows * b->columns, b->depth);
	else if (run == 1 || pixels_touch(port, pixel, bytes))
		add_runs(port, t, a, (u64)a->map->stride_y, (run - 1) * pixel + bytes, rows * runs);
	else
		add_runs(port, t, a, pixel, bytes, rows * b->columns);
}
