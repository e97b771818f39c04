# Thin on purpose: each target makes .venv where it must, then runs `python -m pencil TASK`,
# which is the command to type where there is no make.

PYTHON ?= python3
ifeq ($(OS),Windows_NT)
PY := .venv/Scripts/python.exe
else
PY := .venv/bin/python
endif

# make TORCH_INDEX=... names the package index that torch comes from; "default" is the usual one.
TORCH_INDEX ?=
export TORCH_INDEX

.DEFAULT_GOAL := help
.PHONY: help env book page pdf epub data experiment worksheet slides record chapter chapter-check serve test test-slow notebooks check web format bench clean

help:
	@$(PYTHON) -m pencil help

env:
	@$(PYTHON) -m pencil env test

book epub check data worksheet slides:
	@$(PYTHON) -m pencil env book
	@$(PY) -m pencil $@

notebooks experiment record:
	@$(PYTHON) -m pencil env run
	@$(PY) -m pencil $@

page:
	@$(PYTHON) -m pencil env book
	@$(PY) -m pencil page "$(NN)"

chapter:
	@$(PYTHON) -m pencil chapter "$(NAME)" "$(TITLE)"

chapter-check:
	@$(PYTHON) -m pencil env book
	@$(PY) -m pencil chapter-check "$(NN)"

serve:
	@$(PYTHON) -m pencil env serve
	@$(PY) -m pencil serve

test pdf web format:
	@$(PYTHON) -m pencil env test
	@$(PY) -m pencil $@

test-slow bench:
	@$(PYTHON) -m pencil env slow
	@$(PY) -m pencil $@

clean:
	@$(PYTHON) -m pencil clean
