# A watchpoint on memory that a DMA-350 writes, and back to it.
# options: --board corstone-310
break start_transfer
continue
# expect: start_transfer
watch to[100]
continue
# expect: Old value = 0
# expect: New value = 188
print to[100] == from[100]
# expect: = 1
delete
print to[99] == from[99] && to[100] == from[100]
# expect: = 1
