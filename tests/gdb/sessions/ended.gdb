# extended-remote: behind the end gdb still has the memory map, and says that there is no program.
# extended
# count: 0 Protocol error
tbreak sleep_once
continue
# expect: sleep_once
run
# expect: exited normally
tbreak main
# expect: Temporary breakpoint 2
info mem
# expect: flash
continue
# expect: The program is not being run
