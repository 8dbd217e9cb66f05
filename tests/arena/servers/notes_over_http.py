"""The same notes over streamable HTTP, by the official SDK: `python notes_over_http.py PORT FOLDER`."""

from __future__ import annotations

import sys
from pathlib import Path

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations


def made(folder: Path) -> MCPServer:
    server = MCPServer("notes", instructions="Notes of a team.")

    def counted(tool: str) -> None:
        with (folder / "calls").open("a") as calls:
            calls.write(f"{tool}\n")

    @server.tool(annotations=ToolAnnotations(read_only_hint=True), description="Read the text of one note by its name.")
    def read_note(name: str) -> str:
        counted("read_note")
        file = folder / f"{Path(name).name}.note"
        if not file.exists():
            raise ToolError(f"There is no note {name}.")
        return file.read_text()

    @server.tool(description="Erase one note for good by its name.")
    def erase_note(name: str) -> str:
        counted("erase_note")
        (folder / f"{Path(name).name}.note").unlink()
        return f"The note {name} is gone."

    return server


if __name__ == "__main__":
    made(Path(sys.argv[2])).run("streamable-http", host="127.0.0.1", port=int(sys.argv[1]))
