"""What the calibration pages write of measured values and decisions."""

from __future__ import annotations

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

from policy.calibrating import words

register = template.Library()
register.filter("cut", words.share)
register.filter("percent", words.percent)
register.filter("points", words.points)
register.filter("threshold", words.threshold)
register.filter("kind_word", words.kind)


@register.simple_tag
def said(icon: str, tone: str, word: str, box: str = "") -> SafeString:
    """Icon, word, colour, in that order."""
    use = f"{static('icons.svg')}#{icon}"
    turning = "turning" if icon == "running" else ""
    mark = format_html('<svg class="icon {}" aria-hidden="true"><use href="{}"></use></svg>', turning, use)
    return format_html('<span class="state {} {}">{}{}</span>', tone, box, mark, word)


@register.simple_tag
def decided(word: str) -> SafeString:
    """A decision or label: those of calls have an icon, the others are names."""
    if word not in words.DECISIONS:
        return format_html("{}", word)
    icon, tone = words.DECISIONS[word]
    return said(icon, tone, word)
