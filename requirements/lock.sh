#!/bin/sh
# Pins every list with hashes, for Python >= 3.11 on every platform, without any download address.
set -eu
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
"$1" -m venv "$room"
"$room/bin/python" -m pip install --quiet --disable-pip-version-check uv
pin() {
    list=requirements/$1.txt
    shift
    "$room/bin/uv" pip compile "$@" --universal --python-version 3.11 --generate-hashes --upgrade \
        --no-emit-index-url --no-annotate --no-header --quiet --output-file "$list" >/dev/null
}
pin run pyproject.toml
pin test pyproject.toml --group test --constraint requirements/run.txt
pin scale pyproject.toml --extra scale --constraint requirements/test.txt
pin gguf pyproject.toml --extra gguf --constraint requirements/test.txt
pin check --group check --constraint requirements/test.txt
pin e2e --group e2e --constraint requirements/test.txt
