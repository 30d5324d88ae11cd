/* SPDX-License-Identifier: Apache-2.0 */
/* Builds without stencils: handlers do all. */
#include "cpu/engine/translate.h"

struct emit_memory *translate_new(struct cpu *c)
{
	(void)c;
	return NULL;
}
void translate_free(struct emit_memory *m) { (void)m; }
void translate_piece(struct cpu *c, struct code_page *p, const u16 *list, unsigned n, unsigned after)
{
	(void)c, (void)p, (void)list, (void)n, (void)after;
}
void translate_within(struct cpu *c, const struct slot *s) { (void)c, (void)s; }
slot_handler translate_alone(struct cpu *c, const struct slot *s)
{
	(void)c;
	return s->handler;
}
void translate_jumped(struct cpu *c, u32 to) { (void)c, (void)to; }
void translate_unlink(struct emit_memory *m, struct code_page *p) { (void)m, (void)p; }
bool translate_full(const struct emit_memory *m) { return m != NULL; }
void translate_drop_all(struct emit_memory *m) { (void)m; }
void translate_forget(struct emit_memory *m) { (void)m; }

const char *translate_kind(void)
{
#if !defined(__x86_64__)
	return "handlers, as the host is not x86-64";
#elif defined(__clang__) || !defined(__GNUC__)
	return "handlers, as the compiler was not gcc";
#else
	return "handlers, as the build has no stencils: a cross build, coverage, or neither -O2 nor -O3";
#endif
}
