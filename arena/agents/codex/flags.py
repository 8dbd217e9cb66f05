"""The command line of one lane: nothing of the machine's own configuration, no tool but ours, nothing to approve.

No secret is in it, for every user of a machine can read command lines; keys and the prompt travel otherwise.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from arena.agents.codex.connection import KEY_NAME, Connection
from arena.agents.codex.program import Program
from arena.mcp.bridge import KEY

SERVER = "lane"
START_S = 60
# Whatever gives the model another tool, another instruction or another way out than the lane's menu.
OFF = (
    "apps",
    "browser_use",
    "browser_use_external",
    "browser_use_full_cdp_access",
    "code_mode_host",
    "computer_use",
    "daemon_auto_start",
    "goals",
    "hooks",
    "image_generation",
    "in_app_browser",
    "memories",
    "multi_agent",
    "plugin_sharing",
    "plugins",
    "remote_plugin",
    "shell_snapshot",
    "shell_tool",
    "skill_mcp_dependency_install",
    "skill_search",
    "sleep_tool",
    "tool_suggest",
    "unified_exec",
    "view_image",
    "workspace_dependencies",
)


def command(program: Program, connection: Connection, tools: Sequence[str], *, tool_s: float) -> list[str]:
    """Arguments of the process. `tools` is the command of our tool server, a call may take `tool_s` seconds.

    A feature is switched off as a setting, not by `--disable`, for a version that does not know it then goes on.
    """
    server = {
        "command": tools[0],
        "args": list(tools[1:]),
        "env_vars": [KEY],
        "required": True,
        # The server is ours and serves the lane's menu only; a tool that joins it is approved like the others.
        "default_tools_approval_mode": "approve",
        "startup_timeout_sec": START_S,
        "tool_timeout_sec": round(tool_s),
    }
    settings: dict[str, Any] = {
        f"mcp_servers.{SERVER}": server,
        **{f"features.{name}": False for name in OFF},
        "web_search": "disabled",
        "tools.view_image": False,
        "tools.experimental_request_user_input.enabled": False,
        "skills.include_instructions": False,
        "skills.bundled.enabled": False,
        "project_doc_max_bytes": 0,
        "check_for_update_on_startup": False,
        "analytics.enabled": False,
        **_model(connection),
    }
    line = [str(program.path), "exec", "--json", "--ignore-user-config", "--ignore-rules", "--skip-git-repo-check"]
    line += ["--color", "never", "--sandbox", "read-only"]
    for name, value in settings.items():
        line += ["-c", f"{name}={toml(value)}"]
    return [*line, "-"]


def _model(connection: Connection) -> dict[str, Any]:
    chosen: dict[str, Any] = {}
    if connection.model:
        chosen["model"] = connection.model
    if connection.effort:
        chosen["model_reasoning_effort"] = connection.effort
    if connection.provider is not None:
        chosen["model_provider"] = "own"
        chosen["model_providers.own"] = {
            "name": "own",
            "base_url": connection.provider.address,
            "wire_api": "responses",
            **({"env_key": KEY_NAME} if connection.provider.key else {}),
        }
    return chosen


def toml(value: Any) -> str:
    """A value as inline TOML: texts, numbers, truth values, lists and tables of these."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_text(name)} = {toml(item)}" for name, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return _text(value) if isinstance(value, str) else str(value)


def _text(value: str) -> str:
    # JSON's escapes are TOML's, but for characters beyond the first plane, which TOML takes as they are.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
