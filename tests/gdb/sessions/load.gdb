# The program is loaded again, into memory that was spoiled.
set var *(unsigned *)square_all = 0
load
# expect: Transfer rate
compare-sections
# expect: Section .text, range .* matched
monitor reset
break main
continue
# expect: Breakpoint 1, main
restore sessions/load.gdb binary 0x01000000 0 16
x/4cb 0x01000000
# expect: 35 '#'
detach
# expect: detached
