# What a debugger has changed on the way is part of the past: branches, and the way back behind them, come from it.
# count: 1 semihosting operation 0x99
break write_shared
continue
# expect: Breakpoint 1, write_shared
print deep(3)
# expect: = 6
set var $r9 = 1234
print choose(9)
# expect: = 17
monitor branches
# expect: choose.* -> 0x[0-9a-f]+ Reset_Handler\+0x0 .*\(return\)
# the next line of the program's, not one that ran without the call
stepi 2
set var $r9 = 5678
monitor branches
# expect: no branch since the past begins, or since the debugger has changed something
reverse-stepi
print $r9
# expect: = 1234
print $pc == (unsigned)write_shared + 2
# expect: = 1
monitor branches
reverse-stepi
print $r9
# expect: = 1234
print $pc == (unsigned)write_shared
# expect: = 1
delete
continue
# expect: exited normally
