#!/usr/bin/env python
"""Every command of the project: `python manage.py help` lists them."""

from __future__ import annotations

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "jevsite.settings")
    try:
        from django.core.management import execute_from_command_line
    except ImportError:
        sys.exit("Django is not installed in this Python. Run `make demo`, or `.venv/bin/python manage.py` instead.")
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
