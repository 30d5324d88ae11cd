/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a host without AVX-512 and AVX-VNNI out of one that has them, for a library that asks CPUID what it may use: preloaded
 * (npu_xnnpack.py --avx2), it has the processor refuse CPUID (CPUID faulting, arch_prctl(2)) and answers in its place, less these
 * bits. Where the processor cannot, avx2_only_replace() puts UD2, which is as long, in the place of the library's CPUIDs. The C library has
 * asked before; where it has chosen wide copies it keeps them. */
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#define ARCH_SET_CPUID 0x1012 /* asm/prctl.h */
#define LENGTH 2              /* of either instruction */
#define CPUID "\x0f\xa2"
#define UD2 "\x0f\x0b"

/* Leaf 7, its subleaves 0 and 1: all of AVX-512, AMX, AVX-VNNI, AVX-IFMA and AVX-VNNI-INT8. */
static const struct hidden {
	unsigned ebx, ecx, edx, eax;
} hidden[] = {
	{ .ebx = 0xdc230000, .ecx = 0x00005842, .edx = 0x03c0010c },
	{ .eax = 0x00a00030, .edx = 0x00000410 },
};

static bool faulting; /* the processor refuses CPUID */

static bool set_faulting(bool on)
{
	return syscall(SYS_arch_prctl, ARCH_SET_CPUID, !on) == 0;
}

static void answer(greg_t *r)
{
	unsigned a = (unsigned)r[REG_RAX], c = (unsigned)r[REG_RCX], b, d;
	const unsigned leaf = a, sub = c;

	if (faulting)
		set_faulting(false);
	__asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
	if (faulting)
		set_faulting(true);
	if (leaf == 7 && sub < sizeof(hidden) / sizeof(*hidden)) {
		a &= ~hidden[sub].eax;
		b &= ~hidden[sub].ebx;
		c &= ~hidden[sub].ecx;
		d &= ~hidden[sub].edx;
	}
	r[REG_RAX] = a;
	r[REG_RBX] = b;
	r[REG_RCX] = c;
	r[REG_RDX] = d;
	r[REG_RIP] += LENGTH;
}

static void on_fault(int signal_number, siginfo_t *info, void *context)
{
	ucontext_t *const u = context;
	greg_t *const r = u->uc_mcontext.gregs;

	(void)info;
	if (memcmp((const void *)r[REG_RIP], signal_number == SIGILL ? UD2 : CPUID, LENGTH) == 0)
		answer(r);
	else
		signal(signal_number, SIG_DFL); /* any other fault: it happens again */
}

int avx2_only_replace(void *instruction); /* for npu_xnnpack.py */

/* 0 when that page's code cannot be written. Not needed, and does nothing, where the processor refuses CPUID. */
int avx2_only_replace(void *instruction)
{
	const uintptr_t page = (uintptr_t)instruction & -(uintptr_t)4096;
	const size_t length = (uintptr_t)instruction + LENGTH - page;

	if (faulting)
		return 1;
	if (mprotect((void *)page, length, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
		return 0;
	memcpy(instruction, UD2, LENGTH);
	return mprotect((void *)page, length, PROT_READ | PROT_EXEC) == 0;
}

__attribute__((constructor)) static void begin(void)
{
	struct sigaction s = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER };

	sigaction(SIGSEGV, &s, NULL);
	sigaction(SIGILL, &s, NULL);
	faulting = set_faulting(true);
}
