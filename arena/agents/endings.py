"""How the last words of an agent with a language model end its work: an answer, a question, or that no tool fits.

Told from the text alone, in English and German, the same for every provider.
"""

from __future__ import annotations

import re

from arena.agents.agent import Ending

# Offers of more work at the end of an answer are courtesy, not questions.
_OFFER = re.compile(
    r"\b(anything|something|what) else\b|\b(would|do) you (like|want) (me )?to (also|do more|go on)\b|"
    r"\b(would|do) you (like|want) more\b|\bhelp you (further|with anything)\b|\b(let me know|feel free)\b|"
    r"\b(sonst noch|noch etwas|noch was|weiterhelfen|weitere (fragen|hilfe))\b|\bsoll ich noch\b",
    re.IGNORECASE,
)
_TO_YOU = re.compile(
    r"\b(you|your|yours|i|me|we|should|shall|please)\b|\b(sie|ihnen|ihre?[nrs]?|du|dir|dich|ich|mir|wir|bitte)\b",
    re.IGNORECASE,
)
_PLEASE = re.compile(
    r"\b(please|could you|can you|kindly) (tell|specify|clarify|confirm|provide|name|share|give|let me know|choose)\b|"
    r"\bi need (to know|more information|you to)\b|\bneed(s)? clarification\b|"
    r"\bbitte (sagen|nennen|geben|teilen|präzisieren|bestätigen|wählen)\b|\bich (brauche|benötige) (noch|mehr)\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(r"^\s*(if|in case|should you|falls|wenn|sollten sie)\b", re.IGNORECASE)
_DECLINES = re.compile(
    r"\bno (available |suitable |matching |such )?tools?\b|\bnone of (the|these|my|this)\b[^.?!]{0,40}\btools?\b|"
    r"\bnot (have|see|find) (a|any|the)( \w+)? tools?\b|n['’]t (have|see|find) (a|any|the)( \w+)? tools?\b|"
    r"\b(lack|without) (a|any|the)( \w+)? tools?\b|\b(tools?|menu)\b[^.?!]{0,60}\b(can ?not|can['’]t|does not|do not|"
    r"doesn['’]t|don['’]t) (do|fit|allow|include|contain|offer|support|cover)\b|"
    r"\bkein(es|e|er)?( \w+){0,2} werkzeuge?n?\b|\bkeines (der|dieser)\b[^.?!]{0,40}\bwerkzeuge?\b",
    re.IGNORECASE,
)
_CODE = re.compile(r"```.*?(```|\Z)|`[^`\n]*`", re.DOTALL)
_QUOTED = re.compile(r"“[^”]*”|„[^“”]*[“”]|\"[^\"\n]*\"|«[^»]*»")
_SENTENCE = re.compile(r"[^.?!\n]+(?:[.?!]+(?=\s|$|[\"'”’)*_\]])|[.?!](?=\S)[^.?!\n]*)*[.?!]*")
_TRAILING = " \t\"'”’“)*_]"


def told(text: str, *, called: bool) -> Ending:
    """The ending that these last words are; `called` is whether any call of the lane succeeded.

    Without a successful call, words that name no fitting tool are a refusal. Otherwise a question to the person
    is a question wherever it stands, and a closing one is, whoever it names; all else is an answer.
    """
    plain = _QUOTED.sub(" ", _CODE.sub(" ", text))
    if not called and _DECLINES.search(plain):
        return Ending.DECLINED
    sentences = [found.strip() for found in _SENTENCE.findall(plain) if found.strip(_TRAILING)]
    sentences = [sentence for sentence in sentences if not _OFFER.search(sentence)]
    questions = [sentence for sentence in sentences if sentence.rstrip(_TRAILING).endswith("?")]
    if questions and (sentences[-1] in questions or any(_TO_YOU.search(question) for question in questions)):
        return Ending.ASKED
    if any(_PLEASE.search(sentence) and not _CONDITION.search(sentence) for sentence in sentences[-2:]):
        return Ending.ASKED
    return Ending.ANSWERED
