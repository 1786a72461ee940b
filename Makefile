# Thin front ends: each installs what is missing, says so, and calls CMake, CTest or a script.
PRESET ?= release
BUILD := build/$(PRESET)
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)

.PHONY: build test test-all demo bench install clean
build:
	@scripts/need build test bench
	@cmake --preset $(PRESET) >$(if $(VERBOSE),/dev/stderr,/dev/null)
	@cmake --build $(BUILD) -j $(JOBS)

test: build
	@ctest --test-dir $(BUILD) --output-on-failure -LE long -j $(JOBS)

test-all: build
	@ctest --test-dir $(BUILD) --output-on-failure -j $(JOBS)

install: build
	@cmake --install $(BUILD) --prefix $(PREFIX)

clean:
	rm -rf build
