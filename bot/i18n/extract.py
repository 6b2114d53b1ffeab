"""Finds the messages of the program in its source: `make words` brings the catalogues up to date with it.

A message is the template that is given to `say`, `said` or a refusal, and any text of more than one word in a module
that speaks to players. A formatted text does not count, and must not hold words that players read
(`tests/test_language.py`).
"""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from bot.engine.play import Title
from bot.titles.registry import TITLES, title_folders

from . import LANGUAGES, po
from .po import FOLDER, GAP

WORD = re.compile(r"[^\W\d_]{2,}")
ENGLISH_WORD = re.compile(r"(?<![\w.@:`-])(?!sfr\b)[a-z]{2,}(?!\w|[.:]\w|`)")
"""A word that stays English unless it is translated; names begin with a capital, sums with a currency."""

PROJECT = Path(__file__).resolve().parents[2]
REFUSALS = {"Rejected", "ParseError", "AmbiguousMove", "IllegalMove", "NotYourTurn", "OffCourse", "StalePosition"}
TROUBLES = {
    "InvalidFile",
    "PictureFailed",
    "DatabaseUnreachable",
    "StoreDamaged",
    "StoreError",
    "StoreFull",
    "StoreLocked",
    "StoreReadOnly",
}
SAYING = {"check_name", "name_field", *REFUSALS, *TROUBLES, "tr", "msg", "Message", "log"}
"""The first argument of these is always a message."""
SPEAKING = (
    "bot/engine/message.py",
    "bot/engine/state/actions.py",
    "bot/engine/games/corrections.py",
    "bot/engine/play/holdings/certificates.py",
    "bot/engine/play/steps/*.py",
    "bot/engine/notation/*.py",
    "bot/titles/**/*.py",
    "bot/ai/explanation_facts.py",
    "bot/ai/explanations.py",
    "bot/ai/intention.py",
    "bot/render/scenes/*.py",
    "bot/render/shapes/alt_text.py",
    "bot/render/*.py",
    "bot/service/**/*.py",
    "bot/commands/discord/**/*.py",
    "bot/commands/terminal/**/*.py",
    "bot/commands/web/security.py",
    *(f"bot/commands/mail/{name}.py" for name in ("handler", "notifications", "quote_marker", "request")),
)
"""Modules in which every text of several words is meant for players, except these:"""
SILENT = (
    "bot/titles/*/map.py",
    "bot/titles/*/tiles.py",
    "bot/titles/*/components.py",
    "bot/titles/*/peer18xx/dialect.py",
    "*/integrity/rows.py",
    "*/integrity/doctor.py",
    "*/integrity/findings.py",
    "*/integrity/replay_check.py",
    "*/sessions/session_manager.py",
    "*/sessions/snapshots.py",
    "*/parser/german.py",
    "*/discord/gateway.py",
    "*/discord/discord_errors.py",
    "*/discord/smoke/*.py",
    "bot/titles/lint.py",
    "bot/titles/registry.py",
    "bot/engine/play/box_faults.py",
    "bot/titles/*/value_faults.py",
)
SILENT_CALLS = {
    "InvalidLog",
    "Divergence",
    "create_task",
    "debug",
    "info",
    "warning",
    "error",
    "exception",
    "TypeError",
    "ValueError",
    "require",
    "notice_service",
    "getLogger",
    "compile",
    "split",
    "pay",
    "push",
    "begin",
    "Procedure",
    "memoise",
    "token",
    "Spelling",
    "run_command",
    "spell",
    "script",
}
NO_WORDS = re.compile(r"\(\?P|://|^\w+:\{|\.sha256$|^%\(|^18\w\w ")
TEMPLATE = re.compile(r'say\("([^"]+)"[,)]')
"""Words of a page, in a template."""

FORMS = {"form", "example"}
"""Declarations of an action with the words that are typed: moves are the same in every language."""

COMMAND_NAMES = {"command": slice(1, 2), "FollowUp": slice(0, 1)}
"""Declarations of commands and of what may follow: of their arguments these are for people; the others are typed."""

SHAPES = {"Polygon", "Curve", "Circle", "Rect", "Text", "Sprite", "Scene", "strip"}
"""Parts of a picture: their first text is the part's role, for the program."""


class TemplateFinder(ast.NodeVisitor):
    def __init__(self, is_speaking: bool) -> None:
        self.is_speaking = is_speaking
        self.found: list[str] = []
        self.is_heard = False

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """Moves are the same in every language; what an audit finds is for engineers."""
        if not node.name.startswith(("_write", "audit")):
            self.generic_visit(node)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """The command that a button runs is for the program."""
        node.keywords = [keyword for keyword in node.keywords if keyword.arg != "command"]
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        """Docstrings are for engineers."""
        if not isinstance(node.value, ast.Constant):
            self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        called = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if called in SILENT_CALLS:
            return
        first, rest = node.args[:1], [*node.args[1:], *(keyword.value for keyword in node.keywords)]
        if called in COMMAND_NAMES and isinstance(node.func, ast.Name):
            kinds = [one.value for one in node.keywords if isinstance(one.value, ast.Call) and one.arg != "or_else"]
            first, rest = [], [*node.args[COMMAND_NAMES[called]], *kinds]
        elif called in SHAPES:
            first = []
        self.is_heard, before = self.is_heard or called in SAYING, self.is_heard
        for child in first:
            self.visit(child)
        self.is_heard = before
        for child in (node.func, *rest):
            self.visit(child)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        """Collect the two sentences, not the condition."""
        self.visit(node.body)
        self.visit(node.orelse)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """The tag of a type is for the program."""
        for part in ast.walk(node.annotation):
            if isinstance(part, ast.Call):
                self.visit(part)
        if node.value is not None and not (isinstance(node.target, ast.Name) and node.target.id in FORMS):
            self.visit(node.value)

    def visit_Dict(self, node: ast.Dict) -> None:
        """Keys are for the program."""
        for value in node.values:
            self.visit(value)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        """Keys are for the program."""
        self.visit(node.value)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """A formatted text is no message: a message has a template. Its values may be messages."""
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                self.visit(part.value)

    def visit_Constant(self, node: ast.Constant) -> None:
        reads = has_words if self.is_heard else is_sentence
        if isinstance(node.value, str) and (self.is_heard or self.is_speaking) and reads(node.value):
            self.found.append(node.value)


def has_words(text: str) -> bool:
    return bool(WORD.search(GAP.sub("", text)))


def is_sentence(text: str) -> bool:
    """Whether a text has words to read and is no id, pattern, file name or address."""
    is_several = " " in text.strip() or GAP.sub("", text)[-1:] in (".", "?", "!")
    return has_words(text) and is_several and not NO_WORDS.search(text)


def speaking_modules(project: Path = PROJECT) -> set[Path]:
    return {path for pattern in SPEAKING for path in project.glob(pattern) if not any(map(path.match, SILENT))}


def messages(project: Path = PROJECT) -> dict[str, list[str]]:
    """Every message of the program with the modules that have it, the first of them first; texts of a title's box have its
    `title.py`."""
    speaking = speaking_modules(project)
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted(project.glob("bot/**/*.py")):
        if "language" in path.parts or {"cli", "bench"} & set(path.parts):
            continue
        source = path.read_text(encoding="utf-8")
        if path not in speaking and not any(f"{said}(" in source for said in SAYING):
            continue
        finder = TemplateFinder(path in speaking)
        finder.visit(ast.parse(source))
        for message in finder.found:
            found[message].append(path.relative_to(project).as_posix())
    for path in sorted(project.glob("bot/commands/web/templates/*.html")):
        for message in TEMPLATE.findall(path.read_text(encoding="utf-8")):
            found[message].append(path.relative_to(project).as_posix())
    for title, folder in own_titles().items():
        for message in title_texts(TITLES[title]):
            found[message].append(f"{folder}/title.py")
    return found


def own_titles() -> dict[str, str]:
    """The folders in the project of the titles that it brings."""
    packages = {title: place.package.split(".") for title, place in title_folders().items()}
    return {title: "/".join(parts) for title, parts in packages.items() if parts[0] == "bot"}


def home_of(modules: Sequence[str]) -> str:
    """The title whose catalogue holds a message of these modules: the only title that has it; empty for the common catalogue."""
    homes = [title for title, folder in own_titles().items() if all(one.startswith(f"{folder}/") for one in modules)]
    return homes[0] if homes else ""


def title_texts(title: Title) -> Iterator[str]:
    """The names of a title's steps, and the texts of its box: options, powers of privates, zones of the market."""
    for plan in title.plans.values():
        yield from (step.name for step in (*plan.steps, *plan.anytime, *plan.unasked) if not callable(step))
    for option in title.options:
        yield from (
            option.explanation,
            option.explanation[:1].upper() + option.explanation[1:],
            *option.choices.values(),
        )
    yield from (text for private in title.privates.values() for text in (private.power, private.brings) if text)
    yield from title.market.zones.values()
    yield title.director_word
    yield title.privates_word
    names = [company.name for company in title.companies.values()]
    names += [private.name for private in title.privates.values()]
    yield from (name for name in names if ENGLISH_WORD.search(name))


def update_entries(
    entries: Sequence[po.CatalogueEntry], found: Mapping[str, str], others: Sequence[po.CatalogueEntry] = ()
) -> Iterator[po.CatalogueEntry]:
    """The header and entries added by hand (without a module), then the messages of the program with their first modules.
    Translations come from `others`, the other catalogues of the language, if these entries have none."""
    every = [*others, *entries]
    known = {strip_gap_names(entry.message): entry for entry in every} | {entry.message: entry for entry in every}
    yield from (entry for entry in entries if not any(line.startswith("#:") for line in entry.comments))
    by_hand = {entry.message for entry in every if not any(line.startswith("#:") for line in entry.comments)}
    for message, module in sorted(found.items(), key=lambda item: item[1]):
        if message not in by_hand:
            yield po.CatalogueEntry(
                message,
                migrate_translation(message, known.get(message, known.get(strip_gap_names(message)))),
                (f"#: {module}",),
            )


def strip_gap_names(message: str) -> str:
    """A message whose gaps have no names: it stays the same when a gap is renamed."""
    return GAP.sub("{}", message)


def migrate_translation(message: str, known: po.CatalogueEntry | None) -> str:
    """The translation of a message whose gaps may have been renamed; empty where there is none."""
    return "" if known is None else po.with_gaps_of(message, known.message, known.translation)


def main() -> int:
    """Bring every catalogue up to date; exit code 1 when messages lack a translation."""
    found, lacking = messages(), 0
    for language in LANGUAGES:
        if language == po.ENGLISH:
            continue
        updated = updated_catalogues(language, found)
        for path, some in updated.items():
            path.write_text(po.format_entries(some), encoding="utf-8")
        entries = [entry for some in updated.values() for entry in some if entry.message]
        empty = [entry.message for entry in entries if not entry.translation]
        print(f"{language}: {len(entries)} messages, {len(empty)} without translation")
        for message in empty:
            print(f"    {message}")
        lacking += len(empty)
    return 1 if lacking else 0


def lacking_translations(language: str, title: str) -> list[str]:
    """The messages of a title's folder, and of its box, that no catalogue of the language translates."""
    found, translated = messages(), po.catalogue(language)
    inside = f"{own_titles().get(title, title)}/"
    own = [message for message, modules in found.items() if any(module.startswith(inside) for module in modules)]
    return [message for message in own if message not in translated]


def updated_catalogues(language: str, found: Mapping[str, Sequence[str]]) -> dict[Path, list[po.CatalogueEntry]]:
    """The entries of the common catalogue and of each title's, by their files; a title without words of its own has no file."""
    files = po.catalogue_files(language)
    now = {title: list(po.parse_entries(file.read_text(encoding="utf-8"))) for title, file in files.items()}
    every = [entry for some in now.values() for entry in some if entry.message]
    updated = {}
    for title, place in {"": "", **own_titles()}.items():
        own = {message: modules[0] for message, modules in found.items() if home_of(modules) == title}
        folder = PROJECT / place if title else FOLDER
        header = po.CatalogueEntry("", f"Content-Type: text/plain; charset=UTF-8\nLanguage: {language}\n")
        some = list(update_entries(now.get(title, [header]), own, every))
        if title in now or len(some) > 1:
            updated[folder / f"{language}.po"] = some
    return updated


if __name__ == "__main__":
    sys.exit(main())
