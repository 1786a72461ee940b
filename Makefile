# Thin front ends: each installs with apt what is missing, says so, and calls CMake, CTest or a script.
#
#   make demo                unmodified programs on Vicino against their own runtimes
#   make install PREFIX=DIR  the product: bin/vicino, lib/libvicino.so, headers, man pages
#   make test                the tests that take minutes
#   make test-all            all of them, sanitizers and full suites included
#   make bench               constructs and kernels, with libomp and libgomp as peers
#   make bench-loops       loop kernels under every schedule, with libomp and libgomp as peers
#   make bench-ilan          kernels whose loops choose for themselves, with libomp and libgomp as peers
#   make locality            where loops' memory accesses go, counted in guests with many NUMA nodes
PRESET ?= release
BUILD := build/$(PRESET)
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)

.PHONY: build product test test-all demo bench bench-loops bench-ilan locality install clean
build:
	@scripts/need build test
	@scripts/configure $(PRESET)
	@cmake --build $(BUILD) -j $(JOBS)

# What is installed: no tests, no benchmarks, nothing that only they need.
product:
	@scripts/need build
	@scripts/configure product
	@cmake --build build/product -j $(JOBS)

install: product
	@cmake --install build/product --prefix $(PREFIX)

test: build
	@scripts/need conformance apps lab
	@ctest --test-dir $(BUILD) --output-on-failure --no-tests=error -LE long -j $(JOBS)

test-all: build
	@scripts/need conformance demo apps lab
	@ctest --test-dir $(BUILD) --output-on-failure --no-tests=error -j $(JOBS)

demo: product
	@scripts/need demo
	@demo/run

bench: build
	@scripts/need bench
	@bench/run $(BUILD)

bench-loops: build
	@scripts/need bench
	@bench/loops/run $(BUILD)

bench-ilan: build
	@scripts/need bench
	@bench/ilan/run $(BUILD)

locality: build
	@scripts/need bench lab
	@cmake --build $(BUILD) --target bench_programs
	@bench/locality/run.py --build $(BUILD) --page docs/locality.md

clean:
	rm -rf build
