"""An emulator of Discord on 127.0.0.1, against which the real discord.py talks real HTTP and WebSocket.

`fixtures.double` gives a running emulator with one guild, one text channel and four users. The bot runs as a
subprocess (`double.launch()`), so that kill -9 and restarts are real; the users (`user.py`) do only what a
Discord client allows; two oracles (`limits*.py`, `openapi.py`) look at every request; the teardown fails on
whatever real Discord would have held against the bot.

    from tests.discord_double.fixtures import double as double

    async def test_lobby(double, tmp_path):
        bot = await double.launch(data=tmp_path)
        lobby = await double.ann.slash("game new", double.channel, title="1848")
        await double.bob.click(lobby, "Join")
        await bot.restart(kill=True)
        await double.cid.click(lobby, "Join")
        assert "Cid" in lobby.text

Provoked problems are announced: `double.expect("403 50007")`. Failures are ordered: `double.faults.fail(...)`,
`.rate_limit(...)`, `.lose_answer(...)`, `.slow(...)`, `double.gateway.drop()`, `.invalidate()`,
`.ask_reconnect()`, `double.go_down()`, `double.forbid(...)`, `double.ann.refuse_dms()`, `bot.kill()`.
"""
