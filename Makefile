# Builds Quevedo for the processor of this machine, as testers of engines and OpenBench's client call it:
#
#   make [pgo] [EXE=name] [EVALFILE=network] [FEATURES=tuning]
#
# `pgo` builds it twice, the second time with a profile of the first one's `bench`. It needs llvm-profdata, which
# `rustup component add llvm-tools` installs.
#
# EXE       the program to write, in the directory where make was called
# EVALFILE  the network to compile in, instead of the repository's; a damaged file fails the build
# FEATURES  features of the package, such as `tuning`, which turns the search parameters into options
# CPU       the processor to build for
# LLVM_PROFDATA  llvm-profdata of the compiler's LLVM, for `pgo`

EXE ?= quevedo
EVALFILE ?=
FEATURES ?=
CPU ?= native
LLVM_PROFDATA ?= $(shell rustc --print target-libdir)/../bin/llvm-profdata

# A path as an absolute one. make's own functions for paths would split one that has spaces.
absolute = $(if $(or $(filter /%,$(firstword $(1))),$(findstring :,$(1))),$(1),$(CURDIR)/$(1))

ROOT := $(call absolute,$(dir $(lastword $(MAKEFILE_LIST))))
# Unless told otherwise, a directory of its own, so that the flags do not discard an ordinary build.
TARGET := $(call absolute,$(or $(CARGO_TARGET_DIR),$(ROOT)target/make))

ifeq ($(OS),Windows_NT)
SUFFIX := .exe
endif
PROGRAM := $(patsubst %$(SUFFIX),%,$(EXE))$(SUFFIX)

BUILT := $(TARGET)/release/quevedo$(SUFFIX)
PROFILES := $(TARGET)/profiles

# Builds the program with this flag of the compiler besides the processor. Encoded flags may contain spaces.
build = cd "$(ROOT)" && MAKEFLAGS= QUEVEDO_EVALFILE="$(if $(EVALFILE),$(call absolute,$(EVALFILE)))" \
	CARGO_ENCODED_RUSTFLAGS="$$(printf '%s$(if $(1),\037%s)' '-Ctarget-cpu=$(CPU)' $(if $(1),'-C$(1)'))" \
	cargo build --release --bin quevedo --features "$(FEATURES)" --target-dir "$(TARGET)"

.PHONY: all pgo
all:
	$(call build)
	cp "$(BUILT)" "$(PROGRAM)"

pgo:
	@"$(LLVM_PROFDATA)" --version > /dev/null || \
		{ echo "llvm-profdata is missing: rustup component add llvm-tools, or set LLVM_PROFDATA" >&2; exit 1; }
	$(call build,profile-generate=$(PROFILES))
	rm -rf "$(PROFILES)"
	"$(BUILT)" bench
	"$(LLVM_PROFDATA)" merge -o "$(PROFILES)/bench.profdata" "$(PROFILES)"
	$(call build,profile-use=$(PROFILES)/bench.profdata)
	cp "$(BUILT)" "$(PROGRAM)"
