# SPDX-License-Identifier: Apache-2.0
# A text as lines of a C string.
s/\\/\\\\/g
s/"/\\"/g
s/^/"/
s/$/\\n"/
