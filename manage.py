#!/usr/bin/env python
"""Every command of the project: `python manage.py help` lists them."""

from __future__ import annotations

import os
import sys


def main() -> None:
    # What this program writes (database, logs, messages) is its owner's alone.
    os.umask(0o077)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "jevsite.settings")
    try:
        from django.core.management import execute_from_command_line

        from jevsite import trouble
    except ModuleNotFoundError as missing:
        mend = "Run `make demo`, or use .venv/bin/python."
        print(f"manage.py: This Python has no package {missing.name!r}. {mend}", file=sys.stderr)
        sys.exit(2)
    with trouble.in_sentences():
        execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
