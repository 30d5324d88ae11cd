# A fault stops where it is raised, in words; what is not caught goes on.
break main
continue
# expect: Breakpoint 1, main
print divide(7, 2)
# expect: = 3
set $pc = divide
set $r0 = 7
set $r1 = 0
continue
# expect: fault: UsageFault: division by zero, escalated to HardFault, raised at 0x[0-9a-f]+ in divide
# expect: received signal SIGFPE
monitor fault
# expect: UsageFault: division by zero
# expect: CFSR 0x02000000
# A function that is called there does not end in the handler, and the instruction is tried anew; or with another register.
print divide(9, 3)
# expect: = 3
continue
# expect: fault: UsageFault: division by zero
set $r1 = 7
stepi
print $pc == (unsigned)divide
# expect: = 0
# Where nothing can be fetched memory keeps what is written before a register is.
set $pc = 0xf0000001
continue
# expect: fault: MemManage fault: instruction fetch not permitted
set var shared = 55
set $pc = divide
print shared
# expect: = 55
stepi
print shared
# expect: = 55
# A breakpoint of the program's own.
set $was = *(unsigned short *)divide
set var *(unsigned short *)divide = 0xbe01
set $pc = divide
continue
# expect: fault: DebugMonitor: breakpoint instruction, escalated to HardFault
# expect: received signal SIGTRAP
set var *(unsigned short *)divide = $was
set $pc = divide
set $r1 = 0
continue
# expect: fault: UsageFault: division by zero
monitor catch none
# expect: stops at: none
# expect: goes on at: UNDEFINSTR
tbreak HardFault_Handler
continue
# expect: HardFault_Handler
backtrace
# expect: signal handler called
# expect: divide
continue
# expect: exited with code 03
