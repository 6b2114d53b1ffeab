"""The text below the market of 1830."""

from bot.engine.play.board_style import BoardStyle

LOOK = BoardStyle(zones={"y": "yellow", "o": "#f5a623", "b": "#b5895a", "p": "#f6b8b0"})
