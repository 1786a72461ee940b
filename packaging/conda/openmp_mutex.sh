#!/bin/sh
set -eu
cd "$PREFIX/lib"
ln -s libomp.so libgomp.so.1
