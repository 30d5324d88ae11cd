# Commands of the monitor.
monitor help
# expect: monitor reset - 
monitor cycles
# expect: ^0 cycles, 0 instructions
monitor regions
# expect: 0x10000000..0x1007ffff memory +ITCM
# expect: device +NPU
monitor irqs
# expect: no interrupt is enabled
monitor mpu
# expect: Secure MPU: off
monitor npu
# expect: ethos-u55-128: idle; 0 jobs
monitor fault
# expect: no fault so far
monitor nonsense
# expect: there is no command 'nonsense'
# a long path, and one that is too long
monitor trace on npu=@folder@/././././././././././././././././././././././././././././././././././././././././././././././././././././././././././././././././././././././././././././././././././././././././././././././././././././././././././././././././././././././././././././././././././././././././././././long.npu
# expect: tracing: npu=.*/\./long\.npu$
monitor trace off
# expect: the trace is written
python gdb.execute('monitor trace on npu=' + 4400 * 'x')
# expect: at most 4351 characters
monitor run-to 40
# expect: 40 instructions
monitor checkpoint
# expect: 2 checkpoints, .* the past begins after 0 instructions
monitor run-to 7
# expect: 7 instructions
monitor run-to 0
# expect: ^0 cycles, 0 instructions
monitor run-to cycle 30
# expect: ^30 cycles, 30 instructions
monitor run-to nowhere
# expect: takes a number
maintenance flush register-cache
monitor trace off
# expect: no trace is being written
monitor trace on nonsense
# expect: there is no kind of trace 'nonsense'
monitor trace on npu=/dev/null
# expect: tracing: npu
break sleep_once
continue
# expect: sleep_once
monitor trace off
# expect: the trace is written
monitor npu
# expect: idle; 1 jobs since reset
# expect: 18: DMA0_LEN length=16
# expect: 20: DMA_START
# expect: operations done: 1, [0-9]+ cycles
# expect: 0 at 0x20: dma
monitor branches
# expect: main.* -> 0x[0-9a-f]+ sum_loop\+0x0 .*\(call\)
# expect: sum_loop.* -> .*\(branch, 9 times\)
# expect: main.* -> 0x[0-9a-f]+ sleep_once\+0x0 .*\(call\)
print $pc == (unsigned)&sleep_once
# expect: = 1
next
next
next
monitor events
# expect: cycle [0-9]+: processor, .*SysTick
monitor reset
# expect: as after a reset
maintenance flush register-cache
print $pc == (unsigned)Reset_Handler
# expect: = 1
info mem
# expect: flash
compare-sections
# expect: Section .text, range .* matched
delete
# what has been changed just before run-to is kept on the way back
set var starts = 40
monitor run-to 600
maintenance flush register-cache
reverse-stepi
print starts
# expect: = 41
monitor run-to 99999999
# expect: here the run ends: the program exited; 'continue' ends it
maintenance flush register-cache
reverse-stepi
continue
# expect: exited normally
