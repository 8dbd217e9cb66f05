"""The small parts that every template uses: icons, letter tags, states, figures, times."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django import template
from django.db import DatabaseError
from django.template import Context
from django.templatetags.static import static
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from arena.live import figures, story_states
from arena.live.story_states import State
from policy.people.models import Purpose, User
from policy.services import judges

register = template.Library()
register.filter("count", figures.count)
register.filter("seconds", figures.seconds)
register.filter("digest", figures.digest)
register.filter("lane_class", story_states.lane_class)


@register.simple_tag
def icon(name: str, css: str = "") -> SafeString:
    """One icon of the sprite; decoration only, the word stands beside it."""
    use = f"{static('icons.svg')}#{name}"
    return format_html('<svg class="icon {}" aria-hidden="true"><use href="{}"></use></svg>', css, use)


@register.simple_tag
def letter(letter: str, css: str = "", size: str = "") -> SafeString:
    """The tag of a lane: letter, shape and hue, with a name for those who do not see it."""
    css = css or story_states.lane_class(letter)
    return format_html('<span class="tag {} {}" role="img" aria-label="Lane {}">{}</span>', css, size, letter, letter)


@register.simple_tag
def state(state: State, box: str = "") -> SafeString:
    """Icon, word, colour, in that order."""
    turning = "turning" if state.turning else ""
    mark = icon(state.icon, turning)
    return format_html('<span class="state {} {}">{}{}</span>', state.tone, box, mark, state.word)


@register.simple_tag
def moment(at: datetime, now: datetime | None = None) -> SafeString:
    """`12 min ago` with the exact time as title; the browser sets it in the reader's zone."""
    utc = at.astimezone(UTC)
    text = figures.when(utc, (now or timezone.now()).astimezone(UTC))
    exact = utc.strftime("%Y-%m-%d %H:%M:%S UTC")
    return format_html('<time datetime="{}" title="{}">{}</time>', utc.isoformat(), exact, text)


@register.simple_tag(takes_context=True)
def judge_in_force(context: Context) -> str:
    """The judge that a comparison of this person is set up with unless they choose another; one query a page."""
    person = getattr(context.get("request"), "user", None)
    if not isinstance(person, User):
        return judges.DEFAULT
    try:
        return judges.chosen(Purpose.ARENA, by=person).judge
    except DatabaseError:
        # The page of an error has this header, too.
        return judges.DEFAULT


@register.filter
def get(mapping: Any, key: str) -> Any:
    """An entry of a mapping by a key that is not known before; None where there is none."""
    return mapping.get(key)
