# MVE and FP registers, stack pointers of both states, the NPU's.
break square_all
continue
# expect: Breakpoint 1, square_all
finish
# expect: main \(\)
print squares
# expect: = \{1, 4, 9, 16, 25, 36, 49, 64\}
info registers vpr p0
# expect: vpr +0x0
# expect: p0 +0x0
set var $s12 = 2
set var $s13 = 1
print $q3.f32
# expect: = \{2, 1, 
set var $vpr = 0x12345
print/x $vpr
# expect: = 0x12345
set var $vpr = 0
print/x (unsigned)$msp_s >> 8
# expect: = 0x30007f
print $secure
# expect: = 1
info registers npu_ID
# expect: npu_ID +0x
info registers npu_QREAD
# expect: npu_QREAD +0x0
