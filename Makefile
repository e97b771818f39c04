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
.PHONY: help env book pdf data experiment worksheet record chapter serve test test-slow notebooks check web format bench clean

help:
	@$(PYTHON) -m pencil help

env:
	@$(PYTHON) -m pencil env test

book check data worksheet:
	@$(PYTHON) -m pencil env book
	@$(PY) -m pencil $@

notebooks experiment record:
	@$(PYTHON) -m pencil env run
	@$(PY) -m pencil $@

chapter:
	@$(PYTHON) -m pencil chapter "$(NAME)" "$(TITLE)"

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
