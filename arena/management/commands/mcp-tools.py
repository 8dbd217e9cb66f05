"""`manage.py mcp-tools`: the menu of a case as an MCP server, on a world of its own, over stdio or HTTP."""

from __future__ import annotations

import signal
import threading
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from arena.catalogs.menus import menu_for
from arena.errors import ArenaError
from arena.library import library
from arena.mcp import serving
from arena.mcp.own_world import OwnWorld
from arena.mcp.server import server_of
from arena.runs.setup import MAX_MENU, MAX_SEED

BAD_INPUT = 2


class Command(BaseCommand):
    help = "Serve the tools of a case over MCP. What they change lasts as long as the server. Exit 2: bad input."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--case", required=True, help="a case of fixtures/cases, such as read")
        parser.add_argument("--menu", type=int, default=40, help="tools in the menu, at most the catalog's")
        parser.add_argument("--seed", type=int, default=1, help="chooses the distractors")
        parser.add_argument("--http", action="store_true", help="streamable HTTP on the loopback, with a token")
        parser.add_argument("--port", type=int, default=0, help="with --http; default: a free one")

    def handle(self, *args: Any, **options: Any) -> None:
        ranges = (("menu", 1, MAX_MENU), ("seed", 0, MAX_SEED), ("port", 0, 65_535))
        for name, low, high in ranges:
            if not low <= options[name] <= high:
                words = f"--{name} is {options[name]}; it must be from {low} to {high}."
                raise CommandError(words, returncode=BAD_INPUT)
        try:
            shelf = library()
            case = shelf.case(options["case"])
        except ArenaError as refused:
            raise CommandError(refused.message, returncode=BAD_INPUT) from refused
        menu = menu_for(case, shelf.catalog, options["menu"], options["seed"])
        server = server_of(OwnWorld(menu.tools, shelf.worlds[case.world]))
        with serving.loop() as portal:
            if not options["http"]:
                serving.over_stdio(portal, server)
                return
            token = serving.new_key()
            try:
                with serving.over_http(portal, server, token=token, port=options["port"]) as url:
                    self.stdout.write(f"{url}\nAuthorization: Bearer {token}\nCtrl-C ends it.\n")
                    self.stdout.flush()
                    _until_told()
            except OSError as error:
                words = f"Port {options['port']} of the loopback cannot be used ({error.strerror}); name another one."
                raise CommandError(words, returncode=BAD_INPUT) from error


def _until_told() -> None:
    told = threading.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, lambda *_: told.set())
    told.wait()
