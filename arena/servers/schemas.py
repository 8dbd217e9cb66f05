"""Bodies of the API of own catalogs."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from ninja import Schema
from pydantic import ConfigDict, Field

Secrets = Annotated[
    dict[str, str],
    Field(description="Variables of a command, or headers of an address. Stored sealed, never given back."),
]


class ConnectServer(Schema):
    """A tool server by command or by address, one of the two."""

    model_config = ConfigDict(extra="forbid")

    name: Annotated[str, Field(max_length=31, description="Small letters, digits and -; begins every tool's id.")]
    command: Annotated[list[str], Field(description="The program and its arguments; needs the role operator.")] = []
    folder: Annotated[str, Field(max_length=1024, description="Working folder; blank: a new one each time.")] = ""
    url: Annotated[str, Field(max_length=2048, description="Streamable HTTP.")] = ""
    secrets: Secrets = {}


class ImportCatalog(Schema):
    model_config = ConfigDict(extra="forbid")

    name: Annotated[str, Field(max_length=31)]
    document: Annotated[Any, Field(description="OpenAI's tools array, MCP's tools/list or Anthropic's tools.")]


class CategoryMark(Schema):
    model_config = ConfigDict(extra="forbid")

    id: Annotated[str, Field(max_length=41)]
    title: Annotated[str, Field(max_length=100)]
    description: Annotated[str, Field(max_length=1000)]


class ToolMark(Schema):
    model_config = ConfigDict(extra="forbid")

    effect: Literal["observe", "modify", "destructive"]
    category: Annotated[str, Field(max_length=41)]
    prerequisites: Annotated[list[str], Field(description="Names of tools that come before it.")] = []
    left_out: Annotated[bool, Field(description="Kept away from every run.")] = False


class MarkCatalog(Schema):
    """What a person says of every tool; runs see it after the next approval."""

    model_config = ConfigDict(extra="forbid")

    tools: dict[str, ToolMark]
    categories: list[CategoryMark]


class ApproveCatalog(Schema):
    model_config = ConfigDict(extra="forbid")

    digest: Annotated[str, Field(max_length=64, description="`digest` of the listing that you looked at.")]


class ChangeDocument(Schema):
    name: str
    kind: Literal["new", "gone", "changed"]
    lines: list[str]


class CatalogDocument(Schema):
    id: str
    name: str
    source: str
    title: str
    command: list[str]
    folder: str
    url: str
    secret_names: list[str]
    digest: str
    listed_at: str | None
    trouble: str
    approved_at: str | None
    usable: Annotated[bool, Field(description="Runs may use it now.")]
    why_not: str
    tools: list[dict[str, Any]]
    marks: dict[str, Any]
    proposed: Annotated[dict[str, str], Field(description="Categories that the judge proposes, by tool.")]
    changes: Annotated[list[ChangeDocument], Field(description="What differs from the approved listing.")]


class CatalogList(Schema):
    catalogs: list[CatalogDocument]
