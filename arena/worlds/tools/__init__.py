"""The handlers of the built-in tools, one module per category; importing this package registers all of them."""

from arena.worlds.tools import (
    code,
    customers,
    deployments,
    documents,
    files,
    git,
    logs,
    mail,
    metrics,
    orders,
    project,
    proposals,
    search,
    tickets,
)

__all__ = [
    "code",
    "customers",
    "deployments",
    "documents",
    "files",
    "git",
    "logs",
    "mail",
    "metrics",
    "orders",
    "project",
    "proposals",
    "search",
    "tickets",
]
