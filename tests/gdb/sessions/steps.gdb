# Single steps through a loop of LE, an IT block and into sleep.
break sum_loop
continue
# expect: Breakpoint 1, sum_loop
finish
# expect: Value returned is .* = 30
break choose
continue
# expect: Breakpoint 2, choose
display/i $pc
stepi
stepi
stepi
# expect: itete|ite
stepi
stepi
stepi
# expect: addle
finish
# expect: Value returned is .* = 34
undisplay 1
break sleep_once
continue
# expect: Breakpoint 3, sleep_once
next
next
next
next
# expect: wfi
next
# expect: main \(\)
print ticks
# expect: = 1
break SysTick_Handler
continue
continue
continue
continue
# expect: SysTick_Handler
backtrace
# expect: #0 +SysTick_Handler
# expect: #1 +<signal handler called>
# expect: #2 .* sleep_once
# expect: #3 .* main
delete
continue
# expect: exited normally
