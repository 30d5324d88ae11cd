/* SPDX-License-Identifier: Apache-2.0 */
/* Convolution and fully connected: gather a tile of output pixels' receptive fields, multiply
 * by packed weights, rescale, store.
 *
 * Three forms: u8 x int8 (VNNI, dot product of aarch64), int16 x int16 with 32-bit sums, and the same in parts of K
 * that cannot overflow, summed in 64 bits, where 32 bits might not be enough. */
#include "npu/kernels/conv/conv.h"

#include "npu/kernels/conv/abreast.h"
#include "npu/kernels/conv/few.h"
#include "npu/kernels/fm.h"
#include "npu/kernels/conv/gather.h"
#include "npu/kernels/conv/phases.h"
#include "npu/kernels/conv/shifted.h"
#include "npu/kernels/team.h"
#include "npu/kernels/conv/turned.h"
#include "npu/kernels/conv/vector.h"

#define SHORT_ROW 256 /* bytes of a pixel in the panel */
/* The matrix unit takes less time for so many products of a sum, and of a pixel; more where fields are brought together in pieces. Measured on a
 * Xeon with AMX (docs/evidence/bench-npu.md). */
#define STAGED_ROW 128
#define STAGED_PRODUCTS 8192
#define STAGED_PIECES 32768
#define STAGED_MOST ((size_t)512 << 10) /* the fields of a tile stay in the second cache */

/* So many products of int16 and weights up to `most` stay below 2^31, whole bricks of them. */
static size_t part_of(i32 most)
{
	return 65536 / (size_t)most - 16;
}

/* What a tile costs is shared by its pixels, its weights' way from the last cache above all, but what it reads again for each pair of groups
 * should stay in the first caches; with int16 products take so long that this does not matter. Threads share a small map's tiles. */
static unsigned tile_of(size_t row_bytes, bool bytes, u64 pixels, unsigned threads)
{
	if (row_bytes <= SHORT_ROW)
		return NPU_TILE;
	if (bytes)
		return NPU_TILE / 2;
	return threads > 1 && pixels < 4 * NPU_TILE ? NPU_TILE / 4 : NPU_TILE;
}

/* Fields are read where they are: only whole rows count, where it is not larger blocks that read them. */
static unsigned tile_of_fields(u32 width)
{
	return width <= NPU_TILE ? NPU_TILE / width * width : NPU_TILE;
}

static u64 pixels_of(const struct conv *c)
{
	return (u64)c->mac.op->ofm.height * c->mac.op->ofm.width;
}

static u64 tiles_of(const struct conv *c)
{
	return (pixels_of(c) + c->tile - 1) / c->tile;
}

/* Pairs of groups: these are multiplied together. */
static u32 pairs_of(const struct conv *c)
{
	return (c->mac.channels.groups + 1) / 2;
}

static struct channels channels_of(const struct conv *c, unsigned column, unsigned place)
{
	const u32 first = 2 * (pairs_of(c) * column / c->columns), end = 2 * (pairs_of(c) * (column + 1) / c->columns);
	struct channels part = { first, end < c->mac.channels.groups ? end : c->mac.channels.groups, c->layer };
	struct npu_layer8 *const l = &part.layer;

	l->staged = c->staged ? c->staged + place * c->staged_bytes : NULL;
	if (c->columns == 1)
		return part;
	l->weights = (const u8 *)l->weights + first * l->group_step * (c->mac.weights->key.taps == 4 ? 1 : sizeof(i16));
	l->weights_high = l->weights_high ? (const i16 *)l->weights_high + first * l->group_step : NULL;
	l->start += first * NPU_GROUP;
	l->high += first * NPU_GROUP;
	l->rescale += first;
	l->whole += l->whole ? first * NPU_GROUP : 0;
	l->depth = (end * NPU_GROUP < l->depth ? end * NPU_GROUP : l->depth) - first * NPU_GROUP;
	return part;
}

/* A tile, and its bytes through the table. */
static void run_tile_late(const struct conv *c, const struct channels *part, void *panel, struct npu_place first, unsigned pixels,
			  const struct npu_target *target)
{
	struct npu_target moved = *target;

	c->run_tile(c, part, panel, first, pixels, &moved);
	npu_sink_look_up(&c->mac.sink, target, part->first, part->end);
}

/* Tiles and channels of one part; tiles in rows from top to bottom. */
static void run_part(void *ctx, unsigned number, unsigned place)
{
	const struct conv *c = ctx;
	const u32 width = c->mac.op->ofm.width, row = number % c->rows;
	const u64 pixels = pixels_of(c), tiles = tiles_of(c);
	const u64 begin = tiles * row / c->rows * c->tile, end = tiles * (row + 1) / c->rows * c->tile;
	const struct channels part = channels_of(c, number / c->rows, place);
	struct npu_place at = { (u32)(begin / width), (u32)(begin % width) };
	u8 *const panel = c->panels ? c->panels + place * c->panel_bytes : NULL;
	struct npu_target target;

	for (u64 left = (end < pixels ? end : pixels) - begin, n; left && !npu_given_up(c->mac.view); left -= n) {
		struct npu_place first = at;
		n = left < c->tile ? left : c->tile;
		npu_target_next(&target, c->mac.op, c->mac.view, &at, (unsigned)n);
		if (c->mac.sink.late)
			run_tile_late(c, &part, panel, first, (unsigned)n, &target);
		else
			c->run_tile(c, &part, panel, first, (unsigned)n, &target);
	}
}

static unsigned least(u64 a, u64 b)
{
	return (unsigned)(a < b ? a : b);
}

/* Every part reads the weights of its channels and the map of its tiles: what is larger is shared out. Panels are gathered anew for each
 * part of the channels, which are therefore no more than threads; they come one behind the other, so that a thread keeps its weights. */
static void choose_parts(struct conv *c, const struct npu_kernels *k)
{
	const struct npu_op *op = c->mac.op;
	const u64 map = (u64)op->ifm.height * op->ifm.width * op->ifm.depth, weights = op->ofm.depth * (u64)c->mac.weights->row;
	const unsigned most = npu_team_parts(k->team, pixels_of(c) * weights), threads = npu_team_places(k->team);
	const unsigned tiles = least(tiles_of(c), most), columns = map < weights ? least(threads, most) : most / tiles;

	c->columns = least(columns, pairs_of(c));
	/* columns of different widths: smaller parts, which a thread takes from the wider one */
	c->rows = least(most / c->columns * (pairs_of(c) % c->columns ? 2 : 1), tiles);
	if (c->run_tile == npu_conv_tile_fields)
		c->columns = least(most / c->rows, pairs_of(c));
}

/* Bytes of a tile's fields for the host's matrix unit; 0: there is none, or it would take longer. */
static size_t staged_bytes(const struct conv *c, const struct npu_simd *simd)
{
	const size_t row = c->layer.row, bytes = (row + NPU_DEEP - 1) / NPU_DEEP * NPU_DEEP * NPU_TILE;
	const bool bytes_only = c->mac.u8 && (c->run_tile == npu_conv_tile_layer || c->run_tile == npu_conv_tile_fields) && npu_direct_layer(&c->layer);
	const bool pays = row >= STAGED_ROW && row * c->mac.op->ofm.depth >= (row % NPU_DEEP ? STAGED_PIECES : STAGED_PRODUCTS);

	return simd->tiles && bytes_only && pays && c->mac.channels.groups > 1 && bytes <= STAGED_MOST ? bytes + NPU_PLACE_GAP : 0;
}

/* What is done with a tile, and how large it is. */
static void choose_tiles(struct conv *c, struct npu_kernels *k, bool narrow)
{
	const struct npu_op *op = c->mac.op;

	c->layer = npu_mac_layer(&c->mac);
	c->run_tile = c->mac.split ? npu_conv_tile_split
		    : c->mac.pairs ? npu_conv_tile_pairs
		    : !narrow ? npu_conv_tile_wide
		    : npu_sink_is_layer(&c->mac.sink) ? npu_conv_tile_layer : npu_conv_tile_narrow;
	if (c->run_tile == npu_conv_tile_layer) {
		npu_sink_postpone(&c->mac.sink);
		c->layer.bricks |= !c->mac.u8 && npu_gather_as_bricks(&c->mac.gather, k->simd);
	}
	const bool direct = c->mac.split || (c->run_tile == npu_conv_tile_layer && c->mac.u8 && npu_direct_layer(&c->layer));
	if (direct && npu_gather_fields(&c->mac.gather, k, op->ofm.height, &c->fields)) {
		c->run_tile = npu_conv_tile_fields;
		npu_mac_layer_lines(&c->mac, &c->layer);
		c->tile = c->mac.split || c->mac.weights->row >= NPU_BLOCK_ROW ? NPU_TILE : tile_of_fields(op->ofm.width);
	}
	c->staged_bytes = staged_bytes(c, k->simd);
	if (c->staged_bytes && c->run_tile != npu_conv_tile_fields)
		c->tile = NPU_TILE; /* weights are read once for each */
}

static bool run_tiles(struct conv *c, struct npu_kernels *k)
{
	const unsigned places = c->rows * c->columns > 1 ? npu_team_places(k->team) : 1;

	c->panels = NULL;
	c->staged = c->staged_bytes ? npu_scratch(&k->staged, places * c->staged_bytes) : NULL;
	if (c->staged_bytes && !c->staged)
		return false;
	if (c->run_tile != npu_conv_tile_fields) {
		c->panels = npu_scratch(&k->panel, places * c->panel_bytes);
		if (!c->panels)
			return false;
	}
	if (c->run_tile != npu_conv_tile_fields && !c->mac.gather.pointwise) {
		c->plain = c->mac.gather;
		npu_gather_surround(&c->mac.gather, k, c->mac.op->ofm.height);
	}
	npu_team_run(k->team, c->rows * c->columns, run_part, c);
	return true;
}

static bool run_again(struct npu_kernels *k, void *room)
{
	struct conv *c = room;

	if (!(c->follows ? npu_mac_follow(&c->mac, k) : npu_mac_again(&c->mac, k)))
		return false;
	if (c->follows)
		c->layer = npu_mac_layer(&c->mac);
	if (c->run_tile == npu_conv_tile_fields && !npu_gather_fields(&c->mac.gather, k, c->mac.op->ofm.height, &c->fields))
		return false;
	if (c->run_tile != npu_conv_tile_fields && !c->mac.gather.pointwise)
		c->mac.gather = c->plain;
	return run_tiles(c, k);
}

/* Bytes that the level multiplies for layers of one pixel alone. */
static bool one_pixel(struct conv *c, struct npu_kernels *k)
{
	npu_mac_start(&c->mac, k);
	return (c->mac.mixed || npu_mac_fits_32(&c->mac)) && npu_fast_vector(k, &c->mac);
}

bool npu_fast_conv(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view)
{
	if ((npu_has_phases(op, view) && npu_fast_phases(k, op, view)) || npu_fast_turned(k, op, view) || npu_fast_conv_shifted(k, op, view) ||
	    npu_fast_abreast(k, op, view))
		return true;
	struct conv *const room = npu_again_room(k, sizeof(*room)), own, *const c = room ? room : &own;

	if (!npu_mac_init(&c->mac, k, op, view))
		return false;
	if (c->mac.mixed || (c->mac.u8 && !k->simd->gemm_u8)) {
		if (one_pixel(c, k))
			return true;
		if (!npu_mac_words(&c->mac, k))
			return false;
	}
	const size_t row = c->mac.weights->row, element = c->mac.u8 ? 1 : 2;
	bool narrow = npu_mac_fits_32(&c->mac);
	if (!npu_mac_has_sums(&c->mac) && !npu_mac_pairs(&c->mac))
		return false;
	c->tile = tile_of(row * element, c->mac.u8 || c->mac.split, pixels_of(c), npu_team_places(k->team));
	const bool whole = narrow || c->mac.split || c->mac.pairs; /* the row in one part */
	c->part = whole ? row : part_of(c->mac.weights->low ? 128 : c->mac.weights->max_weight);
	c->panel_bytes = ((NPU_TILE * ((row + 15) / 16 * 16) + NPU_PANEL_SLACK) * element + 63) / 64 * 64 * (whole ? 1 : 2) + NPU_PLACE_GAP;
	npu_mac_start(&c->mac, k);
	if (((narrow || c->mac.split) && npu_fast_vector(k, &c->mac)) || (narrow && npu_fast_few(k, &c->mac)))
		return true;
	npu_gather_as_rows(&c->mac.gather, c->mac.simd);
	choose_tiles(c, k, narrow);
	choose_parts(c, k);
	if (!run_tiles(c, k))
		return false;
	c->follows = c->run_tile == npu_conv_tile_layer && npu_mac_follows(&c->mac, k);
	if (c->follows || npu_mac_lasts(&c->mac, k))
		npu_again_keep(k, room, run_again);
	return true;
}
