"""Agents: whoever works on a task with a menu of tools. One protocol for all of them in `agent`."""
