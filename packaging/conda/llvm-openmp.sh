#!/bin/sh
set -eu
cd "$PREFIX/lib"
for name in libomp.so libomp.so.5 libiomp5.so; do
  ln -s vicino/replace/libgomp.so.1 "$name"
done
