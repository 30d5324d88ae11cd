# extended-remote: run and start begin the program again, with the breakpoints that gdb has then; kill ends it.
# extended
# count: 7 round$
break sleep_once if rounds == 2
continue
# expect: sleep_once
start
# expect: Temporary breakpoint 2, main
print ticks
# expect: = 0
print starts
# expect: = 2
continue
# expect: Breakpoint 1, sleep_once
delete
break deep
run
# expect: Breakpoint 3, deep
print rounds
# expect: = 1
print starts
# expect: = 2
set var starts = 7
run
print starts
# expect: = 8
load
run
print starts
# expect: = 2
kill
# expect: killed
info threads
# expect: No threads
