/* SPDX-License-Identifier: Apache-2.0 */
/* AMX's instructions, by assembler: intrinsics would want a build of its own for the file. Part of tiles.c. */

#define TILES_CONFIGURE(shape) __asm__ volatile("ldtilecfg %0" : : "m"(*(shape)))
#define TILES_RELEASE() __asm__ volatile("tilerelease")
#define TILE_ZERO(t) __asm__ volatile("tilezero %%tmm" #t : :)
/* Rows are `step` bytes apart. */
#define TILE_LOAD(t, p, step) __asm__ volatile("tileloadd (%0,%1,1), %%tmm" #t : : "r"(p), "r"((i64)(step)) : "memory")
/* Rows one behind the other. */
#define TILE_STORE(t, p) __asm__ volatile("tilestored %%tmm" #t ", (%0,%1,1)" : : "r"(p), "r"((i64)NPU_DEEP) : "memory")
/* sum[row][n] += the products of the bytes without sign in that row of `a`, four at a time, and those with sign in column n of `b` */
#define TILE_DOT(sum, a, b) __asm__ volatile("tdpbusd %%tmm" #b ", %%tmm" #a ", %%tmm" #sum : :)
