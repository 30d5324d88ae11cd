# SPDX-License-Identifier: Apache-2.0
"""Where measured errors of estimates are written down: tables in the documents, one row a model in sim/accuracy.def."""
import os
import re
import statistics


def write_table(path, name, lines):
    """Puts the lines between the marks <!-- name --> and <!-- end of name --> of a document."""
    with open(path) as f:
        text = f.read()
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
    head, rest = text.split(begin, 1)
    with open(path, "w") as f:
        f.write(head + begin + "".join(line + "\n" for line in lines) + end + rest.split(end, 1)[1])


def write_model(root, model, what, errors):
    """The row of a model; errors in per cent, what: "kernel" or "network"."""
    path = os.path.join(root, "sim/accuracy.def")
    sizes = [abs(e) for e in errors]
    row = 'ACCURACY(%s, "%d %s", "%.1f", "%.1f")' % (model, len(sizes), what + ("s" if len(sizes) > 1 else ""),
                                                   statistics.mean(sizes), max(sizes))
    with open(path) as f:
        text = f.read()
    with open(path, "w") as f:
        f.write(re.sub(rf"^ACCURACY\({model},.*$", row, text, flags=re.M))
