# SPDX-License-Identifier: Apache-2.0
# The most important targets are all, test, pam, demo and bench. `make help` lists all of them.
# The index would be needed to find tests of XCTest, and costs a quarter of the time of compiling tests.
RELEASE  := -c release --disable-local-rpath --disable-index-store
PROGRAMS := mpind mpin mpin-relay
TOOLS    := mpin-flows mpin-bench mpin-probe
TARGET   = $(shell uname -m)-unknown-linux-gnu
RUNTIME  = $(shell swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')
EMBEDDED = $(RUNTIME)/embedded/$(TARGET)
MODULES  = /usr/lib/$(shell uname -m)-linux-gnu/security
PACKAGES = libpam0g-dev libqrencode-dev libcurl4-openssl-dev libsqlite3-dev libpq-dev libssl-dev pkg-config

.PHONY: all tests pam module page page-module demo demo-phone test test-long vectors bench ct
.PHONY: page-test-module install deb sbom check reproducible format help needs docs programs

all: PROGRAMS += $(TOOLS)
all: programs tests ## programs and tests, also those that only tests run

tests: ## the unit tests, without running them
	swift build $(RELEASE) --product pam_mpinPackageTests

# Each product has a call of its own: without one, SwiftPM also compiles the examples and tools of the
# packages that we use. Hummingbird and what it needs come first: each of these libraries waits for the one
# before, so they keep only one processor busy, and `make -j` builds the module beside them.
programs: ## mpind, mpin and the relay
	@for product in $(PROGRAMS); do swift build $(RELEASE) --product $$product || exit; done

pam: module ## the module, in Embedded Swift, and its relay: build/pam_mpin.so, build/mpin-relay
	swift build $(RELEASE) --product mpin-relay
	mkdir -p build && install -m 644 .build-pam/release/libpam_mpin.so build/pam_mpin.so
	install -m 755 .build/release/mpin-relay build/mpin-relay

module:
	SWIFT_EMBEDDED_LIBS=$(EMBEDDED) MPIN_MODULE=embedded \
	  swift build $(RELEASE) --product pam_mpin --scratch-path .build-pam

page: PACKAGES = binaryen brotli openssl gzip
page: needs page-module ## the page for phones and its module in WebAssembly: build/page
	packaging/page-files .build-page/release/MPinPage.wasm build/page

PAGE = MPIN_MODULE=page swift build $(RELEASE) --triple wasm32-unknown-none-wasm --scratch-path .build-page
page-module:
	$(PAGE) --product MPinPage

page-test-module: page-module
	$(PAGE) --product MPinPageVectors

demo: PACKAGES += pamtester libpam-wrapper
demo: needs ## three logins through real PAM: the right PIN, a wrong one, a second device
	@$(MAKE) --no-print-directory -j 2 programs pam
	@Tests/System/Login/demo

demo-phone: PACKAGES += binaryen brotli
demo-phone: needs programs pam page ## a phone in Chromium, then your own: QR codes, approval codes, PNGs
	@Tests/System/Page/demo

needs: ## install the Debian packages that the build needs (as root), or list them
	@Tests/needs $(PACKAGES)

test: PACKAGES += zbar-tools strace openssl curl gzip binutils util-linux mandoc man-db \
  systemd python3 python3-pytest nginx haproxy caddy fail2ban tinyproxy prometheus postgresql pgbouncer \
  faketime binaryen brotli nodejs
test: needs ## every test; the last line is: N passed, N failed
	@$(MAKE) --no-print-directory -j 3 programs pam page page-test-module \
	  PROGRAMS="$(PROGRAMS) $(TOOLS)"
	@Tests/run

check: export MPIN_CHECK = 1
check: CHECK = --disable-local-rpath --disable-index-store --scratch-path .build-check
check: ## for use while you work: format, all programs and tests compile, fast suites; no root
	swift format lint --strict --recursive Package.swift Sources Tests
	@for product in $(PROGRAMS) pam_mpinPackageTests; do \
	  swift build $(CHECK) --product $$product || exit; done
	@.build-check/debug/pam_mpinPackageTests.xctest --testing-library swift-testing >.build-check/log 2>&1 || \
	  { grep -A 2 -E '^✘|error:' .build-check/log; exit 1; }
	@tail -n 1 .build-check/log
	@echo "Not run: slow suites, the module and the page, manual pages, real programs (make test)."

test-long: export MPIN_FUZZ ?= 10
test-long: test ## `test` with long fuzz loops, all mutants, a debug build and a TPM

install: DATA = $(DESTDIR)/usr/share
install: ## install what is built below $(DESTDIR)
	install -D -m 644 build/pam_mpin.so $(DESTDIR)$(MODULES)/pam_mpin.so
	install -D -m 755 .build/release/mpin-relay $(DESTDIR)/usr/libexec/pam_mpin/mpin-relay
	install -D -m 755 packaging/debian/leave-stacks $(DESTDIR)/usr/libexec/pam_mpin/leave-stacks
	install -D -m 755 .build/release/mpin $(DESTDIR)/usr/bin/mpin
	install -D -m 755 .build/release/mpind $(DESTDIR)/usr/bin/mpind
	for page in packaging/man/*.[1578]; do \
	  install -D -m 644 -t $(DATA)/man/man$${page##*.} $$page || exit; done
	[ ! -d build/page ] || packaging/page build/page $(DATA)/mpin-page
	install -D -m 644 -t $(DATA)/pam-configs packaging/debian/profiles/*
	install -D -m 644 -t $(DATA)/doc/libpam-mpin/examples pam.d/*
	for package in libpam-mpin mpin mpin-server; do \
	  install -D -m 644 -t $(DATA)/doc/$$package README.md && \
	  install -D -m 644 -t $(DATA)/doc/$$package/docs docs/*.md && \
	  install -D -m 644 -t $(DATA)/doc/$$package/docs/threats docs/threats/* && \
	  install -D -m 644 -t $(DATA)/doc/$$package/docs/protocol docs/protocol/* || exit; done
	for package in libpam-mpin mpin-server; do \
	  for folder in filter.d jail.d; do \
	    install -D -m 644 -t $(DATA)/doc/$$package/examples/fail2ban/$$folder \
	      packaging/examples/fail2ban/$$folder/* || exit; done; done
	install -D -m 644 -t $(DATA)/doc/mpin-server packaging/man/mpin-log.7 packaging/man/mpin-milagro.7
	install -D -m 755 -t $(DATA)/doc/mpin-server/examples packaging/examples/certbot-hook
	install -D -m 644 -t $(DATA)/doc/mpin-server/examples/monitoring packaging/examples/monitoring/*
	install -D -m 644 -t $(DESTDIR)/usr/lib/systemd/system packaging/systemd/*
	install -D -m 644 -t $(DESTDIR)/usr/lib/sysusers.d packaging/sysusers.d/*
	install -D -m 644 -t $(DESTDIR)/usr/lib/tmpfiles.d packaging/tmpfiles.d/*
	packaging/completions .build/release $(DATA)

deb: PACKAGES += debhelper dpkg-dev binaryen brotli
deb: needs programs pam page ## Debian packages of what is built: build/*.deb
	packaging/deb

sbom: PACKAGES += dpkg-dev
sbom: needs programs pam ## the parts of each package, as SPDX: build/sbom
	packaging/sbom build/sbom

reproducible: programs pam ## build all programs and the module a second time, and compare
	packaging/reproduce

vectors: ## all vectors of Tests/Conformance/Vectors, or of the folder MPIN_VECTORS
	@$(MAKE) --no-print-directory tests
	.build/release/pam_mpinPackageTests.xctest --testing-library swift-testing --filter Vectors 2>&1 | \
	  tee .build/vectors.log
	grep -q 'Test run with [1-9][0-9]* tests in .* passed' .build/vectors.log

bench: PROGRAMS += mpin-bench
bench: programs pam page ## the cost of the mathematics and, as root, of a login, TLS, load, a phone
	.build/release/mpin-bench
	Tests/System/Bench/run .build/release
	passes=$$(Tests/ConstantTime/link .build-pam passes.c passes) && $$passes
	@[ "$$(id -u)" != 0 ] || Tests/System/Login/bench
	@[ "$$(id -u)" != 0 ] || Tests/System/Page/run --bench

ct: PACKAGES += valgrind
ct: needs ## check by valgrind that no branch, address or division depends on a secret
	Tests/ConstantTime/run

docs: ## the library's documentation, build/MPinClient.doccarchive; a warning is an error
	swift build $(RELEASE) --target MPinClient
	packaging/docs .build/release build/MPinClient.doccarchive

format: ## format the sources
	swift format --in-place --recursive Package.swift Sources Tests

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 16
