# extended-remote: the arguments of "run" are the program's command line, for that run; without any it is that of the options, which names the program.
# extended
# options: --semihosting-cmdline runner
define line
  tbreak print
  continue
  printf "line: <%s>\n", text
  tbreak ending
end
tbreak ending
continue
line
# expect: line: <runner>
run a b
line
# expect: line: <runner a b>
run "two words" "" "it's" '"'
line
# expect: line: <runner "two words" "" "it's" '"'>
kill
set args
run
line
# expect: line: <runner>
continue
# expect: exited normally
set remote exec-file folder/other.elf
run c
line
# expect: line: <folder/other.elf c>
run "'\""
# expect: failed
