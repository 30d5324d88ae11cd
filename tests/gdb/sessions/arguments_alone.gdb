# extended-remote: where no option gives a command line, that of "run" begins with the name of the program's file.
# extended
tbreak ending
run a "" b
tbreak print
continue
printf "line: <%s>\n", text
# expect: line: <cmdline.elf a "" b>
