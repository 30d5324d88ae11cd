/* SPDX-License-Identifier: Apache-2.0 */
/* Makes, renames and removes a file whose whole name is the command line. */
#include "guest.h"

enum { ROOM = 400 };

static char from[ROOM], to[ROOM];

void ending(void)
{
	uint32_t line[2] = { (uint32_t)from, ROOM - 1 };

	if (call(GET_CMDLINE, line))
		leave(2);
	for (uint32_t i = 0; i < line[1]; i++)
		to[i] = from[i];
	to[line[1]] = '2';

	const int file = open_file(from, MODE_W);

	if (file == -1)
		leave(1);
	call3(WRITE, (uint32_t)file, (uint32_t)"text", 4);
	call3(CLOSE, (uint32_t)file, 0, 0);

	const volatile uint32_t names[4] = { (uint32_t)from, line[1], (uint32_t)to, line[1] + 1 };
	const volatile uint32_t gone[2] = { (uint32_t)to, line[1] + 1 };

	leave(call(RENAME, names) || open_file(to, MODE_R) == -1 || call(REMOVE, gone) || open_file(to, MODE_R) != -1 ? 3 : 0);
}
