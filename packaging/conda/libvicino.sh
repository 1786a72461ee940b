#!/bin/sh
# The tarball, in the source folder, becomes the environment's. conda keeps a file with two names as two files, and a
# process would load both. So the library is one file, under the name by which other tools know an OpenMP runtime, and
# all of its other names are links.
set -eu
cp -a bin include lib libexec share "$PREFIX"
cd "$PREFIX/lib"
for name in libvicino.so.0.*; do
  ln -sf vicino/replace/libgomp.so.1 "$name"
done
