# Both sides of TrustZone: entry by SG, return by BXNS, calls by BLXNS, forwards and back; registers of both banks.
# options: --elf @guests@/nonsecure-corstone-300.elf
add-symbol-file @guests@/nonsecure-corstone-300.elf
break __acle_se_secure_add
continue
# expect: secure_add
print $secure
# expect: = 1
print $lr & 1
# expect: = 0
set $nonsecure_stack = $msp_ns
tbreak *(unsigned)$lr
continue
print $secure
# expect: = 0
print (unsigned)$sp == (unsigned)$nonsecure_stack
# expect: = 1
print (unsigned)$msp_s != (unsigned)$msp_ns
# expect: = 1
reverse-stepi
x/i $pc
# expect: bxns
print $secure
# expect: = 1
stepi
print $secure
# expect: = 0
continue
# expect: secure_add
reverse-stepi
x/i $pc
# expect: b\.w
reverse-stepi
x/i $pc
# expect: sg
print $secure
# expect: = 0
stepi
monitor backtrace
# expect: #0 .* in secure_add\+0x4.*, Secure
# expect: <called from Non-secure state>
# expect: #1 .* in main.*tz_nonsecure.c.*, Non-secure
print $secure
# expect: = 1
delete
break visit
continue
# expect: visit
print $secure
# expect: = 0
print/x $lr
# expect: 0xfefffff[ef]
monitor backtrace
# expect: #0 .* in visit\+0x0 .*, Non-secure
# expect: <called from Secure state>
# expect: #1 .*, Secure
# expect: <nothing says where that was called from>
# count: 0 #[0-9]+ +0x00000000, 
monitor branches
# expect: main.* -> .*secure_visit_veneer.*\(call\)
# expect: -> .* secure_visit\+0x4|-> .*__acle_se_secure_visit
# expect: -> .* visit\+0x0 .*\(call\)
delete
monitor catch none
continue
# expect: exited with code 07
