# Watchpoints that overlap, on what one instruction writes: all are told that hold a byte which has changed.
break *write_shared
continue
delete 1
watch *(unsigned long long *)((char *)&shared - 4)
watch *((char *)&shared + 1)
watch shared
continue
# expect: watchpoint 2: .*long long
# expect: watchpoint 4: shared
# expect: Old value = 0
# expect: New value = 101
# count: 0 atchpoint 3: .*\s+Old
continue
# expect: watchpoint 2: .*long long
# expect: watchpoint 4: shared
# expect: New value = 102
delete 2
reverse-continue
# expect: watchpoint 4: shared
# expect: Old value = 102
# expect: New value = 101
delete
continue
# expect: exited normally
