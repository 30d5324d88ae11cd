# Semihosting that gdb serves: files, console, clock, commands; backwards, what was written is not written again.
# options: --gdb-semihosting
# count: 1 ^handle$
# count: 1 ^text$
cd @folder@
set remote system-call-allowed 1
monitor semihosting
# expect: served by gdb
break in_the_file
continue
# expect: Breakpoint 1, in_the_file
finish
shell cat f.txt; echo :
# expect: 0123456789:
shell echo changed > f.txt
reverse-stepi
reverse-continue
# expect: Breakpoint 1, in_the_file
finish
shell cat f.txt
# expect: ^changed
shell printf 0123456789 > f.txt
delete
break console
continue
# expect: Breakpoint 2, console
print step
# expect: = 18
shell ls f.txt g.txt 2> /dev/null | wc -l
# expect: ^0
delete
break last
continue
# expect: ^handle
# expect: ^text
# expect: ^c$
# expect: Breakpoint 3, last
print now > 1700000000 && now != 1767225600
# expect: = 1
print commands
# expect: = 3
set var $seen = now
delete
reverse-continue
# expect: No more reverse-execution history
break last
continue
# expect: Breakpoint 4, last
print now == $seen
# expect: = 1
monitor semihosting native
# expect: served by the simulator
monitor semihosting nonsense
# expect: served by gdb or native
continue
# expect: exited normally
