#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds libelf and libdw so that libFuzzer sees their branches and AddressSanitizer their accesses, for the ELF target.
# The source is that of the distribution's package of the same version, by the machine's own package sources (deb822 or
# one-line); needs m4 and dpkg-dev. Nothing is installed. Usage: tests/fuzz/instrumented_elfutils.sh DIR
# Then: CC=clang meson setup BUILD -Dfuzz_elfutils=DIR
set -euo pipefail
to=$(realpath -m "$1")
mkdir -p "$to"/apt/{parts,lists/partial,cache/archives/partial}
cd "$to"
for tool in clang m4 dpkg-source make; do
	command -v $tool >/dev/null || { echo "$tool is missing"; exit 1; }
done

# The same sources as for packages, but for source packages.
touch apt/list
[ ! -f /etc/apt/sources.list ] || sed -E 's/^deb /deb-src /' /etc/apt/sources.list >apt/list
for file in /etc/apt/sources.list.d/*.sources; do
	[ ! -f "$file" ] || sed -E 's/^Types:.*/Types: deb-src/' "$file" >"apt/parts/${file##*/}"
done
options=(-qq -o "Dir::Etc::SourceList=$to/apt/list" -o "Dir::Etc::SourceParts=$to/apt/parts" -o "Dir::State::Lists=$to/apt/lists"
         -o "Dir::Cache=$to/apt/cache" -o APT::Sandbox::User=root -o Acquire::Languages=none)
apt-get "${options[@]}" update
rm -rf source build
apt-get "${options[@]}" source --download-only "elfutils=$(dpkg-query -W -f '${source:Version}' libdw-dev)"
dpkg-source -x elfutils_*.dsc source >/dev/null

# configure looks for __thread with a library that may have nothing undefined, which instrumented code has.
export ASAN_OPTIONS=detect_leaks=0
mkdir build
cd build
../source/configure ac_cv_tls=yes CC="${CC:-clang}" CFLAGS="-g -O1 -Wno-error -fsanitize=fuzzer-no-link,address" --disable-debuginfod \
	--disable-libdebuginfod --disable-demangler --disable-nls --without-bzlib --without-lzma --without-zstd >configure.log
for library in lib/libeu libelf/libelf libebl/libebl libdwelf/libdwelf libdwfl/libdwfl libcpu/libcpu backends/libebl_backends libdw/libdw; do
	make -s -j2 -C "${library%/*}" NO_UNDEFINED= "${library##*/}.a" >>make.log 2>&1 || { tail -20 make.log; exit 1; }
done
cp lib/libeu.a libelf/libelf.a libdw/libdw.a "$to"
ls -l "$to"/*.a
