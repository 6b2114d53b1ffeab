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
        "acts": "act",
        "adds": "add",
        "agrees": "agree",
        "asks": "ask",
        "assigns": "assign",
        "bids": "bid",
        "borrows": "borrow",
        "buys": "buy",
        "can": "can",
        "cannot": "cannot",
        "corrects": "correct",
        "could": "could",
        "directs": "direct",
        "discards": "discard",
        "does": "do",
        "ends": "end",
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
        "moves": "move",
        "must": "must",
        "needs": "need",
        "no longer has": "no longer have",
        "now holds": "now hold",
        "offers": "offer",
        "owes": "owe",
        "passes": "pass",
        "pauses": "pause",
        "pays": "pay",
        "proposes": "propose",
        "puts": "put",
        "raises": "raise",
        "redoes": "redo",
        "refuses": "refuse",
        "resumes": "resume",
        "sells": "sell",
        "sets": "set",
        "should": "should",
        "sold": "sold",
        "starts": "start",
        "still lacks": "still lack",
        "takes": "take",
        "will": "will",
        "wins": "win",
        "withdraws": "withdraw",
    },
    "de": {
        "beendet": "beendest",
        "behält": "behältst",
        "bekommt": "bekommst",
        "bietet": "bietest",
        "bittet": "bittest",
        "braucht": "brauchst",
        "bringt": "bringst",
        "darf": "darfst",
        "dürfte": "dürftest",
        "erhält": "erhältst",
        "erhöht": "erhöhst",
        "erreicht": "erreichst",
        "ersteigert": "ersteigerst",
        "fragt": "fragst",
        "führt": "führst",
        "geht": "gehst",
        "gibt": "gibst",
        "gründet": "gründest",
        "handelt": "handelst",
        "hat": "hast",
        "hält": "hältst",
        "ist": "bist",
        "kann": "kannst",
        "kauft": "kaufst",
        "korrigiert": "korrigierst",
        "legt": "legst",
        "lehnt": "lehnst",
        "leitet": "leitest",
        "leiht": "leihst",
        "lässt": "lässt",
        "muss": "musst",
        "möchte": "möchtest",
        "nimmt": "nimmst",
        "passt": "passt",
        "schießt": "schießt",
        "schlägt": "schlägst",
        "schuldet": "schuldest",
        "senkt": "senkst",
        "setzt": "setzt",
        "stellt": "stellst",
        "stimmt": "stimmst",
        "teilt": "teilst",
        "tut": "tust",
        "verkauft": "verkaufst",
        "wiederholt": "wiederholst",
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

OBJECTS = {"de": {"dir": ("bei", "mit", "unter", "von", "zu"), "dich": ("an", "auf", "durch", "für", "gegen")}}
"""The pronoun after each preposition."""

LACKS = r"fehl(?:t|en)"
"""German for a lack: the person stands in the dative before it."""

LIST = re.compile(r"\{\w*\}(?:(?:,? (?:(?:and|or|und|oder) )?)\{\w*\})+")
"""A translated template that only lists its values, or joins a name and a sum."""

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
    is_about_reader = re.match(rf"{PRONOUNS.get(language, '')}r?\b|dir\b", text)
    return f"{text[:1].upper()}{text[1:]}" if is_about_reader else text


@lru_cache(maxsize=1024)
def _address(sentence: str, gap: str, language: str) -> str:
    verbs, pronoun = VERBS.get(language, {}), PRONOUNS.get(language, "")
    if LIST.fullmatch(sentence):
        return sentence.replace(f"{{{gap}}}", pronoun)
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
        return _object(sentence, gap, language)
    sentence = sentence.replace(f"{{{gap}}}'s", "your")
    return sentence if sentence.startswith(f"{{{gap}}}") else sentence.replace(f"{{{gap}}}", pronoun)


def _object(sentence: str, gap: str, language: str) -> str:
    """The sentence with the reader's pronoun where the gap is not its subject."""
    for pronoun, words in OBJECTS.get(language, {}).items():
        sentence = re.sub(rf"\b({'|'.join(words)}) \{{{gap}\}}", rf"\1 {pronoun}", sentence)
    sentence = re.sub(rf"\{{{gap}\}}(?= {LACKS}\b)", "dir", sentence)
    return sentence.replace(f"({{{gap}}})", f"({PRONOUNS[language]})")
