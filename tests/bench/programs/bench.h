/* SPDX-License-Identifier: Apache-2.0 */
/* A benchmark program: does its work and returns a check value. */
unsigned bench(void);
