# A change outlives its checkpoint's neighbours when there is little room for the past.
# options: --gdb-history 1
break write_shared
continue
# expect: Breakpoint 1, write_shared
monitor checkpoint
set var $r9 = 1234
stepi
monitor checkpoint
stepi
monitor checkpoint
stepi
monitor checkpoint
stepi
monitor checkpoint
stepi
monitor checkpoint
stepi
monitor checkpoint
stepi
monitor checkpoint
stepi
monitor checkpoint
stepi
monitor checkpoint
reverse-stepi 8
print $r9
# expect: = 1234
