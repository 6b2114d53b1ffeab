"""Finds the messages of the program in its source: `make words` brings the catalogues up to date with it.

A message is a text that is given to a refusal, or any text of more than one word in a module that speaks to players.
The gaps of a formatted text become named gaps; a choice inside it (`{' each' if many else ''}`), also one made a few lines
before in the same function, becomes one message for each outcome.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from pathlib import Path

from bot.engine.play.title import Title
from bot.engine.titles.registry import TITLES

from . import LANGUAGES, po
from .catalogue import ENGLISH_WORD, FOLDER, GAP, WORD

PROJECT = Path(__file__).resolve().parents[2]
REFUSALS = {"BadFile", "Refusal", "Unreadable", "Ambiguous", "NotAllowed", "NotYourTurn", "Stale"}
SPEAKING = (
    "bot/engine/said.py",
    "bot/engine/games/corrections.py",
    "bot/engine/steps/*.py",
    "bot/engine/words/*.py",
    "bot/engine/titles/**/*.py",
    "bot/players/reasons.py",
    "bot/render/scenes/*.py",
    "bot/render/shapes/alt.py",
    "bot/render/*.py",
    "bot/tables/**/*.py",
    "bot/commands/**/*.py",
    "bot/web/guard.py",
    *(f"bot/mail/{name}.py" for name in ("acts", "looks", "obeying", "writing")),
)
"""Modules in which every text of several words is meant for players, but for these:"""
SILENT = (
    "*/box/map.py",
    "*/box/tiles.py",
    "*/box/nouns.py",
    "*/logs/dialect.py",
    "*/care/rows/*.py",
    "*/reading/german.py",
    "bot/engine/titles/inspection.py",
)
SILENT_CALLS = {
    "debug",
    "info",
    "warning",
    "error",
    "exception",
    "TypeError",
    "ValueError",
    "present",
    "getLogger",
    "compile",
    "split",
    "pay",
    "push",
    "begin",
    "Plan",
    "cached",
    "token",
}
NO_WORDS = re.compile(r"\(\?P|://|^\w+:\{|\.sha256$|^%\(|^18\w\w ")
TEMPLATE = re.compile(r'say\("([^"]+)"\)')
"""Words of a page, in a template."""

MOST = 24
"""Outcomes of the choices in one text; one with more keeps gaps for them."""

SHAPES = {"Polygon", "Curve", "Circle", "Box", "Words", "Sprite", "Scene", "strip"}
"""What a picture is made of: its first word is its role, for the program."""

Texts = dict[str, list[ast.expr]]


class Finder(ast.NodeVisitor):
    """Collects the messages of a module, in their order."""

    def __init__(self, is_speaking: bool) -> None:
        self.is_speaking = is_speaking
        self.found: list[str] = []
        self.texts: Texts = {}
        self.is_heard = False

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """Remember the texts that are put together before they are used. Moves are the same in every language."""
        if node.name.startswith("_write"):
            return
        outer, self.texts = self.texts, {}
        for inner in ast.walk(node):
            if isinstance(inner, ast.Assign) and len(inner.targets) == 1:
                match inner.targets[0], inner.value:
                    case ast.Name(id=name), value:
                        self.texts.setdefault(name, []).append(value)
                    case ast.Tuple(elts=names), ast.IfExp(body=ast.Tuple(elts=a), orelse=ast.Tuple(elts=b)):
                        for one, *values in zip(names, a, b, strict=True):
                            if isinstance(one, ast.Name):
                                self.texts.setdefault(one.id, []).extend(values)
        self.generic_visit(node)
        self.texts = outer

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Expr(self, node: ast.Expr) -> None:
        """Docstrings are for engineers."""
        if not isinstance(node.value, ast.Constant):
            self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        """The sentence of a refusal; what goes to the log is left out."""
        called = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if called in SILENT_CALLS:
            return
        if called == "Verb":
            self.visit(node.args[1])
            return
        if called in SHAPES:
            for rest in (*node.args[1:], *(keyword.value for keyword in node.keywords)):
                self.visit(rest)
            return
        if called in ("say", "said", "Said") and isinstance(node.args[0], ast.Constant):
            if WORD.search(GAP.sub("", str(node.args[0].value))):
                self.found.append(str(node.args[0].value))
            for rest in node.args[1:]:
                self.visit(rest)
            return
        if called in REFUSALS and node.args:
            before, self.is_heard = self.is_heard, True
            self.visit(node.args[0])
            self.is_heard = before
            for rest in (*node.args[1:], *(keyword.value for keyword in node.keywords)):
                self.visit(rest)
            return
        self.generic_visit(node)

    def visit_Dict(self, node: ast.Dict) -> None:
        """Keys are for the program."""
        for value in node.values:
            self.visit(value)

    def visit_Name(self, node: ast.Name) -> None:
        """A sentence put together before it is given to a refusal."""
        if self.is_heard:
            values, self.texts = self.texts.get(node.id, []), {k: v for k, v in self.texts.items() if k != node.id}
            for value in values:
                self.visit(value)
            self.texts[node.id] = values

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """A formatted text."""
        if self.is_speaking or self.is_heard:
            self.add(variants(node, self.texts))
        self.is_heard, before = False, self.is_heard
        for part in node.values:
            if isinstance(part, ast.FormattedValue) and len(gap(part, self.texts)) == 1:
                self.visit(part.value)
        self.is_heard = before

    def visit_Constant(self, node: ast.Constant) -> None:
        """A text without gaps."""
        if isinstance(node.value, str) and (self.is_heard or (self.is_speaking and " " in node.value.strip())):
            self.add([node.value])

    def add(self, messages: Iterable[str]) -> None:
        """Those that hold words, and are no ids, patterns, names of files or addresses."""
        for message in (line for text in messages for line in text.split("\n")):
            literal = GAP.sub("", message)
            if (
                WORD.search(literal)
                and not NO_WORDS.search(message)
                and (" " in message.strip() or literal[-1] in ".?!")
            ):
                self.found.append(message)


def variants(node: ast.expr, texts: Texts) -> list[str]:
    """Every message that an expression may become, with gaps for what is not known; empty where it is no text."""
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.IfExp(body=body, orelse=orelse):
            yes, no = variants(body, texts), variants(orelse, texts)
            return [*yes, *no] if yes and no else []
        case ast.JoinedStr(values=values):
            options = [
                gap(part, texts) if isinstance(part, ast.FormattedValue) else variants(part, texts) for part in values
            ]
            while len(list(product(*options))) > MOST:
                largest = max(range(len(options)), key=lambda number: len(options[number]))
                options[largest] = [f"{{{gap_name(values[largest].value)}}}"]  # type: ignore[attr-defined]
            return list(dict.fromkeys(numbered("".join(parts)) for parts in product(*options)))
        case ast.Name(id=name) if name in texts:
            rest = {other: found for other, found in texts.items() if other != name}
            found = [variants(value, rest) for value in texts[name]]
            return [text for one in found for text in one] if all(found) else []
    return []


def gap(part: ast.FormattedValue, texts: Texts) -> list[str]:
    """What may stand in a gap: texts of the program, else a name for it."""
    found = variants(part.value, texts)
    # A whole sentence, or a single word, in a gap is looked up by itself.
    inline = [text for text in found if not text or text.startswith((" ", ";", ",", "(")) or len(text.strip()) <= 2]
    return found if found and len(inline) == len(found) else [f"{{{gap_name(part.value)}}}"]


def gap_name(node: ast.expr) -> str:
    """How a gap is called: after what fills it."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Call(func=ast.Name(id="money")):
            return "money"
        case ast.Call(args=[*_, last]):
            return gap_name(last)
        case ast.Call(func=inner) | ast.Subscript(value=inner) | ast.Await(value=inner):
            return gap_name(inner)
        case ast.BoolOp(values=[inner, *_]) | ast.IfExp(body=inner) | ast.BinOp(left=inner):
            return gap_name(inner)
    return "what"


def numbered(message: str) -> str:
    """The message with different names for its gaps."""
    seen: dict[str, int] = {}

    def named(found: re.Match[str]) -> str:
        seen[found[1]] = seen.get(found[1], 0) + 1
        return f"{{{found[1]}{seen[found[1]] if seen[found[1]] > 1 else ''}}}"

    return re.sub(r"\{(\w+)\}", named, message)


def messages(project: Path = PROJECT) -> dict[str, str]:
    """Every message of the program with the module in which it stands first."""
    speaking = {path for pattern in SPEAKING for path in project.glob(pattern) if not any(map(path.match, SILENT))}
    found: dict[str, str] = {}
    for path in sorted(project.glob("bot/**/*.py")):
        if "language" in path.parts or {"cli", "bench"} & set(path.parts):
            continue
        source = path.read_text(encoding="utf-8")
        if path not in speaking and not any(f"{refusal}(" in source for refusal in REFUSALS):
            continue
        finder = Finder(path in speaking)
        finder.visit(ast.parse(source))
        for message in finder.found:
            found.setdefault(message, str(path.relative_to(project)))
    for path in sorted(project.glob("bot/web/templates/*.html")):
        for message in TEMPLATE.findall(path.read_text(encoding="utf-8")):
            found.setdefault(message, str(path.relative_to(project)))
    for title in TITLES.values():
        for message in printed(title):
            found.setdefault(message, f"{title.name}, printed")
    return found


def printed(title: Title) -> Iterator[str]:
    """What a title's steps are called, and what stands in its box: options, powers of privates, zones of the market."""
    for plan in title.plans.values():
        yield from (step.name for step in (*plan.steps, *plan.anytime, *plan.unasked) if not callable(step))
    for option in title.options:
        yield from (
            option.explanation,
            option.explanation[:1].upper() + option.explanation[1:],
            *option.choices.values(),
        )
    yield from (private.power for private in title.privates.values() if private.power)
    yield from title.market.zones.values()
    yield title.director_word
    yield title.privates_word
    names = [company.name for company in title.companies.values()]
    names += [private.name for private in title.privates.values()]
    yield from (name for name in names if ENGLISH_WORD.search(name))


def brought_up_to_date(entries: Sequence[po.Entry], found: dict[str, str]) -> Iterator[po.Entry]:
    """The header and what was added by hand (without a module), then the messages of the program."""
    known = {without_names(entry.message): entry for entry in entries} | {entry.message: entry for entry in entries}
    yield from (entry for entry in entries if not any(line.startswith("#:") for line in entry.comments))
    by_hand = {entry.message for entry in entries if not any(line.startswith("#:") for line in entry.comments)}
    for message, module in sorted(found.items(), key=lambda item: item[1]):
        if message not in by_hand:
            yield po.Entry(
                message, carried_over(message, known.get(message, known.get(without_names(message)))), (f"#: {module}",)
            )


def without_names(message: str) -> str:
    """A message whose gaps have no names: it stays the same when a gap is called otherwise."""
    return GAP.sub("{}", message)


def carried_over(message: str, known: po.Entry | None) -> str:
    """The translation of a message whose gaps may have been called otherwise; empty where there is none."""
    if known is None:
        return ""
    names = dict(zip(GAP.findall(known.message), GAP.findall(message), strict=True))
    return GAP.sub(lambda gap: f"{{{names.get(gap[1], gap[1])}}}", known.translation)


def main() -> int:
    """Bring every catalogue up to date; exit code 1 when messages lack a translation."""
    found, lacking = messages(), 0
    for language in LANGUAGES:
        path = FOLDER / f"{language}.po"
        if not path.exists():
            continue
        entries = list(brought_up_to_date(list(po.read(path.read_text(encoding="utf-8"))), found))
        path.write_text(po.written(entries), encoding="utf-8")
        empty = [entry.message for entry in entries if entry.message and not entry.translation]
        print(f"{language}: {len(entries) - 1} messages, {len(empty)} without translation")
        for message in empty:
            print(f"    {message}")
        lacking += len(empty)
    return 1 if lacking else 0


if __name__ == "__main__":
    sys.exit(main())
