/* SPDX-License-Identifier: Apache-2.0 */
/* A mix of integer kernels in the manner of CoreMark: linked list search and sort, small matrix
 * arithmetic, a state machine over text, and a CRC-16 over all results. */
#include "bench.h"

#define ROUNDS 12000
#define LIST 48
#define DIM 10

struct item { struct item *next; short value, index; };
static struct item pool[LIST];
static short ma[DIM][DIM], mb[DIM][DIM];
static int mc[DIM][DIM];

static unsigned short crc16(unsigned short crc, unsigned data, int bits)
{
	for (int i = 0; i < bits; i++) {
		unsigned bit = (data ^ crc) & 1;
		crc >>= 1;
		if (bit)
			crc ^= 0xa001;
		data >>= 1;
	}
	return crc;
}

static struct item *list_make(unsigned seed)
{
	for (int i = 0; i < LIST; i++) {
		seed = seed * 1103515245 + 12345;
		pool[i].value = (short)(seed >> 16);
		pool[i].index = (short)i;
		pool[i].next = i + 1 < LIST ? &pool[i + 1] : 0;
	}
	return pool;
}

static struct item *list_find(struct item *l, short value)
{
	while (l && (l->value & 0xff) != value)
		l = l->next;
	return l;
}

static struct item *list_reverse(struct item *l)
{
	struct item *done = 0;
	while (l) {
		struct item *next = l->next;
		l->next = done;
		done = l;
		l = next;
	}
	return done;
}

typedef int compare(const struct item *a, const struct item *b);
static int by_value(const struct item *a, const struct item *b) { return a->value - b->value; }
static int by_index(const struct item *a, const struct item *b) { return a->index - b->index; }

static struct item *list_sort(struct item *l, compare *cmp)
{
	for (int width = 1;; width *= 2) {
		struct item *rest = l, *tail = 0;
		int merges = 0;
		l = 0;
		while (rest) {
			struct item *q = rest;
			int np = 0, nq = width;
			merges++;
			while (np < width && q) {
				np++;
				q = q->next;
			}
			struct item *p = rest;
			while (np > 0 || (nq > 0 && q)) {
				struct item *e;
				if (np > 0 && (nq == 0 || !q || cmp(p, q) <= 0)) {
					e = p;
					p = p->next;
					np--;
				} else {
					e = q;
					q = q->next;
					nq--;
				}
				if (tail)
					tail->next = e;
				else
					l = e;
				tail = e;
			}
			rest = q;
		}
		tail->next = 0;
		if (merges <= 1)
			return l;
	}
}

static unsigned list_work(unsigned seed, unsigned short crc)
{
	struct item *l = list_make(seed);
	unsigned found = 0;
	for (int i = 0; i < 24; i++) {
		struct item *hit = list_find(l, (short)((seed + (unsigned)i * 7) & 0xff));
		found += hit ? (unsigned)hit->index : 1000;
		if (i & 1)
			l = list_reverse(l);
	}
	l = list_sort(l, by_value);
	for (struct item *i = l; i; i = i->next)
		crc = crc16(crc, (unsigned short)i->value, 16);
	l = list_sort(l, by_index);
	return crc16(crc, found, 32);
}

static unsigned matrix_work(int seed, unsigned short crc)
{
	for (int i = 0; i < DIM; i++)
		for (int j = 0; j < DIM; j++) {
			ma[i][j] = (short)(seed * (i + 1) + j);
			mb[i][j] = (short)(seed + i * j);
		}
	for (int i = 0; i < DIM; i++)
		for (int j = 0; j < DIM; j++) {
			int sum = 0;
			for (int k = 0; k < DIM; k++)
				sum += ma[i][k] * mb[k][j];
			mc[i][j] = sum;
		}
	int high = 0, last = 0;
	for (int i = 0; i < DIM; i++)
		for (int j = 0; j < DIM; j++) {
			int now = mc[i][j] >> 2 & 0xfff;
			high += now > last ? 10 : 1;
			last = now;
		}
	for (int i = 0; i < DIM; i++)
		for (int j = 0; j < DIM; j++)
			mc[i][j] = (mc[i][j] >> 2 & 15) * (mc[i][j] >> 5 & 127);
	for (int i = 0; i < DIM; i++)
		crc = crc16(crc, (unsigned)mc[i][i] + (unsigned)high, 32);
	return crc;
}

enum state { START, SIGN, INT, DOT, FRACTION, EXPONENT, BAD };
static const char text[] = "5012,1234,-874,+122,35.54400,.1234500,-110.700,+0.64400,5.500e+3,-.123e-2,"
			   "-87e+832,+0.6e-12,T0.3e-1F,-T.T++Tq,1T3.4e4z,34.0e-T^,";

static unsigned state_work(unsigned seed, unsigned short crc)
{
	unsigned count[7] = { 0 };
	enum state s = START;
	for (const char *p = text; *p; p++) {
		char c = *p;
		if ((seed & 63) == 7)
			c ^= 1;
		seed++;
		if (c == ',') {
			count[s]++;
			s = START;
			continue;
		}
		int digit = c >= '0' && c <= '9';
		switch (s) {
		case START: s = digit ? INT : c == '+' || c == '-' ? SIGN : c == '.' ? DOT : BAD; break;
		case SIGN: s = digit ? INT : c == '.' ? DOT : BAD; break;
		case INT: s = c == '.' ? FRACTION : c == 'e' ? EXPONENT : digit ? INT : BAD; break;
		case DOT:
		case FRACTION: s = c == 'e' ? EXPONENT : digit ? FRACTION : BAD; break;
		case EXPONENT: s = digit || c == '+' || c == '-' ? EXPONENT : BAD; break;
		default: break;
		}
	}
	for (int i = 0; i < 7; i++)
		crc = crc16(crc, count[i], 16);
	return crc;
}

unsigned bench(void)
{
	unsigned short crc = 0xffff;
	for (unsigned i = 0; i < ROUNDS; i++) {
		crc = (unsigned short)list_work(i, crc);
		crc = (unsigned short)matrix_work((int)i & 31, crc);
		crc = (unsigned short)matrix_work((int)i & 15, crc);
		crc = (unsigned short)state_work(i, crc);
		crc = (unsigned short)state_work(i * 3, crc);
		crc = (unsigned short)state_work(i * 5, crc);
	}
	return crc;
}
