"""The judges and their profiles, to choose from."""

from __future__ import annotations

from typing import Annotated

from ninja import Schema
from pydantic import Field

from policy.schemas.common import ProfileIn


class JudgeDocument(Schema):
    name: str
    label: str
    description: str
    leaves_machine: Annotated[bool, Field(description="Whether what is asked is sent to somebody else.")]
    trouble: Annotated[str, Field(description="Why you cannot ask it now, such as a missing key; empty: you can.")]


class JudgeList(Schema):
    judges: list[JudgeDocument]


class ProfileDocument(Schema):
    judge: Annotated[str, Field(description="The judge that brings this profile along.")]
    digest: str
    profile: ProfileIn


class ProfileList(Schema):
    profiles: list[ProfileDocument]
