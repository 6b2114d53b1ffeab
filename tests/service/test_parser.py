"""What people type becomes exactly the action that they mean, or a refusal that helps."""

from __future__ import annotations

import re
import string
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import strategies as st

from bot.bench.calls import typed_move_calls
from bot.engine.ids import Owner, seat
from bot.engine.notation.text import format_action
from bot.engine.play.game import Game
from bot.engine.refusals import AmbiguousMove, IllegalMove, ParseError, Rejected
from bot.engine.state.actions import Action, BuyTrain, DiscardTrain, LayTile, Pass, RunRoutes
from bot.i18n import set_reader_name, tr, tr_lines
from bot.service.parser.moves import LONGEST_MESSAGE, begins_move, parse_moves, suggest, would_be_legal
from bot.service.parser.suggestions import help_lines, help_text, short_text
from bot.service.parser.vocabulary import names_in_box, with_names
from bot.service.views.apply_and_narrate import apply_and_narrate
from bot.service.views.position_text import company_text, player_text, status_text
from bot.service.views.report import report_text
from bot.titles.registry import TITLES
from tests.engine.test_text import moves
from tests.families import few, in_two_lengths

TITLE = TITLES["1848"]
AUCTION = "buy P1; buy P2; buy P3; buy P4; buy P5; buy P6"


def begun(*names: str) -> Game:
    return Game.new(TITLE, names or ("Ann", "Bob", "Cid"), seed=1)


def played(*messages: str) -> Game:
    """A game of Ann, Bob and Cid in which these messages have been obeyed."""
    game = begun()
    for message in messages:
        for action in parse_moves(game, message):
            game.apply(action)
    return game


@cache
def at_stock_round() -> Game:
    return played(AUCTION)


@cache
def at_track() -> Game:
    """Ann directs VR, which is to lay its first tile around Melbourne (H11)."""
    game = played(AUCTION, "par VR 90")
    while game.state.round.kind == "stock":
        wanted = ["buy VR", "pass"]
        game.apply(next(found for text in wanted if (found := legal(game, text))))
    assert game.frame.entity == "VR" and game.controller_of(Owner("VR")) == seat(1)
    return game


def legal(game: Game, text: str) -> Action | None:
    return next((action for action in game.legal_actions() if short_text(game, action) == text), None)


def texts(game: Game, message: str) -> list[str]:
    return [format_action(action) for action in parse_moves(game, message)]


def refused(game: Game, message: str) -> Rejected:
    with pytest.raises(Rejected) as found:
        parse_moves(game, message)
    return found.value


# -- who ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "message", ["par VR 90", "@1 par VR 90", "Ann par VR 90", "ANN: par vr 90", "Ann, par VR £90", "par VR at 90."]
)
def test_who_acts_may_be_left_out_or_named_in_any_way(message: str) -> None:
    assert texts(at_stock_round(), message) == ["@1 par VR 90"]


@pytest.mark.parametrize("message", ["lay 57 H11 2", "VR lay 57 H11 2", "vr: LAY 57 h11 2", "VR, build 57 H11 2"])
def test_a_company_may_be_left_out_or_named(message: str) -> None:
    assert texts(at_track(), message) == ["VR lay 57 H11 2"]


def test_names_of_several_words_and_other_letters_are_understood() -> None:
    game = begun("Ann de Vries", "José", "李")
    assert texts(game, "ann de vries: buy P1") == ["@1 buy P1 for 30"]
    assert texts(game, "josé reduce P1") == ["@2 reduce P1"]
    assert texts(game, "李 pass") == ["@3 pass"]


def test_players_are_shown_by_names_that_read_back_or_by_their_seats() -> None:
    game = begun("Ann de Vries", "José", "All")
    for text, shown in (("@1 pass", "Ann de Vries pass"), ("@2 reduce P1", "José reduce P1"), ("@3 pass", "@3 pass")):
        assert with_names(game, text) == shown
        assert texts(game, shown) == [text]


def test_a_player_called_like_a_verb_does_not_change_the_verb() -> None:
    game = begun("Pass", "Bob", "Cid")
    assert texts(game, "pass") == ["@1 pass"]
    assert texts(game, "bob pass") == ["@2 pass"]


def test_somebody_elses_move_is_read_and_left_to_the_rules() -> None:
    assert texts(at_stock_round(), "Bob par QR 70") == ["@2 par QR 70"]


# -- verbs --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("build 57 H11 2", "lay 57 H11 2"),
        ("upgrade H11 to 57 2", "lay 57 H11 2"),
        ("lay H11 57 2", "lay 57 H11 2"),
        ("lay tile 57 on H11 rotation 2", "lay 57 H11 2"),
        ("lay 57 on Melbourne 2", "lay 57 H11 2"),
        ("lay 8 C4 1 using P2", "lay 8 C4 1 with P2"),
        ("station h11", "token H11"),
        ("token on H11 city 0", "token H11"),
        ("token H11 1", "token H11.1"),
        ("run nothing", "run nothing"),
        ("RUN 2-0=h11.c0>g10.c0", "run 2-0=H11.c0>G10.c0"),
        ("run 2-0 = H11.c0 > G10.c0", "run 2-0=H11.c0>G10.c0"),
        ("run 2-0=Melbourne.c0→G10.c0", "run 2-0=H11.c0>G10.c0"),
        ("dividend", "pay"),
        ("payout", "pay"),
        ("pay out", "pay"),
        ("pay dividends", "pay"),
        ("dividend half", "half"),
        ("pay nothing", "withhold"),
        ("hold", "withhold"),
        ("keep everything", "withhold"),
        ("split", "half"),
        ("borrow", "loan"),
        ("take a loan", "loan"),
        ("buy 3 from CAR for 1", "buy 3 from CAR for 1"),
        ("buy 3 from car at $1", "buy 3 from CAR for 1"),
        ("buy train 3+ 230", "buy 3+ for 230"),
        ("buy 2e for £100 with p4", "buy 2E for 100 with P4"),
        ("buy D for 800 in exchange for 4", "buy D for 800 trade 4"),
        ("buy d for 800 trade 4", "buy D for 800 trade 4"),
        ("buy P4 220", "buy P4 for 220"),
        ("discard the 3 train", "discard 3"),
        ("scrap 3", "discard 3"),
    ],
)
def test_other_words_for_a_companys_moves(message: str, text: str) -> None:
    assert texts(at_track(), message)[-1] == f"VR {text}"


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("buy a share of CAR", "buy CAR"),
        ("buy CAR from bank", "buy CAR"),
        ("buy 1 CAR", "buy CAR"),
        ("buy boe", "buy BOE from pool"),
        ("buy 2 BOE from market", "buy 2 BOE from pool"),
        ("sell 2 QR", "sell 2 QR"),
        ("sell QR 2", "sell 2 QR"),
        ("sell qr", "sell 1 QR"),
        ("sell 20% of QR", "sell 2 QR"),
        ("start VR at 90", "par VR 90"),
        ("par 90 VR", "par VR 90"),
        ("reduce the price of P4", "reduce P4"),
        ("lower p4", "reduce P4"),
        ("bid 175 on P4", "bid P4 175"),
        ("skip", "pass"),
        ("done", "pass"),
        ("Pass.", "pass"),
        ("`pass`", "pass"),
    ],
)
def test_other_words_for_a_players_moves(message: str, text: str) -> None:
    assert texts(at_stock_round(), message) == [f"@1 {text}"]


def test_a_private_is_bought_at_its_present_price() -> None:
    assert texts(begun(), "buy P4") == ["@1 buy P4 for 170"]
    assert texts(played("reduce P4"), "buy P4") == ["@2 buy P4 for 165"]


def test_a_train_is_bought_at_its_price() -> None:
    game = played_on(at_track(), "pass")
    assert texts(game, "buy 2")[-1] == "VR buy 2 for 100"
    assert texts(game, "buy train 2+")[-1] == "VR buy 2+ for 120"
    assert texts(game, "buy 3")[-1] == "VR buy 3 for 200", "not for sale yet: the rules will say so"


def played_on(game: Game, message: str) -> Game:
    other = game.copy()
    for action in parse_moves(other, message):
        other.apply(action)
    return other


# -- track --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("lay 5 H11 to H9", "lay 5 H11 1"),
        ("lay 5 on Melbourne to h9 g10", "lay 5 H11 1"),
        ("lay 5 H11 to H13", "lay 5 H11 3"),
    ],
)
def test_a_tile_may_be_turned_towards_its_neighbours(message: str, text: str) -> None:
    assert texts(at_track(), message) == [f"VR {text}"]


def exits(action: Action) -> list[str]:
    assert isinstance(action, LayTile)
    edges = TITLE.land.tiles[action.tile].rotate(action.rotation).exits
    return [str(TITLE.land.map.neighbours[action.hex][edge]) for edge in sorted(edges)]


def test_every_legal_lay_is_found_by_the_spaces_that_it_leads_to() -> None:
    for action in at_track().legal_actions():
        if isinstance(action, LayTile):
            (found,) = parse_moves(at_track(), f"lay {action.tile} {action.hex} to {' '.join(exits(action))}")
            assert isinstance(found, LayTile) and exits(found) == exits(action)


def test_without_a_rotation_the_only_legal_one_is_meant() -> None:
    assert texts(at_track(), "lay 57 H11") == ["VR lay 57 H11 1"], "4 would be the same track"
    refusal = refused(at_track(), "lay 5 H11")
    assert isinstance(refusal, AmbiguousMove)
    assert "lay 5 H11: There are 3 ways to lay 5 on H11, rotated by" in refusal.sentence
    assert refusal.instead == ("lay 5 H11 1", "lay 5 H11 2", "lay 5 H11 3")


def test_a_target_must_be_a_neighbour_that_the_track_can_reach() -> None:
    assert "lay 57 H11 to D1: D1 is not adjacent to H11; its" in refused(at_track(), "lay 57 H11 to D1").sentence
    assert "lay 57 H11 to H9 G10: In no rotation does 57 on H11" in refused(at_track(), "lay 57 H11 to H9 G10").sentence


def test_a_tile_that_fits_nowhere_is_refused_for_the_weightiest_reason() -> None:
    assert "lay 57 E4: VR has no route to that tile on E4" in refused(at_track(), "lay 57 E4").sentence


# -- several clauses ----------------------------------------------------------------------------------


def test_each_clause_is_read_against_the_position_after_the_others() -> None:
    assert texts(begun(), "buy P1; reduce P4\nbuy P4") == ["@1 buy P1 for 30", "@2 reduce P4", "@3 buy P4 for 165"]


def test_reading_changes_nothing() -> None:
    game = at_track()
    before = game.encode()
    parse_moves(game, "lay 57 H11 1; buy 2; pass")
    assert game.encode() == before


def test_passes_on_the_way_to_a_clause_are_taken_for_granted() -> None:
    game = played_on(at_track(), "lay 57 H11 1; buy 2; pass")
    while game.frame.entity != "VR" or game.state.round.kind != "operating":
        game.apply(game.legal_actions()[-1] if not legal(game, "pass") else legal(game, "pass"))
    assert texts(played_on(game, "lay 57 H9 to H11"), "run best")[-1].startswith("VR run 2-0=")


def test_what_is_passed_over_at_a_loss_is_asked_once() -> None:
    asked = refused(at_track(), "buy 2")
    assert asked.sentence == (
        "buy 2: That would skip: lay track. VR falls from £100 to £90. If you mean it, write every step."
    )
    assert texts(at_track(), asked.instead[0]) == ["VR pass", "VR buy 2 for 100"]


def test_a_whole_turn_in_one_message() -> None:
    game = at_track()
    for _ in range(200):
        if RunRoutes in next(iter(game.open_steps())).verbs:
            break
        game = played_on(game, next(iter(wanted(game))))
    message = texts(game, "run best; pay")
    assert [text.split()[1] for text in message][-2:] == ["run", "pay"]


def wanted(game: Game) -> list[str]:
    """Moves that get a train and track soon."""
    found = [format_action(action) for action in game.legal_actions()]
    for start in ("buy 2 for", "lay"):
        hits = [text for text in found if text.split(" ", 1)[1].startswith(start)]
        if hits:
            return hits
    return [text for text in found if text.endswith("pass")] or found


def test_a_pass_that_would_end_the_turn_is_never_taken_for_granted() -> None:
    game = played_on(at_track(), "pass")
    assert texts(game, "lay 57 H11 2") == ["VR lay 57 H11 2"], "left to the rules to refuse"
    assert texts(at_stock_round(), "@2 par QR 70") == ["@2 par QR 70"]


def test_a_clause_that_the_rules_forbid_is_named() -> None:
    refusal = refused(begun(), "buy P1; buy P1; buy P2")
    assert isinstance(refusal, IllegalMove)
    assert refusal.sentence.startswith("buy P1: P1 is not for sale")


# -- unreadable ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        ("", "That contains no move."),
        (" ;; \n", "That contains no move."),
        (".", "That contains no move."),
        ("VR", "VR: What should VR do?"),
        ("lya 57 H11 2", "lya 57 H11 2: There is no move called lya; perhaps lay"),
        ("dance", "dance: There is no move called dance"),
        ("57 H11 2", "There is no move called 57"),
        ("lay", "lay: lay needs a tile, a hex and a rotation."),
        ("lay 57", "lay 57: lay needs a tile, a hex and a rotation"),
        ("lay 957 H11 2", "There is no tile 957; perhaps 57"),
        ("lay 57 H111 2", "There is no hex H111; perhaps H11"),
        ("lay 57 H11 9", "A rotation is a number from 0 to 5, not 9."),
        ("lay 57 H11 2 with", "with is followed by a private"),
        ("token", "token needs a hex"),
        ("buy", "buy needs a private with its price or a company at its market price or a train with its price"),
        ("buy 9+", "buy 9+: There is no 9+; perhaps 2+ or 3+ or 4+"),
        ("buy X from Y for Z", "buy X from Y for Z: There is no X"),
        ("sell", "sell needs a number of shares and a company"),
        ("sell 15% QR", "Each share of QR is 10%; 15% is not a whole number of shares."),
        ("run 2-0", "VR has no train to run."),
        ("run 2-0=H11.c0>Z9.c0", "There is no hex Z9"),
        ("loan 100", "Nothing follows after loan."),
        ("lay 57 H11 2 🚂", "lay 57 H11 2 🚂: Moves cannot contain 🚂 (steam"),
        (
            "lay 𝟓7 H11 2",
            "Moves are written in plain letters and digits: 5 instead of 𝟓 (mathematical bold digit five).",
        ),
        ("lay\u200b 57 H11 2", "lay\u200b 57 H11 2: That contains an invisible"),
        ("lay \x1b[31m57", "lay \x1b[31m57: That contains an invisible character"),
        ("lay \x00", "lay \x00: That contains an invisible character"),
        ("lay é", "lay é: Moves cannot contain é (latin small letter e"),
    ],
)
def test_what_cannot_be_read_is_explained(message: str, sentence: str) -> None:
    assert sentence in refused(at_track(), message).sentence


def test_wide_letters_and_digits_are_plain_ones_and_names_stay() -> None:
    game = at_track()
    assert parse_moves(game, "ＶＲ：ｌａｙ　５７　Ｈ１１　４") == parse_moves(game, "VR: lay 57 H11 4")
    assert begins_move(game, "ｌａｙ") and would_be_legal(game, "ｌａｙ ５７ Ｈ１１ ５；ｐａｓｓ")[0] == "lay 57 H11 1"
    wide = begun("Ａｎｎ", "Bob", "Ann")
    assert parse_moves(wide, "Ａｎｎ: buy P1")[0].by == seat(1) and parse_moves(wide, "ｂｕｙ Ｐ１；ｂｕｙ Ｐ２")[
        1
    ].by == seat(2)


def test_long_messages_are_not_read() -> None:
    assert refused(begun(), "pass " * 1000).sentence == "A message can have at most 2000 characters; this has 5000."
    assert "at most 20 clauses" in refused(begun(), "pass;" * 21).sentence
    word = refused(begun(), "x" * LONGEST_MESSAGE)
    assert len(word.sentence) < 250


def test_misspellings_come_with_what_is_legal() -> None:
    assert refused(at_track(), "lya 57 H11 4").instead[0] == "lay 57 H11 4"
    assert refused(at_track(), "lay 57 H111 1").instead[0] == "lay 57 H11 1"
    assert refused(at_track(), "lay 57").instead[:2] == ("lay 57 H11 1", "lay 5 H11 1")


def test_a_refused_message_comes_with_what_would_be_legal() -> None:
    game = at_track()
    assert set(would_be_legal(game, "lay 57 H11 5")) == {"lay 57 H11 1", "lay 5 H11 1", "lay 5 H11 2"}
    assert would_be_legal(game, "pass; buy 3")[0].startswith("buy 2")
    assert would_be_legal(game, "lay 57 H11 1") == ()


def any_text_is_read_or_refused(text: str) -> None:
    for game in (begun(), at_stock_round(), at_track()):
        read_or_refuse(game, text)


test_any_text_is_read_or_refused, test_many_texts_are_read_or_refused = in_two_lengths(
    any_text_is_read_or_refused, 100, 300, st.text(max_size=80)
)


WORDS = [
    *[
        "lay",
        "token",
        "run",
        "buy",
        "sell",
        "par",
        "bid",
        "pay",
        "pass",
        "loan",
        "reduce",
        "discard",
        "agree",
        "with",
        "from",
        "for",
        "trade",
        "to",
        "best",
    ]
]
WORDS += [
    *[
        "VR",
        "QR",
        "CAR",
        "BOE",
        "P2",
        "P4",
        "3",
        "3+",
        "D",
        "57",
        "8",
        "H11",
        "G10.1",
        "G10",
        "2-0=H11.c0>G10.c0",
        "@1",
        "@9",
        "Ann",
        "0",
        "1",
        "2",
        "90",
        "pool",
        "bank",
        ";",
        "=",
        ">",
    ]
]


def any_words_are_read_or_refused(words: list[str]) -> None:
    for game in (begun(), at_stock_round(), at_track()):
        read_or_refuse(game, " ".join(words))


test_any_words_are_read_or_refused, test_many_words_are_read_or_refused = in_two_lengths(
    any_words_are_read_or_refused,
    100,
    500,
    st.lists(st.sampled_from(WORDS) | st.text(string.printable, max_size=4), max_size=9),
)


@cache
def positions() -> list[Game]:
    """One position of every kind of frame that a few random games come to."""
    found: dict[tuple[str, ...], Game] = {}
    for number in range(1, 5):
        for game in moves(TITLE, 3, number):
            if not game.state.finished:
                key = (game.frame.plan, *(step.name for step in game.open_steps()))
                found.setdefault(key, game.copy())
    return list(found.values())


def a_legal_move_with_a_word_too_many_or_another_one_is_read_or_refused(data: st.DataObject) -> None:
    game = data.draw(st.sampled_from(positions()))
    words = short_text(game, data.draw(st.sampled_from(game.legal_actions()))).split()
    place = data.draw(st.integers(0, len(words) - 1))
    words[place : place + data.draw(st.integers(0, 1))] = data.draw(st.lists(st.sampled_from(WORDS), max_size=3))
    read_or_refuse(game, " ".join(words))
    would_be_legal(game, " ".join(words))
    suggest(game, " ".join(words))


(
    test_a_legal_move_with_a_word_too_many_or_another_one_is_read_or_refused,
    test_many_legal_moves_with_a_word_too_many_or_another_one_are_read_or_refused,
) = in_two_lengths(a_legal_move_with_a_word_too_many_or_another_one_is_read_or_refused, 80, 400, st.data())


def test_the_currency_of_a_title_may_be_a_sign_or_letters_or_nothing() -> None:
    for currency, message in (("£", "£90"), ("$", "$90"), ("SFr", "SFr 90"), ("SFr", "90SFr"), ("", "90")):
        game = Game(replace(TITLE, currency=currency), at_stock_round().state)
        assert texts(game, f"par VR {message}") == ["@1 par VR 90"]


def read_or_refuse(game: Game, text: str) -> None:
    before = game.encode()
    try:
        actions = parse_moves(game, text)
    except Rejected as refusal:
        assert refusal.sentence and len(refusal.sentence) < 600
    else:
        assert actions
        trial = game.copy()
        try:
            for action in actions:
                trial.apply(action)
        except Rejected:
            pass
    assert game.encode() == before


# -- several players asked at once --------------------------------------------------------------------


def crowded_game() -> Game:
    """A position in which companies of different presidents are above the train limit."""
    for number in range(1, 200):
        for game in moves(TITLE, 4, number):
            if game.frame.plan == "discard" and len({action.by for action in game.legal_actions()}) > 1:
                return game
    pytest.skip("no random game came to such a position")


def test_the_writers_seats_tell_which_company_is_meant() -> None:
    game = crowded_game()
    actions = [action for action in game.legal_actions() if isinstance(action, DiscardTrain)]
    kind = next(a.kind for a in actions if len({b.by for b in actions if b.kind == a.kind}) > 1)
    deciders = {game.controller_of(action.by): action for action in actions if action.kind == kind}
    refusal = refused(game, f"discard {kind}")
    assert isinstance(refusal, AmbiguousMove)
    assert set(refusal.instead) == {format_action(action) for action in dict.fromkeys(actions) if action.kind == kind}
    if len(deciders) > 1:
        player, action = next(iter(deciders.items()))
        assert player is not None and parse_moves(game, f"discard {kind}", seats=[player]) == [action]


def test_yes_and_no_answer_an_offer() -> None:
    for number in range(1, 60):
        for game in moves(TITLE, 3, number):
            if game.frame.plan == "train offer":
                seller = game.frame.asked[0]
                assert texts(game, "no") == texts(game, "refuse") == texts(game, "pass") == [f"{seller} refuse"]
                assert texts(game, "yes") == texts(game, "ok") == [f"{seller} agree"]
                return
    pytest.skip("no random game came to an offer")


# -- every legal move ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "seed"), [(3, 11), (4, 12), (6, 13)])
def test_every_legal_move_reads_back(players: int, seed: int) -> None:
    for number, game in enumerate(moves(TITLE, players, seed)):
        if number % 25 or game.state.finished:
            continue
        for action in game.legal_actions():
            if isinstance(action, RunRoutes) and len(format_action(action)) > LONGEST_MESSAGE:
                continue
            assert parse_moves(game, format_action(action)) == [action]
            assert parse_moves(game, short_text(game, action)) == [action]
            assert parse_moves(game, short_text(game, action).lower()) == [action]


@pytest.mark.parametrize("seed", [21, 22])
def test_suggestions_are_legal_moves_short_enough_for_discord(seed: int) -> None:
    for number, game in enumerate(moves(TITLE, 3, seed)):
        if number % 25 or game.state.finished:
            continue
        found = suggest(game, "")
        assert 0 < len(found) <= 25 and all(len(text) <= 100 for text in found)
        for text in found:
            game.check(parse_moves(game, text)[-1])


# -- suggestions and help -----------------------------------------------------------------------------


def test_suggestions_complete_what_has_been_typed() -> None:
    game = at_track()
    assert set(suggest(game, "lay 57 H11 ")) == {"lay 57 H11 1", "lay 57 H11 4"}
    assert suggest(game, "BUILD 57 h11 4") == ["lay 57 H11 4"]
    assert suggest(game, "VR: pa") == ["pass"]
    assert suggest(game, "H11 2", limit=2)[0].endswith("H11 2")
    assert suggest(game, "xyzzy") == []
    assert len(suggest(game, "", limit=5)) == 5


def test_the_last_clause_is_completed_against_the_position_after_the_others() -> None:
    assert "lay 57 H11 1; buy 2 for 100" in suggest(at_track(), "lay 57 H11 1; buy")
    assert suggest(at_track(), "lay 57 H11 5; buy") == []


def test_help_lists_steps_with_lines_that_can_be_pasted() -> None:
    game = at_track()
    lines = help_lines(game)
    assert lines[0] == "To lay track:"
    assert lines[-1].strip() == "pass  — VR falls from £100 to £90."
    pasteable = [line.strip() for line in help_lines(game, with_words=False)[1:] if "more like these" not in line]
    assert len(pasteable) > 3
    for line in pasteable:
        game.check(parse_moves(game, line)[0])


def test_help_for_a_player_who_is_not_asked() -> None:
    assert help_text(at_track()).startswith("Ann (VR): ")
    assert "To lay track:" in help_text(at_track())
    assert parse_moves(at_track(), help_text(at_track()).splitlines()[-1].partition(": ")[2].split(";")[0])


def test_buying_from_a_company_without_a_price_lists_the_prices() -> None:
    for number in range(1, 60):
        for game in moves(TITLE, 3, number):
            offers: dict[tuple[str, str], list[BuyTrain]] = {}
            for action in game.legal_actions():
                if isinstance(action, BuyTrain) and action.source != "depot":
                    offers.setdefault((action.kind, action.source), []).append(action)
            for (kind, source), actions in offers.items():
                if len(actions) > 1:
                    refusal = refused(game, f"buy {kind} from {source}")
                    assert isinstance(refusal, AmbiguousMove) and "For how much?" in refusal.sentence
                    assert list(refusal.instead) == [short_text(game, action) for action in actions]
                    return
                assert parse_moves(game, f"buy {kind} from {source}")[-1] == actions[0]
    pytest.skip("no random game came to such a sale")


def test_unreadable_is_a_refusal_of_its_own() -> None:
    assert isinstance(refused(at_track(), "dance"), ParseError)
    assert isinstance(parse_moves(at_track(), "pass")[0], Pass)


@pytest.mark.parametrize("text", ["@2 reduce @9", "buy @9", "@2 buy @9 for", "sell 1 @9", "@9 pass", "buy P1 for @9"])
def test_a_seat_that_there_is_not_is_refused_as_it_was_written(text: str) -> None:
    game = Game.new(TITLES["1848"], ("Ann", "Bob", "Cid"), {}, 2)
    assert "9" in str(refused(game, text))


def test_the_cheapest_private_of_a_waterfall_is_bought_by_its_bid() -> None:
    game = Game.new(TITLES["1830"], ("Ann", "Bob", "Cid"), {}, 2)
    cheapest = min(game.state.privates.values(), key=lambda private: private.price)
    price = cheapest.price
    for text in (f"buy {cheapest.id}", f"buy {cheapest.id} {price}", f"buy {cheapest.id} for {price}"):
        assert [format_action(action) for action in parse_moves(game, text)] == [f"@1 bid {cheapest.id} {price}"]
    with pytest.raises(IllegalMove):
        parse_moves(game, "buy CS")  # a bid on another one buys nothing


# -- what reading costs -------------------------------------------------------------------------------


@pytest.mark.parametrize("title", few(TITLES, 0, 5))
def test_a_clause_in_small_letters_takes_few_calls(title: str) -> None:
    calls, typed = max(typed_move_calls(title))
    assert calls <= 900, typed


@pytest.mark.parametrize("title", TITLES)
def test_a_printed_name_is_never_taken_for_another(title: str) -> None:
    box = TITLES[title]
    for land in (box.land, *box.scenarios.values()):
        printed = (*box.companies, *box.privates, *box.trains, *land.map.hexes, *land.tiles)
        names = names_in_box(box, land)
        assert {name: names[name.lower()] for name in printed} == {name: name for name in printed}


# -- names from right to left ---------------------------------------------------------------------------


def test_names_from_right_to_left_keep_the_sums_of_others_in_their_place() -> None:
    game = begun("ארז", "דנה", "Cid")
    lines = [tr_lines(apply_and_narrate(game, action), game.state.names) for action in parse_moves(game, AUCTION)]
    shown = [
        *map("\n".join, lines),
        status_text(game),
        report_text(game),
        company_text(game, "QR"),
        tr("{name}", "דנה"),
    ]
    for text in shown:
        assert set(re.findall("(.?)(?:ארז|דנה)(.?)", text)) <= {("\u2068", "\u2069")}, text
    assert sum("דנה" in text for text in shown) > 4
    set_reader_name("ארז")
    assert tr("{name} buys {what}.", "ארז", "VR") == "You buy VR."
    set_reader_name("")


def test_names_are_read_as_they_are_shown() -> None:
    game = begun("ארז", "דנה", "Cid")
    assert parse_moves(game, "\u2068ארז\u2069: buy P1") == parse_moves(game, "ארז: buy P1")
    assert "P1" not in player_text(game, "\u2068דנה\u2069")
