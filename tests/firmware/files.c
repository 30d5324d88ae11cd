/* SPDX-License-Identifier: Apache-2.0 */
/* Streams of the C library over semihosting: formatted output, files written, sought and read back,
 * errors, the heap, the date. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define RTC (*(volatile uint32_t *)(UART0 + 0x8000)) /* PL031, on every board so far behind UART0 */

static const char name[] = "firmware-files.txt";

static void numbers(void)
{
	static const double values[] = { 0, -0.0, 1.0 / 3, 1e300, 5e-324, 123456789.125, 2.5 };

	for (size_t i = 0; i < sizeof values / sizeof *values; i++)
		printf("%g %.17e %.0f|%-8.2g|%+08.1f\n", values[i], values[i], values[i] < 1e15 ? values[i] : 0, values[i],
		       values[i] < 1e15 ? values[i] : 0);
	printf("%d %u %x %#o %c %5s|%-5s|%lld %p\n", -7, 7u, 0xbeefu, 8u, 'c', "ab", "cd", -(1LL << 40), (void *)0);
}

static void write_and_read(void)
{
	char line[32];
	int number;
	double value;
	FILE *f = fopen(name, "w+");

	if (!f) {
		printf("cannot be opened: %d\n", errno);
		return;
	}
	fprintf(f, "first\n%d %s %.3f\n", 42, "words", 3.25e2);
	fseek(f, 0, SEEK_SET);
	printf("line: %s", fgets(line, sizeof line, f));
	printf("items: %d", fscanf(f, "%d %31s %lf", &number, line, &value));
	printf(" %d %s %g\n", number, line, value);
	fseek(f, -4, SEEK_END);
	printf("end: %c at %ld\n", fgetc(f), ftell(f));
	fclose(f);
	f = fopen(name, "ab");
	fwrite("tail", 1, 4, f);
	fclose(f);
	f = fopen(name, "rb");
	printf("bytes: %u, at end %d\n", (unsigned)fread(line, 1, sizeof line, f), feof(f) != 0);
	fclose(f);
	printf("removed %d, again %d\n", remove(name), fopen(name, "r") == NULL);
}

static void heap(void)
{
	char *p = malloc(100000);

	memset(p, 0x5a, 100000);
	p = realloc(p, 150000);
	printf("heap: %x %x\n", p[0], p[99999]);
	free(p);
}

/* time() is semihosting's, gmtime() the library's: both and the clock of the board tell the same. */
static void date(void)
{
	const time_t now = time(NULL);
	const struct tm *t = gmtime(&now);

	printf("date: %04d-%02d-%02d, the board's clock %d\n", t->tm_year + 1900, t->tm_mon + 1, t->tm_mday, RTC - (uint32_t)now <= 1);
}

int main(void)
{
	numbers();
	write_and_read();
	heap();
	date();
	fprintf(stderr, "to the error stream\n");
	return 3;
}
