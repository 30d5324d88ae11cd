# extended-remote: a run that came to its limit is not begun again, as it would end at once.
# extended
# options: --cyclelimit 300
continue
# expect: the run has ended: the cycle limit was reached
run
# expect: on the remote target failed
