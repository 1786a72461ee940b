# Thin front ends: each installs with apt what is missing, says so, and calls CMake, CTest or a script.
#
#   make demo                unmodified programs on Vicino against their own runtimes
#   make install PREFIX=DIR  the product: bin/vicino, lib/libvicino.so, headers, man pages
#   make dist                tarballs and Python wheels for any Linux with glibc 2.28 or newer, into dist/
#   make deb                 Debian packages, into dist/
#   make release             all that a release consists of, made and tried: hours
#   make check               after each edit: what it may have broken, in less than a minute
#   make test                the tests that take minutes
#   make test-all            all tests, with sanitizers and the full suites
#   make bench               constructs and kernels, with libomp, libiomp5 and libgomp as peers
#   make bench-loops         loop kernels under every schedule, with libomp, libiomp5 and libgomp as peers
#   make bench-ilan          kernels whose loops choose for themselves, with libomp and libgomp as peers
#   make bench-graphs        task graphs of a sparse solver, with oneTBB, libomp and libgomp as peers
#   make bench-pages         arrays that one thread fills, in guests with several nodes, with libomp and libgomp as peers
#   make bench-crowded       several processes at once, with libomp and libgomp as peers
#   make bench-roots         several threads that lead teams, and oneTBB in turns, in guests, with libomp and libgomp
#   make bench-cluster       loops on 1 to 1024 nodes with MPI between them: a model, computed
#   make bench-ich           loops at the sizes of the paper on iCh and NiCh: a model, computed
#   make bench-mpi           MPI programs with several ranks on this machine, with libomp and libgomp as peers
#   make programs            other people's programs: same results as on their own runtimes, and times
#   make papers              what the papers claim, on models of their machines
#   make figures             all pages with figures but bench-roots's, one after the other, on a machine that others leave alone: a night
#   make docs                the documentation as a site, into build/site
#   make pictures            the documentation's pictures, and those of figures into build/release/pictures
#   make locality            where loops' memory accesses go, counted in guests with many NUMA nodes
PRESET ?= release
BUILD := build/$(PRESET)
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)

.PHONY: build product dist deb release check test test-all demo bench bench-loops bench-ilan bench-graphs bench-crowded \
        bench-roots bench-pages bench-cluster bench-ich bench-mpi programs locality papers figures pictures docs install clean
# PACKAGES: what a target needs besides. They are there before CMake looks for them.
build:
	@scripts/need build test mpi $(PACKAGES)
	@scripts/configure $(PRESET)
	@cmake --build $(BUILD) -j $(JOBS)

# The files that are installed: no tests, no benchmarks, nothing that only tests or benchmarks need.
product:
	@scripts/need build
	@scripts/configure product
	@cmake --build build/product -j $(JOBS)

install: product
	@cmake --install build/product --prefix $(PREFIX)

dist:
	@scripts/need build mpi dist dist-aarch64
	@packaging/dist --jobs $(JOBS)

deb:
	@scripts/need build mpi release
	@packaging/deb

release:
	@scripts/need build mpi dist dist-aarch64 release
	@packaging/release

check:
	@scripts/need build test
	@scripts/configure $(PRESET)
	@cmake --build $(BUILD) -j $(JOBS) --target check_programs
	@scripts/run_tests $(BUILD) check --jobs $(JOBS)

test: build
	@bench/programs/run --install --in-make-test
	@scripts/run_tests $(BUILD) --jobs $(JOBS)

test-all: build
	@scripts/need conformance compilers demo apps browser lab fuzz aarch64 dist release
	@bench/programs/run --install
	@scripts/run_tests $(BUILD) all --jobs $(JOBS)

# The library, and of the command no more than the demo runs: `make install` builds the rest.
demo:
	@scripts/need build demo
	@scripts/configure product
	@cmake --build build/product -j $(JOBS) --target vicino vicino_demo
	@demo/run

bench bench-loops bench-ilan bench-graphs bench-crowded bench-roots bench-cluster bench-mpi: PACKAGES = bench
papers locality bench-pages bench-ich: PACKAGES = bench lab

bench: build
	@bench/run micro --write --build $(BUILD)

bench-loops bench-ilan bench-graphs bench-mpi bench-pages bench-roots: bench-%: build
	@bench/run $* --write --build $(BUILD)

bench-crowded: build
	@bench/run crowded --write --build $(BUILD)
	@bench/run clients --write --build $(BUILD)

papers locality: build
	@studies/run $@ --write --build $(BUILD)

bench-cluster: build
	@studies/run cluster --write --build $(BUILD)

bench-ich: build
	@studies/run loops --write --build $(BUILD)

# What is timed first, then what a model computes, which other processes do not disturb. It ends at the first page that cannot
# be made, and says which: QUIET is how many minutes each may wait for a quiet machine.
QUIET ?= 60
figures: PACKAGES = bench lab
figures: product build
	@bench/programs/run --page bench/programs/results.md --json build/programs/results.json --quiet $(QUIET)
	@for page in micro loops ilan graphs crowded clients mpi; do \
	  bench/run $$page --write --quiet $(QUIET) --build $(BUILD) || exit; done
	@bench/run pages --write --build $(BUILD)
	@for study in cluster loops locality papers; do studies/run $$study --write --build $(BUILD) || exit; done

pictures: PACKAGES = bench
pictures: build
	@scripts/pictures/draw --build $(BUILD)
	@studies/run cluster --draw --build $(BUILD)
	@studies/run papers --draw --build $(BUILD)

docs:
	@scripts/need docs
	@scripts/site/build

# Runs on the product, as users have it. A program that cannot be installed is skipped, and named.
programs: product
	@bench/programs/run --page bench/programs/results.md --json build/programs/results.json

clean:
	rm -rf build
