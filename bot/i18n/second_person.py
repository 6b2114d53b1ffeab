"""Sentences about the reader: `{by} buys {private}` becomes `you buy {private}` for whom it is about.

A verb that is not listed leaves its sentence in the third person, with the reader's name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

PRONOUNS = {"en": "you", "de": "du"}
VERBS = {
    "en": {
        "adds": "add",
        "agrees": "agree",
        "asks": "ask",
        "assigns": "assign",
        "bids": "bid",
        "borrows": "borrow",
        "buys": "buy",
        "can": "can",
        "cannot": "cannot",
        "discards": "discard",
        "does": "do",
        "exchanges": "exchange",
        "funds": "fund",
        "gets": "get",
        "gives": "give",
        "goes": "go",
        "has": "have",
        "holds": "hold",
        "is": "are",
        "keeps": "keep",
        "lacks": "lack",
        "leads": "lead",
        "lowers": "lower",
        "may": "may",
        "must": "must",
        "needs": "need",
        "no longer has": "no longer have",
        "now holds": "now hold",
        "offers": "offer",
        "owes": "owe",
        "passes": "pass",
        "pays": "pay",
        "proposes": "propose",
        "puts": "put",
        "raises": "raise",
        "redoes": "redo",
        "refuses": "refuse",
        "sells": "sell",
        "should": "should",
        "starts": "start",
        "still lacks": "still lack",
        "takes": "take",
        "will": "will",
        "wins": "win",
        "withdraws": "withdraw",
    },
    "de": {
        "behält": "behältst",
        "bekommt": "bekommst",
        "bietet": "bietest",
        "braucht": "brauchst",
        "darf": "darfst",
        "dürfte": "dürftest",
        "erhält": "erhältst",
        "erhöht": "erhöhst",
        "erreicht": "erreichst",
        "ersteigert": "ersteigerst",
        "führt": "führst",
        "gibt": "gibst",
        "gründet": "gründest",
        "hat": "hast",
        "hält": "hältst",
        "ist": "bist",
        "kann": "kannst",
        "kauft": "kaufst",
        "legt": "legst",
        "lehnt": "lehnst",
        "leiht": "leihst",
        "lässt": "lässt",
        "muss": "musst",
        "nimmt": "nimmst",
        "passt": "passt",
        "schießt": "schießt",
        "schlägt": "schlägst",
        "schuldet": "schuldest",
        "senkt": "senkst",
        "setzt": "setzt",
        "stimmt": "stimmst",
        "tut": "tust",
        "verkauft": "verkaufst",
        "wird": "wirst",
        "zahlt": "zahlst",
        "zieht": "ziehst",
        "zustimmt": "zustimmst",
        "übernimmt": "übernimmst",
    },
}
"""The verbs that follow a player's name, in the third person and in the second."""

NO_OBJECT = {
    "en": r"(?<!\bof )(?<!\bto )(?<!\bfor )(?<!\bwith )(?<!\blet )",
    "de": r"(?<!\bvon )(?<!\ban )(?<!\bfür )(?<!\bgegen )(?<!\bmit )(?<!\bunter )",
}
"""No word after which a name is no subject."""

AND = {"en": "and", "de": "und"}
QUESTIONS = {
    "en": {
        "{people}: {what}.": "Your turn: {what}.",
        "{people} ({companies}): {what}.": "Your turn ({companies}): {what}.",
    },
    "de": {
        "{people}: {what}.": "Du bist dran: {what}.",
        "{people} ({companies}): {what}.": "Du bist dran ({companies}): {what}.",
    },
}
"""The questions to a player, by their English template."""


def address_reader(template: str, translated: str, own: Iterable[str], language: str) -> str:
    """The `translated` template with the gaps that hold the reader's name (`own`) in the second person."""
    if "people" in own and template in QUESTIONS.get(language, {}):
        return QUESTIONS[language][template]
    for gap in own:
        translated = _address(translated, gap, language)
    return translated


def begin_with_capital(text: str, language: str) -> str:
    """The text with a capital if it begins with the pronoun."""
    is_about_reader = re.match(rf"{PRONOUNS.get(language, '')}r?\b", text)
    return f"{text[:1].upper()}{text[1:]}" if is_about_reader else text


@lru_cache(maxsize=1024)
def _address(sentence: str, gap: str, language: str) -> str:
    verbs, pronoun = VERBS.get(language, {}), PRONOUNS.get(language, "")
    either = "|".join(sorted(verbs, key=len, reverse=True))
    subject = re.compile(rf"^\{{{gap}\}} ({either})\b") if verbs else None
    if verbs:
        within = re.compile(rf"(?<=[ (]){NO_OBJECT[language]}\{{{gap}\}} ({either})\b")
        sentence = within.sub(lambda found: f"{pronoun} {verbs[found[1]]}", sentence)
    if subject and subject.search(sentence):
        sentence = subject.sub(lambda found: f"{pronoun} {verbs[found[1]]}", sentence)
        more = re.compile(rf"\b{AND[language]} ({either})\b")
        sentence = more.sub(lambda found: f"{AND[language]} {verbs[found[1]]}", sentence, count=1)
    if language != "en":
        return sentence
    sentence = sentence.replace(f"{{{gap}}}'s", "your")
    return sentence if sentence.startswith(f"{{{gap}}}") else sentence.replace(f"{{{gap}}}", pronoun)
