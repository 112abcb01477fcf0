# Two commands are enough: `make serve` and `make test`. `make help` lists the others.

SCRATCH := .build
SCRATCH_RELEASE := .build-release
LANDFALL := $(SCRATCH_RELEASE)/release/landfall
SWIFT_SOURCES := Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Sources

# The Swift runtime goes into the program, so that it starts fast and runs where no Swift is.
BUILD_RELEASE := swift build -c release --static-swift-stdlib \
	--scratch-path $(SCRATCH_RELEASE) --product landfall

.PHONY: help serve build test test-unit test-curl test-page bench lint format clean

help:  ## Show this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

serve: build  ## Install what is missing, build, and serve on 127.0.0.1:8080
	exec $(LANDFALL) serve --config Config/landfall.yaml $(ARGS)

build:  ## Build the program in release mode
	.ci/install build
	$(BUILD_RELEASE)

test: test-unit test-curl test-page  ## Run all tests: unit, curl, page

# One after the other: tests of deadlines must not wait for tests that need the whole processor.
test-unit:  ## Run the unit tests
	.ci/install test
	swift test --no-parallel --scratch-path $(SCRATCH)

test-curl: test-binary  ## Run the tests that use the program as curl does
	LANDFALL_BIN=$(CURDIR)/$(SCRATCH)/debug/landfall bats --timing Tests/curl

test-page: test-binary  ## Run the tests that look at the page with a browser
	LANDFALL_BIN=$(CURDIR)/$(SCRATCH)/debug/landfall bats --timing Tests/page

.PHONY: test-binary
test-binary:
	.ci/install test
	swift build --scratch-path $(SCRATCH) --product landfall

bench: build  ## Measure against nginx and Hummingbird; ARGS=--quick for a first look
	.ci/install bench
	Benchmarks/run $(ARGS)

lint:  ## Check the layout of the code
	swift format lint --strict --recursive $(SWIFT_SOURCES)

format:  ## Lay the code out
	swift format --in-place --recursive $(SWIFT_SOURCES)

clean:  ## Remove what was built
	rm -rf $(SCRATCH) $(SCRATCH_RELEASE) Benchmarks/.build
