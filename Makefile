# SPDX-License-Identifier: Apache-2.0
# The targets a reader needs: all, test, pam, demo, bench. `make help` lists every one.
RELEASE  := -c release --disable-local-rpath
TARGET   := $(shell uname -m)-unknown-linux-gnu
EMBEDDED := $(shell swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')/embedded/$(TARGET)

.PHONY: all pam pam-static test vectors bench ct format help

all: ## programs and tests, one configuration
	swift build $(RELEASE) --build-tests

pam: ## the module, Embedded Swift: build/pam_mpin.so
	SWIFT_EMBEDDED_LIBS=$(EMBEDDED) MPIN_MODULE=embedded \
	  swift build $(RELEASE) --product pam_mpin --scratch-path .build-pam
	mkdir -p build && install -m 644 .build-pam/release/libpam_mpin.so build/pam_mpin.so

pam-static: ## the same module with the ordinary runtime inside: build/static/pam_mpin.so
	MPIN_MODULE=static swift build $(RELEASE) --product pam_mpin -Xswiftc -static-stdlib --scratch-path .build-pam-static
	mkdir -p build/static && install -m 644 .build-pam-static/release/libpam_mpin.so build/static/pam_mpin.so

vectors: ## all vectors of Tests/Vectors, or of the folder MPIN_VECTORS
	swift build $(RELEASE) --build-tests
	swift test $(RELEASE) --skip-build --filter Vectors 2>&1 | tee .build/vectors.log
	grep -q 'Test run with [1-9][0-9]* tests in .* passed' .build/vectors.log

bench: ## what the mathematics costs, ordinary and Embedded
	swift build $(RELEASE) --product mpin-bench
	.build/release/mpin-bench
	passes=$$(Tests/ConstantTime/link .build-pam passes.c passes) && $$passes

ct: ## no branch, address or division depends on a secret (needs valgrind)
	Tests/ConstantTime/run

format: ## lay the sources out
	swift format --in-place --recursive Package.swift Sources Tests

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 16
