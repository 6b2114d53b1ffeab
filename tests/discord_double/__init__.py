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

Provoked problems are announced: `double.expect("403 50007")`. Failures are ordered: `double.faults.fail(...)` (with a code,
without, as a page), `.rate_limit(...)`, `.ban()`, `.lose_answer(...)`, `.slow(...)`, `.silence(...)`, and `.lift()` ends them;
`double.gateway.drop()`, `.invalidate()`, `.ask_reconnect()`, `.refuse(...)`, `.freeze()`, `.garble()`; `double.go_down()`,
`.is_http_down`, `.buckets.limit(...)`, `.pass_time()`, `.forbid(...)`, `.forbid_user(...)`, `guild.most_threads`,
`double.ann.refuse_dms()`, `.account.locale`, `bot.kill()`.
"""
