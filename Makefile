# Two commands are enough: `make serve` and `make test`. `make help` lists the others.

SCRATCH := .build
SCRATCH_RELEASE := .build-release
LANDFALL := $(SCRATCH_RELEASE)/release/landfall
SWIFT_SOURCES := Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Sources

# The Swift runtime goes into the program, so that it starts fast and runs where no Swift is.
BUILD_RELEASE := swift build -c release --static-swift-stdlib \
	--scratch-path $(SCRATCH_RELEASE) --product landfall

.PHONY: help serve serve-tls build test test-unit test-curl test-page test-wire test-asan test-tsan \
	bench lint format clean

help:  ## Show this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

serve: build  ## Install what is missing, build, and serve on 127.0.0.1:8080
	exec $(LANDFALL) serve --config Config/landfall.yaml $(ARGS)

serve-tls: build  ## The same with https on 8443, and certificates made for development
	$(LANDFALL) certs init --config Config/landfall.yaml --folder Config/tls
	exec $(LANDFALL) serve --config Config/landfall.yaml --tls-port 8443 --tls-folder Config/tls $(ARGS)

build:  ## Build the program in release mode
	.ci/install build
	$(BUILD_RELEASE)

test: test-unit test-curl test-page test-wire  ## Run all tests: unit, curl, page, wire

# One after the other: tests of deadlines must not wait for tests that need the whole processor.
test-unit:  ## Run the unit tests
	.ci/install test
	swift test --no-parallel --scratch-path $(SCRATCH)

test-curl: test-binary  ## Run the tests that use the program as curl does
	LANDFALL_BIN=$(CURDIR)/$(SCRATCH)/debug/landfall bats --timing Tests/curl

test-page: test-binary  ## Run the tests that look at the page with a browser
	LANDFALL_BIN=$(CURDIR)/$(SCRATCH)/debug/landfall bats --timing Tests/page

test-wire: test-binary  ## Judge the program by the RFCs, with raw bytes, plain and under TLS
	LANDFALL_BIN=$(CURDIR)/$(SCRATCH)/debug/landfall bats --timing Tests/wire

.PHONY: test-binary
test-binary:
	.ci/install test
	swift build --scratch-path $(SCRATCH) --product landfall

# Sanitizers see what their compiler instruments: everything is built again, in folders of its own.
test-asan:  ## Run the unit tests under the address sanitizer
	.ci/install test
	swift test --no-parallel --sanitize=address --scratch-path $(SCRATCH)-asan

test-tsan:  ## Run the unit tests under the thread sanitizer
	.ci/install test
	TSAN_OPTIONS=suppressions=$(CURDIR)/Tests/tsan-suppressions.txt \
		swift test --no-parallel --sanitize=thread --scratch-path $(SCRATCH)-tsan

bench: build  ## Measure against nginx and Hummingbird; ARGS=--quick for a first look
	.ci/install bench
	Benchmarks/run $(ARGS)

lint:  ## Check the layout of the code
	swift format lint --strict --recursive $(SWIFT_SOURCES)

format:  ## Lay the code out
	swift format --in-place --recursive $(SWIFT_SOURCES)

clean:  ## Remove what was built
	rm -rf $(SCRATCH) $(SCRATCH_RELEASE) Benchmarks/.build
