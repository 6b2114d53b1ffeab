"""Other languages: the catalogue is whole, and what players read in games of every title is in German."""

from __future__ import annotations

import ast
import contextlib
import re
from collections.abc import Iterator

import pytest

from bot.ai.fuzzer import RandomGame
from bot.engine.ids import seat
from bot.engine.message import Message, join_and, join_or, join_values, msg
from bot.engine.notation.messages import format_train, narrate, question
from bot.engine.notation.text import parse_action
from bot.engine.play.game import Game
from bot.engine.play.steps.routes import route_problem
from bot.engine.play.title import Title
from bot.engine.refusals import IllegalMove, Rejected
from bot.i18n import LANGUAGES, language_of, po, set_reader_name, tr, tr_error, tr_lines, use_language
from bot.i18n.extract import (
    PROJECT,
    TemplateFinder,
    home_of,
    is_sentence,
    messages,
    speaking_modules,
    update_entries,
    updated_catalogues,
)
from bot.i18n.po import GAP, catalogue, catalogue_files, former_templates
from bot.i18n.second_person import VERBS
from bot.render.scenes.sheet import company_scene, player_scene
from bot.render.shapes.alt_text import map_alt
from bot.render.shapes.scene import Scene
from bot.service.parser.menus import menu, ways
from bot.service.parser.suggestions import help_text
from bot.service.plans import WAKE_WORDS, AutoReply, Bids, Buy, Case, Fact, Plan, RunBest, Stay, When, find_wakes
from bot.service.plans.sentences import format_plan
from bot.service.views.position_text import (
    map_text,
    market_text,
    player_text,
    shown_companies,
    status_text,
    thing_text,
    trains_text,
)
from bot.service.views.report import report_text
from bot.service.views.turn_text import table_text, turn_text
from bot.titles.registry import TITLES
from tests.families import few

OTHERS = [language for language in LANGUAGES if language != "en"]
MOVES = 90

COMMANDS = (
    "pass",
    "buy ",
    "run ",
    "{}: run ",
    "bid ",
    "lower ",
    "{} up to {}",
    "cash ",
    "{} cash ",
    " until ",
    " max ",
    " to {}",
    "    {} option ",
    " with ",
    " {} ask",
    "commands {}",
)
"""How moves, orders and corrections begin that are put together as somebody would type them: they are no language."""

FOR_THE_PROGRAM = {"extra {}", "{} neglected", "{}in {}", "refused {}", "Player {}"}
"""Words that a title or a notice remembers and nobody reads; the name of whoever is forgotten, which is kept."""

SECTION = r"\(18\w+ [^()]*\)"
MOVE = r"\S+ buy \S+ from \S+ for \d+|(?:float|bid|buy|sell|lay|run|par|take|reduce|assign) [^.?;:]*"
QUIET = re.compile(r"(?<![\w.@:`/-])(?!sfr\b)[a-z]{3,}(?!\w|[.:]\w|`)")
ENGLISH = re.compile(
    r"\b(the|is|are|has|have|with|from|and|or|of|to|not|you|your|its|it|must|may|cannot|buy|buys|sells|pays|train|trains"
    r"|share|shares|company|companies|begins|pass|asked)\b"
)


def entries(language: str) -> list[po.CatalogueEntry]:
    """The catalogues of a language as they are written, the common one first; without the titles' headers."""
    files = catalogue_files(language)
    found = {title: po.parse_entries(file.read_text(encoding="utf-8")) for title, file in files.items()}
    return [entry for title, some in found.items() for entry in some if entry.message or not title]


@pytest.mark.parametrize("language", OTHERS)
def test_every_message_has_a_translation_with_the_same_gaps(language: str) -> None:
    lacking = [entry.message for entry in entries(language) if entry.message and not entry.translation]
    assert lacking == []
    differ = [
        (entry.message, entry.translation)
        for entry in entries(language)
        if set(GAP.findall(entry.message)) != set(GAP.findall(entry.translation))
    ]
    assert [pair for pair in differ if pair[0]] == []


@pytest.mark.parametrize("language", OTHERS)
def test_the_catalogue_holds_what_the_program_says(language: str) -> None:
    known = {entry.message for entry in entries(language)}
    lacking = [message for message in messages() if message not in known]
    assert lacking == [], "run `make words` and translate"


@pytest.mark.parametrize("language", OTHERS)
def test_a_title_has_its_own_words_in_its_folder_and_no_others(language: str) -> None:
    files = {path: [entry.message for entry in some] for path, some in updated_catalogues(language, messages()).items()}
    written = {path: [entry.message for entry in po.parse_entries(path.read_text(encoding="utf-8"))] for path in files}
    assert files == written, "run `make words`"
    assert home_of(["bot/titles/t1848/rounds.py", "bot/titles/t1848/title.py"]) == "1848"
    assert home_of(["bot/titles/t1848/rounds.py", "bot/engine/message.py"]) == ""
    assert home_of(["bot/titles/t1848/rounds.py", "bot/titles/t1844/rounds.py"]) == ""


@pytest.mark.parametrize("language", OTHERS)
def test_no_message_stands_twice(language: str) -> None:
    found = [entry.message for entry in entries(language)]
    assert len(found) == len(set(found))


def test_a_former_template_has_a_present_template_with_as_many_gaps() -> None:
    present, former = set(messages()) | {entry.message for entry in entries("de")}, former_templates()
    assert sorted(set(former) & present) == [], "the program says it again"
    assert sorted(set(former.values()) - present) == [], "nothing translates it"
    assert [old for old, new in former.items() if len(GAP.findall(old)) != len(GAP.findall(new))] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_stored_sentence_is_shown_by_its_present_template(language: str) -> None:
    assert former_templates()
    with use_language(language):
        for old, new in former_templates().items():
            values = [f"value{number}" for number, _ in enumerate(GAP.findall(old))]
            assert tr(old, *values) == tr(new, *values)
            assert not GAP.search(tr(old, *values)) and {value in tr(old, *values) for value in values} <= {True}


def test_a_catalogue_is_written_as_it_was_read() -> None:
    made = [po.CatalogueEntry("", "Language: xx\n"), po.CatalogueEntry('a "b" {c}', "zwei\nZeilen {c}", ("#: here",))]
    assert list(po.parse_entries(po.format_entries(made))) == made
    with pytest.raises(ValueError, match="line 1"):
        list(po.parse_entries("msgid nothing quoted"))


def test_gaps_are_filled_and_named_things_stay() -> None:
    bought = msg("{by} buys {percent}% of {company} from {source} for {price}.", "@1", 10, "VR", msg("the pool"), "£90")
    asked = msg("{people}: {what}.", "Ann", join_or(map(msg, ("lay track", "take a loan", "pass"))))
    with use_language("de"):
        assert tr(bought, names={seat(1): "Ann"}) == "Ann kauft 10% VR von dem Pool für £90."
        assert tr(asked) == "Ann: Gleis legen, einen Kredit aufnehmen oder passen."
        assert tr("In: {names}", "Ann, Bob") == "Dabei: Ann, Bob" and tr("Ann, Bob") == "Ann, Bob"
        assert tr("In: {names}", msg("nobody yet")) == "Dabei: noch niemand"
        assert tr("In: {names}", "mountain") == "Dabei: mountain", "what somebody is called is no message"
        assert tr("In: {names}", "{0} {names}") == "Dabei: {0} {names}", "what somebody typed is no template"
        assert tr("Whatever {this} is, nobody wrote it.", "x") == "Whatever x is, nobody wrote it."
    assert tr("Phase {phase} begins.", 3) == "Phase 3 begins."


def test_german_gaps_take_the_case_of_their_sentence() -> None:
    train = msg("{company} buys {train} from {source} for {price}.", "VR", format_train("2+"), msg("the bank"), "£120")
    exported = msg("{train} leaves the bank unsold.", format_train("8"))
    taken_over = msg("{buyer} takes what is left of {company} for £{amount}.", msg("the bank"), "LSR", 90)
    offer = msg("sell {wanted} to {buyer} for {money}? Agree or refuse", format_train("3"), "CAR", "£1")
    with use_language("de"):
        assert [tr(sentence) for sentence in (train, exported, taken_over, offer)] == [
            "VR kauft einen 2+-Zug von der Bank für £120.",
            "Die Bank nimmt einen 8-Zug unverkauft aus dem Spiel.",
            "Was von LSR bleibt, wird für £90 von der Bank übernommen.",
            "einen 3-Zug für £1 an CAR verkaufen? Zustimmen oder ablehnen",
        ]


OTHERWISE = {
    r"(?<!\} )\b\w+\([en]\)|\((s|en)\)|\w/Zügen?\b": "a number stands before: `{loans} Kredit(e)`, or after a colon",
    r"Direktion": "Direktor",
    r"\bStation": "Marker",
    r"ffentliche. Gesellschaft": "Aktiengesellschaft",
    r"\bPartien?\b": "Spiel",
    r"Spielbrett": "Spielplan, Karte",
    r"\bSummen?\b": "Betrag",
    r"aufgewertet|aufwerten": "ausbauen",
    r"(Gleis|Stadt|Hafen)teil": "Gleisplättchen",
    r"Heimat(?!bahnh)": "Heimatbahnhof",
    r"Bahnhofsmarker(?!\))": "Marker",
    r"(Präsident|Direktor)enzertifikat": "Präsidentenaktie, Direktorenaktie",
    r"; sonst ": "(Vorgabe: …)",
    r"wachen? Stunden": "Stunden ohne Ruhezeiten",
}
"""What German has another word for, everywhere."""


def test_german_has_one_word_for_one_thing() -> None:
    shown = [entry.translation for entry in entries("de")]
    assert {text: word for text in shown for words, word in OTHERWISE.items() if re.search(words, text)} == {}
    moves = [entry for entry in entries("de") if not re.search("train|kind", entry.message, re.IGNORECASE)]
    trains = re.compile(r"(?<!am )(?<!Am )(?<!-)\bZ(ug|üge|ügen|uges)\b")
    assert [entry.translation for entry in moves if trains.search(entry.translation)] == [], "a move is a Spielzug"


def test_one_and_several_are_told_apart_in_old_lines_too() -> None:
    template = "{company} gets from {source}: {money}, {stations} station(s), {trains} train(s)."
    assert tr(template, "LSR", "SDR", "£20", 1, 2) == "LSR gets from SDR: £20, 1 station, 2 trains."
    assert tr("The stock round is interrupted; {number} lobby(s) to resolve.", 2).endswith("; 2 lobbies to resolve.")
    assert tr("The stock round is interrupted; {number} lobby(s) to resolve.", 1).endswith("; 1 lobby to resolve.")
    assert tr("The supply loses {count} {kind} train(s).", 11, "3+") == "The supply loses 11 3+ trains."
    with use_language("de"):
        issue, loans = "{company} issues {shares} share(s) for £{money}.", "{company} repays {loans} loan(s)."
        assert [tr(issue, "LSR", number, 51) for number in (1, 2)] == [
            "LSR gibt 1 Aktie für £51 aus.",
            "LSR gibt 2 Aktien für £51 aus.",
        ]
        assert [tr(loans, "LSR", number) for number in (1, 2)] == [
            "LSR zahlt 1 Kredit zurück.",
            "LSR zahlt 2 Kredite zurück.",
        ]


def test_a_refusal_is_told_by_its_template_with_its_section() -> None:
    refusal = IllegalMove("{company} is at its limit of {limit} train(s).", "1848 §8.1", "VR", 4)
    assert str(refusal) == tr_error(refusal) == "VR is at its limit of 4 trains. (1848 §8.1)"
    assert tr_error(IllegalMove("{reason}", "", refusal.said)) == "VR is at its limit of 4 trains."
    with use_language("de"):
        assert tr_error(refusal) == "VR hat die Zuggrenze erreicht: 4. (1848 §8.1)"
        assert tr_error(IllegalMove("Nobody wrote {this} (or {that}).", "", "x", 3)) == "Nobody wrote x (or 3)."


def test_languages_are_known_by_their_codes() -> None:
    assert [language_of(code) for code in ("de", "de-AT", "en-US", "sv-SE", "")] == ["de", "de", "en", "en", "en"]


class Loud(dict[str, str]):
    """A catalogue in which every message of ours is shouted, so that what is not said by its template stays quiet."""

    def __init__(self) -> None:
        super().__init__()
        self.ours = {*messages(), *(entry.message for entry in entries("de"))}

    def get(self, template: str, otherwise: str = "") -> str:  # type: ignore[override]
        """The template in capitals, but for the names of its gaps."""
        if template not in self.ours:
            return otherwise
        pieces = re.split(r"(\{\w*\})", template)
        return "".join(piece if piece.startswith("{") else piece.upper() for piece in pieces)


@pytest.fixture(scope="module")
def loud() -> Loud:
    return Loud()


@pytest.fixture(params=few(TITLES, 1, 4))
def title(request: pytest.FixtureRequest) -> Title:
    """Every title."""
    return TITLES[request.param]


def positions(title: Title) -> Iterator[Game]:
    """The beginning of a game of chance."""
    chance = RandomGame(title, title.players.start, 5)
    yield chance.game
    for _, game in zip(range(MOVES), chance.moves(), strict=False):
        yield game


def read_by_players(game: Game) -> Iterator[str]:
    """The panel, help, buttons, things, pictures in words and some refusals of a position."""
    player = game.players_to_act()[0]
    yield from (status_text(game), trains_text(game), turn_text(game, player), help_text(game), report_text(game))
    yield from (player_text(game, game.state.name(player)), map_text(game), market_text(game), map_alt(game, ()))
    yield from (thing_text(game, name) for name in (*game.title.privates, *game.title.trains, *game.title.companies))
    for way in ways(game, [player]):
        if way.kind:
            with contextlib.suppress(IllegalMove):
                found = menu(game, [player], way.kind)
                yield from (found.question, *(f"{one.label}; {one.note}" for one in found.choices))
    sign = next(iter(game.title.privates))
    every = tuple(when for word in WAKE_WORDS for when in find_wakes(word, ("VR",)))
    case = Case((When(Fact("price", "VR"), "<", 80),), Stay(2), RunBest("half", 20))
    steps = (
        Buy("VR", 60, 90, "pool"),
        Bids({sign: 90}, 1, (sign,)),
        AutoReply(False, 5, "", 9),
        AutoReply(True, about="undo"),
    )
    yield tr(format_plan(game, Plan(player, (*steps, case, RunBest("")), every, budget=5, keep=6)))
    yield tr(format_plan(game, Plan("VR", (), (), "all", "", (RunBest("pay"), Stay()), ("track", "token", "routes"))))
    for move in ("@1 sell 1 VR", "@1 buy 1 P9", f"{player} pass", f"{player} buy 2 SAR", f"{player} bid 1", "@9 x"):
        try:
            narrate(game.copy(), game.copy().apply(parse_action(game.title, move)))
        except Rejected as refusal:
            yield tr_error(refusal)


@pytest.mark.parametrize("language", few(["loud", *OTHERS], 0))
def test_players_read_nothing_in_english(
    title: Title, language: str, loud: Loud, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In other languages all but names, signs and moves is translated; a formatted text would be found here."""
    if language == "loud":
        monkeypatch.setattr("bot.i18n.catalogue", lambda spoken: loud)
    texts: list[str] = []
    with use_language("de"):
        for number, game in enumerate(positions(title)):
            texts += [tr(question(game)), *tr_lines(narrate(game, game.events), game.state.names)]
            if number % 6 == 0 and not game.state.finished:
                texts += read_by_players(game)
    named = names_and_moves(title)
    lines = dict.fromkeys(line for text in texts for line in text.split("\n"))
    told = {line: named.sub("", line.partition("  — ")[2] if line.startswith("    ") else line) for line in lines}
    english = QUIET if language == "loud" else ENGLISH
    assert {line: left for line, left in told.items() if english.search(left)} == {}


CALLED = ("Ask the others", "Remind me tomorrow", "a whole number", "as few as possible", "earlier ones", "yes")
"""What the catalogue has a translation of, as names that players may have."""


def test_what_players_are_called_is_not_translated(title: Title) -> None:
    chance = RandomGame(title, title.players.start, 5)
    for player, name in zip(chance.game.state.players, CALLED, strict=False):
        player.name = name
    texts: list[str] = []
    with use_language("de"):
        changed = [tr(name) for name in CALLED[:-1]]
        assert not set(changed) & set(CALLED), "the catalogue has them"
        for number, (_, game) in enumerate(zip(range(MOVES), chance.moves(), strict=False)):
            texts += [tr(question(game)), *tr_lines(narrate(game, game.events), game.state.names)]
            if number % 9 == 0 and not game.state.finished:
                texts += [*read_by_players(game), *labels(game), table_text(game, game.players_to_act())]
                texts += ["\n".join(picture.alt.splitlines()) for picture in sheets(game)]
    assert any(CALLED[0] in text for text in texts)
    assert [text for text in texts if any(name in text for name in changed)] == []


def labels(game: Game) -> Iterator[str]:
    """What stands in all first menus of whoever is asked."""
    for player in game.players_to_act():
        for way in ways(game, [player]):
            if way.kind:
                with contextlib.suppress(IllegalMove):
                    yield from (f"{one.label} {one.note}" for one in menu(game, [player], way.kind).choices)


def sheets(game: Game) -> Iterator[Scene]:
    """The sheets of all players and of the companies that have a price."""
    yield from (player_scene(game, player.id) for player in game.state.players)
    yield from (company_scene(game, company.id) for company in shown_companies(game))


def names_and_moves(title: Title) -> re.Pattern[str]:
    """What is the same in every language: names on the board, and moves inside a sentence."""
    nouns = [title.name, *(noun.name for noun in (*title.companies.values(), *title.privates.values()))]
    spaces = [space.name for space in title.land.map.hexes.values() if space.name]
    same = [*map(re.escape, sorted({*nouns, *spaces}, key=len, reverse=True))]
    return re.compile("|".join([*same, SECTION, MOVE]))


def test_formatted_texts_hold_no_words_that_players_read() -> None:
    """They could not be translated: such a text is a template with values, for `say`, `said` or a refusal."""
    found = {
        (str(path.relative_to(PROJECT)), text)
        for path in speaking_modules()
        for text in formatted(ast.parse(path.read_text(encoding="utf-8")))
        if text not in FOR_THE_PROGRAM and not text.startswith(COMMANDS)
    }
    assert found == set()


def test_values_are_not_joined_by_words_of_one_language() -> None:
    """`together`, `either` and `join_or_chain` join them in the reader's."""
    joins = (
        (str(path.relative_to(PROJECT)), node.func.value.value)
        for path in speaking_modules()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "join"
        if isinstance(node.func.value, ast.Constant) and isinstance(node.func.value.value, str)
    )
    assert [(path, between) for path, between in joins if re.search(r"\b(and|or)\b", between)] == []


class Formatted(TemplateFinder):
    """Collects formatted texts with words in them, as templates."""

    def visit_Constant(self, node: ast.Constant) -> None:
        """Others may be messages."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """One of them."""
        pieces = (str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
        text = "".join(pieces)
        if is_sentence(text) and re.search(r"(?<![\w/#<@.])[A-Za-z]{2,}(?![\w>=-])", text):
            self.found.append(text)
        super().visit_JoinedStr(node)


def formatted(tree: ast.AST) -> list[str]:
    """The formatted texts with words of a module that speaks."""
    finder = Formatted(False)
    finder.visit(tree)
    return finder.found


def test_a_formatted_text_with_words_is_found() -> None:
    source = 'log.info(f"game {game} ends")\nshown = f"{game} has begun."'
    told = ast.parse(source)
    assert formatted(told) == ["{} has begun."]
    assert formatted(ast.parse("x = f'{a}: {b}'; y = say('{a} has begun.', f'{b}%')")) == []


def test_a_translation_stays_when_a_gap_is_called_otherwise() -> None:
    entries = [po.CatalogueEntry("{by} buys {what} for {money}.", "Für {money} kauft {by}: {what}.", ("#: here",))]
    found = list(update_entries(entries, {"{player} buys {share} for {price}.": "there"}))
    assert found == [
        po.CatalogueEntry("{player} buys {share} for {price}.", "Für {price} kauft {player}: {share}.", ("#: there",))
    ]


def test_what_a_company_of_1820_has_to_pay_has_a_name_in_german() -> None:
    with use_language("de"):
        for what, german in (("interest", "Zinsen"), ("maintenance", "Unterhalt")):
            assert tr("{company} pays £{amount} {what}.", "LSR", 40, msg(what)) == f"LSR zahlt £40 {german}."


@pytest.mark.parametrize("language", OTHERS)
def test_signs_are_the_same_in_every_language(title: Title, language: str) -> None:
    """MR is a company where it is no merger round; menus and sheets put whatever they show through `say`."""
    signs = {*title.companies, *title.privates, *title.trains, *title.land.map.hexes, *title.land.tiles}
    assert sorted(signs & set(catalogue(language))) == []


@pytest.mark.parametrize("language", OTHERS)
def test_what_routes_are_paid_for_has_a_name_in_the_language(title: Title, language: str) -> None:
    """Signs (`K-K`) and names of spaces are the same everywhere."""
    game = Game.new(title, ["Ann", "Bob", "Cid"], {}, 1)
    problem = route_problem(game, next(iter(game.state.companies)))
    names = {"stops", "distance", "base", *(bonus.name for bonus in problem.bonuses)}
    assert [name for name in names if not name.isupper() and name not in catalogue(language)] == []


# -- the reader in the second person -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sentence", "english", "german"),
    [
        (msg("{by} buys {private} for {price}.", "me", "P4", "£170"), "You buy P4 for £170.", "Du kaufst P4 für £170."),
        (
            msg("{by} buys {private} for {price}.", "Ann", "P4", "£170"),
            "Ann buys P4 for £170.",
            "Ann kauft P4 für £170.",
        ),
        (
            msg("{owner} pays £{money} and gets {shares} of {company}.", "me", 5, "a share", "LS"),
            "You pay £5 and get a",
            "",
        ),
        (msg("{player}'s £{amount} on {lot} is returned.", "me", 30, "RSCF"), "Your £30 on RSCF is returned.", ""),
        (msg("{by} offers {owner} {price} for {what}.", "Ann", "me", "£9", "P1"), "Ann offers you £9 for P1.", ""),
        (msg("{people}: {what}.", "me", "pass"), "Your turn: pass.", "Du bist dran: pass."),
        (msg("{people}: {what}.", join_and(["me", "Ann"]), "pass"), "You and Ann: pass.", "Du und Ann: pass."),
        (msg("{losers} has bid", join_and(["Bob", "Ann", "me"])), "Bob, Ann and you has", "Bob, Ann und du has"),
        (
            msg("{company} pays {revenue}, {per_share} a share: {shares}.", "VR", 9, 1, join_values(" ", ["me", 9])),
            "VR pays 9, 1 a share: you 9.",
            "VR schüttet 9 aus, 1 je Aktie: du 9.",
        ),
        (
            msg("{by} buys {private} from {seller} for {price}.", "VR", "P4", "me", "£9"),
            "VR buys P4 from you for £9.",
            "VR kauft P4 von dir für £9.",
        ),
        (msg("{private} pays {owner} {price}.", "P4", "me", "£9"), "P4 pays you £9.", "P4 zahlt £9 an dich."),
        (
            msg("{what} ({owner} lacks {lacking})", "sell", "me", "£6"),
            "sell (you lack £6)",
            "sell (dir fehlen £6)",
        ),
        (msg("{owner} still lacks £{lacks}.", "me", 6), "You still lack £6.", "Dir fehlen noch £6."),
        (msg("{money} ({player})", "£9", "me"), "£9 (you)", "£9 (du)"),
        (
            msg("That is not possible now: {names} is asked to: {open_names}. {when}", "me", "pass", ""),
            "That is not possible now: you are asked to: pass.",
            "Das geht jetzt nicht: du bist gefragt: pass.",
        ),
        (
            msg("{company} must buy a train, and {who} pays what the treasury lacks.", "LS", "me"),
            "LS must buy a train, and you pay",
            "LS muss einen Zug kaufen, und du zahlst",
        ),
        (msg("If {people} agrees.", "me"), "If you agree.", "Wenn du zustimmst."),
        (msg("The time of {player} is up", "me"), "The time of you is up", "Die Zeit von dir ist um"),
    ],
)
def test_the_only_person_at_a_screen_is_addressed(sentence: Message, english: str, german: str) -> None:
    set_reader_name("me")
    try:
        assert tr(sentence).startswith(english)
        with use_language("de"):
            assert tr(sentence).startswith(german)
    finally:
        set_reader_name("")


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_verb_after_an_actor_has_its_second_person(language: str) -> None:
    shown = [catalogue(language).get(message, message) for message in messages()]
    verbs = {found[1] for text in shown if (found := re.match(r"\{(?:by|player)\} (\w+)", text))}
    assert verbs - VERBS[language].keys() <= {"no", "still", "fehlen"}, (
        "an adverb before its verb, or a verb without the player as subject"
    )
