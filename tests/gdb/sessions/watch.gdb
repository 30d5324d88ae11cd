# Watchpoints on what the processor writes and reads, and on what the NPU writes.
break main
continue
watch shared
# expect: Hardware watchpoint 2: shared
continue
# expect: Old value = 0
# expect: New value = 101
# expect: write_shared
continue
# expect: Old value = 101
# expect: New value = 102
delete 2
rwatch deepest
continue
# expect: Hardware read watchpoint
# expect: Value = 1
# expect: deep
delete
awatch ticks
continue
# expect: access .*watchpoint
# expect: SysTick_Handler
delete
# the NPU's copy, by the other address of the same memory
watch *(unsigned *)0x2100030c
continue
# expect: Old value = 2003
# expect: New value = 3003
# expect: npu_copy
x/4uw 0x31000300
# expect: 3000\s+3001\s+3002\s+3003
delete
continue
# expect: exited normally
