"""A company's turn put together in private and made as a whole: its taps, what nobody sees before, going back."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from bot.ai.fuzzer import RandomGame
from bot.commands.discord.interactions.responses import LONGEST, whole_lines
from bot.engine.games.game_record import build_game_record
from bot.engine.ids import DEPOT
from bot.engine.play.game import Game
from bot.engine.state.actions import BuyTrain, Pass, RunRoutes
from bot.service.parser.company_turn_builder import company_composing, lays, others, passes_to_end, runs
from bot.service.parser.moves import parse_moves
from bot.titles.registry import TITLES
from bot.titles.t1820.companies import maintenance
from tests.commands.discord_table import TO_SECOND_TURN, Table, bring, to_operating_round
from tests.commands.discord_table import table as table
from tests.commands.test_steps_discord import person_of
from tests.discord_double.fixtures import double as double
from tests.discord_double.user import Reply, ScriptedUser
from tests.families import few

MOST_TAPS = 6
"""A whole turn: opened, a lay, a token, a run that is paid, a train, confirmed."""


async def tapped(table: Table, person: ScriptedUser, *labels: str) -> Reply:
    """Press these buttons one after another, the first below the question; a beginning of a label will do."""
    _, source = table.turn()
    reply: Reply | None = None
    for label in labels:
        message = reply.message if reply else source
        found = next(button.label for button in message.buttons if str(button.label).startswith(label))
        reply = await (table.use(person, reply, label=found) if reply else person.click(source, found))
    assert reply is not None
    return reply


async def test_a_whole_turn_takes_six_taps_and_is_public_when_it_is_confirmed(table: Table) -> None:
    person = await to_operating_round(table, TO_SECOND_TURN)
    told, posts = table.told(), len(table.posts())
    taps = ("Operate CAR", "1", "token", "Run for £", "buy 2+ ", "Confirm and end")
    assert len(taps) <= MOST_TAPS
    composed = await tapped(table, person, *taps[:-1])
    assert composed.ephemeral and [file.filename for file in composed.files] == ["crop.png"]
    assert "Cid (CAR): buy trains" in composed.files[0].alt, "the picture is headed by what is asked now"
    for piece in ("CAR lays", "CAR places a token", "CAR runs for", "CAR pays", "CAR buys a 2+ train"):
        assert piece in composed.text, composed.text
    await table.double.idle()
    assert (table.told(), len(table.posts())) == (told, posts), "nobody sees anything before"
    made = await table.use(person, composed, label="Confirm and end the turn")
    assert "CAR passes (buy trains)" in made.text
    await table.wait(lambda: "CAR buys a 2+ train" in table.boards()[0].text, "the record")
    assert "CAR runs for" in table.boards()[0].text


TURNS = {
    "18GB": (3, ("lay", "token", "Run for £", "buy")),
    "1830": (1, ("lay", "token", "Run for $", "buy")),
    "1844": (8, ("lay", "token", "Run for sfr", "buy")),
    "18BF": (8, ("lay", "Run for £", "buy")),
    "1820": (6, ("lay", "token", "Run for £", "buy")),
}
"""A random game of each title with such a turn, and what belongs to it: minors place no token and choose no dividend."""


def whole_turn(game: Game, kinds: Sequence[str]) -> list[str] | None:
    """The labels of one turn in which all of this is done; None where it cannot be."""
    trial, labels = game.copy(), list[str]()
    company = company_composing(trial, trial.players_to_act())
    for kind in kinds:
        if company is None or company_composing(trial, trial.players_to_act()) != company:
            return None
        seats = trial.players_to_act()
        every = lays(trial, seats) if kind == "lay" else others(trial, seats, company)
        found = next((one for one in every if one.label.startswith(kind) and " from " not in one.label), None)
        if found is None:
            return None
        for action in parse_moves(trial, found.moves, seats):
            trial.apply(action)
        labels.append("1" if kind == "lay" else found.label)
    return [f"Operate {company}", *labels, "Confirm"]


@pytest.mark.parametrize("title", few(TURNS, 0))
async def test_six_taps_are_enough_in_every_title(table: Table, title: str) -> None:
    seed, kinds = TURNS[title]
    played = RandomGame(TITLES[title], 3, seed, is_audited=False)
    taps = next(found for game in played.moves() if (found := whole_turn(game, kinds)))
    assert len(taps) <= MOST_TAPS
    await bring(table, build_game_record(played.game, played.texts))
    person = person_of(table, played.game.players_to_act()[0])
    await table.wait(lambda: table.pings() and table.turn()[0] is person, "the director is asked")
    await table.settled()
    records = table.told()
    made = await tapped(table, person, *taps)
    company = taps[0].removeprefix("Operate ")
    told = made.text.replace(f"{company} upgrades", f"{company} lays")
    assert all(f"{company} {done}" in told for done in ("lays", "runs for", "buys")), told
    await table.wait(lambda: table.told() > records, "the record")


def test_lines_that_do_not_fit_are_left_out_whole() -> None:
    """1844's emergency sales have a line for each share and sum: the last one was broken off."""
    lines = ["a" * 900, "b" * 900, "c" * 200]
    assert whole_lines(lines) == lines[:2] and whole_lines(lines, 2002) == lines and whole_lines(lines, 899) == []
    assert len("\n".join(whole_lines(["d" * 99] * 50))) <= LONGEST


def test_what_is_due_is_paid_with_the_run_that_pays_for_it() -> None:
    """1820's maintenance, where the treasury has it; where the director pays and the price falls, he is asked (§7.2.5)."""
    seen = set[bool]()
    for game in RandomGame(TITLES["1820"], 3, 3, is_audited=False).moves():
        company = company_composing(game, game.players_to_act())
        if company is None or not any(RunRoutes in step.verbs for step in game.open_steps()):
            continue
        for one in runs(game, company):
            after = game.copy()
            for action in parse_moves(after, one.moves.removesuffix("; cover"), game.players_to_act()):
                after.apply(action)
            asks = any(verb in after.title.dues for step in after.open_steps() for verb in step.verbs)
            is_rich = asks and after.state.cash[company] >= maintenance(after, company)
            assert one.moves.endswith("; cover") == one.label.endswith("; cover") == is_rich
            seen.add(is_rich) if asks else None
        if seen == {True, False}:
            return
    pytest.fail("one of both was not met")


def test_a_train_whose_price_is_free_has_buttons_for_the_least_and_the_most() -> None:
    def free(game: Game) -> list[BuyTrain]:
        return [action for action in game.legal_actions() if isinstance(action, BuyTrain) and action.source != DEPOT]

    game = next(game for game in RandomGame(TITLES["1830"], 3, 1, is_audited=False).moves() if len(free(game)) > 1)
    company = company_composing(game, game.players_to_act())
    assert company is not None
    labels = [one.label for one in others(game, game.players_to_act(), company)]
    trains = free(game)
    assert {f"buy {one.kind} from {one.source} for {one.price}" for one in trains} <= {*labels}
    assert {min(one.price for one in trains), max(one.price for one in trains)} == {1, game.state.cash[company]}
    assert "pass" not in labels or labels.index("pass") < labels.index(
        f"buy {trains[0].kind} from {trains[0].source} for 1"
    )


@pytest.mark.whole
async def test_back_takes_out_one_move_after_another_and_a_button_twice_adds_once(table: Table) -> None:
    await to_operating_round(table)
    person, ping = table.turn()
    opened = await person.click(ping, "Operate CAR")
    assert opened.ephemeral and [file.filename for file in opened.files] == ["choices.png"]
    assert "only you see it" in opened.text and "track to E2 and E6. It costs nothing." in opened.text
    labels = [button.label for button in opened.buttons]
    assert [str(number) for number in range(1, 11)] == labels[:10] and "Back" not in labels
    stale = await table.double.bob.click(ping, "Operate CAR")
    plans = {button.custom_id.partition(":")[0] for button in stale.buttons}
    assert "Cid (CAR)" in stale.text and plans <= {"pn"}, "who directs nothing composes nothing"
    before = opened.message
    first = await person.click(ping, "Operate CAR")
    laid = await table.use(person, opened, label="9")
    again = await table.use(person, first, label="5")
    assert again.text.count("CAR lays") == 1 and "CAR lays 57" in again.text, "the position has moved on"
    bought = await table.use(person, laid, label="buy 2 for 100")
    assert "CAR buys a 2" in bought.text
    back = await table.use(person, bought, label="Back")
    assert "CAR lays 57" in back.text and "buys" not in back.text
    back = await table.use(person, back, label="Back")
    assert "lays" not in back.text and [button.label for button in back.buttons] == labels
    assert before.ephemeral


@pytest.mark.whole
async def test_moves_are_written_into_the_turn_and_others_refused(table: Table) -> None:
    await to_operating_round(table)
    person, ping = table.turn()
    opened = await person.click(ping, "Operate CAR")
    form = await person.click(opened, "write it …")
    refused = await table.use(person, form, move="lay 57 A1 1")
    assert "lays" not in refused.text
    opened = await person.click(ping, "Operate CAR")
    form = await person.click(opened, "write it …")
    written = await table.use(person, form, move="lay 57 E4 1; buy 2")
    assert "CAR lays 57" in written.text and "CAR buys a 2" in written.text
    told = table.told()
    await person.slash("move", table.thread, move="lay 57 E4 1")
    await table.wait(lambda: table.told() > told, "the move")
    lost = await table.use(person, written, label="Confirm")
    assert "not possible any more" in lost.text, "what was composed on an older position is not made"


@pytest.mark.parametrize("title", list(TITLES))
def test_what_can_come_next_is_legal_and_its_text_is_read(title: str) -> None:
    chance = RandomGame(TITLES[title], TITLES[title].players.start, 3, is_audited=False)
    seen: set[str] = set()
    for number, game in enumerate(chance.moves()):
        seats = game.players_to_act()
        company = company_composing(game, seats)
        if company is None or number % 3:
            if number > 2000 or len(seen) > 3:
                break
            continue
        tiles, rest = lays(game.copy(), seats), others(game.copy(), seats, company)
        for one in [*tiles[:10], *rest]:
            found = parse_moves(game.copy(), one.moves, seats)
            assert one.action is None or found == [one.action]
            game.copy().check(found[0])
            seen.add(type(found[0]).__name__)
        assert len({one.label for one in [*tiles, *rest]}) == len([*tiles, *rest]), "two look alike"
        after = game.copy()
        for _ in range(passes_to_end(game.copy(), company)):
            after.apply(Pass(company))
        assert not after.state.flow or after.frame.entity != company or not passes_to_end(game.copy(), company)
    assert seen
