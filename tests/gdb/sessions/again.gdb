# extended-remote: run and start begin the program again, with the breakpoints that gdb has then; kill ends it.
# extended
# count: 5 round$
break sleep_once if rounds == 2
continue
# expect: sleep_once
start
# expect: Temporary breakpoint 2, main
print ticks
# expect: = 0
continue
# expect: Breakpoint 1, sleep_once
delete
break deep
run
# expect: Breakpoint 3, deep
print rounds
# expect: = 1
kill
# expect: killed
info threads
# expect: No threads
