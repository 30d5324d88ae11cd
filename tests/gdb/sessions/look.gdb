# A look at a device leaves no trace: reading SysTick's control register takes its flag from a program only.
break main
continue
# expect: main \(\)
set var *(unsigned *)0xe000e014 = 100
set var *(unsigned *)0xe000e018 = 0
set var *(unsigned *)0xe000e010 = 5
stepi 300
x/xw 0xe000e010
# expect: 0x00010005
x/xw 0xe000e010
# expect: 0x00010005
x/2xw 0xe000e014
# expect: 0x00000064
# nor is it told that there is no such register: that is for the program that reads it
# count: 0 CPU010
x/xw 0xe000edbc
# expect: 0x00000000
reverse-stepi 20
stepi 20
x/xw 0xe000e010
# expect: 0x00010005
