/* SPDX-License-Identifier: Apache-2.0 */
/* Packed weights that the NPUs of a process have in common: several machines at a time, or one after the other.
 *
 * A shelf holds what one NPU has packed. Others find sets there by their key and all bytes of their streams, and use them in
 * place; the shelf stays until nobody does. When its NPU is gone it waits for the next one that runs the same network, the oldest
 * first to go when all that wait take more than NPU_SHELF_BYTES. Nothing but time depends on what is found.
 *
 * Functions may be called by different threads at a time, with different packers. */
#ifndef NPU_KERNELS_SHELF_H
#define NPU_KERNELS_SHELF_H

#include "npu/kernels/kept/packed.h"

#define NPU_SHELF_BYTES ((size_t)256 << 20)

struct npu_shelf;

/* For an NPU's own sets; `open`: others may find them, whose host code and configuration are the same. NULL: memory is short. */
struct npu_shelf *npu_shelf_new(const struct npu_simd *simd, const struct npu_config *config, bool open);

/* Where the owner takes memory for sets: it lives as long as the shelf. */
struct npu_store *npu_shelf_store(struct npu_shelf *shelf);

/* The same, for what is written while the weights beside it wait for a thread: fresh pages are cleared by whoever writes them first. */
struct npu_store *npu_shelf_records(struct npu_shelf *shelf);

/* The owner has packed this set, in bucket `bucket`; nothing it points to changes any more. What others see, NULL where they see nothing. Bytes of streams that are not in the
 * shelf's memory must stay until npu_shelf_leave(). */
struct npu_packed *npu_shelf_show(struct npu_shelf *shelf, const struct npu_packed *s, unsigned bucket);

/* The owner has prepared constants for it: those who find the set from now on find them, too. They do not change any more. */
void npu_shelf_show_prepared(const struct npu_packed *s);

/* A shelf that has such a set, which is copied to *set; NULL: none. Its memory lives until npu_shelf_put_back(). `view` NULL: bytes do
 * not matter. `own` is not looked at. */
struct npu_shelf *npu_shelf_find(const struct npu_shelf *own, const struct npu_packed_key *key, unsigned bucket, const struct npu_view *view,
				 struct npu_packed *set);
void npu_shelf_put_back(struct npu_shelf *shelf);

/* Its memory lives until npu_shelf_put_back(), too. */
void npu_shelf_hold(struct npu_shelf *shelf);

/* Bytes that shelves without an owner may take, NPU_SHELF_BYTES at first (tests take fewer); returns what it was. */
size_t npu_shelf_limit(size_t bytes);

unsigned npu_shelf_kept(void); /* shelves without an owner */

/* The owner is gone (NULL: there was no shelf). `keep`: the next one may want the sets, and bytes outside the shelf's memory and
 * *lasting are there for the last time. *lasting is released sooner or later. */
void npu_shelf_leave(struct npu_shelf *shelf, bool keep, const struct npu_lasting *lasting);

#endif
