# extended-remote: a run that the program has ended can be begun again as long as gdb is there; its past begins there.
# extended
# count: 9 round$
# count: 0 closed
continue
# expect: exited normally
shell sleep 1.5
break sleep_once if rounds == 2
run
# expect: Breakpoint 1, sleep_once
print starts
# expect: = 2
reverse-continue
# expect: No more reverse-execution history
print $pc == Reset_Handler
# expect: = 1
continue
# expect: Breakpoint 1, sleep_once
continue
# expect: exited normally
delete
tbreak main
run
# expect: Temporary breakpoint 2, main
continue
# expect: exited normally
kill
# expect: The program is not being run
