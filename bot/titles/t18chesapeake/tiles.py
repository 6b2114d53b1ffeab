"""The tile sheet of 18Chesapeake. Washington (DC), Baltimore and Philadelphia (OO) have tiles of their own."""

from bot.engine.board import parse_tiles

TILES = parse_tiles(
    """
    1x1 2x1 3x2 4x2 7x* 8x* 9x* 14x5 15x6 16x1 19x1 20x1 23x3 24x3 25x2 26x1 27x1 28x1 29x1 39x1 40x1 41x1 42x1
    43x2 44x1 45x1 46x1 47x2 55x1 56x1 57x7 58x2 69x1 70x1 611x5 915x1
    X1 yellow x1 'DC' city:30 | 0-c0 4-c0
    X2 green x1 'DC' city:40/2 | 0-c0 2-c0 1-c0 4-c0 5-c0
    X3 green x1 'OO' city:40 city:40 | 0-c0 c0-2 3-c1 c1-5
    X4 green x1 'OO' city:40 city:40 | 0-c0 c0-1 2-c1 c1-3
    X5 green x1 'OO' city:40 city:40 | 3-c0 c0-5 0-c1 c1-4
    X6 brown x1 'DC' city:70/3 | 0-c0 1-c0 2-c0 3-c0 4-c0 5-c0
    X7 brown x2 'OO' city:50/2 | 0-c0 1-c0 2-c0 5-c0 4-c0
    X8 gray x1 'DC' city:100/4 | 0-c0 1-c0 2-c0 3-c0 4-c0 5-c0
    X9 gray x1 'OO' city:70/3 | 0-c0 1-c0 2-c0 4-c0 5-c0
    """
)
