#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Packs folders of test cases: FOLDER becomes FOLDER.tar, one file a case, with the same bytes wherever it is made.

  pack.py FOLDER...        `tar -xf CASE.tar` shows what is in one"""
import os
import shutil
import sys
import tarfile


def pack(folder):
    with tarfile.open(folder + ".tar", "w", format=tarfile.USTAR_FORMAT) as archive:
        for name in sorted(os.listdir(folder)):
            path = os.path.join(folder, name)
            member = tarfile.TarInfo(name)
            member.size = os.path.getsize(path)
            with open(path, "rb") as f:
                archive.addfile(member, f)
    shutil.rmtree(folder)


for argument in sys.argv[1:]:
    pack(argument.rstrip("/"))
