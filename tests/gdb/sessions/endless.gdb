# A program that can do nothing more stands still; it can be looked at, led on, gone back from, and ends at last.
break square_all
continue
# expect: Breakpoint 1, square_all
delete
set var *(unsigned short *)choose = 0xe7fe
break choose
continue
# expect: Breakpoint 2, choose
delete
continue
# expect: the program loops for ever: nothing can change any more; 'continue' ends the run
# expect: received signal SIGSTOP
# expect: choose
print $pc == (unsigned)choose
# expect: = 1
monitor cycles
reverse-stepi
stepi
print $pc == (unsigned)choose
# expect: = 1
break sum_loop
reverse-continue
# expect: Breakpoint 3, sum_loop
print rounds
# expect: = 2
delete
continue
# expect: the program loops for ever
# wfi; bx lr
set var *(unsigned *)choose = 0x4770bf30
continue
# expect: the program sleeps for ever
print divide(9, 3)
# expect: = 3
set var *(unsigned short *)choose = 0xbf00
continue
# expect: exited
