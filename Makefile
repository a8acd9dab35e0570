# CAESAR memory. `make run` starts everything from a fresh clone; `make help` lists the rest.

PY := .venv/bin/python
PIP := $(PY) -m pip install -qq --disable-pip-version-check
# Checks are about the code, not about what somebody has in .env. Tests read no .env anyway.
PY_WITHOUT_ENV_FILE := CAESAR_ENV_FILE=/dev/null $(PY)

.DEFAULT_GOAL := help
.PHONY: help run test check bench attack pictures clients
.SUFFIXES:

help:  ## list the targets
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' Makefile | expand -t 15

run: .venv/run-packages .env  ## start the server (made ready first, where it is not); Ctrl-C stops it
	@exec $(PY) manage.py up --bootstrap

test: .venv/dev-packages  ## run the tests
	@$(PY) -m pytest -n 2 --dist loadgroup

check: .venv/dev-packages  ## lint, format, types, migrations, deployment
	@$(PY_WITHOUT_ENV_FILE) -m ruff check .
	@$(PY_WITHOUT_ENV_FILE) -m ruff format --check .
	@$(PY_WITHOUT_ENV_FILE) -m mypy
	@$(PY_WITHOUT_ENV_FILE) manage.py makemigrations --check --dry-run
	@CAESAR_DEBUG=false CAESAR_SERVER__HTTPS=true $(PY_WITHOUT_ENV_FILE) manage.py check --deploy --fail-level WARNING

bench: .venv/run-packages  ## measure what the design promises
	@$(PY) -m bench

attack: .venv/dev-packages  ## slow clients, a hundred at once, and kills, with the counts printed (SHORT=1: two minutes)
	@$(PY) -m tests.attack $(if $(SHORT),--short)

clients: .venv/dev-packages  ## try the clients in docs/clients.md, each from its registry, and write what they did into its table
	@notes=$$(mktemp -d) && trap 'rm -rf "$$notes"' EXIT && export CLIENTS_NOTES="$$notes" && \
	$(PY) -m pytest -q tests/clients --ignore=tests/clients/test_table.py && \
	$(PY) -m tests.clients.table "$$notes" && $(PY) -m pytest -q tests/clients/test_table.py

pictures: .venv/dev-packages  ## take the pictures in docs/pictures anew, of the demonstration data (needs Chromium)
	@$(PY) -m docs.pictures.take

# Settings to start from. Private: keys will stand in it.
.env:
	@umask 077; cp .env.example .env

# The stamps stand for "installed since this file changed".
.venv/run-packages: requirements.txt $(PY)
	@echo "Installing the server's packages into .venv ..."
	@$(PIP) -r requirements.txt
	@touch $@

.venv/dev-packages: requirements-dev.txt requirements.txt $(PY)
	@echo "Installing the packages for tests and checks into .venv ..."
	@$(PIP) -r requirements-dev.txt
	@touch $@ .venv/run-packages

# The newest Python that is known to fit. An attempt that fails (no venv module) or is interrupted leaves nothing behind.
$(PY):
	@trap 'rm -rf .venv; exit 130' INT TERM; \
	for python in python3.13 python3.12 python3.11 python3 python; do \
	    $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue; \
	    rm -rf .venv; \
	    $$python -m venv .venv >/dev/null 2>&1 && exit 0; \
	    rm -rf .venv; \
	done; \
	echo "CAESAR needs Python 3.11 or newer with its venv module: apt install python3-venv, brew install python, or https://www.python.org/downloads/" >&2; \
	exit 1
