"""What the templates of the policy lab write: a probability as people read it."""

from __future__ import annotations

from django import template

from policy.judge_card import number

register = template.Library()
register.filter("share", number)
