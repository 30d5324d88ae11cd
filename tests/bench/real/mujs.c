/* SPDX-License-Identifier: Apache-2.0 */
/* MuJS: a program in JavaScript. */
#include "mujs.h"
#include "real.h"

static const char program[] =
	"function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }\n"
	"var t = [], words = {}, sum = 0, i;\n"
	"for (i = 0; i < 800; i++) t.push((i * 7919) % 3001);\n"
	"t.sort(function (a, b) { return a - b; });\n"
	"'the memory of a processor is not a value'.split(' ').forEach(function (w, k) { words[w] = (words[w] || 0) + k; });\n"
	"for (i = 0; i < t.length; i++) sum = (sum * 31 + t[i]) % 1000003;\n"
	"var s = JSON.stringify(words);\n"
	"for (i = 0; i < s.length; i++) sum = (sum * 31 + s.charCodeAt(i)) % 1000003;\n"
	"result(fib(17) + sum);\n";
static unsigned value;

static void result(js_State *j)
{
	value = value * 31 + (unsigned)js_tointeger(j, 1);
	js_pushundefined(j);
}

unsigned bench(void)
{
	for (int k = 0; k < 2; k++) {
		js_State *j = js_newstate(NULL, NULL, JS_STRICT);
		js_newcfunction(j, result, "result", 1);
		js_setglobal(j, "result");
		if (js_dostring(j, program))
			return 0xdead;
		js_freestate(j);
	}
	return value;
}
