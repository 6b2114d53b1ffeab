"""What a newcomer need not guess: where a move leads and what it costs, how a decision goes on, words in German."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import pytest

from bot.ai.fuzzer import RandomGame
from bot.commands.terminal.dashboard import hint, join_short_moves
from bot.engine.board.tiles import Node
from bot.engine.ids import HexId, Owner, PrivateId, as_company
from bot.engine.notation.text import SHARED, verb_of, verb_words
from bot.engine.notation.verb import example_of
from bot.engine.play.game import Game
from bot.engine.play.holdings.trains import counted_trains
from bot.engine.play.steps.routes import best_set
from bot.engine.play.steps.trains import companies_over_limit
from bot.engine.play.title import Title
from bot.engine.refusals import IllegalMove, ParseError, Rejected
from bot.engine.state.actions import (
    Action,
    Answer,
    Bid,
    BuyPrivate,
    BuyTrain,
    DiscardTrain,
    Done,
    Exchange,
    Par,
    Pass,
    PlaceToken,
    RunRoutes,
    TakeLoan,
)
from bot.i18n import tr, use_language
from bot.i18n import tr_error as told
from bot.service.parser.german import GERMAN_CHATTY, GERMAN_COMMANDS, GERMAN_VERBS, SPELT, UMLAUTS
from bot.service.parser.moves import parse_moves, verb_meant, would_be_legal
from bot.service.parser.preview import foretold, position_after
from bot.service.parser.suggestions import INTRODUCTION, NOTE, help_lines, help_text, varied_first
from bot.service.parser.vocabulary import ALIASES, kind_of_train, verb_of_word
from bot.service.views.position_text import hex_line, status_text, thing_text
from bot.service.views.turn_text import turn_text
from bot.titles.registry import TITLES
from bot.titles.t1820.actions import RequestShare
from bot.titles.t1820.state import title_state
from tests.service.test_components_info import ANN, EVERY, new, play
from tests.service.test_parser import at_stock_round, at_track, begun


def refused(game: Game, text: str) -> Rejected:
    with pytest.raises(Rejected) as refusal:
        game.check(parse_moves(game, text)[0])
    return refusal.value


def floating() -> Game:
    """Bob's lobby of 1820's first stock round is resolved."""
    game = new("1820")
    while not any(step.name == "act in the stock round" for step in game.open_steps()):
        game.apply(next(action for action in game.legal_actions() if type(action).__name__ in ("Pass", "Done")))
    who = game.players_to_act()[0]
    return play(game, f"{who} fund 400; pass; pass; pass")


# -- cost and consequence -----------------------------------------------------------------------------


def test_a_tile_says_where_it_leads_and_every_one_what_it_costs() -> None:
    lays = [line.strip() for line in help_lines(at_track()) if line.strip().startswith("lay ")]
    assert lays[0] == "lay 5 H11 1  — to H9+G10. It costs nothing. VR falls from £100 to £90."
    assert len(lays) > 3
    assert all(NOTE in line and "to " in line and "It costs nothing." in line for line in lays)


def test_a_first_price_is_told_of_every_company_with_its_name_and_home() -> None:
    pars = [line for line in help_lines(at_stock_round()) if line.strip().startswith("par ")]
    assert len(pars) == 7 and all("pays £200." in line and ": home " in line for line in pars)
    others = [line.strip() for line in help_lines(at_stock_round()) if line.strip().startswith("...")]
    assert others == ["... or at 90, 80, 70"]


def random_game(title: str, is_there: Callable[[Game], bool]) -> Game:
    """The first position of a random game where this is so."""
    return next(game for game in RandomGame(TITLES[title], 3, 1, is_audited=False).moves() if is_there(game)).copy()


def ending(kind: type[Action]) -> tuple[Game, Action]:
    """A position of 1848 with such a move by which the Bank of England takes a company over."""

    def found(game: Game) -> Action | None:
        options = (action for step in game.open_steps() if kind in step.verbs for action in step.options(game))
        tries = ((action, position_after(game, action)) for action in options if isinstance(action, kind))
        return next((action for action, after in tries if after and after.company(as_company(action.by)).closed), None)

    game = random_game("1848", lambda game: found(game) is not None)
    action = found(game)
    assert action is not None
    return game, action


def test_a_loan_that_ends_a_company_comes_before_what_it_loses() -> None:
    told = foretold(*ending(TakeLoan))
    assert told.startswith("VR takes a loan of £100.") and "The Bank of England takes VR over." in told
    assert told.endswith("VR's last £190 go to the bank. Stock round 12 begins.") and "VR pays £" not in told


def test_a_train_for_which_a_company_has_ended_is_not_bought() -> None:
    assert foretold(*ending(BuyTrain)).endswith(
        "takes NSW over. Compensation: Player 2 £210, Player 3 £140. NSW pays £211 of it, Player 1 £139. No train is bought."
    )


def test_who_has_too_many_trains_is_told_how_many_are_too_many() -> None:
    game = random_game("1848", lambda game: any(DiscardTrain in step.verbs for step in game.open_steps()))
    company = companies_over_limit(game)[0]
    has, limit = len(counted_trains(game, company)), game.title.rules.train_limit(game, company)
    assert has > limit and f"discard a train ({company} has {has} and may have {limit}" in turn_text(
        game, game.players_to_act()[0]
    )


def closing() -> Game:
    """18GB at the first turn of LNWR, whose home LB keeps; both are Ann's."""
    game = play(new("18GB"), "bid LB 40; bid AF 30; bid GN 70; bid LB 45; bid SD 35; bid LM 45; bid LS 30")
    while game.state.round.kind != "operating":
        wanted = [
            legal
            for legal in game.legal_actions()
            if isinstance(legal, Pass) or (isinstance(legal, Par) and legal.company == "LNWR")
        ]
        game.apply(max(wanted, key=lambda action: isinstance(action, Par)))
    return game


def test_a_private_that_closes_leaves_its_space() -> None:
    line = next(line for line in help_lines(closing()) if " close LB" in line)
    assert line.endswith("LB London & Birmingham closes. Track can then be laid on F21.")


@pytest.mark.parametrize(
    ("title", "moves"), [("18GB", ""), ("1830", "bid SV 20"), ("1844", ""), ("1820", ""), ("18BF", "")]
)
def test_an_auction_says_that_more_can_be_bid_than_is_listed(title: str, moves: str) -> None:
    game = new(title)
    if moves:
        game.apply(parse_moves(game, moves, game.players_to_act())[0])
    lines = [line.strip() for line in help_lines(game)]
    lots = {line.split()[1] for line in lines if line.startswith("bid ")}
    is_free = any(game.allows(Bid(game.players_to_act()[0], Owner(lot), 300)) for lot in lots)
    assert ("... or any higher sum" in lines) == is_free and not any("more like these" in line for line in lines)


def test_a_lobby_says_that_other_sums_can_be_named() -> None:
    game = new("1820")
    while not any(step.name == "act in the stock round" for step in game.open_steps()):
        game.apply(next(action for action in game.legal_actions() if isinstance(action, Pass | Done)))
    lines = [line.strip() for line in help_lines(game)]
    assert lines[lines.index("... or any higher sum") - 1].startswith("fund 20  — ")


def test_what_only_the_director_may_do_is_his_in_his_companys_turn() -> None:
    game = closing()
    assert parse_moves(game, "close LB") == parse_moves(game, "Ann close LB") and game.frame.entity == "LNWR"
    assert parse_moves(game, "pass") == [Pass(Owner("LNWR"))], "what the company may do is the company's"
    with pytest.raises(IllegalMove, match="SD does not belong to LNWR"):
        game.check(parse_moves(game, "close SD")[0])


def test_a_sign_that_nothing_has_is_answered_with_all_that_there_are() -> None:
    with pytest.raises(IllegalMove) as refusal:
        thing_text(new("1820"), "C1")
    assert all(sign in told(refusal.value) for sign in ("There is no C1", "LSR, ", "Cousins: ", "JL", "Trains: 2+"))
    with pytest.raises(IllegalMove, match=r"^Which\? Companies: BOE, "):
        thing_text(new("1848"), " ")


def test_a_company_without_tokens_is_not_told_to_have_none_left() -> None:
    status = status_text(new("1848"))
    bank = next(line for line in status.splitlines() if line.startswith("BOE"))
    assert "token" not in bank and "no train; unsold 0%" in bank
    assert "3 tokens left" in thing_text(new("1848"), "VR")


def test_a_word_of_another_title_is_not_offered_for_itself() -> None:
    with use_language("de"):
        assert "vielleicht nimm" not in told(refused_word("nimm P1"))


def test_a_word_is_refused_as_it_was_typed_and_charts_are_german() -> None:
    with use_language("de"):
        assert "namens nächster gibt es nicht" in told(refused_word("nächster"))
        assert "Phase gelb; " in status_text(new("1820"))


def refused_word(text: str) -> Rejected:
    """Why this is no move in 1848's auction."""
    with pytest.raises(ParseError) as refusal:
        parse_moves(new("1848"), text)
    return refusal.value


def test_the_best_run_says_what_it_earns() -> None:
    game = random_game("1848", lambda game: any(RunRoutes in step.verbs for step in game.open_steps()))
    line = next(line.strip() for line in help_lines(game) if line.strip().startswith("run best"))
    earned = best_set(game, game.company_in_turn).revenue
    assert earned > 0 and line == f"run best  — It earns £{earned}."


def test_a_sum_is_named_once() -> None:
    game = new("1820")
    while not any(step.name == "act in the stock round" for step in game.open_steps()):
        game.apply(next(action for action in game.legal_actions() if type(action).__name__ in ("Pass", "Done")))
    line = next(line.strip() for line in help_lines(game) if line.strip().startswith("fund 20"))
    assert line == f"fund 20  — {game.state.name(game.players_to_act()[0])} funds a lobby with £20."


def test_an_exchange_says_for_which_share_and_nothing_of_what_others_are_asked() -> None:
    def is_there(game: Game) -> bool:
        legal = game.legal_actions() if not game.state.finished and game.state.offer is None else ()
        owners = {one.by for one in legal if isinstance(one, Exchange)}
        return any(isinstance(one, BuyPrivate) and game.controller_of(one.by) not in owners for one in legal) and bool(
            owners
        )

    game = random_game("1830", is_there)
    exchange = next(one for one in game.legal_actions() if isinstance(one, Exchange))
    owner = game.state.name(exchange.by)
    assert f"{owner} gets 10% of NYC from the " in foretold(game, exchange)
    trial = game.copy()
    offer = next(
        one
        for one in trial.legal_actions()
        if isinstance(one, BuyPrivate) and trial.controller_of(one.by) != exchange.by
    )
    trial.apply(offer)
    asked = trial.players_to_act()
    assert trial.state.offer is not None
    assert f"If {trial.state.name(asked[0])} agrees." in foretold(game, offer)
    assert foretold(trial, exchange) == foretold(game, exchange)
    told_now = [line for line in help_lines(trial) if not line.startswith("    ")]
    assert "agree" in told_now[0], "what whoever is asked can do comes first"
    assert any("for any price between" in line for line in help_lines(game))


@pytest.mark.parametrize(
    ("title", "space", "words"),
    [
        ("1848", "A4", "off the board 10;"),
        ("1848", "I21", "I21 BOE Payout: red; worth yellow 0,"),
        ("1820", "C3", "port 20"),
        ("1844", "G14", "; terminus"),
        ("1848", "B19", "city (reserved for QR)"),
    ],
)
def test_where_ways_end_is_said_in_words(title: str, space: str, words: str) -> None:
    line = hex_line(new(title), HexId(Owner(space)))
    assert words in line and "offboard" not in line


def test_whoever_floats_a_company_learns_what_he_pays_and_who_directs_it() -> None:
    line = next(line for line in help_lines(floating()) if line.strip().startswith("float "))
    assert "Bob pays £110. LSR floats with £110. Bob is now director of LSR." in line.replace("Ann", "Bob").replace(
        "Cid", "Bob"
    )


def test_of_moves_that_are_put_together_one_is_named_where_none_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """1820 lists some places to float at, and sometimes none of them serves."""
    monkeypatch.setattr("bot.titles.t1820.stock.flotation.station_sample", lambda game: [])
    game = floating()
    who = game.state.name(game.players_to_act()[0])
    heading, *_, move, leave = help_lines(game)
    assert heading == "To float a company:" and leave.strip().startswith("pass")
    assert f" to {who}:2  — {who} pays £" in move and parse_moves(game, move.strip())


def test_where_passing_alone_is_possible_the_heading_says_so() -> None:
    lines = help_lines(new("18BF"))
    assert lines[:2] == ["You cannot buy or sell shares now, only:", "    pass"]
    assert "To offer a lot for auction:" in lines


@EVERY
def test_what_takes_least_room_comes_first(title: Title) -> None:
    game = new(title)
    for _ in range(60):
        sizes, lines = list[int](), help_lines(game, with_words=False)
        for line in lines:
            if line.startswith("    "):
                sizes[-1] += 1
            else:
                sizes.append(0 if line.startswith(("To ", "You cannot ")) else sizes.pop() + 1)
        assert lines and sizes == sorted(sizes)
        if len(sizes) > 1 and sizes[0] < sizes[-1]:
            return
        game.apply(list(game.legal_actions())[-1])


# -- how it goes on -----------------------------------------------------------------------------------


@EVERY
def test_the_first_decision_of_every_title_is_explained_with_its_section(title: Title) -> None:
    first = new(title).open_steps()
    told = [str(title.words.steps[step.name]) for step in first if step.name in title.words.steps]
    assert told and all(text.endswith(").") and f"({title.id}" in text for text in told)
    assert f"\n  {told[0]}\n" in help_text(new(title))


@EVERY
def test_only_decisions_of_the_title_are_explained(title: Title) -> None:
    plans = title.plans.values()
    steps = {step.name for plan in plans for step in (*plan.steps, *plan.anytime, *plan.unasked) if not callable(step)}
    assert set(title.words.steps) <= steps


def test_a_private_names_the_space_on_which_nobody_builds() -> None:
    assert "LB London & Birmingham: income £10; no track on F21 while a player owns it; only" in thing_text(
        new("18GB"), "LB"
    )
    assert "no track on" in status_text(new("18GB")) and "no track on" not in status_text(new("1848"))


def test_what_comes_later_is_refused_with_when_it_comes() -> None:
    for text in ("buy F1", "bid F1 50"):
        reason = refused(new("18BF"), text).sentence
        assert "F1 is not for sale yet: it comes when all private railways are sold." in reason


# -- examples -----------------------------------------------------------------------------------------


@EVERY
def test_examples_bear_the_titles_own_names(title: Title) -> None:
    assert set(title.companies) & {*example_of(title, SHARED[Par]).split()}
    assert set(title.privates) & {*example_of(title, SHARED[BuyPrivate]).split()}
    private, railway, train = (
        hint(new(title)).partition("private ")[2].replace(",", " ").replace(":", " ").split()[:5:2]
    )
    assert private in new(title).state.privates and railway in title.companies and train in title.trains


def test_what_can_be_listed_needs_no_example() -> None:
    refusal = refused(at_track(), "lay 57")
    assert refusal.sentence == "lay 57: lay needs a tile, a hex and a rotation."
    assert refusal.instead[0].startswith("lay 57 H11 ")


def test_near_words_look_beyond_passes() -> None:
    assert refused(at_track(), "buy train").instead[:1] == ("pass; buy 2 for 100",)
    assert parse_moves(at_track(), "lay 57 to H11") == parse_moves(at_track(), "lay 57 H11")


def test_moves_of_which_nothing_is_said_stand_side_by_side() -> None:
    lines = ["To do:", "    buy P1 for 30  — cheap.", "    reduce P1", "    reduce P2", "    pass"]
    assert list(join_short_moves(lines)) == [*lines[:2], "    reduce P1 | reduce P2", "    pass"]


def test_the_bot_introduces_itself_in_six_lines_that_fit() -> None:
    for language in ("en", "de"):
        with use_language(language):
            lines = tr(INTRODUCTION).split("\n")
            assert len(lines) == 6 and max(map(len, lines)) <= 80, language


def test_every_lot_that_may_be_bid_for_is_explained_and_sums_are_not_counted_as_moves() -> None:
    game = Game.new(TITLES["18GB"], ["Ann", "Bob", "Cid", "Dan"], {}, 1)
    lines = help_lines(game)
    assert all(
        any(line.startswith(f"    bid {private} ") and NOTE in line for line in lines)
        for private in game.state.privates
    )
    assert any("any higher sum" in line for line in lines) and not any("more like these" in line for line in lines)


def test_whoever_is_mentioned_by_name_is_not_named_again() -> None:
    assert turn_text(begun(), ANN, is_named=False).startswith("Buy a private or lower a price.\nYou have £840")
    assert turn_text(at_track(), ANN, is_named=False).startswith("VR: lay track or pass.\n")
    assert turn_text(begun(), ANN).startswith("Ann: buy a private")
    with use_language("de"):
        assert turn_text(begun(), ANN, is_named=False).startswith("Eine Privatbahn kaufen oder einen Preis senken.")


# -- German -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("title", "german", "english"),
    [
        ("1848", "kaufe P2", "buy P2"),
        ("1848", "Senke P3 um", "reduce P3"),
        ("18GB", "biete 45 auf LB", "bid LB 45"),
        ("18BF", "biete 20 auf P1", "bid P1 20"),
        ("1844", "Biete 20", "bid 20"),
        ("1830", "biete 50 auf CS", "bid CS 50"),
        ("1820", "biete 30 auf SDS", "bid SDS 30"),
        ("1848", "weiter", "pass"),
    ],
)
def test_moves_are_understood_in_german(title: str, german: str, english: str) -> None:
    game = new(title)
    if title == "1820":
        cousin = next(iter(game.state.privates))
        german, english = german.replace("SDS", cousin), english.replace("SDS", cousin)
    assert parse_moves(game, german) == parse_moves(game, english)


def test_longer_moves_are_understood_in_german() -> None:
    game = floating()
    text = next(line.partition(NOTE)[0].strip() for line in help_lines(game) if line.strip().startswith("float "))
    german = text.replace("float", "Gründe").replace(" at ", " zu ").replace(" on ", " auf ").replace(" to ", " an ")
    assert german != text and parse_moves(game, german) == parse_moves(game, text)
    laid = parse_moves(at_track(), "lay 57 H11 to H9")
    assert (
        parse_moves(at_track(), "Lege 57 auf H11 nach H9")
        == laid
        == parse_moves(at_track(), "lay the yellow tile 57 on H11 to H9")
    )
    assert parse_moves(at_track(), "Lege das gelbe Plättchen 57 auf Feld H11 Richtung H9") == laid
    assert parse_moves(at_stock_round(), "gründe VR zu 90") == parse_moves(at_stock_round(), "par VR 90")


def test_examples_of_mergers_name_different_partners_first() -> None:
    moves = [f"merge {group} into {public}" for group in ("EK", "LS", "EK LS") for public in ("CR", "GER", "GNR")]
    assert varied_first(moves)[:4] == [
        "merge EK into CR",
        "merge LS into CR",
        "merge EK LS into CR",
        "merge EK into GER",
    ]
    assert (
        sorted(varied_first(moves)) == sorted(moves)
        and varied_first(["convert to CR", "convert to GER"])[0] == "convert to CR"
    )


def test_mergers_are_understood_as_people_say_them() -> None:
    game = new("18BF")
    merge = "merge LB LS into MR"
    for typed in ("merge with LB and LS to MR", "fusioniere LB und LS zu MR", "fusioniere mit LB LS in MR"):
        assert parse_moves(game, typed) == parse_moves(game, merge)
    assert (
        parse_moves(game, "wandle in MR um")
        == parse_moves(game, "convert into MR")
        == parse_moves(game, "convert to MR")
    )


def test_revenue_is_paid_and_kept_as_germans_say_it() -> None:
    game = at_track()
    assert parse_moves(game, "zahle aus") == parse_moves(game, "Schütte aus") == parse_moves(game, "pay")
    assert parse_moves(game, "behalte ein") == parse_moves(game, "withhold")


def test_mountain_railways_are_for_sale_in_share_rounds_alone() -> None:
    game = random_game("1844", lambda game: game.state.round.kind == "operating")
    assert "In share rounds: B1 sfr 150" in status_text(game)
    game = random_game("1844", lambda game: game.state.round.kind == "stock")
    assert "Privates for sale: B1 sfr 150" in status_text(game)


def test_trains_and_names_are_understood_as_people_call_them() -> None:
    game = new("1830")
    assert parse_moves(game, "kaufe Schuylkill") == parse_moves(game, "buy SV") and parse_moves(
        game, "bid Camden 165"
    ) == parse_moves(game, "bid CA 165")
    assert would_be_legal(game, "biete 15 auf Schuylkill")[0] == "bid SV 20"
    assert [kind_of_train(word) for word in ("2-Zug", "2er", "2er-Zug", "3+1-train", "5+5E", "H11", "Wasser")] == [
        "2",
        "2",
        "2",
        "3+1",
        "5+5E",
        "H11",
        "Wasser",
    ]
    for typed in ("kaufe einen 2er Zug", "buy a 2-train"):
        assert parse_moves(at_track(), f"pass; {typed}") == parse_moves(at_track(), "pass; buy 2")


@EVERY
def test_every_verb_of_every_title_has_a_german_word(title: Title) -> None:
    own = {verb_of_word(title, german) for german in (*GERMAN_VERBS, *GERMAN_CHATTY)}
    taken = {word for kind in title.verbs for word in verb_of(kind).words}
    assert taken - own <= {"furka", "eva", "ferry"}, "these three are names"


@EVERY
def test_no_german_word_hides_a_move_or_a_command(title: Title) -> None:
    german = {*GERMAN_VERBS, *GERMAN_CHATTY}
    in_games = {word for word, meant in GERMAN_COMMANDS.items() if meant != "join"}
    assert not german & set(verb_words(title)) and not german & in_games, "joining is a command in a lobby alone"
    assert not set(GERMAN_VERBS) & set(GERMAN_CHATTY)
    assert {word.translate(UMLAUTS) for word in SPELT.values()} == set(SPELT)


@pytest.mark.parametrize(
    ("wrong", "meant", "first"),
    [
        ("kauffe P2", "kaufe", "buy P2 for 70"),
        ("senkke P3", "senke", "reduce P3"),
        ("Kaufn P1", "kaufen", "buy P1 for 30"),
    ],
)
def test_near_words_are_german_for_whoever_reads_german(wrong: str, meant: str, first: str) -> None:
    with use_language("de"):
        refusal = refused(begun(), wrong)
        assert told(refusal).endswith(f"vielleicht {meant}.") and refusal.instead[0] == first


def test_umlauts_are_written_in_near_words_and_english_readers_get_no_german_ones() -> None:
    with use_language("de"):
        assert "vielleicht gründe oder gründen" in told(refused(begun(), "gründee VR 90"))
        assert verb_meant(at_stock_round(), "pasen") == "passen"
    assert "passen" not in refused(at_stock_round(), "pasen").sentence
    with pytest.raises(ParseError):
        parse_moves(begun(), "gründee VR 90")
    assert ALIASES["passen"] == "pass" and isinstance(refused(at_stock_round(), "par VR 1"), IllegalMove)


# -- consent and cousins in 1820 ----------------------------------------------------------------------


@cache
def shares_for_cousins() -> Game:
    """Somebody with a cousin has floated a company in 1820, and is asked again."""
    game = new("1820")
    cousin = next(iter(game.state.privates))
    while not any(step.name == "act in the stock round" for step in game.open_steps()):
        bids = [action for action in game.legal_actions() if isinstance(action, Bid) and action.lot == cousin]
        taken = game.state.privates[cousin].owner or title_state(game).cousin_bids
        others = [action for action in game.legal_actions() if isinstance(action, Pass | Done)]
        game.apply(bids[0] if bids and not taken else others[0])
    owner = str(game.state.privates[cousin].owner)
    while game.players_to_act()[0] != owner:
        play(game, f"{game.players_to_act()[0]} pass")
    play(game, f"{owner} fund 400")
    while not any(step.name == "float a company" for step in game.open_steps()):
        play(game, f"{game.players_to_act()[0]} pass")
    play(game, next(line.partition(NOTE)[0].strip() for line in help_lines(game) if line.strip().startswith("float ")))
    while not (owner in game.players_to_act() and any(str(action.by) == cousin for action in game.legal_actions())):
        play(game, f"{game.players_to_act()[0]} pass")
    return game


def test_what_only_a_cousin_could_do_is_not_done_for_him() -> None:
    game = shares_for_cousins()
    owner, cousin = game.players_to_act()[0], next(iter(game.state.privates))
    share = next(action for action in game.legal_actions() if isinstance(action, RequestShare) and action.by == cousin)
    refusal = refused(game, f"ask {game.state.name(share.holder)} for {share.company}")
    assert refusal.sentence.endswith(f"Only {cousin} could do that; add the name.") and owner == share.holder
    assert parse_moves(game, refusal.instead[0]) == [share]


def test_a_proposal_says_what_it_will_cost_and_whoever_is_asked_what_comes_of_it() -> None:
    game = shares_for_cousins().copy()
    owner = game.players_to_act()[0]
    play(game, next(line.partition(NOTE)[0].strip() for line in help_lines(game) if " buy " in line))
    asking = next(
        action for action in game.legal_actions() if isinstance(action, RequestShare) and action.holder == owner
    )
    told_first = foretold(game, asking)
    buyer, seller = game.state.name(asking.by), game.state.name(owner)
    assert f"With the consent of {seller}: {buyer} buys 20% of {asking.company} from {seller} for £" in told_first
    game.apply(asking)
    assert foretold(game, Answer(owner, True)) == told_first.partition(": ")[2]
    assert foretold(game, Answer(owner, False)) == ""


def test_whoever_pays_for_a_cousin_learns_what_the_cousin_gets() -> None:
    game = new("1820")
    cousin = next(iter(game.state.privates))
    play(game, f"bid {cousin} 20; pass; pass; pass")
    line = next(line.strip() for line in help_lines(game) if line.strip().startswith("done"))
    name, price = game.state.name(game.players_to_act()[0]), game.title.privates[PrivateId(cousin)].price
    assert line == f"done  — {name} pays £20. {cousin} gets £{price - 20}."


def test_the_cities_of_a_space_are_told_apart_by_where_they_lead() -> None:
    game = random_game(
        "18GB",
        lambda game: any(isinstance(one, PlaceToken) and len(cities(game, one)) > 1 for one in game.legal_actions()),
    )
    token = next(one for one in game.legal_actions() if isinstance(one, PlaceToken) and len(cities(game, one)) > 1)
    exits = game.tile_at(token.hex).exits_of(cities(game, token)[token.city].id)
    leads = "+".join(game.board_rules.map.neighbours_across(token.hex, exits))
    assert leads and any(
        line.split("  — ")[-1].startswith(f"to {leads}. ") for line in help_lines(game) if " token " in line
    )


def cities(game: Game, token: PlaceToken) -> Sequence[Node]:
    return game.tile_at(token.hex).cities
