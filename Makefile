# Builds Quevedo for the processor of this machine, as testers of engines and OpenBench's client call it:
#
#   make [EXE=name] [EVALFILE=network] [FEATURES=tuning]
#
# EXE       the program to write, in the directory where make was called
# EVALFILE  the network to compile in, instead of the repository's; a damaged file fails the build
# FEATURES  features of the package, such as `tuning`, which turns the search parameters into options
# CPU       the processor to build for

EXE ?= quevedo
EVALFILE ?=
FEATURES ?=
CPU ?= native

ROOT := $(dir $(abspath $(lastword $(MAKEFILE_LIST))))
# Unless told otherwise, a directory of its own, so that the flags do not discard an ordinary build.
TARGET := $(or $(CARGO_TARGET_DIR),$(ROOT)target/make)

ifeq ($(OS),Windows_NT)
SUFFIX := .exe
endif
PROGRAM := $(patsubst %$(SUFFIX),%,$(EXE))$(SUFFIX)

.PHONY: all
all:
	cd "$(ROOT)" && MAKEFLAGS= QUEVEDO_EVALFILE="$(abspath $(EVALFILE))" RUSTFLAGS="-C target-cpu=$(CPU)" \
		cargo build --release --bin quevedo --features "$(FEATURES)" --target-dir "$(TARGET)"
	cp "$(TARGET)/release/quevedo$(SUFFIX)" "$(PROGRAM)"
