"""An emulator of Discord on 127.0.0.1, against which the real discord.py talks real HTTP and WebSocket.

`fixtures.double` gives a running emulator with one guild, one text channel and four users. The bot runs as a
subprocess (`double.launch()`), so that kill -9 and restarts are real; the users (`user.py`) do only what a
Discord client allows; two oracles (`limits.py`, `openapi.py`) look at every request; the teardown fails on
whatever real Discord would have held against the bot.
"""
