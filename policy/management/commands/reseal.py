"""`manage.py reseal`: a new master key over every stored provider key."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from policy.people import provider_keys, vault


class Command(BaseCommand):
    help = "Seal every stored provider key with a new master key; with JEV_MASTER_KEY=new,old with its first."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--keep-old", action="store_true", help="leave older master keys in the file")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            done = provider_keys.reseal(keep_old=options["keep_old"])
        except vault.VaultClosed as closed:
            raise CommandError(str(closed), returncode=2) from closed
        except OSError as error:
            raise CommandError(f"{vault.file()} cannot be written ({error.strerror}).", returncode=2) from error
        word = "key is" if done.count == 1 else "keys are"
        self.stdout.write(f"{done.count} {word} sealed with the newest master key.")
        for each in done.unreadable:
            self.stderr.write(f"The {each} is sealed with a master key that is not here; it was left as it is.")
        if done.unreadable:
            raise CommandError("Old master keys were kept. Put the missing one back and run this again.", returncode=1)
        if vault.is_of_environment():
            self.stdout.write(f"All but the first key of {vault.VARIABLE} can be taken away now, and {vault.file()}.")
