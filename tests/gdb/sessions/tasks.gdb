# Tasks that exchange stacks (tests/firmware/rtos.c): what the monitor says of the core, and the way back over a switch.
break keep_vectors
continue
monitor irqs
# expect: no interrupt is enabled
monitor events
# expect: cycle [0-9]+: processor, Secure SysTick
monitor backtrace
# expect: #0  0x[0-9a-f]+ in keep_vectors\+0x.*, Secure
# expect: #1  0x[0-9a-f]+, Secure
break *PendSV_Handler
continue
monitor irqs
# expect: PendSV: active
monitor backtrace
# expect: #0 .* in PendSV_Handler
# expect: <PendSV, came in between>
# expect: #1 .* in k
delete
watch kernel_switches
continue
# expect: New value = 2
reverse-continue
# expect: Old value = 2
print kernel_switches
# expect: = 1
delete
monitor run-to cycle 99999999
# expect: rounds 1200, errors 0, preempted and yielded
# expect: here the run ends: the program exited
# expect: [0-9]+ cycles, [0-9]+ instructions
