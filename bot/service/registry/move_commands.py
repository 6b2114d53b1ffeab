"""Commands that make moves, try them, and take them back."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine import GameId, IllegalMove, Text, msg
from bot.service.features.sandbox import SandboxState
from bot.service.views.consequences import gain_of
from bot.threads import run_in_thread

from .command import FollowUp, Number, Reply, Request, Spelling, Words, command, parameter
from .completion import any_moves, own_moves, sandbox_moves

LONGEST_MOVES = 4000

MOVES = parameter(Words(LONGEST_MOVES), "One or several moves, for any seat", any_moves)


@command(
    "move",
    "Make one or several moves, e.g. lay 57 H9 to H11; run best; pay",
    right="move",
    changes=True,
    move=parameter(Words(LONGEST_MOVES), "Your moves; separate them with semicolons", own_moves),
    example="move buy P1",
)
async def make_moves(request: Request, move: str) -> Reply:
    played = await request.tables.moves.submit(await request.game_id(), request.person, move, request.version)
    return Reply(played.lines, follow_ups=await offered_plans(request, played.game), subject=played)


async def offered_plans(request: Request, game_id: GameId) -> list[FollowUp]:
    """Plans that people often want next, one tap each."""
    offers = await request.tables.plans.offers(game_id, request.person)
    return [FollowUp(offer.label, "plan", {"order": offer.plan}, offer.is_draft) for offer in offers]


@command(
    "undo",
    "Take back your last move, or several, if nobody else has moved since",
    right="undo",
    changes=True,
    moves=parameter(Number(1, 999), "How many of your moves (default: 1)", shown="NUMBER"),
    example="undo 3",
)
async def take_back(request: Request, moves: int = 1) -> Reply:
    game_id, person = await request.game_id(), request.person
    try:
        played = await request.tables.moves.undo(game_id, person, moves, request.version)
    except IllegalMove as refusal:
        number = await request.tables.moves.version_before_last_move(game_id, person)
        if number is None or len((await request.table()).seats) == 1:
            raise
        ask = FollowUp(msg("Ask the others"), "vote undo", {"record": number})
        return Reply(refusal=refusal, follow_ups=[ask])
    return Reply([*played.lines, played.question], subject=played)


@command("redo", "Redo the moves that you have just taken back", right="undo", changes=True)
async def make_again(request: Request) -> Reply:
    played = await request.tables.moves.redo(await request.game_id(), request.person, request.version)
    return Reply([*played.lines, played.question], subject=played)


@command(
    "help",
    "Your possible moves, with examples; or help on a command, a move, a component or a word",
    words=("?", "moves", Spelling("commands", rest="commands")),
    about=parameter(Words(100), "A command, a kind of move, a company, private or train, or a word of the game"),
    example="help lay",
)
async def show_help(request: Request, about: str = "") -> Reply:
    return await request.help(about)


def bullets(lines: Sequence[str]) -> list[str]:
    return [f"- {line}" for line in lines]


# -- trying -------------------------------------------------------------------------------------------


@command(
    "try",
    "Try moves without making them; only you see the result",
    right="look",
    move=MOVES,
    example="try run best; pay",
)
async def try_moves(request: Request, move: str) -> Reply:
    game_id = (await request.table()).record.id
    _, current = await request.tables.desk.require_started(game_id)
    tried = await request.tables.sandbox.preview(game_id, request.person, move)
    gain = await run_in_thread(gain_of, current, tried.actions, tried.game)
    lines = bullets([*tried.lines, *filter(None, [gain])])
    return Reply([msg("That would do this:"), *lines, msg("Then: {question}", tried.question)], subject=tried)


@command(
    "whatif move",
    "Make moves in your sandbox, for any seat",
    right="look",
    words=("whatif",),
    move=parameter(Words(LONGEST_MOVES), "One or several moves, for any seat", sandbox_moves),
    example="whatif buy P1",
)
async def play_in_sandbox(request: Request, move: str = "") -> Reply:
    game_id = (await request.table()).record.id
    return sandbox_reply(request, await request.tables.sandbox.add(game_id, request.person, move))


@command("whatif show", "Your sandbox, applied to the current position", right="look")
async def show_sandbox(request: Request) -> Reply:
    return await play_in_sandbox(request)


@command("whatif back", "Take the last move out of your sandbox", right="look")
async def take_out_of_sandbox(request: Request) -> Reply:
    game_id = (await request.table()).record.id
    return sandbox_reply(request, await request.tables.sandbox.undo(game_id, request.person, 1))


@command("whatif drop", "Empty your sandbox", right="look")
async def empty_sandbox(request: Request) -> Reply:
    game_id = (await request.table()).record.id
    return sandbox_reply(request, await request.tables.sandbox.undo(game_id, request.person, None))


@command(
    "whatif plan", "Plan your company's turn as it is in your sandbox, for when it comes", right="order", changes=True
)
async def plan_sandbox_turn(request: Request) -> Reply:
    shown = await request.tables.sandbox.plan(await request.game_id(), request.person)
    return Reply([msg("Noted, visible only to you: {order}", shown.text)])


@command("whatif make", "Make your own moves from your sandbox in the game", right="move", changes=True)
async def make_sandbox_moves(request: Request) -> Reply:
    played = await request.tables.sandbox.commit(await request.game_id(), request.person, request.version)
    offers = await offered_plans(request, played.game)
    return Reply([*played.lines, played.question], follow_ups=offers, subject=played)


def sandbox_reply(request: Request, found: SandboxState) -> Reply:
    empty = msg("Your sandbox is empty; make a move in it with: {command}.", request.spell("whatif move", move="…"))
    head = (
        msg("In your sandbox, as if it were the turn of {company}:", found.turn)
        if found.turn
        else msg("In your sandbox:")
    )
    lines: list[Text] = [head if found.preview.lines or found.turn else empty, *bullets(found.preview.lines)]
    lines += [found.lost] if found.lost else []
    follow_ups = []
    if found.own:
        follow_ups.append(FollowUp(msg("Make these moves"), "whatif make"))
    if found.preview.actions and found.turn:
        follow_ups.append(FollowUp(msg("Make it when the turn comes"), "whatif plan"))
    if found.preview.actions:
        follow_ups.append(FollowUp(msg("Take back the last move"), "whatif back"))
        follow_ups.append(FollowUp(msg("Discard the moves"), "whatif drop"))
    return Reply([*lines, msg("Then: {question}", found.preview.question)], follow_ups=follow_ups, subject=found)
