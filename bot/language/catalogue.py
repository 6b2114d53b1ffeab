"""Messages of one language, found by their English text.

A message is a sentence with named gaps: `{by} buys {percent}% of {company} from {source} for {price}.` What fills a gap is
looked up in its turn (`the pool`, `lay track or pass`), and stays as it is where it is no message: names, sums, moves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from bot.assets import asset_folder

from . import po

FOLDER = asset_folder("language")

GAP = re.compile(r"\{(\w*)\}")
WORD = re.compile(r"[^\W\d_]{2,}")
LEAD = re.compile(r"((?:<@!?\d+> )*\s*(?:\\?[-•…>#*] |\*\*|\d+\. )?)(.*?)(\*\*)?", re.S)
"""What may stand before and after a sentence in a line: mentions, a list's mark, a number, the stars of bold type."""
COMMAND = re.compile(r"    \S|```\w*$")
"""A line that begins so holds moves and commands, which are the same in every language,"""
NOTE = "  — "
"""up to what is said of them."""
RULE = re.compile(r"(.+[.?!]) (\([^()]*\d[^()]*\))")
"""A refusal with its section."""
ENGLISH_WORD = re.compile(r"(?<![\w.@:`-])(?!sfr\b)[a-z]{2,}(?!\w|[.:]\w|`)")
"""What stays English unless it is translated; names begin with a capital, sums with a currency."""
SEPARATORS = (
    re.compile(r"\*\* "),
    re.compile(r"(?<=[.?!]) (?=\S)"),
    re.compile(r": "),
    re.compile(r"; "),
    re.compile(r", or |, and "),
    re.compile(r", "),
    re.compile(r" or | and "),
)
"""Where a text is cut that is no message: sentences, clauses, lists."""

CLAUSE = "; "
"""Between the clauses of a line that tells many things."""

SMALL = 8
"""Messages with fewer letters of their own are used only where everything else is understood."""

DEEPEST = 8
MOST_PARTS = 150
LONGEST = 2000
"""Longer lines are left alone."""


@dataclass(frozen=True)
class Said:
    """A text, and how many words of it are still English."""

    text: str
    english: int

    def within(self, before: str, after: str) -> Said:
        """The same between two pieces of text."""
        return Said(f"{before}{self.text}{after}", self.english)


class Message:
    """A message with its gaps, and its translation with the same gaps."""

    def __init__(self, message: str, translation: str) -> None:
        self.message, self.translation = message, translation
        pieces = GAP.split(message)
        self.literals, self.gaps = pieces[::2], pieces[1::2]
        self.weight = sum(map(len, self.literals))
        self.is_small = self.weight < SMALL and any(map(WORD.search, self.literals))
        # Blanks stand for where the text begins and ends.
        inner = [f" {self.literals[0]}", *self.literals[1:]]
        inner[-1] += " "
        words = [word for literal in inner for word in whole_words(literal)]
        self.key = max(words, key=len, default="")

    def gaps_in(self, text: str) -> list[str] | None:
        """What fills the gaps when the text is this message, else None. Each gap ends where the next piece begins first.

        A gap beside another one or a word, or at the end, may be empty.
        """
        first, *pieces = self.literals
        if not text.startswith(first) or not text.endswith(pieces[-1]):
            return None
        values, start, end = [], len(first), len(text) - len(pieces[-1])
        for number, piece in enumerate(pieces):
            before = pieces[number - 1] if number else first
            is_alone = bool(piece) and (bool(before) or not number) and not before[-1:].isalnum()
            last = number == len(pieces) - 1
            found = end if last else text.find(piece, start + is_alone, end)
            if found < start + is_alone:
                return None
            values.append(text[start:found])
            start = found + len(piece)
        return values

    def filled(self, values: dict[str, str]) -> str:
        """The translation with these values in its gaps."""
        return GAP.sub(lambda gap: values[gap[1]], self.translation)


def whole_words(literal: str) -> Iterator[str]:
    """Words of a piece of a message that no gap beside it can lengthen."""
    return (found[0] for found in WORD.finditer(literal) if found.start() > 0 and found.end() < len(literal))


class Catalogue:
    """All messages of a language."""

    def __init__(self, entries: Iterator[po.Entry]) -> None:
        self.every: dict[str, str] = {}
        self.whole: dict[str, str] = {}
        self.by_word: dict[str, list[Message]] = {}
        for entry in entries:
            if not entry.message or not entry.translation:
                continue
            self.every[entry.message] = entry.translation
            if not GAP.search(entry.message):
                self.whole[entry.message] = entry.translation
                continue
            if entry.message == entry.translation and WORD.search(GAP.sub("", entry.message)):
                continue
            message = Message(entry.message, entry.translation)
            self.by_word.setdefault(message.key, []).append(message)
        self._line = lru_cache(8192)(self._translate_line)

    @staticmethod
    @cache
    def of(language: str) -> Catalogue:
        """The catalogue that comes with the program.

        :raises OSError: there is none for that language.
        """
        return Catalogue(po.read((FOLDER / f"{language}.po").read_text(encoding="utf-8")))

    def say(self, text: str) -> str:
        """A text of several lines, each by itself."""
        return "\n".join(self._line(line) for line in text.split("\n"))

    def _translate_line(self, line: str) -> str:
        if line in self.every:
            return self.every[line]
        if len(line) > LONGEST:
            return line
        if COMMAND.match(line):
            move, dash, note = line.partition(NOTE)
            return f"{move}{dash}{self._line(note)}" if note else line
        reading = Reading(self)
        best = reading.best(line, 0)
        lead, sentence, after = LEAD.fullmatch(line).groups(default="")  # type: ignore[union-attr]
        if best.english and sentence != line:
            best = min(best, reading.best(sentence, 0).within(lead, after), key=lambda said: said.english)
        return best.text


class Reading:
    """One line that is translated: what its parts have turned out to be. It ends after so many parts, whatever a line
    holds that somebody typed."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.known: dict[str, Said] = {}

    def best(self, text: str, depth: int) -> Said:
        """The way to say it that leaves the fewest words English; of equals the one with the most particular message."""
        if text in self.known:
            return self.known[text]
        if (found := self.catalogue.whole.get(text)) is not None:
            return Said(found, 0)
        best = self.known[text] = Said(text, len(ENGLISH_WORD.findall(text)))
        if depth > DEEPEST or len(self.known) > MOST_PARTS:
            return best
        if not best.english:
            # Names and numbers; but a whole line may begin with a single word of ours: `In: Ann, Bob`.
            best = self.known[text] = next(self.messages(text, 1), best) if depth == 0 else best
            return best
        for said in self.ways(text, depth + 1):
            if said.english < best.english:
                best = self.known[text] = said
                if not best.english:
                    break
        return best

    def ways(self, text: str, depth: int) -> Iterator[Said]:
        """Clause by clause; as a message; without the rule at its end; in two parts."""
        if CLAUSE in text:
            clauses = [self.best(clause, depth) for clause in text.split(CLAUSE)]
            yield Said(CLAUSE.join(said.text for said in clauses), sum(said.english for said in clauses))
        yield from self.messages(text, depth)
        if rule := RULE.fullmatch(text):
            yield self.best(rule[1], depth).within("", f" {rule[2]}")
        for separator in SEPARATORS:
            for cut in separator.finditer(text):
                if len(self.known) > MOST_PARTS:
                    return
                left, right = self.best(text[: cut.start()], depth), self.best(text[cut.end() :], depth)
                join = self.catalogue.whole.get(cut[0], cut[0])
                yield Said(f"{left.text}{join}{right.text}", left.english + right.english)

    def messages(self, text: str, depth: int) -> Iterator[Said]:
        """As each message that it could be, the most particular first."""
        words = {*WORD.findall(text), ""}
        messages = [message for word in words for message in self.catalogue.by_word.get(word, ())]
        for message in sorted(messages, key=lambda message: -message.weight):
            if (found := message.gaps_in(text)) is not None:
                gaps = [self.best(value, depth) for value in found]
                if message.is_small and any(gap.english for gap in gaps):
                    # A word between two unknown things says little: they may be a move.
                    continue
                values = dict(zip(message.gaps, (gap.text for gap in gaps), strict=True))
                yield Said(message.filled(values), sum(gap.english for gap in gaps))
