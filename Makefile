# Two commands are enough: `make serve` and `make test`. `make help` lists the others.

SCRATCH := .build
SCRATCH_RELEASE := .build-release
LANDFALL := $(SCRATCH_RELEASE)/release/landfall
SWIFT_SOURCES := Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Sources

# The Swift runtime goes into the program, so that it starts fast and runs where no Swift is.
# The profile records how often each piece of code runs: the compiler puts side by side what a callback needs, which
# saves a tenth of its time. Code that has changed since is not in it. It names functions without the path of their
# file. The compiler must make all objects of a module again: it would keep those that were made without the profile.
PRODUCT := landfall
PROFILE := Config/landfall.profdata
FRONTEND := -Xswiftc -Xfrontend -Xswiftc
PATHLESS := -Xswiftc -Xllvm -Xswiftc -static-func-strip-dirname-prefix=99
BUILD_RELEASE := swift build -c release --static-swift-stdlib --product $(PRODUCT) $(PATHLESS)
WITH_PROFILE := $(FRONTEND) -ir-profile-use=$(PROFILE) $(FRONTEND) -disable-incremental-llvm-codegen

# Installation: where to, and another program than the one that `make build` builds.
PREFIX := /usr/local
DESTDIR :=
LANDFALL_BIN ?=
PROGRAM = $(if $(LANDFALL_BIN),$(LANDFALL_BIN),$(LANDFALL))
# swift-argument-parser's own generator of manual pages.
MANUAL := $(SCRATCH)-manual/debug/generate-manual
PACKAGING = PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" LANDFALL_BIN="$(PROGRAM)" MANUAL="$(MANUAL)"

.PHONY: help serve serve-tls build program install uninstall deb test-install test test-unit test-curl test-page test-wire test-api test-scale test-asan test-tsan \
	crash soak soak-forward fuzz bench profile lint format clean

help:  ## Show this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

serve: program  ## Install what is missing, build, and serve on 127.0.0.1:8080
	exec $(LANDFALL) serve --config Config/landfall.yaml $(ARGS)

serve-tls: program  ## The same with https on 8443, and certificates made for development
	$(LANDFALL) certs init --config Config/landfall.yaml --folder Config/tls
	exec $(LANDFALL) serve --config Config/landfall.yaml --tls-port 8443 --tls-folder Config/tls $(ARGS)

build: program  ## Build the program in release mode, and what writes its manual pages
	@$(MAKE) --no-print-directory $(MANUAL)

program:
	.ci/install build
	$(BUILD_RELEASE) --scratch-path $(SCRATCH_RELEASE) $(WITH_PROFILE)

install: $(PROGRAM) $(MANUAL)  ## Install below PREFIX (default /usr/local) and DESTDIR
	$(PACKAGING) Config/packaging/install

# Both are what `make build` builds, so that `sudo make install` builds nothing as root.
$(LANDFALL):
	$(MAKE) program

uninstall:  ## Remove what install has installed; the data stays
	$(PACKAGING) Config/packaging/uninstall

deb: $(if $(LANDFALL_BIN),,build) $(MANUAL)  ## Build a Debian package in .build-deb
	.ci/install package
	$(PACKAGING) OUTPUT=$(SCRATCH)-deb Config/packaging/deb

# The tool is part of a dependency that building the program has fetched.
$(MANUAL):
	swift build --scratch-path $(SCRATCH)-manual --product generate-manual --package-path \
		$(firstword $(wildcard $(addsuffix /checkouts/swift-argument-parser,$(SCRATCH_RELEASE) $(SCRATCH))))

# Needs root, debootstrap, lintian, systemd and Debian's mirror; it isn't part of .ci/run.
test-install: $(if $(LANDFALL_BIN),,build) $(MANUAL)  ## Install, upgrade and purge the package in a bare Debian
	.ci/install package
	$(PACKAGING) Tests/install/run

# Everything is built first. Then two lanes side by side: the unit tests need one processor, and many of the others
# wait part of theirs. The curl tests come late, so that those which measure run when the unit tests have ended.
# With ALSO, further targets follow the unit tests.
ALSO :=

test:  ## Run all tests: unit, curl, page, wire, scale-quick; print how long each part took
	.ci/install test
	.ci/install scale
	Tests/lanes.sh build-tests test-program
	LANDFALL_BIN="$(PROGRAM)" Tests/lanes.sh \
		"test-unit $(ALSO)" "test-page test-curl test-wire test-scale-quick"

# Options of building the unit tests; with others than before, everything is built again.
UNIT_OPTIONS :=

.PHONY: build-tests
build-tests:
	.ci/install test
	swift build --build-tests --scratch-path $(SCRATCH) $(UNIT_OPTIONS)

# Unit tests run one at a time: one with a deadline must not compete with one that uses the whole processor.
test-unit:  ## Run the unit tests
	.ci/install test
	LOG=$(SCRATCH)/unit-tests.log Tests/unit.sh --no-parallel --disable-xctest \
		--scratch-path $(SCRATCH) $(UNIT_OPTIONS)

# What follows runs the program that users run, since the optimizer has errors that a debug build hides.
TEST_PROGRAM = LANDFALL_BIN="$(abspath $(PROGRAM))"

.PHONY: test-program test-scale-quick
test-program: $(if $(LANDFALL_BIN),,program)
	.ci/install test

test-curl: test-program  ## Run the tests that use the program as curl does
	$(TEST_PROGRAM) LOG=$(SCRATCH)/curl-tests.log Tests/bats.sh Tests/curl

test-page: test-program  ## Run the tests that look at the page with a browser
	$(TEST_PROGRAM) LOG=$(SCRATCH)/page-tests.log Tests/bats.sh Tests/page

test-wire: test-program  ## Judge the program by the RFCs, with raw bytes, plain and under TLS
	$(TEST_PROGRAM) bats --timing Tests/wire

# Two minutes of requests that schemathesis makes of the API's description.
test-api: test-program  ## Hold the program to its description, public/openapi.json
	.ci/install api
	$(TEST_PROGRAM) bats --timing Tests/api

# Measurements mean nothing on a busy machine, so `make test` leaves out the parts that measure.
QUICK_PARTS := order kill-database kill-instance standby balancer

test-scale-quick: test-program  ## Several servers that share a database: seconds of each part
	.ci/install scale
	$(TEST_PROGRAM) Tests/scale/scale.py --quick $(QUICK_PARTS)

test-scale: $(if $(LANDFALL_BIN),,program)  ## Kill databases and servers that share them, and measure: ARGS='standby cost'
	.ci/install scale
	LANDFALL_BIN=$(PROGRAM) Tests/scale/scale.py $(ARGS)

# Sanitizers see what their compiler instruments: everything is built again, in folders of its own.
# XCTest, which has no tests here, would be reported for what it leaks itself.
test-asan:  ## Run the unit tests under the address sanitizer
	.ci/install test
	LSAN_OPTIONS=suppressions=$(CURDIR)/Tests/leaks.txt \
		LOG=$(SCRATCH)-asan/unit-tests.log Tests/unit.sh --no-parallel --disable-xctest \
		--sanitize=address --scratch-path $(SCRATCH)-asan

test-tsan:  ## Run the unit tests under the thread sanitizer
	.ci/install test
	mkdir -p $(SCRATCH)-tsan
	clang -O1 -fPIC -shared Tests/tsan-mutex.c -o $(SCRATCH)-tsan/tsan-mutex.so
	LD_PRELOAD=$(CURDIR)/$(SCRATCH)-tsan/tsan-mutex.so \
		LOG=$(SCRATCH)-tsan/unit-tests.log Tests/unit.sh --no-parallel --disable-xctest \
		--sanitize=thread --scratch-path $(SCRATCH)-tsan

# SEED selects the random choices; it doesn't reproduce the timing.
KILLS := 1000
FAILURES := 300
MINUTES := 10
DESCRIPTORS := 1024

crash: program  ## Kill the program amid everything, let its calls fail, compare: KILLS=200 FAILURES=0 SEED=42
	Tests/crash/crash.py --kills $(KILLS) --failures $(FAILURES) $(if $(SEED),--seed $(SEED))

soak: program  ## Serve honest clients beside every attack: MINUTES=2 DESCRIPTORS=256
	ulimit -n "$$(ulimit -H -n)" && Tests/soak/soak.py --minutes $(MINUTES) --descriptors $(DESCRIPTORS)

soak-forward: program  ## Forward 1,000 callbacks/s to a target that fails half of the time
	Tests/soak/forwarding.py

# Each parser that peers can reach, with libFuzzer and the address sanitizer, for RUNS inputs. What
# breaks a rule is kept in .build-fuzz/found, what reaches new code in .build-fuzz/corpus.
# Of several -sanitize the last counts; SwiftPM's own keeps it from renaming libFuzzer's `main`.
# Swift's own report of a crash would hide libFuzzer's.
RUNS := 1000000
TARGET := $(notdir $(wildcard Tests/Fuzz/corpus/*))

fuzz:  ## Fuzz the parsers: TARGET=head for one of them, RUNS=10000 for a first look
	.ci/install build
	LANDFALL_DEVELOPER_TARGETS=1 swift build -c release --sanitize=fuzzer \
		-Xswiftc -sanitize=fuzzer,address -Xswiftc -enable-testing \
		--scratch-path $(SCRATCH)-fuzz --product landfall-fuzz
	@set -e; for target in $(TARGET); do \
		echo "== $$target"; \
		mkdir -p $(SCRATCH)-fuzz/corpus/$$target $(SCRATCH)-fuzz/found; \
		SWIFT_BACKTRACE=enable=no LANDFALL_FUZZ_TARGET=$$target \
			$(SCRATCH)-fuzz/release/landfall-fuzz -runs=$(RUNS) -timeout=60 -print_final_stats=1 \
			-artifact_prefix=$(SCRATCH)-fuzz/found/$$target- \
			-dict=Tests/Fuzz/dictionaries/$$target.txt \
			$(SCRATCH)-fuzz/corpus/$$target Tests/Fuzz/corpus/$$target; \
	done

bench: program  ## Measure against nginx and Hummingbird; ARGS=--quick for a first look
	.ci/install bench
	Benchmarks/run $(ARGS)

# An instrumented program serves the load of a few benchmarks. Functions that Swift makes in each module share a counter
# that counts wrong. SwiftPM doesn't know that objects depend on the profile, so they are removed.
SCENARIOS := visible ingest pages crowd tls-requests
PROFILE_RUNS := $(SCRATCH)-profile/runs

profile:  ## Record a new profile of how often each piece of code runs, for `make build`
	.ci/install bench
	$(BUILD_RELEASE) --scratch-path $(SCRATCH)-profile $(FRONTEND) -ir-profile-generate=$(PROFILE_RUNS)/other.profraw \
		-Xswiftc -Xclang-linker -Xswiftc -fprofile-generate
	rm -rf $(PROFILE_RUNS)
	@set -e; for scenario in $(SCENARIOS); do \
		LLVM_PROFILE_FILE="$(CURDIR)/$(PROFILE_RUNS)/%p.profraw" LANDFALL_BIN=$(SCRATCH)-profile/release/landfall \
			Benchmarks/run --quick --only $$scenario; \
	done
	"$$(dirname "$$(readlink -f "$$(command -v swiftc)")")/llvm-profdata" merge --sparse --no-function='^__swift_' \
		--output=$(PROFILE) $(PROFILE_RUNS)
	if test -d $(SCRATCH_RELEASE); then find $(SCRATCH_RELEASE) -name '*.swift.o' -delete; fi

lint:  ## Check the layout of the code
	swift format lint --strict --recursive $(SWIFT_SOURCES)

format:  ## Lay the code out
	swift format --in-place --recursive $(SWIFT_SOURCES)

clean:  ## Remove what was built
	rm -rf $(SCRATCH) $(SCRATCH)-* Benchmarks/.build
