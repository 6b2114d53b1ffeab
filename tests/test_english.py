"""The program's former private language, as a table of patterns: no text that people read uses it again.

Read are docstrings, comments and strings of `bot/`, the pages of the board, and the documents without the laboratory.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

PROJECT = Path(__file__).resolve().parents[1]

FOLLOWS = (
    r"that|which|who|whose|with|without|for|in|on|at|is|are|was|were|has|have|had|can|may|must|will|would|from|by|as|than|"
    r"and|but|if|when|it|they|he|she|you|there|not|also|already|below|above|here|now|again|too|before|until"
)
"""Words that show that `one` before them is no number."""
END = r"(?=$|[.,;:!?)\]|»\"]| [-(–])"

PATTERNS = {
    "one as a noun": (
        rf"\b(?:the|this|that|which|an?|another|every|any|last|first|next|old|new|same|other|such|own|no|without|is|has|have|"
        rf"whose|finds?|makes?|gives?|takes?|needs?|holds?) (?:(?!than|only|exactly|least)[a-z-]+ )?one"
        rf"(?:{END}| (?:{FOLLOWS})\b)(?! (?:by one|after|at a time))|\b[Oo]nes\b"
    ),
    "opens with a relative What": r"^What\b(?! if\b)(?!.*\?)",
    "he for anyone": r"\b(?:[Hh]e|[Hh]is|[Hh]im|[Hh]imself)\b",
    "none of ours": r"(?<![Tt]here )\b(?:is|are|was|were) none\b|\bnone of (?:ours|theirs)\b",
    "whoever": r"\b(?:[Ww]ho|[Ww]hat|[Ww]hom|[Ww]here)(?:so)?ever\b",
    "tiles, tokens, shares lie": r"\b(?:lies?|lain|lying)\b(?! (?:to|flat)\b)",
    "so many for a constant": r"\b[Ss]o (?:many|long|much|often)\b(?! (?:as|that)\b)",
    "alone for only": r"(?<!left )(?<!stands )(?<!stand )\balone\b",
    "fronted clause": r"^(?:Where|Of|By)\b[^?]*, [a-z]",
    "private words": (
        r"\b(?:dear|dearer|dearest|reckon\w*|foretell\w*|foretold|hangs? up|hung up|hanging up|shall|but for|"
        r"by (?:itself|themselves)|(?:is|are|was|were|be|been|being) told|(?:is|are|was|were) asked of)\b"
    ),
}
"""A name and the pattern of each habit; the design's page on plain English has the better words."""


class Passage(NamedTuple):
    """A sentence or paragraph that people read."""

    place: str
    kind: str
    text: str


def passages() -> Iterator[Passage]:
    for path in sorted((PROJECT / "bot").rglob("*.py")):
        yield from _in_source(path)
    pages = [PROJECT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
    pages += [page for page in sorted((PROJECT / "docs").rglob("*.md")) if "lab" not in page.parts]
    for page in pages:
        yield from _in_page(page)
    for page in sorted((PROJECT / "bot/commands").rglob("*.html")):
        for number, line in enumerate(page.read_text("utf-8").splitlines(), 1):
            for text in re.findall(r'say\("([^"]+)"', line):
                yield Passage(f"{page.relative_to(PROJECT)}:{number}", "string", text)


def _in_source(path: Path) -> Iterator[Passage]:
    name = path.relative_to(PROJECT).as_posix()
    source = path.read_text("utf-8")
    tree = ast.parse(source)
    docs = {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    }
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and " " in node.value
            and "(?" not in node.value
        ):
            if node in docs:
                for paragraph in re.split(r"\n\s*(?:\n|(?=:raises|- ))", node.value):
                    yield Passage(f"{name}:{node.lineno}", "docstring", " ".join(paragraph.split()))
            else:
                yield Passage(f"{name}:{node.lineno}", "string", " ".join(node.value.split()))
    if "#" not in source:
        return
    start, words = 0, list[str]()
    last = -2
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            if token.start[0] != last + 1 and words:
                yield Passage(f"{name}:{start}", "comment", " ".join(words))
                words = []
            if not words:
                start = token.start[0]
            words.append(token.string.lstrip("# "))
            last = token.start[0]
    if words:
        yield Passage(f"{name}:{start}", "comment", " ".join(words))


def _in_page(page: Path) -> Iterator[Passage]:
    name = page.relative_to(PROJECT).as_posix()
    is_code = False
    start, words = 0, list[str]()
    for number, line in enumerate([*page.read_text("utf-8").splitlines(), ""], 1):
        is_code ^= line.lstrip().startswith("```")
        begins = not line.strip() or is_code or re.match(r"\s*(?:[-*#>|]|\d+\.|```)", line)
        if begins and words:
            yield Passage(f"{name}:{start}", "page", " ".join(words))
            words = []
        if line.startswith("#"):
            continue
        if line.strip() and not is_code and not line.startswith("```"):
            start = start if words else number
            words.append(re.sub(r"^\s*(?:[-*#>|]+|\d+\.)\s*", "", line).strip())


SENTENCE = re.compile(r"(?<=[.!?:;]) +(?=[A-Z`*])")


ACCEPTED = {
    "though he may": "a quotation of 1844's rulebook",
}
"""Parts of sentences that stay as they are, with the reason; at most twenty."""


@cache
def hits() -> tuple[tuple[str, Passage, str], ...]:
    found = []
    for passage in passages():
        for sentence in SENTENCE.split(passage.text):
            plain = re.sub(r"`[^`]*`|\[[^]]*\]\([^)]*\)", "", sentence)
            found += [(habit, passage, sentence) for habit, pattern in PATTERNS.items() if re.search(pattern, plain)]
    return tuple(found)


def test_no_text_uses_the_private_language() -> None:
    wrong = [
        f"{passage.place}: {habit}: {sentence}"
        for habit, passage, sentence in hits()
        if not any(part in sentence for part in ACCEPTED)
    ]
    assert wrong == []


def test_the_accepted_sentences_are_few_and_there() -> None:
    assert len(ACCEPTED) <= 20
    assert [part for part in ACCEPTED if not any(part in sentence for _, _, sentence in hits())] == []


FOUND = {
    "one as a noun": ("a new link withdraws the old one", "The largest ones first."),
    "opens with a relative What": ("What the company can pay at once.",),
    "he for anyone": ("Nobody starts what he cannot launch.",),
    "none of ours": ("The file is none of ours.", "it is none"),
    "whoever": ("Reminds whoever is late.", "Whatever it costs."),
    "tiles, tokens, shares lie": ("Tokens lie on the map.",),
    "so many for a constant": ("So many letters are read.", "at most so often"),
    "alone for only": ("shown to you alone",),
    "fronted clause": ("Where a machine is busy, calls say more.", "Of several the first counts, and so on."),
    "private words": ("the dearest train", "it is reckoned anew", "nobody is told", "all but for the last"),
}
PROPER = (
    "one of the trains, one or two, one by one, the last one or two, only one.",
    "What does a tile cost? What if it is closed?",
    "There is none left.",
    "Copies are left alone; the flag stands alone.",
    "There are so many that nobody counts them.",
    "Where a route ends.",
    "It told me so far.",
)


def test_the_patterns_find_the_habits_and_nothing_else() -> None:
    assert FOUND.keys() == PATTERNS.keys()
    assert [text for habit, texts in FOUND.items() for text in texts if not re.search(PATTERNS[habit], text)] == []
    assert [(text, habit) for text in PROPER for habit, pattern in PATTERNS.items() if re.search(pattern, text)] == []
