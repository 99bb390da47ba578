# Everything a newcomer needs; each target does its own set-up.
SWIFT ?= swift
ONLY ?=
FILTER ?=
ALL ?=
MINUTES ?=
JOBS ?=
SECONDS ?= 60
DIVISOR ?=
PREFIX ?= /usr/local
DESTDIR ?=

# STATIC=1 links Swift's libraries into the command: no toolchain is needed where the command runs. The build needs the headers
# of libcurl, and the command goes into .build/static.
STATIC ?=
RELEASE := $(if $(STATIC),.build/static,.build)
# Relocations that are packed take 2.4 MB less, of the file and of the memory. glibc reads them from 2.36 on.
PACKED = $(shell getconf GNU_LIBC_VERSION 2>/dev/null | \
	awk '{ split($$2, version, "."); if (version[1] > 2 || version[2] >= 36) print "-Xlinker -z -Xlinker pack-relative-relocs" }')
# The command to install; built if none is named. Root installs what is there, and builds nothing.
STEPLINE_COMMAND ?=
TO_INSTALL = $(or $(STEPLINE_COMMAND),$(RELEASE)/release/stepline)

# How tests are built. Without debug information and the index for editors, each of which takes a fifth of the build:
# a crash names its functions; LINES=1 adds their lines, once everything is compiled anew.
# Without the index SwiftPM finds no tests of XCTest; there are none. Tests/XCTMain.swift starts those of Swift Testing.
# A module is compiled as a whole, which takes a fifth less for all of it. INCREMENTAL=1 is for many small changes: of a
# module only what a change affects is compiled, once everything is compiled anew.
WHOLLY := -Xswiftc -disable-batch-mode -Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 2 \
	-Xswiftc -no-emit-module-separately-wmo
# `lld` links each program in half a second less.
LINKER := $(if $(filter Linux,$(shell uname -s)),-Xswiftc -use-ld=lld)
QUICKLY := --disable-index-store --disable-xctest --enable-swift-testing -Xswiftc $(if $(LINES),-gline-tables-only,-gnone) \
	$(if $(INCREMENTAL),,$(WHOLLY))
# With STRICT=1 as CI builds, in the same place: warnings are errors, imports are checked, Sendable is explicit.
STRICTLY := --explicit-target-dependency-import-check error -Xswiftc -warnings-as-errors \
	-Xswiftc -require-explicit-sendable
TEST_FLAGS := --scratch-path .build/tests $(QUICKLY) $(LINKER) $(if $(STRICT),$(STRICTLY))

# simdjson's header, where it is installed: the rival of the JSON benchmarks.
SIMDJSON_HEADER := $(wildcard /usr/include/simdjson.h /usr/local/include/simdjson.h /opt/homebrew/include/simdjson.h)
BENCH_TRAITS = $(if $(SIMDJSON_HEADER),--traits SIMDJSONRival)

.PHONY: help run test build command install uninstall lint format docs bench measure fuzz soak tsan asan leaks ahead set-up clean

help:  ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## */\t/' | expand -t 12

run: set-up  ## build in release and run the weather example on its fixtures; CITIES="Oslo Kyoto"
	@echo "building …"
	@$(SWIFT) build -c release --product Weather --quiet
	@$(SWIFT) run -c release --skip-build --quiet Weather --report .build/weather.html $(or $(CITIES),Paris Oslo Lisbon Nairobi Kyoto)

# CI runs all tests, and so does FILTER, which may mean any of them.
test: set-up  ## run the tests of all modules; FILTER=name for some of all tests, ALL=1 for all
	$(if $(ALL)$(STRICT)$(FILTER),,STEPLINE_PART=modules )$(SWIFT) test $(TEST_FLAGS) $(if $(FILTER),--filter '$(FILTER)')

build: set-up  ## build everything as CI does: warnings are errors, imports are checked
	$(SWIFT) build --build-tests --scratch-path .build/tests $(QUICKLY) $(LINKER) $(STRICTLY)

command: set-up  ## build the stepline command in release: .build/release/stepline; STATIC=1 includes Swift
	$(SWIFT) build -c release --product stepline --scratch-path $(RELEASE) $(if $(STATIC),--static-swift-stdlib $(LINKER) $(PACKED))

install: $(if $(STEPLINE_COMMAND)$(SUDO_USER),,command)  ## install the command, its manual pages and completions; PREFIX=/usr/local, DESTDIR=
	@DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' Scripts/install '$(TO_INSTALL)'

uninstall:  ## remove what install has installed; with the same PREFIX and DESTDIR
	@DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' Scripts/install --remove

lint:  ## check the format, and that every public symbol is documented
	$(SWIFT) format lint --strict --recursive Sources Tests Scripts Benchmarks/Sources Benchmarks/FleetProgram Package.swift Benchmarks/Package.swift

format:  ## format all sources in place
	$(SWIFT) format format --in-place --recursive Sources Tests Scripts Benchmarks/Sources Benchmarks/FleetProgram Package.swift Benchmarks/Package.swift

docs: set-up  ## build the documentation: open .build/documentation/index.html
	@BUILD_FLAGS='$(TEST_FLAGS)' Scripts/docs

bench: set-up  ## run the benchmarks in release; ONLY=name for one, DIVISOR=1000 for a trial of small sizes
	@Scripts/set-up --rivals
	@$(MAKE) --no-print-directory measure

# A call of its own, since simdjson's header may be there only now.
measure:
	$(SWIFT) build -c release --package-path Benchmarks $(BENCH_TRAITS)
	@STEPLINE_BENCH_DIVISOR=$(DIVISOR) \
		$(SWIFT) run -c release --skip-build --quiet --package-path Benchmarks $(BENCH_TRAITS) Benchmarks $(ONLY)

fuzz: set-up  ## throw made-up input at the parsers; SECONDS=n for each, ONLY=XML, SEED=n
	@Tests/Fuzz/run $(SECONDS) $(ONLY)

soak:  ## look for faults that need luck or patience; MINUTES=60, JOBS='suite fuzz' for some (Scripts/soak lists them)
	@Scripts/set-up && Scripts/set-up --tests
	@Scripts/soak $(or $(MINUTES),60) $(JOBS)

# STEPLINE_PART= (empty) builds and runs the whole package.
tsan: set-up  ## run the tests of what is concurrent under ThreadSanitizer; FILTER works here, too
	STEPLINE_PART=$${STEPLINE_PART-threads} $(SWIFT) test $(TSAN_FLAGS) \
		--skip '$(PLAYED)' $(if $(FILTER),--filter '$(FILTER)')

asan: set-up  ## run the tests of what handles memory under AddressSanitizer; FILTER works here, too
	ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=0 STEPLINE_PART=$${STEPLINE_PART-memory} $(ASAN) \
		--skip '$(PLAYED)$(if $(FILTER),,|$(LEAKS))' $(if $(FILTER),--filter '$(FILTER)')

leaks: set-up  ## run the tests that free all their memory under the leak check
	@[ "$$(uname)" != Darwin ] || { echo "AddressSanitizer finds no leaks on macOS" >&2; exit 1; }
	ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=0 LSAN_OPTIONS=suppressions=$(CURDIR)/Scripts/leaks-of-others \
		STEPLINE_PART=$${STEPLINE_PART-memory} $(ASAN) --filter '$(or $(FILTER),$(LEAKS))'

TSAN_FLAGS := --sanitize=thread --scratch-path .build/threads $(QUICKLY)
ASAN_FLAGS := --sanitize=address --scratch-path .build/memory $(QUICKLY)
ASAN := $(SWIFT) test $(ASAN_FLAGS)
# Tests that free all their memory: each leak they report is the library's. Excluded are tests whose doubles form reference
# cycles, and tests over URLSession, which leaks URLs.
LEAKS := Stepline(JSON|XML|Support)Tests|SteplineStepsTests\.(AtomicSave|CSV|Cache|Chunks|Download|Factory|Feed|File|Header|$\
	Interrupted|JSON|Leftover|ManagedLoad|NetworkCancel|Pages|Redirect|RequestBody|Resume|Revalidation|SharedLoad|Status|$\
	Unasked|WaitingLine|XML)|SteplineRequestsTests\.(Cookie|Curl|HTTPDate|Host|RequestError|ResponseHead|Retrying)

# Builds for CI's later stages, which run beside its earlier ones. A stage whose build failed here shows why.
ahead:
	-$(MAKE) command
	-$(SWIFT) build -c release --product Weather
	-STEPLINE_PART=threads $(SWIFT) build --build-tests $(TSAN_FLAGS)
	-STEPLINE_PART=memory $(SWIFT) build --build-tests $(ASAN_FLAGS)

# Plays have one thread, so sanitizers find nothing in them.
PLAYED := SteplineTestingTests.(Simulation|Fault|OldRule|FaultReach|Newcomer)Tests|(Simulated(Run|Stress)|ResetStress)Tests|Played

set-up:
	@Scripts/set-up

clean:
	rm -rf .build Benchmarks/.build
