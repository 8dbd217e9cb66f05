"""Just enough of a document to apply frames to a page as a browser does, and to compare two of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = frozenset(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"])
# A browser opens and closes these, a clock writes those; neither is what the page says.
IGNORED = frozenset({"open", "data-now"})


@dataclass(eq=False)
class Node:
    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Node | str] = field(default_factory=list)

    def find(self, element_id: str) -> Node | None:
        if self.attributes.get("id") == element_id:
            return self
        nodes = (child for child in self.children if isinstance(child, Node))
        return next((found for node in nodes if (found := node.find(element_id))), None)

    def all(self, tag: str) -> list[Node]:
        own = [self] if self.tag == tag else []
        return own + [each for child in self.children if isinstance(child, Node) for each in child.all(tag)]

    def replace(self, old: Node, new: list[Node | str]) -> bool:
        """Put `new` where `old` stands, anywhere below."""
        for place, child in enumerate(self.children):
            if child is old:
                self.children[place : place + 1] = new
                return True
            if isinstance(child, Node) and child.replace(old, new):
                return True
        return False

    def lines(self) -> list[str]:
        """The document as lines that two equal pages share."""
        kept = sorted((name, value) for name, value in self.attributes.items() if name not in IGNORED)
        text = [f"<{self.tag} {' '.join(f'{name}={value!r}' for name, value in kept)}>"]
        # A time that counts on in the browser reads there as it would after a reload, whenever it was sent.
        counting = bool(self.attributes.get("data-since") or self.attributes.get("data-clock"))
        for child in [] if counting else self.children:
            if isinstance(child, Node):
                text += child.lines()
            elif child.strip():
                text.append(" ".join(child.split()))
        return [*text, f"</{self.tag}>"]


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Node("root")
        self._open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, {name: value or "" for name, value in attrs})
        self._open[-1].children.append(node)
        if tag not in VOID:
            self._open.append(node)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open[-1].children.append(Node(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self._open[-1].tag == tag, f"<{self._open[-1].tag}> is closed by </{tag}>"
        self._open.pop()

    def handle_data(self, data: str) -> None:
        self._open[-1].children.append(data)


def parse(html: str) -> Node:
    """The document; fails where a tag is not closed in order."""
    builder = _Builder()
    builder.feed(html)
    builder.close()
    assert len(builder._open) == 1, f"<{builder._open[-1].tag}> is never closed"
    return builder.root


def apply(page: Node, html: str) -> None:
    """Apply one frame; a part whose target is not on the page is an error."""
    for part in parse(html).all("hx-partial"):
        target = page.find(part.attributes["hx-target"].removeprefix("#"))
        assert target is not None, f"no {part.attributes['hx-target']} on the page"
        how = part.attributes["hx-swap"]
        if how == "beforeend":
            target.children += part.children
        elif how == "innerHTML":
            target.children = part.children
        else:
            assert page.replace(target, part.children)
