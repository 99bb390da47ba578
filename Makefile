# Everything a newcomer needs; each target does its own set-up.
SWIFT ?= swift
ONLY ?=
FILTER ?=
COUNT ?=
SECONDS ?= 60
DIVISOR ?=
PREFIX ?= /usr/local
DESTDIR ?=

# The command to install; built if none is named. Root installs what is there, and builds nothing.
STEPLINE_COMMAND ?=
TO_INSTALL = $(or $(STEPLINE_COMMAND),.build/release/stepline)

# How CI builds; with STRICT=1 tests and documentation are built like that, too, in the same place.
STRICTLY := --explicit-target-dependency-import-check error -Xswiftc -warnings-as-errors \
	-Xswiftc -require-explicit-sendable --scratch-path .build/strict
BUILD_FLAGS := $(if $(STRICT),$(STRICTLY))

# simdjson's header, where it is installed; `make bench SIMDJSON=1` lets it parse for Stepline as well.
SIMDJSON_HEADER := $(wildcard /usr/include/simdjson.h /usr/local/include/simdjson.h /opt/homebrew/include/simdjson.h)
SIMDJSON ?=
BENCH_TRAITS = $(if $(SIMDJSON),--traits SIMDJSON --scratch-path Benchmarks/.build/simdjson,$(if \
	$(SIMDJSON_HEADER),--traits SIMDJSONRival))

.PHONY: help run test build command install uninstall lint format docs bench measure fuzz leaks simdjson stress programs chaos tsan asan set-up clean

help:  ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## */\t/' | expand -t 12

run: set-up  ## build in release and run the weather example on its fixtures; CITIES="Oslo Kyoto"
	@echo "building …"
	@$(SWIFT) build -c release --product Weather --quiet
	@$(SWIFT) run -c release --skip-build --quiet Weather --report .build/weather.html $(or $(CITIES),Paris Oslo Lisbon Nairobi Kyoto)

test: set-up  ## run all tests; FILTER=name for some
	$(SWIFT) test $(BUILD_FLAGS) $(if $(FILTER),--filter '$(FILTER)')

build: set-up  ## build everything as CI does: warnings are errors, imports are checked
	$(SWIFT) build --build-tests $(STRICTLY)

command: set-up  ## build the stepline command in release: .build/release/stepline
	$(SWIFT) build -c release --product stepline

install: $(if $(STEPLINE_COMMAND)$(SUDO_USER),,command)  ## install the command, its manual pages and completions; PREFIX=/usr/local, DESTDIR=
	@DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' Scripts/install '$(TO_INSTALL)'

uninstall:  ## remove what install has installed; with the same PREFIX and DESTDIR
	@DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' Scripts/install --remove

lint:  ## check the format, and that every public symbol is documented
	$(SWIFT) format lint --strict --recursive Sources Tests Scripts Benchmarks/Sources Benchmarks/FleetProgram Package.swift Benchmarks/Package.swift

format:  ## format all sources in place
	$(SWIFT) format format --in-place --recursive Sources Tests Scripts Benchmarks/Sources Benchmarks/FleetProgram Package.swift Benchmarks/Package.swift

docs: set-up  ## build the documentation: open .build/documentation/index.html
	@BUILD_FLAGS='$(BUILD_FLAGS)' Scripts/docs

bench: set-up  ## run the benchmarks in release; ONLY=name for one, DIVISOR=1000 for a trial of small sizes
	@Scripts/set-up --rivals
	@$(MAKE) --no-print-directory measure

# A call of its own, since simdjson's header may be there only now.
measure:
	$(SWIFT) build -c release --package-path Benchmarks $(BENCH_TRAITS)
	@STEPLINE_BENCH_DIVISOR=$(DIVISOR) \
		$(SWIFT) run -c release --skip-build --quiet --package-path Benchmarks $(BENCH_TRAITS) Benchmarks $(ONLY)

fuzz: set-up  ## throw made-up input at the parsers; SECONDS=n for each, ONLY=XML, SEED=n
	@Fuzz/run $(SECONDS) $(ONLY)

stress: set-up  ## run the stress tests and the models of all machines for longer; ROUNDS=n, SEED=n, FILTER=name for some
	STEPLINE_ROUNDS=$(or $(ROUNDS),2000) STEPLINE_SEED=$(SEED) $(SWIFT) test --filter '$(or $(FILTER),StressTests|MachineTests|FIFOTests|CallbacksTests)'

programs: set-up  ## run short programs as flows do, 100,000 of them; COUNT=n
	STEPLINE_PROGRAMS=$(or $(COUNT),100000) $(SWIFT) test --filter ShortProgramTests

chaos: set-up  ## hold durable runs against plain ones, also through killed servers and workers; SEEDS=100, SEED=1
	STEPLINE_SOAK=1 STEPLINE_CHAOS_SEEDS=$(or $(SEEDS),100) STEPLINE_SEED=$(or $(SEED),1) $(SWIFT) test --filter 'ConformanceTests|PostgreSQLChaosTests|WorkerChaosTests'

# What is played has one thread, where a sanitizer only makes thousands of orders slow; beside other tests they ended
# ThreadSanitizer itself.
PLAYED := SteplineTestingTests.(Simulation|Fault|OldRule|FaultReach|Newcomer)Tests|Simulated(Run|Stress)Tests|Played

tsan: set-up  ## run the tests of what is concurrent under ThreadSanitizer
	$(SWIFT) test --sanitize=thread --scratch-path .build/tsan --skip GrowthTests \
		--skip '$(PLAYED)' \
		--filter '$(or $(FILTER),Manager|Pipeline|Workflow|Runs|Requests|Steps|Bridge|Support|Stress|Testing|thousand)'

asan: set-up  ## run the tests under AddressSanitizer
	ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=0 $(SWIFT) test --sanitize=address --scratch-path .build/asan \
		--skip '$(PLAYED)' $(if $(FILTER),--filter '$(FILTER)')

leaks: set-up  ## run the parsers' tests under AddressSanitizer's leak check
	ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=0 LSAN_OPTIONS=suppressions=$(CURDIR)/Scripts/leaks-of-others \
		$(SWIFT) test --sanitize=address --scratch-path .build/asan --disable-xctest \
		--filter '$(or $(FILTER),SteplineJSONTests|SteplineXMLTests|SteplineStepsTests.(JSON|XML))'

simdjson: set-up  ## run the JSON tests on simdjson, where it is installed
ifeq ($(SIMDJSON_HEADER),)
	@echo "simdjson isn't installed (libsimdjson-dev): nothing to run"
else
	$(SWIFT) test --traits SIMDJSON --filter JSON --scratch-path .build/simdjson
endif

set-up:
	@Scripts/set-up

clean:
	rm -rf .build Benchmarks/.build
