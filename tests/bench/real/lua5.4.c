/* SPDX-License-Identifier: Apache-2.0 */
/* Lua: a program with tables, strings, closures and a sort. */
#include "real.h"
#include "lauxlib.h"
#include "lua.h"
#include "lualib.h"

static const char program[] =
	"local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end\n"
	"local t, words = {}, {}\n"
	"for i = 1, 3000 do t[i] = (i * 7919) % 3001 end\n"
	"table.sort(t, function(a, b) return a > b end)\n"
	"for w in string.gmatch(string.rep('the memory of a processor is not a value ', 100), '%a+') do\n"
	"  words[w] = (words[w] or 0) + 1\n"
	"end\n"
	"local parts = {}\n"
	"for i = 1, 2000 do parts[#parts + 1] = tostring(i * t[i]) end\n"
	"local s = table.concat(parts, ',')\n"
	"local sum = 0\n"
	"for i = 1, #s do sum = (sum * 31 + string.byte(s, i)) % 1000003 end\n"
	"return fib(21) + words.memory + sum\n";

unsigned bench(void)
{
	unsigned sum = 0;

	for (int k = 0; k < 3; k++) {
		lua_State *l = luaL_newstate();
		luaL_openlibs(l);
		if (luaL_dostring(l, program))
			return 0xdead;
		sum = sum * 31 + (unsigned)lua_tointeger(l, -1);
		lua_close(l);
	}
	return sum;
}
