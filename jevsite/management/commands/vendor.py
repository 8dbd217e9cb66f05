"""`manage.py vendor`: fetch the browser files that `static/vendor.toml` pins; `--check` only compares."""

from __future__ import annotations

import hashlib
import subprocess
import tarfile
import tempfile
import tomllib
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

STATIC = Path(settings.BASE_DIR) / "static"
FETCH_S = 120


class Command(BaseCommand):
    help = "Fetch the pinned browser files into static/vendor with npm and check their SHA-256."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="fetch nothing, only compare what is there")

    def handle(self, *args: Any, **options: Any) -> None:
        pins = tomllib.loads((STATIC / "vendor.toml").read_text())
        if not options["check"]:
            fetch(pins["file"], STATIC / "vendor")
        if faults := differences(pins, STATIC / "vendor"):
            raise CommandError("\n".join(faults))
        self.stdout.write(f"{len(pins['file']) + len(pins['made'])} files are as pinned.")


def differences(pins: Mapping[str, Sequence[Mapping[str, str]]], folder: Path) -> list[str]:
    """One sentence per pinned file that is missing or has other bytes, and per file that nobody pinned."""
    pinned = {pin["to"]: pin["sha256"] for pin in [*pins["file"], *pins["made"]]}
    present = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}
    faults = [f"{name} is missing; run manage.py vendor." for name in pinned.keys() - present.keys()]
    faults += [f"{name} is not in vendor.toml; pin it or delete it." for name in present.keys() - pinned.keys()]
    changed = (name for name in pinned.keys() & present.keys() if pinned[name] != present[name])
    return sorted(faults + [f"{name} has other bytes than vendor.toml says; run manage.py vendor." for name in changed])


def fetch(files: Sequence[Mapping[str, str]], folder: Path) -> None:
    """Unpack each pinned file; nothing is written whose bytes are not the pinned ones."""
    with tempfile.TemporaryDirectory() as scratch:
        archives = {
            name: _pack(name, Path(scratch)) for name in {f"{pin['package']}@{pin['version']}" for pin in files}
        }
        for pin in files:
            content = _member(archives[f"{pin['package']}@{pin['version']}"], f"package/{pin['from']}")
            if hashlib.sha256(content).hexdigest() != pin["sha256"]:
                raise CommandError(f"{pin['from']} of {pin['package']} {pin['version']} has other bytes than pinned.")
            (folder / pin["to"]).write_bytes(content)


def _pack(package: str, scratch: Path) -> Path:
    command = ["npm", "pack", "--silent", package]
    try:
        done = subprocess.run(command, cwd=scratch, capture_output=True, text=True, timeout=FETCH_S, check=True)
    except FileNotFoundError as error:
        raise CommandError("npm is not installed; it is needed to renew browser files, not to run the site.") from error
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        raise CommandError(f"npm could not fetch {package}: {error}") from error
    return scratch / done.stdout.strip().splitlines()[-1]


def _member(archive: Path, name: str) -> bytes:
    with tarfile.open(archive) as tar:
        reader = tar.extractfile(name)
        if reader is None:
            raise CommandError(f"{archive.name} holds no file {name}.")
        return reader.read()
