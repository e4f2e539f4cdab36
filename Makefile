# Needs Python 3.11 or newer with venv, and make; nothing else.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check

RUNTIME := $(VENV)/.runtime
DEV := $(VENV)/.dev
BENCH := $(VENV)/.bench
# What is ours: a user's own bots may stand beside it.
SOURCES := benchmarks proto referee sample_bots sdk tests

PINS := constraints.txt pyproject.toml sdk/python/pyproject.toml

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help demo test proto golden soak fuzz kills bench clean

# What a finished set-up writes last: its folder (installed scripts name absolute paths) and its
# Python. One that was interrupted, moved or made with another Python is made anew.
FINISHED := $(VENV)/.finished
HERE := $(CURDIR) $(shell "$(PYTHON)" -c 'import platform; print(platform.python_version())' 2>/dev/null)
ifneq "$(shell cat $(FINISHED) 2>/dev/null)" "$(HERE)"
.PHONY: $(RUNTIME) $(DEV) $(BENCH)
endif

# $(1): the extras to install, in brackets; $(2): the stamps that this satisfies
define set_up
@command -v "$(PYTHON)" >/dev/null || { echo "$(PYTHON) not found: install Python 3.11 or newer, or say where it is: make PYTHON=..." >&2; exit 1; }
@"$(PYTHON)" -c 'import sys; sys.exit("Python 3.11 or newer is needed, this is %d.%d; name another: make PYTHON=..." % sys.version_info[:2] if sys.version_info < (3, 11) else 0)'
@echo "Setting up $(VENV)$(1)"
@[ "$$(cat $(FINISHED) 2>/dev/null)" = "$(HERE)" ] && $(BIN)/python -c '' 2>/dev/null || { rm -rf $(VENV) && "$(PYTHON)" -m venv $(VENV); }
@rm -f $(FINISHED)
@$(PIP) install --quiet --constraint constraints.txt hatchling editables
@$(PIP) install --quiet --constraint constraints.txt --no-build-isolation --editable sdk/python --editable '.$(1)'
@touch $(2)
@printf '%s' "$(HERE)" > $(FINISHED)
endef

$(RUNTIME): $(PINS)
	$(call set_up,,$(RUNTIME))

$(DEV): $(PINS)
	$(call set_up,[dev],$(RUNTIME) $(DEV))

$(BENCH): $(PINS)
	$(call set_up,[dev$(comma)bench],$(RUNTIME) $(DEV) $(BENCH))

comma := ,

help: ## List the commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' Makefile

demo: $(RUNTIME) ## Run a league of the sample bots and show its standings
	@$(BIN)/referee league run sample_bots/demo.toml --yes
	@$(BIN)/referee standings demo

test: $(DEV) ## Run every check: lint, format, types, layers, tests
	@$(BIN)/ruff check $(SOURCES)
	@$(BIN)/ruff format --check $(SOURCES)
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo
	@$(BIN)/python -m pytest --quiet --numprocesses auto

proto: $(DEV) ## Generate the Python protocol from proto/
	@$(BIN)/python proto/generate.py sdk/python

golden: $(DEV) ## Write the golden files and the table in docs/conduct.md anew; then read the diff
	@$(BIN)/python -m pytest --quiet tests/golden tests/unit/docs/test_conduct.py --update-golden

soak: $(DEV) ## Play 100,000 random games and hold them to all that is promised
	@$(BIN)/python -m tests.soak

fuzz: $(DEV) ## Throw hostile bytes at the service for two minutes while others play at it
	@$(BIN)/python -m tests.fuzz

kills: $(DEV) ## Kill leagues at every statement and 200 random points; each has to end the same
	@$(BIN)/python -m tests.kills

bench: $(BENCH) ## Run the benchmarks, each a ratio to a reference of the same run
	@for file in benchmarks/*.py; do name=$${file%.py}; echo "== $${name#*/}"; \
		$(BIN)/python -m "benchmarks.$${name#*/}" || exit; done

clean: ## Remove the environment and all caches, never a database
	@rm -rf $(VENV) .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
