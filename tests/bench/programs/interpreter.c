/* SPDX-License-Identifier: Apache-2.0 */
/* A byte-code interpreter with a switch: indirect jumps that are hard to predict. */
#include "bench.h"

enum { PUSH, ADD, SUB, MUL, DUP, SWAP, DROP, JNZ, LOAD, STORE, AND, XOR, SHR, HALT };

static const signed char program[] = {
	PUSH, 100, STORE, 0, PUSH, 7, STORE, 1,
	/* 8: */ LOAD, 1, PUSH, 31, MUL, LOAD, 0, XOR, STORE, 1,
	LOAD, 1, DUP, PUSH, 3, SHR, ADD, PUSH, 127, AND, STORE, 2,
	LOAD, 2, LOAD, 1, SWAP, SUB, STORE, 1,
	LOAD, 0, PUSH, 1, SUB, DUP, STORE, 0, JNZ, 8, HALT,
};

static unsigned run(unsigned seed)
{
	unsigned stack[16], variable[4] = { 0, 0, seed, 0 }, *sp = stack;
	const signed char *pc = program;
	for (;;) {
		switch (*pc++) {
		case PUSH: *sp++ = (unsigned)*pc++; break;
		case ADD: sp--; sp[-1] += sp[0]; break;
		case SUB: sp--; sp[-1] -= sp[0]; break;
		case MUL: sp--; sp[-1] *= sp[0]; break;
		case AND: sp--; sp[-1] &= sp[0]; break;
		case XOR: sp--; sp[-1] ^= sp[0]; break;
		case SHR: sp--; sp[-1] >>= sp[0] & 31; break;
		case DUP: sp[0] = sp[-1]; sp++; break;
		case SWAP: { unsigned t = sp[-1]; sp[-1] = sp[-2]; sp[-2] = t; break; }
		case DROP: sp--; break;
		case LOAD: *sp++ = variable[*pc++ & 3]; break;
		case STORE: variable[*pc++ & 3] = *--sp; break;
		case JNZ: { int to = *pc++; if (*--sp) pc = program + to; break; }
		default: return variable[1] + variable[2];
		}
	}
}

unsigned bench(void)
{
	unsigned sum = 0;
	for (unsigned i = 0; i < 8000; i++)
		sum = sum * 31 + run(i);
	return sum;
}
