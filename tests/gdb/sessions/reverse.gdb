# Backwards: over calls, sleep, exceptions, semihosting and the NPU's work; what was printed or told does not come again.
# count: 3 round$
# count: 1 SEMI001
break sleep_once if rounds == 3
continue
# expect: Breakpoint 1, sleep_once
monitor cycles
# expect: 0.00[0-9]+ s simulated
set var $at = $pc
stepi 9
reverse-stepi 9
print $pc == $at
# expect: = 1
watch shared
reverse-continue
# expect: Old value = 103
# expect: New value = 102
# expect: write_shared
reverse-continue
# expect: Old value = 102
# expect: New value = 101
print rounds
# expect: = 2
print ticks
# expect: = 1
delete
break choose
reverse-continue
# expect: Breakpoint 3, choose
reverse-finish
# expect: main \(\)
reverse-next
delete
watch *(unsigned *)0x3100030c
reverse-continue
# expect: Old value = 1003
# expect: New value = 0
# expect: npu_copy
print rounds
# expect: = 1
delete
reverse-continue
# expect: No more reverse-execution history
# expect: Reset_Handler
monitor cycles
# expect: ^0 cycles, 0 instructions
break sleep_once if rounds == 3
continue
# expect: sleep_once
delete
continue
# expect: exited normally
